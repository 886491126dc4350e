"""Parts and chapters of books that mark no headings."""

import pytest

from core.documents.chapters import with_chapters
from core.documents.document import Block, Kind
from tests.helpers.reader_checks import read

PROSE = "The mill on the river had ground corn for the village since it was built. " * 6


def _outline(*lines: str, name: str = "book.txt") -> list[tuple[int, str]]:
    """The headings of a text whose paragraphs are these; an empty line stands for prose."""
    text = "\n\n".join(line or PROSE for line in lines)
    document = read(text.encode(), name)
    headings = (i for i in range(document.num_paragraphs) if document.kinds[i] == Kind.HEADING)
    return [(int(document.levels[i]), document.paragraph(i)) for i in headings]


def test_parts_hold_chapters_and_chapters_hold_their_titles_and_sections() -> None:
    lines = (
        *("PREFACE", "", "PART ONE", "CHAPTER I.", "THE WHEEL", "", "OF THE WATER", ""),
        *("CHAPTER II.", "The River", "", "PART TWO", "CHAPTER III.", "", "EPILOGUE", ""),
    )
    assert _outline(*lines) == [
        *((2, "PREFACE"), (1, "PART ONE"), (2, "CHAPTER I."), (3, "THE WHEEL")),
        *((3, "OF THE WATER"), (2, "CHAPTER II."), (3, "The River"), (1, "PART TWO")),
        *((2, "CHAPTER III."), (2, "EPILOGUE")),
    ]


@pytest.mark.parametrize(
    "marks",
    [
        ("Erstes Kapitel", "Zweites Kapitel", "Drittes Kapitel"),
        ("Chapitre premier", "Chapitre II", "Chapitre III"),
        ("Capítulo primero", "Capítulo segundo", "Capítulo tercero"),
        ("1", "2", "3"),
        ("I.", "II.", "III."),
        ("ONE", "TWO", "THREE"),
        ("Chapter 1: The Wheel", "Chapter 2: The River", "Chapter 3: The Village"),
    ],
)
def test_forms_of_chapters(marks: tuple[str, ...]) -> None:
    lines = [part for mark in marks for part in (mark, "")]
    assert _outline(*lines) == [(2, mark) for mark in marks]


def test_a_table_of_contents_is_no_chapter() -> None:
    titles = ("CHAPTER I. The Wheel", "CHAPTER II. The River", "CHAPTER III. The Village")
    body = [part for title in titles for part in (title, "")]
    assert _outline("CONTENTS", *titles, *body) == [(2, "CONTENTS"), *((2, one) for one in titles)]


@pytest.mark.parametrize(
    "lines",
    [
        ("1", "", "3", "", "7", ""),  # pages, not chapters
        ("", "1", "2", "3", ""),
        ("Part of the work is done", "", "Act now or never", "", "Book a seat", ""),
        ("", "I", "", "II", "", *("A SECTION", "") * 12),
    ],
)
def test_other_lines_are_no_chapters(lines: tuple[str, ...]) -> None:
    blocks = [Block(line or PROSE.strip()) for line in lines]
    blocks = [
        Block(block.text, Kind.HEADING, 2) if block.text == "A SECTION" else block
        for block in blocks
    ]
    assert with_chapters(blocks) == blocks
