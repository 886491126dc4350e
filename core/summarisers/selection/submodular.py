"""A greedy order of candidates under a submodular objective: each adds what the others do not say.

Letters: E candidates, W words, P pairs.
"""

import heapq
from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from core.summarisers.scoring.ranker import RankerOutput

Floats = NDArray[np.float64]

# Chosen in November 2026 by ROUGE on validation documents with summaries (`docs/evaluation.md`).
MIN_LENGTH = 10
"""Shorter sentences count as if they had this many words: a few words say little, however well."""
WORD_WEIGHT, PAIR_WEIGHT = 0.3, 0.7
"""Weights of new words and of new pairs."""
UTILITY_DECAY = 0.3
"""A candidate's utility is multiplied by the share of its words and pairs that is new, to this
power."""


def submodular_order(
    utility: Floats,
    output: RankerOutput,
    words: NDArray[np.int32],
    antecedents: NDArray[np.int64],
    *,
    coverage: float,
    length_power: float,
    limit: int | None = None,
) -> tuple[list[int], list[float]]:
    """Orders candidates so that any beginning of the order is a good summary.

    Each word and pair counts once, as much as it is expected in a summary. So the gain of a
    candidate only shrinks as others are taken, and lazy greedy selection is exact: only the
    candidate at the top of the heap is evaluated again.

    Args:
        utility: [E] utility of each candidate; those below 0 are not taken.
        output: Probabilities of the words [W] and pairs [P] of the candidates.
        words: [E] words in each.
        antecedents: [E] the candidate that has to come before each, -1 for none.
        coverage: Value of all expected words and pairs of the candidate that has most of them.
        length_power: Gains are divided by the number of words to this power.
        limit: Number of candidates to order; all if None.

    Returns:
        Rows, best first, and the gain of each when it was taken; of equals the earlier one.
    """
    if not len(utility):
        return [], []
    terms = (output.words, output.pairs)
    values = (WORD_WEIGHT * output.word_probs, PAIR_WEIGHT * output.pair_probs)
    sums = [each.sum_by_candidate(own) for each, own in zip(terms, values, strict=True)]
    novelty: Floats = np.sum(sums, axis=0)
    most = max(1e-9, float(novelty.max()))
    novelty, left = novelty / most, [own / most for own in values]
    lengths = np.maximum(MIN_LENGTH, words) ** length_power

    def gain(row: int) -> float:
        new = sum(
            float(own[each.in_candidate(row)].sum()) for each, own in zip(terms, left, strict=True)
        )
        share = min(1.0, new / max(1e-9, float(novelty[row])))
        return float((utility[row] * share**UTILITY_DECAY + coverage * new) / lengths[row])

    first = (utility + coverage * novelty) / lengths
    eligible = utility >= 0
    free = np.flatnonzero(eligible & (antecedents < 0)).tolist()
    heap = [(-float(first[row]), row) for row in free]
    heapq.heapify(heap)
    dependents = defaultdict(list)
    for row in np.flatnonzero(eligible & (antecedents >= 0)).tolist():
        dependents[int(antecedents[row])].append(row)
    order: list[int] = []
    gains: list[float] = []
    while heap and (limit is None or len(order) < limit):
        _, row = heapq.heappop(heap)
        now = -gain(row)
        if heap and (now, row) > heap[0]:
            heapq.heappush(heap, (now, row))
            continue
        order.append(row)
        gains.append(-now)
        for each, own in zip(terms, left, strict=True):
            own[each.in_candidate(row)] = 0.0
        for other in dependents.pop(row, ()):
            heapq.heappush(heap, (-gain(other), other))
    return order, gains
