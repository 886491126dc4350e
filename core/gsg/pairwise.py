"""Pairwise scores: the mean F1 of single sentences with single sentences.

Picking *s* changes the total over all (picked, rest) pairs by the F1 of *s* with the rest less
its F1 with the picked; the number of pairs is the same whichever is picked, so the candidate with
the highest change wins. Changes only fall. So the best candidates are taken out as a block: inside
it changes are kept true pick by pick, outside the last values are upper bounds, and the block
serves until its best no longer beats those. Then the table of prices learns of all its picks at
once, and everybody is valued anew.

Letters: N scorable sentences, C kinds, B kinds in a block.
"""

import math
from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from core.events import Progress, Steps
from core.gsg.bags import Bags, Ints
from core.gsg.kinds import kinds_of
from core.gsg.pair_sums import MANY, PairSums
from core.stop import StopToken

_GONE, _FAR_ABOVE = -(1 << 62), 1 << 62  # below and above every value
_BLOCK_FACTOR = 6  # kinds in the first block for each root of all sentences: measured
_BLOCK_LEAST = 32
_PICKS_A_CHECK = 256


def independent(bags: Bags, needed: int, stop: StopToken) -> tuple[list[int], NDArray[np.float64]]:
    """All sentences, the best mean F1 with the others first.

    Args:
        bags: The sentences; two or more.
        needed: How many of the first must stand in their true order; among the others those too
            close to tell apart by looks may stand in any.
        stop: Read now and then.

    Returns:
        Their numbers in order, and [N] the score of each sentence, by number.
    """
    kinds = kinds_of(bags)
    table = PairSums(kinds)
    ranks, values = _exact_ranks(table, needed, stop)
    order = np.argsort(ranks[kinds.of_sentence], kind="stable")
    means = values[kinds.of_sentence] / 2.0**table.scale / max(len(bags) - 1, 1)
    return order.tolist(), means


def _exact_ranks(table: PairSums, needed: int, stop: StopToken) -> tuple[Ints, Ints]:
    """[C] the place of each kind by its true sum, equal sums sharing one; and [C] the sums."""
    values = table.values()[0]
    order = np.argsort(-values, kind="stable")
    apart = -np.diff(values[order], prepend=_FAR_ABOVE) > table.tolerance
    firsts = np.flatnonzero(apart)
    ranks = np.empty(len(order), np.int64)
    ranks[order] = firsts[np.cumsum(apart) - 1]
    lasts = np.append(firsts[1:], len(order))
    close = (lasts - firsts > 1) & (firsts < needed)
    fingerprints = _fingerprints(table, int((lasts - firsts)[close].max(initial=0)))
    for first, last in zip(firsts[close].tolist(), lasts[close].tolist(), strict=True):
        stop.raise_if_set()
        run = order[first:last]
        if fingerprints is None or len(run) <= MANY:
            ranks[run] += table.ranks(run, None)
        else:
            ranks[run] += table.ranks(run, fingerprints[run], table.terms(run))
    return ranks, values


def _fingerprints(table: PairSums, number: int) -> Ints | None:
    if number <= MANY:
        return None
    table.add_fingerprints()
    fingerprints: Ints = table.values()[1]
    return fingerprints


class _Block:
    """The best candidates, with their values kept true pick by pick."""

    def __init__(self, table: PairSums, kinds: Ints, values: Ints) -> None:
        self.kinds = kinds
        self.values = values
        self.terms = table.terms(kinds) if table.has_fingerprints else None
        all_kinds = table.kinds
        self._lengths = all_kinds.length_ids[kinds]
        self._widths = all_kinds.widths[kinds]
        self._rates = table.rates
        features = all_kinds.features[all_kinds.entries(kinds)]
        owners = np.repeat(np.arange(len(kinds)), self._widths)
        order = np.argsort(features, kind="stable")
        firsts = np.flatnonzero(np.diff(features[order], prepend=-1))
        held = np.diff(firsts, append=len(order))
        spread = np.repeat(held > 1, held)  # a lone holder shares with no one else here
        self._holders = owners[order]
        self._pieces = self._pieces_of(
            owners, order, np.repeat(firsts, held), np.repeat(held, held), spread
        )

    def _pieces_of(
        self, owners: Ints, order: Ints, firsts: Ints, held: Ints, spread: NDArray[np.bool_]
    ) -> tuple[list[int], list[int], list[int]]:
        """Where each kind's features have their holders: piece numbers, starts and ends."""
        back = np.empty_like(order)
        back[order] = np.arange(len(order))
        kept = spread[back]
        starts, ends = firsts[back][kept], (firsts + held)[back][kept]
        bounds = np.searchsorted(owners[kept], np.arange(len(self.kinds) + 1))
        return bounds.tolist(), starts.tolist(), ends.tolist()

    def take(self, place: int, more: bool) -> None:
        """Lowers all values by a pick; the kind leaves unless there are more of it."""
        bounds, starts, ends = self._pieces
        first, last = bounds[place], bounds[place + 1]
        if first < last:
            pieces = [
                self._holders[a:b]
                for a, b in zip(starts[first:last], ends[first:last], strict=True)
            ]
            shared = np.bincount(np.concatenate(pieces), minlength=len(self.kinds))
            steps = 2 * self._rates[:, self._lengths[place]]  # [2, A]
            self.values -= shared * steps[:, self._lengths]
            if self.terms is not None:
                self.terms[:, self._lengths[place]] -= 2 * shared
            lone = int(self._widths[place] - shared[place])
        else:
            lone = int(self._widths[place])
        own = self._lengths[place]
        self.values[:, place] -= 2 * lone * self._rates[:, own, own]
        if self.terms is not None:
            self.terms[place, own] -= 2 * lone
        if not more:
            self.values[0, place] = _GONE


class Greedy:
    """Picks the sentence that raises the mean over (picked, rest) most, again and again.

    Args:
        bags: The sentences.
        given: Sentences that are picked already.
    """

    def __init__(self, bags: Bags, given: Collection[int] = ()) -> None:
        self._table = PairSums(kinds_of(bags))
        self._size = int(_BLOCK_FACTOR * math.sqrt(len(bags))) + _BLOCK_LEAST
        self._num_sentences = len(bags)
        self._num_picked = 0
        self._total = 0
        self.picked: list[int] = []
        self.scores: list[float] = []
        for sentence in given:
            self._give(sentence)
        self._queue_up(set(given))

    def _give(self, sentence: int) -> None:
        kind = int(self._table.kinds.of_sentence[sentence])
        self._total += self._table.value(kind)
        self._num_picked += 1
        self._table.mark(kind)
        self._table.pick(np.array([kind]))

    def _queue_up(self, given: set[int]) -> None:
        """The sentences of each kind that can be picked, the earliest first."""
        of_sentence = self._table.kinds.of_sentence
        free = np.ones(len(of_sentence), np.bool_)
        free[list(given)] = False
        can = np.flatnonzero(free)
        order = np.argsort(of_sentence[can], kind="stable")
        self._left = np.bincount(of_sentence[can], minlength=len(self._table.kinds))
        self._queue: list[int] = [*can[order].tolist(), -1]
        self._place: list[int] = (np.cumsum(self._left) - self._left).tolist()
        # [C] the sentence of each kind that would be picked; of no use where none is left.
        self._next = np.array(self._queue)[self._place]

    def run(self, limit: int, stop: StopToken) -> Iterator[Progress]:
        """Picks until enough are picked: see `picked` and `scores`.

        Args:
            limit: How many to pick.
            stop: Read now and then.

        Yields:
            How many are picked.
        """
        limit = min(limit, self._num_sentences - self._num_picked)
        while len(self.picked) < limit:
            stop.raise_if_set()
            yield Progress(len(self.picked), limit, "sentences", "Picking")
            block, bound = self._best_block()
            picks = self._serve(block, bound, limit, stop)
            self._table.pick(np.array(picks, np.int64))
            self._resize(len(picks))
            if not picks:  # too many are too close to the best
                self._table.add_fingerprints()

    def _resize(self, num_picks: int) -> None:
        """Keeps the work inside blocks and the work of making them about equal."""
        inside, making = num_picks * self._size, len(self._table.kinds.features)
        if inside < making:
            self._size *= 2
        elif inside > 4 * making:
            self._size = max(self._size // 2, _BLOCK_LEAST)

    def _best_block(self) -> tuple[_Block, int]:
        """The best candidates, and what all others are below."""
        values = self._table.values()
        values[0, self._left == 0] = _GONE
        number = values.shape[1]
        if self._size >= number:
            return _Block(self._table, np.arange(number), values), _GONE
        at_least = np.partition(values[0], -self._size)[-self._size] - self._table.tolerance
        inside = values[0] >= at_least
        bound = int(values[0, ~inside].max(initial=_GONE))
        kinds = np.flatnonzero(inside)
        return _Block(self._table, kinds, values[:, kinds]), bound

    def _serve(self, block: _Block, bound: int, limit: int, stop: StopToken) -> list[int]:
        """Picks from a block while its best is surely the best of all; gives the kinds."""
        picks: list[int] = []
        tolerance = self._table.tolerance
        while len(self.picked) < limit:
            values = block.values[0]
            place = int(values.argmax())
            value = int(values[place])
            if value - tolerance <= bound:
                break
            near = (values >= value - tolerance).nonzero()[0]
            if len(near) > MANY and not self._table.has_fingerprints:
                break
            if len(near) > 1:
                place = self._best_of(block, near)
                value = int(values[place])
            kind = int(block.kinds[place])
            self._note(kind, value)
            block.take(place, more=bool(self._left[kind]))
            picks.append(kind)
            if len(picks) % _PICKS_A_CHECK == 0:
                stop.raise_if_set()
        return picks

    def _best_of(self, block: _Block, near: Ints) -> int:
        """Of candidates too close to tell apart: the truly best, the earliest among equals."""
        fingerprints = block.values[1, near] if len(block.values) == 2 else None
        terms = None if block.terms is None or len(near) <= MANY else block.terms[near]
        ranks = self._table.ranks(block.kinds[near], fingerprints, terms)
        equals = near[ranks == 0]
        return int(equals[self._next[block.kinds[equals]].argmin()])

    def _note(self, kind: int, value: int) -> None:
        self.picked.append(self._queue[self._place[kind]])
        self._place[kind] += 1
        self._next[kind] = self._queue[self._place[kind]]
        self._left[kind] -= 1
        self._table.mark(kind)
        self._total += value
        self._num_picked += 1
        pairs = self._num_picked * (self._num_sentences - self._num_picked)
        self.scores.append(self._total / pairs / 2.0**self._table.scale if pairs else 0.0)


def sequential(
    bags: Bags, given: Collection[int], limit: int, stop: StopToken
) -> Steps[tuple[list[int], NDArray[np.float64]]]:
    """Picks sentences one after the other so that each side's sentences stand for the other's.

    Args:
        bags: The sentences.
        given: Scorable sentences that are picked already.
        limit: How many to pick.
        stop: Read now and then.

    Yields:
        How many are picked.

    Returns:
        The picked in order, without the given ones; and [M] the score after each pick.
    """
    greedy = Greedy(bags, given)
    yield from greedy.run(limit, stop)
    return greedy.picked, np.array(greedy.scores, np.float64)
