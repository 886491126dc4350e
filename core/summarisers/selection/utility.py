"""The utility by which candidates are selected: importance less defects, and the limits of both.

Letters: E candidates.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.summarisers.scoring.quality import MAX_IMPORTANCE, Quality

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class SelectionWeights:
    """Weights and limits of the selection under one kind of budget.

    Args:
        defect: Importance (0 to 3) that a certain defect costs.
        max_defect_prob: A more probable defect excludes a candidate.
        min_value: Importance less defects below this excludes a candidate, too, if it is also
            below `RELATIVE_CUTOFF` of the mean of the best `TOP_K`.
        coverage: Weight of expected words and pairs that are not in the summary yet, beside the
            candidate's own utility.
        length_power: Gains are divided by the number of words to this power.
    """

    defect: float
    max_defect_prob: float
    min_value: float
    coverage: float
    length_power: float


# Chosen in November 2026 on judged documents (importance and defects of the selected sentences),
# the weights for words also on validation documents with summaries (ROUGE): `docs/evaluation.md`.
WORD_BUDGET = SelectionWeights(
    defect=1.5, max_defect_prob=0.33, min_value=0.6, coverage=1.5, length_power=0.5
)
SENTENCE_BUDGET = SelectionWeights(
    defect=3.0, max_defect_prob=0.25, min_value=1.1, coverage=0.0, length_power=0.0
)
DEPENDENCY_PENALTY = 0.5
"""Importance that a candidate costs which brings its antecedent along."""
TOP_K, RELATIVE_CUTOFF = 3, 0.7
MIN_DOUBTED = 8
"""A document with fewer candidates may be requested as a whole: their defects do not count."""


def compute_utility(quality: Quality, antecedents: Ints, weights: SelectionWeights) -> Floats:
    """Computes the utility of candidates.

    Args:
        quality: [E] their quality.
        antecedents: [E] row of the antecedent of each, -1 for none.
        weights: The weights.

    Returns:
        [E] from 0 to 1; -1 for candidates that are not eligible. If none is, the best few that need
        no antecedent are, rather than nothing.
    """
    value, eligible = weigh_defects(quality, antecedents, weights)
    if not find_reachable(eligible, antecedents).any():
        independent = antecedents < 0
        best = np.sort(value[independent])[-TOP_K:]
        eligible = independent & (value >= best.min(initial=MAX_IMPORTANCE))
    return np.where(eligible, np.maximum(0.0, value) / MAX_IMPORTANCE, -1.0)


def weigh_defects(
    quality: Quality, antecedents: Ints, weights: SelectionWeights
) -> tuple[Floats, Flags]:
    """Subtracts defects from importance.

    Args:
        quality: [E] quality of candidates.
        antecedents: [E] row of the antecedent of each, -1 for none.
        weights: The weights.

    Returns:
        [E] the importance that is left, and [E] True if that is enough. Dependency is no defect of
        a candidate whose antecedent comes along.
    """
    bound = antecedents >= 0
    independent = np.maximum(0.0, quality.defect_prob - quality.dependency_prob)
    defect_prob = np.where(bound, independent, quality.defect_prob)
    value = quality.importance - weights.defect * defect_prob - DEPENDENCY_PENALTY * bound
    sound = defect_prob <= weights.max_defect_prob
    best = np.sort(value[sound])[-TOP_K:]
    cutoff = RELATIVE_CUTOFF * max(0.0, float(best.mean() if len(best) else 0.0))
    return value, sound & (value >= min(weights.min_value, cutoff))


def find_reachable(eligible: Flags, antecedents: Ints) -> Flags:
    """[E] True for eligible candidates whose antecedents, if any, are all eligible themselves."""
    reachable = eligible & (antecedents < 0)
    while True:
        more = eligible & (antecedents >= 0) & reachable[antecedents] & ~reachable
        if not more.any():
            return reachable
        reachable |= more


def mean_of_best(quality: Quality) -> float:
    """Returns the mean quality of the best candidates, with the weights for a budget of words.

    Args:
        quality: [E] quality of candidates.

    Returns:
        Importance less defects; infinite if there are too few candidates to say.
    """
    if len(quality.importance) < MIN_DOUBTED:
        return math.inf
    best = np.sort(quality.importance - WORD_BUDGET.defect * quality.defect_prob)[-TOP_K:]
    return float(best.mean())
