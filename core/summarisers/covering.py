"""The order in which sentences come into a summary: each for its own worth and for what is new.

Letters: E sentences.
"""

import heapq
from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from core.summarisers.ranker import Judgement

Floats = NDArray[np.float64]

FEWEST_WORDS = 10
"""Shorter sentences count as so long: few words say little, however well they do it."""
LENGTH_POWER, NUMBER_POWER = 0.8, 0.5
"""What a sentence brings is divided by its words to this power: the first where a summary's length
is counted in words, the second where it is counted in sentences. There longer sentences bring more,
but those of more than thirty words are hard to read."""
WORDS, PAIRS = 0.3, 0.7
"""How much the words, and the pairs, that are new count, beside a sentence's own worth."""
FADING = 0.3
"""Its own worth is multiplied by the share of its words and pairs that are new, to this power."""


def covering_order(
    judged: Judgement,
    words: NDArray[np.int32],
    leans_on: NDArray[np.int64],
    limit: int | None = None,
    power: float = LENGTH_POWER,
) -> tuple[list[int], list[float]]:
    """Orders sentences so that any beginning of the order is a good summary.

    Words and pairs count once, as much as they are expected in a summary: the gain of a sentence
    only shrinks as others are taken, so that only the best few are looked at again.

    Args:
        judged: What the sentences, their words and pairs are worth; below 0 counts as 0.
        words: [E] how many words each has.
        leans_on: [E] the sentence after which alone each may come, -1 for none.
        limit: How many to order; all if None.
        power: What a sentence brings is divided by its words to this power.

    Returns:
        Indices, best first, and the gain each had when it was taken; of equals the earlier one.
    """
    if not len(judged.worth):
        return [], []
    worth = np.maximum(0.0, judged.worth)  # so that every gain shrinks
    own = worth / max(1e-9, float(worth.max()))
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
        return float((own[index] * share**FADING + new) / lengths[index])

    first = (own + fresh) / lengths
    waiting = [(-float(first[index]), index) for index in np.flatnonzero(leans_on < 0).tolist()]
    heapq.heapify(waiting)
    held_back = defaultdict(list)
    for index in np.flatnonzero(leans_on >= 0).tolist():
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
