"""Pairwise scores with the aggregate "max": each sentence by the nearest one on the other side.

The score of a set is the mean over its sentences of the F1 with their nearest sentence of the
rest. A candidate brings its own nearest F1, and takes itself from the picked whose nearest it is:
they fall back on their second. Only when a kind of sentence leaves the rest do the nearest of
others change, so each kind keeps a short list of its nearest and looks further when that runs
out. Looking is linear in the document, hence the whole is quadratic, with a small constant.

F1 values are quotients of small whole numbers, which floats keep apart; sums of them are compared
as fractions where they come close.

Letters: N scorable sentences, C kinds.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from fractions import Fraction
from math import fsum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.events import Progress, Steps
from core.gsg.bags import Bags, Ints
from core.gsg.kinds import Kinds, kinds_of
from core.stop import StopToken

_LISTED = 16  # nearest kinds kept for each
_CLOSE = 1e-9  # far above the rounding of the sums, far below what tells scores apart
_KINDS_A_STEP = 256


class Near(NamedTuple):
    """A kind that is near another: F1 is 2 · `shared` / `both`."""

    score: float
    kind: int
    shared: int
    both: int

    @property
    def exact(self) -> Fraction:
        """The F1 without rounding."""
        return Fraction(2 * self.shared, self.both)


_NOTHING = Near(0.0, -1, 0, 1)


class Neighbours:
    """The nearest kinds of each kind among those that still have sentences in the rest.

    Args:
        kinds: The kinds of sentences.
    """

    def __init__(self, kinds: Kinds) -> None:
        self.kinds = kinds
        self.left: Ints = kinds.sizes.copy()
        self._lengths: Ints = kinds.lengths[kinds.length_ids]
        self._lists: list[list[Near]] = [[] for _ in range(len(kinds))]
        self._complete = [False] * len(kinds)

    def first(self, kind: int, count: int) -> list[Near]:
        """The nearest kinds of one, itself among them; filled up where there are fewer."""
        found = self._alive(kind)
        if len(found) < count and not self._complete[kind]:
            self._look(kind)
            found = self._alive(kind)
        return (found + [_NOTHING] * count)[:count]

    def nearest_other(self, kind: int) -> Near:
        """What is nearest to one sentence of a kind that is itself still in the rest."""
        found = self.first(kind, 2)
        return found[0] if found[0].kind != kind or self.left[kind] > 1 else found[1]

    def _alive(self, kind: int) -> list[Near]:
        self._lists[kind] = [near for near in self._lists[kind] if self.left[near.kind]]
        return self._lists[kind]

    def _look(self, kind: int) -> None:
        kinds = self.kinds
        features = kinds.features[kinds.starts[kind] : kinds.starts[kind + 1]].tolist()
        starts = kinds.holder_starts
        pieces = [kinds.holders[starts[each] : starts[each + 1]] for each in features]
        holders = np.concatenate([np.empty(0, np.int64), *pieces])
        shared = np.bincount(holders, minlength=len(kinds)) * (self.left > 0)
        others = np.flatnonzero(shared)
        both = self._lengths[kind] + self._lengths[others]
        scores = 2 * shared[others] / both
        self._complete[kind] = len(others) <= _LISTED
        best = np.argsort(-scores, kind="stable")[:_LISTED]
        chosen = others[best]
        columns = scores[best], chosen, shared[chosen], both[best]
        self._lists[kind] = [
            Near(*row) for row in zip(*(column.tolist() for column in columns), strict=True)
        ]


def independent(bags: Bags, stop: StopToken) -> Steps[tuple[list[int], NDArray[np.float64]]]:
    """All sentences, the one with the nearest other first.

    Args:
        bags: The sentences.
        stop: Read now and then.

    Yields:
        How many kinds of sentences are done.

    Returns:
        Their numbers in order, and [N] the score of each sentence, by number.
    """
    kinds = kinds_of(bags)
    neighbours = Neighbours(kinds)
    nearest = np.zeros(len(kinds))
    for kind in range(len(kinds)):
        if kind % _KINDS_A_STEP == 0:
            yield _progress(kind, len(kinds), stop)
        nearest[kind] = neighbours.nearest_other(kind).score
    scores = nearest[kinds.of_sentence]
    return np.argsort(-scores, kind="stable").tolist(), scores


class Greedy:
    """Picks the sentence that leaves the highest score, again and again.

    Args:
        bags: The sentences.
    """

    def __init__(self, bags: Bags) -> None:
        self.kinds = kinds_of(bags)
        self._neighbours = Neighbours(self.kinds)
        self._picked = [0] * len(self.kinds)
        self._own = [_NOTHING] * len(self.kinds)
        self._leaning: list[tuple[Near, Near]] = [(_NOTHING, _NOTHING)] * len(self.kinds)
        # For each kind: the picked kinds whose nearest it is, and all kinds that look at it.
        self._leaners: defaultdict[int, set[int]] = defaultdict(set)
        self._watchers: defaultdict[int, set[int]] = defaultdict(set)
        self._gains = np.zeros(len(self.kinds))

    def start(self, stop: StopToken) -> Iterator[Progress]:
        """Finds the nearest of all.

        Args:
            stop: Read now and then.

        Yields:
            How many kinds are done.
        """
        for kind in range(len(self.kinds)):
            if kind % _KINDS_A_STEP == 0:
                yield _progress(kind, len(self.kinds), stop)
            self._look_again(kind)
            self._gains[kind] = self._gain(kind)

    def best(self, next_sentences: list[int]) -> int:
        """The kind to pick from.

        Args:
            next_sentences: [C] the sentence of each kind that would be picked; ties go to the
                earliest.

        Returns:
            Its number.
        """
        near = np.flatnonzero(self._gains >= self._gains.max() - _CLOSE).tolist()
        if len(near) == 1:
            return int(near[0])
        return int(max(near, key=lambda kind: (self._exact_gain(kind), -next_sentences[kind])))

    def take(self, kind: int, can_go_on: bool) -> float:
        """Moves one sentence of a kind to the picked side.

        Args:
            kind: Its number.
            can_go_on: Whether more sentences of this kind may be picked.

        Returns:
            By how much the sum of the nearest F1 of the picked grows.
        """
        gain = self._gain(kind)
        self._picked[kind] += 1
        self._neighbours.left[kind] -= 1
        changed = {kind}
        if not self._neighbours.left[kind]:
            changed |= self._watchers.pop(kind, set())
        touched = set(changed)
        for each in changed:
            touched |= self._look_again(each)
        for each in touched:
            if self._gains[each] > -np.inf:
                self._gains[each] = self._gain(each)
        if not can_go_on:
            self._gains[kind] = -np.inf
        return gain

    def _look_again(self, kind: int) -> set[int]:
        """Finds the nearest of a kind; gives the kinds whose loss changes by that."""
        old, new = self._leaning[kind], tuple(self._neighbours.first(kind, 2))
        self._leaners[old[0].kind].discard(kind)
        self._leaning[kind] = (new[0], new[1])
        if self._neighbours.left[kind]:
            self._own[kind] = self._neighbours.nearest_other(kind)
        for near in new:
            self._watchers[near.kind].add(kind)
        if not self._picked[kind]:
            return set()
        self._leaners[new[0].kind].add(kind)
        return {near.kind for near in (old[0], new[0]) if near.kind >= 0}

    def _losses(self, kind: int) -> list[tuple[int, Near, Near]]:
        """Who of the picked falls back from what to what when the last of a kind leaves."""
        if self._neighbours.left[kind] != 1:
            return []
        return [(self._picked[each], *self._leaning[each]) for each in self._leaners[kind]]

    def _gain(self, kind: int) -> float:
        losses = (count * (b.score - a.score) for count, a, b in self._losses(kind))
        return fsum([self._own[kind].score, *losses])

    def _exact_gain(self, kind: int) -> Fraction:
        losses = (count * (b.exact - a.exact) for count, a, b in self._losses(kind))
        return sum(losses, self._own[kind].exact)


def sequential(
    bags: Bags, given: Collection[int], limit: int, stop: StopToken
) -> Steps[tuple[list[int], NDArray[np.float64]]]:
    """Picks sentences one after the other so that each picked one has a near one in the rest.

    Args:
        bags: The sentences.
        given: Scorable sentences that are picked already.
        limit: How many to pick.
        stop: Read now and then.

    Yields:
        How far it is.

    Returns:
        The picked in order, without the given ones; and [M] the score after each pick.
    """
    greedy = Greedy(bags)
    yield from greedy.start(stop)
    of_sentence = greedy.kinds.of_sentence.tolist()
    queues: list[list[int]] = [[] for _ in range(len(greedy.kinds))]
    for sentence in range(len(bags) - 1, -1, -1):
        if sentence not in given:
            queues[of_sentence[sentence]].append(sentence)
    following = [queue[-1] if queue else len(bags) for queue in queues]
    total = fsum(
        greedy.take(kind, bool(queues[kind])) for kind in map(of_sentence.__getitem__, given)
    )
    picked: list[int] = []
    scores: list[float] = []
    for done in range(min(limit, len(bags) - len(given))):
        if done % _KINDS_A_STEP == 0:
            yield _progress(done, limit, stop)
        kind = greedy.best(following)
        picked.append(queues[kind].pop())
        following[kind] = queues[kind][-1] if queues[kind] else len(bags)
        total += greedy.take(kind, bool(queues[kind]))
        num_picked = len(given) + len(picked)
        scores.append(total / num_picked if num_picked < len(bags) else 0.0)
    return picked, np.array(scores, np.float64)


def _progress(done: int, total: int, stop: StopToken) -> Progress:
    stop.raise_if_set()
    return Progress(done, total, "sentences", "Comparing")
