"""Sentences are ordered by what they say and whether they stand alone."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from core.documents.document import Block, Document, Source
from core.summarisers.ranking import Ranking
from core.summarisers.scoring.links import find_predecessors
from core.summarisers.scoring.quality import Quality
from core.summarisers.scoring.scores import ScoredCandidates
from core.summarisers.selection.ordering import rank_candidates
from core.summarisers.selection.utility import SENTENCE_BUDGET, WORD_BUDGET, compute_utility
from tests.helpers.ranking import score

TEXT = (
    (
        "The council agreed to rebuild the old bridge. It will cost two million in all. "
        "The county pays half of the sum."
    ),
    ("Nobody spoke against the plan that day.",),
)
ALONE = np.full(4, -1)


def score_text() -> ScoredCandidates:
    blocks = [Block(TEXT[0]), Block(TEXT[1][0])]
    return score(Document.from_blocks(blocks, title="", source=Source("a.txt")))


def rank(scored: ScoredCandidates, quality: Quality) -> Ranking:
    antecedents = find_predecessors(scored.candidates, quality.dependency_prob)
    return rank_candidates(scored, quality, antecedents, min_ranked=9)


def quality_of(importance: list[float], fault: list[float], leans: list[float]) -> Quality:
    return Quality(np.array(importance), np.array(fault), np.array(leans))


def order_of(quality: Quality) -> list[int]:
    order = rank(score_text(), quality).by_number
    assert order.num_offered <= order.num_rankable == len(order.indices)
    offered: NDArray[np.int64] = order.indices[: order.num_offered]
    return offered.tolist()


def test_what_matters_more_comes_first() -> None:
    assert order_of(quality_of([2.0, 2.5, 1.5, 3.0], [0.0] * 4, [0.0] * 4)) == [3, 1, 0, 2]


def test_a_probable_defect_lowers_the_utility_of_a_sentence() -> None:
    assert order_of(quality_of([2.5, 2.7, 2.0, 2.6], [0.0, 0.2, 0.0, 0.1], [0.0] * 4)) == [
        0,
        3,
        1,
        2,
    ]


def score_fields(number: int) -> ScoredCandidates:
    blocks = [Block(f"Field {each} is to be filled in here.") for each in range(number)]
    return score(Document.from_blocks(blocks, title="", source=Source("a.txt")))


def test_sentences_that_are_not_good_but_clear_follow_and_damaged_ones_do_not() -> None:
    fault = [0.0, 0.9, 0.0, 0.0, *[0.9] * 5]
    quality = quality_of([2.0, 3.0, 0.5, 2.5, *[0.1] * 5], fault, [0.0] * 9)
    order = rank(score_fields(9), quality).by_number
    assert (order.num_offered, order.indices.tolist()) == (3, [3, 0, 2])


def test_of_a_few_lines_all_may_be_wanted() -> None:
    quality = quality_of([2.0, 3.0, 0.5, 2.5], [0.0, 0.9, 0.0, 0.0], [0.0] * 4)
    order = rank(score_text(), quality).by_number
    assert (order.num_offered, order.indices.tolist()) == (3, [3, 0, 1, 2])


def test_a_dependent_sentence_comes_after_the_one_before_it_or_not_at_all() -> None:
    leaning = quality_of([2.0, 3.0, 2.5, 2.4], [0.0, 0.9, 0.0, 0.0], [0.0, 0.9, 0.0, 0.0])
    assert order_of(leaning) == [2, 3, 0, 1]
    alone = quality_of([0.1, 3.0, 2.5, 2.4], [0.0, 0.9, 0.0, 0.0], [0.0, 0.9, 0.0, 0.0])
    assert order_of(alone) == [2, 3, 0]


def test_nothing_is_bound_over_the_end_of_a_paragraph() -> None:
    quality = quality_of([2.0] * 4, [0.9] * 4, [0.9] * 4)
    assert find_predecessors(score_text().candidates, quality.dependency_prob).tolist() == [
        -1,
        0,
        1,
        -1,
    ]


def test_where_nothing_is_good_enough_the_best_few_are_offered() -> None:
    assert order_of(quality_of([0.1, 0.2, 0.3, 0.4], [0.9] * 4, [0.0] * 4)) == [1, 2, 3]


def test_a_sentence_whose_antecedent_is_damaged_is_not_among_the_best_few() -> None:
    quality = quality_of(
        [0.4, 2.0, 1.4, 1.2, 1.0], [0.9, 0.7, 0.6, 0.55, 0.5], [0.0, 0.6, 0.0, 0.0, 0.0]
    )
    antecedents = np.array([-1, 0, -1, -1, -1])
    for weights in (WORD_BUDGET, SENTENCE_BUDGET):
        offered = compute_utility(quality, antecedents, weights) >= 0
        assert offered.tolist() == [False, False, True, True, True]


def test_of_a_long_text_a_share_is_good_enough() -> None:
    poor = quality_of([2.5, 2.5, *[1.0] * 48], [0.0, 0.0, *[0.4] * 48], [0.0] * 50)
    order = rank(score_fields(50), poor).by_number
    assert order.num_offered == 4  # 8 of 100
    assert set(order.indices[:2].tolist()) == {0, 1}


def test_what_comes_for_lack_of_good_sentences_is_known() -> None:
    poor = quality_of([2.5, 2.5, *[1.0] * 48], [0.0, 0.0, *[0.4] * 48], [0.0] * 50)
    assert rank(score_fields(50), poor).by_number.num_eligible == 2
    none = quality_of([0.1, 0.2, 0.3, 0.4], [0.9] * 4, [0.0] * 4)
    assert rank(score_text(), none).by_number.num_eligible == 0


def test_a_ranking_has_the_mean_quality_of_its_best_sentences() -> None:
    scored = score_fields(9)
    poor = quality_of([1.0] * 9, [0.2] * 9, [0.0] * 9)
    assert rank(scored, poor).best == pytest.approx(1.0 - WORD_BUDGET.defect * 0.2)
    assert rank(score_text(), quality_of([1.0] * 4, [0.2] * 4, [0.0] * 4)).best == math.inf


def test_more_is_let_in_where_words_are_counted() -> None:
    quality = quality_of([1.0, 2.5, 2.5, 2.5], [0.0, 0.0, 0.27, 0.0], [0.0] * 4)
    assert (compute_utility(quality, ALONE, WORD_BUDGET) >= 0).tolist() == [True] * 4
    assert (compute_utility(quality, ALONE, SENTENCE_BUDGET) >= 0).tolist() == [
        False,
        True,
        False,
        True,
    ]
