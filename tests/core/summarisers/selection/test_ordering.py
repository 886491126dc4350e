"""Sentences are ordered by what they say and whether they stand alone."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from core.documents.document import Block, Document, Source
from core.documents.sentences import split_document
from core.events import result_of
from core.stop import StopToken
from core.summarisers.built_in import LookedAt, looked_at, shipped_ranker
from core.summarisers.scoring.quality import Quality
from core.summarisers.selection.ordering import BY_NUMBER, BY_WORDS, bound_to, ranking_of, worth_of

TEXT = (
    (
        "The council agreed to rebuild the old bridge. It will cost two million in all. "
        "The county pays half of the sum."
    ),
    ("Nobody spoke against the plan that day.",),
)
ALONE = np.full(4, -1)


def seen_of() -> LookedAt:
    blocks = [Block(TEXT[0]), Block(TEXT[1][0])]
    document = Document.from_blocks(blocks, title="", source=Source("a.txt"))
    sentences = result_of(split_document(document, StopToken()))
    return result_of(looked_at(document, sentences, shipped_ranker(), StopToken()))


def quality_of(importance: list[float], fault: list[float], leans: list[float]) -> Quality:
    return Quality(np.array(importance), np.array(fault), np.array(leans))


def order_of(quality: Quality) -> list[int]:
    order = ranking_of(seen_of(), quality, 9).by_number
    assert order.good <= order.eligible == len(order.indices)
    found: NDArray[np.int64] = order.indices[: order.good]
    return found.tolist()


def test_what_matters_more_comes_first() -> None:
    assert order_of(quality_of([2.0, 2.5, 1.5, 3.0], [0.0] * 4, [0.0] * 4)) == [3, 1, 0, 2]


def test_a_probable_fault_takes_from_what_a_sentence_says() -> None:
    assert order_of(quality_of([2.5, 2.7, 2.0, 2.6], [0.0, 0.2, 0.0, 0.1], [0.0] * 4)) == [
        0,
        3,
        1,
        2,
    ]


def fields_of(number: int) -> LookedAt:
    blocks = [Block(f"Field {each} is to be filled in here.") for each in range(number)]
    document = Document.from_blocks(blocks, title="", source=Source("a.txt"))
    sentences = result_of(split_document(document, StopToken()))
    return result_of(looked_at(document, sentences, shipped_ranker(), StopToken()))


def test_what_is_not_good_but_clear_follows_and_rubble_does_not() -> None:
    fault = [0.0, 0.9, 0.0, 0.0, *[0.9] * 5]
    quality = quality_of([2.0, 3.0, 0.5, 2.5, *[0.1] * 5], fault, [0.0] * 9)
    order = ranking_of(fields_of(9), quality, 9).by_number
    assert (order.good, order.indices.tolist()) == (3, [3, 0, 2])


def test_of_a_few_lines_all_may_be_wanted() -> None:
    quality = quality_of([2.0, 3.0, 0.5, 2.5], [0.0, 0.9, 0.0, 0.0], [0.0] * 4)
    order = ranking_of(seen_of(), quality, 9).by_number
    assert (order.good, order.indices.tolist()) == (3, [3, 0, 1, 2])


def test_a_leaning_sentence_comes_after_the_one_before_it_or_not_at_all() -> None:
    leaning = quality_of([2.0, 3.0, 2.5, 2.4], [0.0, 0.9, 0.0, 0.0], [0.0, 0.9, 0.0, 0.0])
    assert order_of(leaning) == [2, 3, 0, 1]
    alone = quality_of([0.1, 3.0, 2.5, 2.4], [0.0, 0.9, 0.0, 0.0], [0.0, 0.9, 0.0, 0.0])
    assert order_of(alone) == [2, 3, 0]


def test_nothing_is_bound_over_the_end_of_a_paragraph() -> None:
    quality = quality_of([2.0] * 4, [0.9] * 4, [0.9] * 4)
    assert bound_to(seen_of(), quality).tolist() == [-1, 0, 1, -1]


def test_where_nothing_is_good_enough_the_best_few_are_offered() -> None:
    assert order_of(quality_of([0.1, 0.2, 0.3, 0.4], [0.9] * 4, [0.0] * 4)) == [1, 2, 3]


def test_what_leans_on_rubble_does_not_stand_for_the_best_few() -> None:
    quality = quality_of(
        [0.4, 2.0, 1.4, 1.2, 1.0], [0.9, 0.7, 0.6, 0.55, 0.5], [0.0, 0.6, 0.0, 0.0, 0.0]
    )
    leans_on = np.array([-1, 0, -1, -1, -1])
    for taste in (BY_WORDS, BY_NUMBER):
        offered = worth_of(quality, leans_on, taste) >= 0
        assert offered.tolist() == [False, False, True, True, True]


def test_of_a_long_text_a_share_is_good_enough() -> None:
    poor = quality_of([2.5, 2.5, *[1.0] * 48], [0.0, 0.0, *[0.4] * 48], [0.0] * 50)
    order = ranking_of(fields_of(50), poor, 9).by_number
    assert order.good == 4  # 8 of 100
    assert set(order.indices[:2].tolist()) == {0, 1}


def test_what_comes_for_lack_of_good_sentences_is_known() -> None:
    poor = quality_of([2.5, 2.5, *[1.0] * 48], [0.0, 0.0, *[0.4] * 48], [0.0] * 50)
    assert ranking_of(fields_of(50), poor, 9).by_number.sound == 2
    none = quality_of([0.1, 0.2, 0.3, 0.4], [0.9] * 4, [0.0] * 4)
    assert ranking_of(seen_of(), none, 9).by_number.sound == 0


def test_a_document_tells_how_good_its_best_sentences_are() -> None:
    seen = fields_of(9)
    poor = quality_of([1.0] * 9, [0.2] * 9, [0.0] * 9)
    assert ranking_of(seen, poor, 9).best == pytest.approx(1.0 - BY_WORDS.fault * 0.2)
    assert ranking_of(seen_of(), quality_of([1.0] * 4, [0.2] * 4, [0.0] * 4), 9).best == math.inf


def test_more_is_let_in_where_words_are_counted() -> None:
    quality = quality_of([1.0, 2.5, 2.5, 2.5], [0.0, 0.0, 0.27, 0.0], [0.0] * 4)
    assert (worth_of(quality, ALONE, BY_WORDS) >= 0).tolist() == [True] * 4
    assert (worth_of(quality, ALONE, BY_NUMBER) >= 0).tolist() == [False, True, False, True]
