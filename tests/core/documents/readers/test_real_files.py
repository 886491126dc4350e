"""Real files of every format but PDF, each looked at once; what was seen is asserted here."""

import pytest

from core.documents.document import Kind
from core.documents.readers.door import read_file
from core.errors import EpitomeError
from core.events import result_of
from core.stop import StopToken
from tests.helpers.reader_checks import check_spans, outline, read_path, real_file, texts

_COUNTS = {  # title, words, headings, list items, code blocks, tables
    "api-conventions.md": ("API Conventions", 16591, 74, 329, 14, 0),
    "guideline.md": ("guideline", 8019, 41, 40, 0, 0),
    "reference.md": ("Type system", 2, 1, 0, 0, 0),
    "guideline-utf16.txt": ("guideline-utf16", 8019, 41, 40, 0, 0),
    "story-latin1.txt": ("The Adventures of Sherlock Holmes", 12358, 7, 0, 0, 0),
    "story-cp1252.txt": ("ADVENTURE II. THE RED-HEADED LEAGUE", 7229, 2, 0, 0, 0),
    "page-v8-blog.html": (
        "Outside the web: standalone WebAssembly binaries using Emscripten",
        *(2416, 10, 11, 10, 0),
    ),
    "page-wikipedia.html": ("Mozilla", 4104, 36, 11, 0, 1),
    "page-wikipedia-3.html": ("Hermitian matrix", 1507, 13, 14, 0, 0),
    "bill-page-hr3630.html": (
        "Bill Summary & Status - 112th Congress (2011 - 2012)",
        *(9198, 1, 34, 0, 3),
    ),
    "book-chapter15.docx": ("Smart Pointers", 13205, 31, 14, 50, 0),
    "book-chapter21.docx": (
        "Final Project: Building a Multithreaded Web Server",
        *(11056, 24, 20, 47, 0),
    ),
    "report-017097.docx": ("report-017097", 5009, 32, 52, 0, 4),
    "poi-illustrativecases.docx": ("(V) ILLUSTRATIVE CASES", 1003, 9, 0, 0, 8),
    "poi-delins.docx": ("poi-delins", 205, 0, 16, 0, 0),
    "poi-footnotes.docx": ("poi-footnotes", 7, 0, 0, 0, 0),
    "poi-complexnumberedlists.docx": ("poi-complexnumberedlists", 62, 0, 14, 0, 0),
    "poi-threecolheadfoot.docx": ("HEADING TEXT", 47, 1, 0, 0, 0),
}


@pytest.mark.parametrize("name", _COUNTS)
def test_what_was_seen_in_a_real_file_is_still_there(name: str) -> None:
    document = read_path(real_file(name))
    check_spans(document)
    kinds = (Kind.HEADING, Kind.LIST_ITEM, Kind.CODE, Kind.TABLE)
    found = tuple(len(texts(document, kind)) for kind in kinds)
    assert (document.title, document.reading.words, *found) == _COUNTS[name]


def test_book_in_latin_1_is_unwrapped_and_its_licence_is_apart() -> None:
    document = read_path(real_file("story-latin1.txt"))
    prose = texts(document, Kind.PARAGRAPH)
    first = next(text for text in prose if text.startswith("To Sherlock Holmes she is always"))
    assert first.endswith("of dubious and questionable memory.")
    assert texts(document, Kind.BOILERPLATE)[-1].startswith("Produced by")
    assert "ADVENTURE I. A SCANDAL IN BOHEMIA" in texts(document, Kind.HEADING)
    assert document.reading.notes == ("The encoding was guessed: windows-1252.",)


def test_quotes_of_windows_1252_are_right() -> None:
    assert "“I was afraid that you were engaged.”" in texts(
        read_path(real_file("story-cp1252.txt"))
    )


def test_wiki_page_loses_its_menus_and_keeps_its_references_apart() -> None:
    document = read_path(real_file("page-wikipedia.html"))
    assert '72. ^ "Air Mozilla Reboot, Phase I".' in texts(document)[-2:]
    assert len(texts(document, Kind.REFERENCE)) == 73
    assert not any("[edit]" in text for text in texts(document))
    (left_out,) = document.reading.left_out
    assert 500 < left_out.words < 1_500


def test_formulas_of_a_wiki_page_stand_in_their_sentences() -> None:
    document = read_path(real_file("page-wikipedia-3.html"))
    (sentence,) = [text for text in texts(document) if text.startswith("If the conjugate")]
    assert sentence.startswith("If the conjugate transpose of a matrix A is denoted by A^")


def test_tracked_changes_and_code_of_a_manuscript() -> None:
    document = read_path(real_file("book-chapter15.docx"))
    assert (Kind.CODE, 'fn main() {\n    let b = Box::new(5);\n    println!("b = {b}");\n}') in (
        outline(document)
    )
    assert document.reading.notes[0].startswith("Tracked changes were read as accepted: ")


def test_numbers_of_word_lists_are_as_printed() -> None:
    items = texts(read_path(real_file("poi-complexnumberedlists.docx")), Kind.LIST_ITEM)
    assert items[2:5] == ["a. 2-a", "b. 2-b", "c. 2-c"]
    assert items[7] == "1. Restarted to 1 from 5"
    assert items[10:] == [
        "10. Jump to new list at 10",
        "11. Now 11",
        "12. Carrying on @ 12",
        "13. Carrying on @ 13",
    ]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("book-on-liberty.epub", "an e-book (.epub)"),
        ("calendar.pptx", "a PowerPoint presentation (.pptx)"),
        ("tika-testopenoffice2.odt", "an OpenDocument text (.odt)"),
        ("tika-testrtfvarious.rtf", "a rich text file (.rtf)"),
        ("testemailwithpngatt.eml", "an e-mail message (.eml)"),
        ("testlotuseml.eml", "an e-mail message (.eml)"),
        ("testthunderbirdeml.eml", "an e-mail message (.eml)"),
    ],
)
def test_formats_not_read_yet_are_named(name: str, words: str) -> None:
    with pytest.raises(EpitomeError) as caught:
        result_of(read_file(real_file(name), StopToken()))
    assert f"is {words}; only PDF" in caught.value.message
