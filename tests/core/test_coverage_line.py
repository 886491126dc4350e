"""The line above every summary."""

from dataclasses import replace

import pytest

from core.documents.document import LeftOut, Reading
from core.numbers import format_count, format_pages, format_quantity, format_seconds, format_share
from core.summaries.summary import Doubt, Summary
from core.summaries.summary_lines import (
    coverage_line,
    describe_left_out,
    left_out_line,
    reading_line,
    support_line,
    taken_out_line,
)
from tests.helpers.summaries import HEADS, SCAN, a_document, a_summary


def summary_of(words: int, **reading: object) -> Summary:
    summary = a_summary(a_document())
    read = Reading(words=words, of_words=words, **reading)  # type: ignore[arg-type]
    return replace(summary, read=read)


def test_all_read_is_said_in_one_line_with_thin_spaces() -> None:
    summary = summary_of(14_962, pages=30, of_pages=30)
    assert coverage_line(summary) == (
        "Read all 14\u202f962 words (30 pages). 2 sentences, 11 words, "
        "0.1\u202f% of the text. 0.4\u202fs."
    )


def test_a_source_without_pages_speaks_of_none() -> None:
    assert reading_line(summary_of(1_000).read) == "Read all 1\u202f000 words."


def test_what_is_missing_is_said_with_its_reason() -> None:
    left_out = (LeftOut("tables", "their rows are no sentences", 312, (2,)), SCAN, HEADS)
    summary = summary_of(700, pages=28, of_pages=30, left_out=left_out)
    assert coverage_line(summary, timed=False) == (
        "Read 700 of 1\u202f012 words (28 of 30 pages). 2 sentences, 11 words, "
        "1.6\u202f% of the text. Left out: tables (312 words, page 2), as their rows are no "
        "sentences; pages without text (pages 3–4), as they are scans."
    )


def test_furniture_that_was_taken_out_is_not_missing() -> None:
    read = summary_of(700, pages=30, of_pages=30, left_out=(HEADS,)).read
    assert reading_line(read) == "Read all 700 words (30 pages)."
    assert left_out_line(read) == ""


def test_unknown_words_of_a_scan_are_not_made_up() -> None:
    read = summary_of(700, pages=28, of_pages=30, left_out=(SCAN,)).read
    assert reading_line(read) == "Read 700 words (28 of 30 pages)."


def test_what_is_left_out_is_described_with_its_amount() -> None:
    assert describe_left_out(HEADS) == (
        "running heads (12 words, pages 1–2), as they repeat on every page"
    )
    assert describe_left_out(LeftOut("notes", "they are empty")) == "notes, as they are empty"


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.04, "Under 0.1 s"),
        (0.42, "0.4 s"),
        (9.94, "9.9 s"),
        (9.96, "10 s"),
        (59.4, "59 s"),
        (59.6, "1 min 0 s"),
        (130, "2 min 10 s"),
        (7_800, "2 h 10 min"),
    ],
)
def test_seconds_are_said_as_a_person_says_them(seconds: float, told: str) -> None:
    assert format_seconds(seconds).replace("\u202f", " ") == told


@pytest.mark.parametrize(
    ("part", "told"),
    [(0, "0 %"), (0.4, "under 0.1 %"), (15, "1.5 %"), (90, "9 %"), (99.6, "10 %"), (1000, "100 %")],
)
def test_shares_have_a_decimal_only_below_ten(part: float, told: str) -> None:
    assert format_share(part, 1000).replace("\u202f", " ") == told


def test_numbers_pages_and_plurals() -> None:
    assert format_count(5_000_000) == "5\u202f000\u202f000"
    assert format_quantity(1, "page") == "1 page"
    assert format_quantity(2, "summary", "summaries") == "2 summaries"
    assert format_pages((9, 3, 4, 5, 3)) == "pages 3–5, 9"
    assert format_pages((7,)) == "page 7"


def test_furniture_is_told_in_a_line_of_its_own() -> None:
    numbers = LeftOut("page numbers", "they are no text", 5, missed=False)
    read = Reading(1, 1, left_out=(HEADS, numbers, HEADS))
    told = taken_out_line(read).replace("\u202f", " ")
    assert told == "Taken out: running heads, page numbers (29 words)."
    assert taken_out_line(Reading(1, 1)) == ""


def test_what_the_source_does_not_bear_out_is_counted() -> None:
    document = a_document()
    summary = a_summary(document, "It is 20 µm thick.", "A layer of nitride stops it.", "", "")
    assert support_line(a_summary(document)) == ""
    first, *others = summary.sentences
    doubted = replace(first, doubts=(Doubt(6, 11, "unit"),))
    assert support_line(replace(summary, sentences=(doubted, *others))) == (
        "2 sentences have no support in the source. "
        "1 sentence has words that the source does not confirm."
    )
