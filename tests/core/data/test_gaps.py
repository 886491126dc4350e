"""A document with gap sentences is the document, cut where they stand."""

from itertools import chain, zip_longest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.gaps import GapRow, gap_row, sentence_spans
from core.gsg.masking import MASK
from core.gsg.selection import select_gap_sentences
from core.gsg.settings import GapPairSettings
from tests.helpers.corpora import TEXTS

WORDS = st.sampled_from("Pump valve <MASK> opens. Then\n\n it falls! 3.5 bar?\n “So” ".split(" "))
DOCUMENTS = st.lists(WORDS, min_size=1, max_size=60).map(" ".join).map(str.strip)
LEAD = GapPairSettings(strategy="lead", count=2)


def whole(row: GapRow) -> str:
    return "".join(chain(*zip_longest(row.pieces, row.gaps, fillvalue="")))


def shown(row: GapRow, stand_in: str) -> str:
    """The input as text, with something where a sentence is missing."""
    parts = [gap if stays else stand_in for gap, stays in zip(row.gaps, row.stays, strict=True)]
    return "".join(chain(*zip_longest(row.pieces, parts, fillvalue="")))


@given(DOCUMENTS, st.integers(0, 3))
def test_pieces_and_gaps_are_the_document(text: str, seed: int) -> None:
    row = gap_row(text, GapPairSettings(left_in=0.3, seed=seed), 0)
    if row is not None:
        assert whole(row) == text
        assert len(row.pieces) == len(row.gaps) + 1 == len(row.stays) + 1


@given(DOCUMENTS)
def test_gaps_are_what_the_selection_picks(text: str) -> None:
    sentences = [text[start:end] for start, end in sentence_spans(text)]
    picked = select_gap_sentences(sentences).in_document_order
    row = gap_row(text, GapPairSettings(), 0)
    found = [] if row is None else [gap.strip() for gap in row.gaps]
    assert found == [sentences[number] for number in picked]


def test_paragraphs_part_sentences() -> None:
    text = "# Heading\n\nOne is here. Two is\nthere.\n \nThree"
    found = [text[start:end] for start, end in sentence_spans(text)]
    assert found == ["# Heading", "One is here.", "Two is\nthere.", "Three"]


TEXT = "One is first. Two is second.\n\nThree is third. Four is fourth."


@pytest.mark.parametrize(
    ("count", "masked", "removed"),
    [
        (1, f"{MASK} Two is second.\n\nThree is third. Four is fourth.",
         "Two is second.\n\nThree is third. Four is fourth."),
        (2, f"{MASK}{MASK}\n\nThree is third. Four is fourth.", "Three is third. Four is fourth."),
        (3, f"{MASK}{MASK}\n\n{MASK} Four is fourth.", "Four is fourth."),
    ],
)  # fmt: skip
def test_a_mask_or_nothing_stands_for_each(count: int, masked: str, removed: str) -> None:
    row = gap_row(TEXT, GapPairSettings(strategy="lead", count=count), 0)
    assert row is not None and shown(row, MASK) == masked
    row = gap_row(TEXT, GapPairSettings(strategy="lead", count=count, masking="remove"), 0)
    assert row is not None and shown(row, "") == removed


@given(st.sampled_from(TEXTS), st.integers(0, 5))
def test_removed_sentences_leave_no_white_space_twice(text: str, seed: int) -> None:
    settings = GapPairSettings(strategy="random", masking="remove", seed=seed)
    row = gap_row(text, settings, 0)
    assert row is not None
    left = shown(row, "")
    assert "  " not in left and "\n\n\n" not in left and "\n " not in left
    assert left == left.lstrip()


def test_kept_and_left_in_sentences_stay() -> None:
    kept = gap_row(TEXT, GapPairSettings(strategy="lead", count=2, masking="keep"), 0)
    assert kept is not None and kept.stays == [True, True] and shown(kept, "") == TEXT
    half = gap_row(TEXT, GapPairSettings(strategy="lead", count=2, left_in=0.5), 0)
    assert half is not None and sorted(half.stays) == [False, True]


def test_the_summary_is_one_text() -> None:
    row = gap_row(TEXT, GapPairSettings(strategy="lead", count=3), 0)
    assert row is not None and row.summary == "One is first. Two is second. Three is third."


def test_a_sentence_that_spells_the_mask_is_a_sentence() -> None:
    row = gap_row(f"{MASK}\n\n{MASK} falls. {MASK}.", LEAD, 0)
    assert row is not None
    assert [gap.strip() for gap in row.gaps] == [MASK, f"{MASK} falls."]
    assert row.stays == [False, False]


def test_of_a_repeated_sentence_one_may_be_a_gap() -> None:
    row = gap_row("It opens. It falls. It opens. It falls.", LEAD, 0)
    assert row is not None and row.stays == [False, False]


@pytest.mark.parametrize("text", ["Alone.", "…", "One thing\n\n—\n\n…"])
def test_one_sentence_has_no_gap(text: str) -> None:
    assert gap_row(text, GapPairSettings(), 0) is None
