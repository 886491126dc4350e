"""The order in which sentences come into a summary: each for its own worth and for what is new.

Letters: E sentences.
"""

import heapq
from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from core.summarisers.scoring.ranker import Judgement

Floats = NDArray[np.float64]

FEWEST_WORDS = 10
"""Shorter sentences count as so long: few words say little, however well they do it."""
WORDS, PAIRS = 0.3, 0.7
"""How much the words, and the pairs, that are new count, beside a sentence's own worth."""
FADING = 0.3
"""Its own worth is multiplied by the share of its words and pairs that are new, to this power."""


def covering_order(
    worth: Floats,
    judged: Judgement,
    words: NDArray[np.int32],
    leans_on: NDArray[np.int64],
    *,
    covering: float,
    power: float,
    limit: int | None = None,
) -> tuple[list[int], list[float]]:
    """Orders sentences so that any beginning of the order is a good summary.

    Words and pairs count once, as much as they are expected in a summary: the gain of a sentence
    only shrinks as others are taken, so that only the best few are looked at again.

    Args:
        worth: [E] what each sentence alone is worth; below 0 it is not taken.
        judged: What the words and pairs of the sentences are worth.
        words: [E] how many words each has.
        leans_on: [E] the sentence after which alone each may come, -1 for none.
        covering: What all expected words and pairs of the best sentence are worth.
        power: What a sentence brings is divided by its words to this power.
        limit: How many to order; all if None.

    Returns:
        Indices, best first, and the gain each had when it was taken; of equals the earlier one.
    """
    if not len(worth):
        return [], []
    terms = [judged.words, judged.pairs]
    values = [WORDS * judged.word_values, PAIRS * judged.pair_values]
    fresh: Floats = np.sum(
        [each.held(worths) for each, worths in zip(terms, values, strict=True)], axis=0
    )
    most = max(1e-9, float(fresh.max()))
    fresh, left = fresh / most, [worths / most for worths in values]
    lengths = np.maximum(FEWEST_WORDS, words) ** power

    def gain(index: int) -> float:
        new = sum(
            float(worths[each.of_sentence(index)].sum())
            for each, worths in zip(terms, left, strict=True)
        )
        share = min(1.0, new / max(1e-9, float(fresh[index])))
        return float((worth[index] * share**FADING + covering * new) / lengths[index])

    first = (worth + covering * fresh) / lengths
    taken = worth >= 0
    free = np.flatnonzero(taken & (leans_on < 0)).tolist()
    waiting = [(-float(first[index]), index) for index in free]
    heapq.heapify(waiting)
    held_back = defaultdict(list)
    for index in np.flatnonzero(taken & (leans_on >= 0)).tolist():
        held_back[int(leans_on[index])].append(index)
    order: list[int] = []
    scores: list[float] = []
    while waiting and (limit is None or len(order) < limit):
        _, index = heapq.heappop(waiting)
        now = -gain(index)
        if waiting and (now, index) > waiting[0]:
            heapq.heappush(waiting, (now, index))
            continue
        order.append(index)
        scores.append(-now)
        for each, worths in zip(terms, left, strict=True):
            worths[each.of_sentence(index)] = 0.0
        for other in held_back.pop(index, ()):
            heapq.heappush(waiting, (-gain(other), other))
    return order, scores
