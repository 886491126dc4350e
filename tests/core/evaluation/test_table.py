"""Whole systems: their means, their intervals, and each against the first."""

import csv
from dataclasses import replace

import numpy as np
import pytest

from core.evaluation.report import (
    comparison_lines,
    difference_lines,
    documents_csv,
    score_lines,
    table_csv,
)
from core.evaluation.scores import Measure, Scores
from core.evaluation.table import Score, compare, table_of
from core.metrics.bleu import bleu_counts
from core.metrics.intervals import bootstrap, paired_bootstrap

MEASURES = (Measure("rouge-1 f1", "%"), Measure("rouge-1 recall", "%"), Measure("words", "words"))
IDS = ("a", "b", "c", "d")
PREDICTIONS = ("the valve", "a pump", "it", "a lamp")


def scores(name: str, *columns: list[float], with_bleu: bool = False) -> Scores:
    values = np.array(columns).T
    counts = [bleu_counts(text, "the valve and a pump") for text in PREDICTIONS]
    bleu = np.array(counts) if with_bleu else None
    return Scores(name, f"{name}, whole", PREDICTIONS, MEASURES[: len(columns)], values, bleu)


FIRST = scores("first", [10, 20, 30, 40], [1, 2, 3, 4], [5, 5, 5, 5])
SECOND = scores("second", [12, 18, 39, 41], [1, 2, 3, 4], [9, 8, 7, 6])


def test_means_and_intervals_are_those_of_the_bootstrap() -> None:
    assert table_of(FIRST)[0] == Score(MEASURES[0], 25)
    found = table_of(FIRST, FIRST.drawn(seed=4))[0]
    wished = bootstrap([10, 20, 30, 40], seed=4)
    assert (found.value, found.low, found.high) == pytest.approx(
        (wished.value, wished.low, wished.high)
    )


def test_each_system_stands_against_the_first() -> None:
    found = compare([FIRST, SECOND, FIRST], IDS, seed=4)
    assert [table[0].value for table in found.tables] == [25, 27.5, 25]
    against, itself = found.differences
    wished = paired_bootstrap([10, 20, 30, 40], [12, 18, 39, 41], seed=4)
    assert against[0].difference.value == pytest.approx(2.5)
    assert against[0].difference.low == pytest.approx(wished.low)
    assert against[0].difference.high == pytest.approx(wished.high)
    assert against[0].difference.share_above == wished.share_above
    assert against[0].most_won and (against[0].most_won.document, against[0].most_won.by) == (
        "c",
        9,
    )
    assert against[0].most_lost and against[0].most_lost.document == "b"
    assert against[0].most_lost.by == -2
    assert {one.difference.value for one in itself} == {0}


def test_what_only_all_documents_have_is_won_in_none() -> None:
    both = [scores(name, [1, 2, 3, 4], with_bleu=True) for name in "ab"]
    (found,) = compare(both, IDS, seed=0).differences
    assert [one.measure.name for one in found][1:] == ["bleu-1", "bleu-2", "bleu-3", "bleu-4"]
    assert found[1].most_won is None and found[1].most_lost is None


def test_one_system_is_a_line_for_each_measure() -> None:
    assert list(score_lines(table_of(FIRST))) == [
        "measure            value",
        "rouge-1 f1, %      25.00",
        "rouge-1 recall, %   2.50",
        "words               5.00",
    ]
    with_ends = [Score(MEASURES[0], 25, 12.5, 37.25)]
    assert list(score_lines(with_ends)) == [
        "measure        value   95 % interval",
        "rouge-1 f1, %  25.00  12.50 to 37.25",
    ]


def test_several_systems_are_columns_with_half_their_interval() -> None:
    tables = [[Score(MEASURES[0], 25, 20, 30), Score(MEASURES[1], 1)], [Score(MEASURES[0], 9)] * 2]
    assert list(comparison_lines(["first", "second"], tables)) == [
        "measure              first  second",
        "rouge-1 f1, %  25.00 ±5.00    9.00",
    ]


def test_differences_have_their_interval_and_share_of_draws() -> None:
    higher = scores("higher", [11, 21, 31, 41], [1, 2, 3, 4], [9, 1, 5, 5])
    (found,) = compare([FIRST, higher], IDS, seed=0).differences
    heads, rouge, words = difference_lines(found, 4)
    assert heads.split() == ["measure", "difference", "95", "%", "interval", "draws", "above"]
    assert rouge.split() == ["rouge-1", "f1,", "%", "+1.00", "+1.00", "to", "+1.00", "100%"]
    assert words.split()[:2] == ["words", "+0.00"]


def test_csv_holds_every_document_and_every_measure() -> None:
    rows = list(csv.reader(documents_csv([FIRST, SECOND], IDS).decode().splitlines()))
    assert rows[0] == ["system", "document", "rouge-1 f1", "rouge-1 recall", "words"]
    assert rows[1] == ["first", "a", "10", "1", "5"]
    assert len(rows) == 9 and rows[8][:3] == ["second", "d", "41"]
    table = [[Score(MEASURES[0], 25, 20, 30)], [Score(MEASURES[0], 9)]]
    rows = list(csv.reader(table_csv(["first", "second"], table).decode().splitlines()))
    assert rows == [
        ["system", "measure", "unit", "value", "low", "high"],
        ["first", "rouge-1 f1", "%", "25", "20", "30"],
        ["second", "rouge-1 f1", "%", "9", "", ""],
    ]


def test_one_document_has_no_interval_and_few_have_no_star() -> None:
    one = replace(FIRST, values=FIRST.values[:1], predictions=FIRST.predictions[:1])
    other = replace(one, values=one.values + 9)
    (found,) = compare([one, other], IDS[:1], seed=0).differences
    assert "–" in list(difference_lines(found, 1))[1]
    assert list(score_lines(table_of(one, one.drawn(0))))[1].split()[-1] == "10.00"
    many = replace(FIRST, values=np.tile(FIRST.values, (6, 1)))
    higher = replace(many, values=many.values + 1)
    (found,) = compare([many, higher], [str(n) for n in range(24)], seed=0).differences
    assert "+1.00*" in list(difference_lines(found, 24))[1]
    assert "*" not in list(difference_lines(found, 19))[1]
