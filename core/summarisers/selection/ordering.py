"""The ranking of a document: the orders in which its candidates come into a summary.

Letters: S sentences of the document, E candidates.
"""

import math

import numpy as np
from numpy.typing import NDArray

from core.documents.languages import language_of
from core.summarisers.ranking import Order, Ranking
from core.summarisers.scoring.quality import Quality
from core.summarisers.scoring.scores import ScoredCandidates
from core.summarisers.selection.submodular import submodular_order
from core.summarisers.selection.utility import (
    MIN_DOUBTED,
    SENTENCE_BUDGET,
    TOP_K,
    WORD_BUDGET,
    SelectionWeights,
    compute_utility,
    find_reachable,
    mean_of_best,
    weigh_defects,
)

Ints = NDArray[np.int64]

MIN_RANKED = 1_000
"""Number of candidates that are ranked at least, if there are as many; under a budget of words a
tenth of them, if that is more."""
# The following were chosen in November 2026 on judged documents (`docs/evaluation.md`).
MIN_OFFERED_SHARE, MIN_OFFERED_SHARE_UNTUNED = 0.08, 0.2
"""Share of the candidates that is offered, and the best `TOP_K`, even if that takes candidates that
are not eligible; more in languages of which little was learnt."""
MAX_DEFECT_PROB = 0.5
"""A more probable defect excludes a candidate even if most of the text is requested."""
FALLBACK_DEFECT_PENALTY = 1.5
"""Importance that a certain defect costs candidates that are not eligible."""


def min_offered_share(language: str) -> float:
    """Returns the least share of the candidates that is offered in a language, by its code."""
    return MIN_OFFERED_SHARE_UNTUNED if language_of(language).is_foreign else MIN_OFFERED_SHARE


def rank_candidates(
    scored: ScoredCandidates,
    quality: Quality,
    antecedents: Ints,
    *,
    offered_share: float = MIN_OFFERED_SHARE,
    min_ranked: int = MIN_RANKED,
) -> Ranking:
    """Ranks the candidates of a document.

    Args:
        scored: The candidates.
        quality: [E] their quality.
        antecedents: [E] row of the antecedent of each, -1 for none.
        offered_share: Share of the candidates that is offered at least.
        min_ranked: Number of candidates to rank at least, if there are as many.

    Returns:
        The ranking: eligible candidates, each for what is new in it, then the others.
    """
    candidates = scored.candidates
    ranker_utility = np.maximum(0.0, scored.output.utility)
    ranker_utility = ranker_utility / max(1e-9, float(ranker_utility.max(initial=0.0)))
    min_offered = max(TOP_K, math.ceil(offered_share * len(candidates)))

    def order(weights: SelectionWeights, limit: int) -> Order:
        utility = compute_utility(quality, antecedents, weights)
        utility = np.where(utility >= 0, utility + weights.coverage * ranker_utility, -1.0)
        selected, gains = submodular_order(
            utility, scored.output, candidates.words, antecedents,
            coverage=weights.coverage, length_power=weights.length_power, limit=limit,
        )  # fmt: skip
        others = _order_others(quality, antecedents, selected)
        num_offered = max(len(selected), min(min_offered, len(selected) + len(others)))
        rows = np.array([*selected, *others][: max(limit, num_offered)], np.int64)
        scores = np.array([*gains, *[0.0] * len(others)][: len(rows)], np.float64)
        _, eligible = weigh_defects(quality, antecedents, weights)
        return Order(
            indices=candidates.indices[rows],
            scores=scores,
            num_offered=num_offered,
            num_rankable=len(selected) + len(others),
            num_eligible=len(selected) if find_reachable(eligible, antecedents).any() else 0,
        )

    everywhere = np.full(len(candidates.sentences), -1)
    everywhere[candidates.indices] = np.where(antecedents < 0, -1, candidates.indices[antecedents])
    return Ranking(
        starts=candidates.sentences.starts,
        ends=candidates.sentences.ends,
        words=candidates.num_words,
        by_words=order(WORD_BUDGET, max(min_ranked, len(candidates) // 10)),
        by_number=order(SENTENCE_BUDGET, min_ranked),
        antecedents=everywhere,
        num_candidates=len(candidates),
        best=mean_of_best(quality),
    )


def _order_others(quality: Quality, antecedents: Ints, selected: list[int]) -> list[int]:
    """Orders the candidates that are not eligible, best first, each after its antecedent.

    Args:
        quality: [E] quality of candidates.
        antecedents: [E] row of the antecedent of each, -1 for none.
        selected: Rows of the eligible candidates.

    Returns:
        Rows, without those of which a defect is more probable than `MAX_DEFECT_PROB`.
    """
    independent = quality.defect_prob - quality.dependency_prob
    defect_prob = np.where(antecedents >= 0, independent, quality.defect_prob)
    if len(defect_prob) < MIN_DOUBTED:
        defect_prob = np.zeros_like(defect_prob)
    value = quality.importance - FALLBACK_DEFECT_PENALTY * quality.defect_prob
    taken = set(selected)
    order: list[int] = []
    for row in np.argsort(-value, kind="stable").tolist():
        chain = []
        while row >= 0 and row not in taken and defect_prob[row] <= MAX_DEFECT_PROB:
            chain.append(row)
            row = int(antecedents[row])
        if row < 0 or row in taken:
            taken.update(chain)
            order += reversed(chain)
    return order
