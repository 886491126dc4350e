"""Document-level scores: the picked sentences as one bag against the rest as one bag.

Write x for how often a word stands in the picked sentences and D for how often in all. The bags
share min(x, D − x) copies of it, and their lengths always add up to the length of the document,
so the score is (2 / length) · Σ min(x, D − x). With `unique` a word counts once on each side, so
they share min(x, D − x, 1); the two sets together are all V words, hence their sizes add up to
V + shared, and the score 2 · shared / (V + shared) rises with what is shared. Both times the best
candidate is the one that adds most to a sum of concave functions of whole numbers: gains are
integers (no comparison is ever close), they only fall, and a word changes the gains of the
sentences that hold it only while its x passes a kink. So gains are kept true all the time, and
all changes of a run together are at most about twice the words of the document.

Letters: N scorable sentences, K entries of all bags, V different words.
"""

import heapq
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from core.events import Progress, Steps
from core.gsg.bags import Bags, Ints, sums
from core.stop import StopToken

_PICKS_A_STEP = 1024


def independent_gains(bags: Bags, unique: bool) -> Ints:
    """What each sentence shares with all the others as one bag.

    Args:
        bags: The sentences.
        unique: Whether a word counts once on each side.

    Returns:
        [N] how many words are shared; a higher one is a higher score.
    """
    shared = np.minimum(bags.counts, bags.totals[bags.words] - bags.counts)
    return sums(np.minimum(shared, 1) if unique else shared, bags.starts)


def independent(bags: Bags, unique: bool) -> tuple[list[int], NDArray[np.float64]]:
    """All sentences, the one most like the others as one bag first.

    Args:
        bags: The sentences.
        unique: Whether a word counts once on each side.

    Returns:
        Their numbers in order, and [N] the score of each sentence, by number.
    """
    gains = independent_gains(bags, unique)
    return np.argsort(-gains, kind="stable").tolist(), scores_of(gains, bags, unique)


def scores_of(shared: Ints, bags: Bags, unique: bool) -> NDArray[np.float64]:
    """F1 scores from the words that two sides of a document share.

    Args:
        shared: [N] how many words are shared.
        bags: The document's sentences.
        unique: Whether a word counts once on each side.

    Returns:
        [N] the scores; 0 for a document without words.
    """
    both = bags.num_words + shared if unique else np.full(len(shared), bags.counts.sum())
    return 2 * shared / np.maximum(both, 1)


class Greedy:
    """Picks the sentence that adds most to what both sides share, again and again.

    Args:
        bags: The sentences.
        unique: Whether a word counts once on each side.
    """

    def __init__(self, bags: Bags, unique: bool) -> None:
        self._taken = bytearray(len(bags))
        self._gains: list[int] = independent_gains(bags, unique).tolist()
        self._starts: list[int] = bags.starts.tolist()
        self._words: list[int] = bags.words.tolist()
        self._counts: list[int] = bags.counts.tolist()
        self._index_words(bags, unique)

    def _index_words(self, bags: Bags, unique: bool) -> None:
        """For each word: who holds it, most copies first, and where its kinks lie."""
        totals = bags.totals
        order = np.lexsort((-bags.counts, bags.words))
        self._holders: list[int] = bags.owners[order].tolist()
        self._copies: list[int] = bags.counts[order].tolist()
        firsts = np.searchsorted(bags.words[order], np.arange(bags.num_words + 1))
        self._firsts: list[int] = firsts.tolist()
        self._totals: list[int] = totals.tolist()
        self._rises_to: list[int] = np.minimum(totals // 2, 1 if unique else totals).tolist()
        self._chosen = [0] * bags.num_words

    def take(self, candidate: int) -> int:
        """Moves a sentence to the picked side.

        Args:
            candidate: Its number among the scorable sentences; not picked before.

        Returns:
            How many words more are shared then (fewer, if below 0).
        """
        gain = self._gains[candidate]
        self._taken[candidate] = True
        chosen, totals, rises_to = self._chosen, self._totals, self._rises_to
        for entry in range(self._starts[candidate], self._starts[candidate + 1]):
            word = self._words[entry]
            before = chosen[word]
            after = chosen[word] = before + self._counts[entry]
            rise, fall = rises_to[word], totals[word] - rises_to[word]
            reach = after + self._copies[self._firsts[word]]
            straight = reach <= rise or before >= fall or (rise <= before and reach <= fall)
            if not straight:
                self._pass_kink(word, before, after)
        return gain

    def _pass_kink(self, word: int, before: int, after: int) -> None:
        """Lowers the gains of those who hold a word; few copies may still see a straight line."""
        total, cap = self._totals[word], self._rises_to[word]
        gains, holders, copies = self._gains, self._holders, self._copies
        base = min(before, total - before, cap) - min(after, total - after, cap)
        for entry in range(self._firsts[word], self._firsts[word + 1]):
            old, new = before + copies[entry], after + copies[entry]
            change = base + min(new, total - new, cap) - min(old, total - old, cap)
            if not change:
                return
            gains[holders[entry]] += change

    def run(self, limit: int, stop: StopToken) -> Steps[tuple[list[int], list[int]]]:
        """Picks the best candidate until enough are picked.

        Args:
            limit: How many to pick.
            stop: Read now and then.

        Yields:
            How many are picked.

        Returns:
            The numbers of the picked among the scorable sentences, in order, and the gain of
            each.
        """
        picked: list[int] = []
        gains: list[int] = []
        # One integer holds gain and place: the smallest is the best gain, the earliest sentence.
        width = max(len(self._gains), 1)
        heap = [
            index - gain * width for index, gain in enumerate(self._gains) if not self._taken[index]
        ]
        heapq.heapify(heap)
        while heap and len(picked) < limit:
            if len(picked) % _PICKS_A_STEP == 0:
                stop.raise_if_set()
                yield Progress(len(picked), limit, "sentences", "Picking")
            key = heap[0]
            candidate = key % width
            true_key = candidate - self._gains[candidate] * width
            if true_key != key:
                heapq.heapreplace(heap, true_key)
                continue
            heapq.heappop(heap)
            picked.append(candidate)
            gains.append(self.take(candidate))
        return picked, gains


def sequential(
    bags: Bags, unique: bool, given: Collection[int], limit: int, stop: StopToken
) -> Steps[tuple[list[int], NDArray[np.float64]]]:
    """Picks sentences one after the other so that both sides stay as alike as can be.

    Args:
        bags: The sentences.
        unique: Whether a word counts once on each side.
        given: Scorable sentences that are picked already.
        limit: How many to pick.
        stop: Read now and then.

    Yields:
        How many are picked.

    Returns:
        The picked in order, without the given ones; and [M] the score after each pick.
    """
    greedy = Greedy(bags, unique)
    shared = sum(greedy.take(candidate) for candidate in given)
    picked, gains = yield from greedy.run(limit, stop)
    return picked, scores_of(shared + np.cumsum(gains, dtype=np.int64), bags, unique)
