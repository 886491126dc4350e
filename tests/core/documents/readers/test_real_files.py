"""Real files of every format but PDF, each looked at once; what was seen is asserted here."""

import pytest

from core.documents.document import Kind, count_words
from tests.helpers.reader_checks import (
    check_spans,
    outline,
    plain_texts,
    read_path,
    real_file,
    texts,
)

_COUNTS = {  # title, words, headings, list items, code blocks, tables
    "api-conventions.md": ("API Conventions", 16591, 74, 329, 14, 0),
    "guideline.md": ("Authenticator and Verifier Requirements", 8019, 41, 40, 0, 0),
    "reference.md": ("Type system", 2, 1, 0, 0, 0),
    "guideline-utf16.txt": ("Authenticator and Verifier Requirements", 8019, 41, 40, 0, 0),
    "story-latin1.txt": ("The Adventures of Sherlock Holmes", 12358, 7, 0, 0, 0),
    "story-cp1252.txt": ("ADVENTURE II. THE RED-HEADED LEAGUE", 7229, 2, 0, 0, 0),
    "page-v8-blog.html": (
        "Outside the web: standalone WebAssembly binaries using Emscripten",
        *(2416, 10, 11, 10, 0),
    ),
    "page-wikipedia.html": ("Mozilla", 4104, 36, 11, 0, 1),
    "page-wikipedia-3.html": ("Hermitian matrix", 1496, 13, 14, 0, 0),
    "bill-page-hr3630.html": (
        "Bill Summary & Status - 112th Congress (2011 - 2012)",
        *(9180, 8, 34, 0, 3),
    ),
    "book-chapter15.docx": ("Smart Pointers", 13205, 31, 14, 50, 0),
    "book-chapter21.docx": (
        "Final Project: Building a Multithreaded Web Server",
        *(11056, 24, 20, 47, 0),
    ),
    "report-017097.docx": ("Program Support Assistant (Office Automation)", 5009, 49, 52, 0, 4),
    "poi-illustrativecases.docx": ("(V) ILLUSTRATIVE CASES", 1003, 9, 0, 0, 8),
    "poi-delins.docx": ("poi-delins", 205, 0, 16, 0, 0),
    "poi-footnotes.docx": ("poi-footnotes", 7, 0, 0, 0, 0),
    "poi-complexnumberedlists.docx": ("poi-complexnumberedlists", 62, 0, 14, 0, 0),
    "poi-threecolheadfoot.docx": ("HEADING TEXT", 47, 1, 0, 0, 0),
    "tika-testrtfvarious.rtf": ("tika-testrtfvarious", 129, 0, 6, 0, 1),
    "tika-testrtflistmicrosoftword.rtf": ("tika-testrtflistmicrosoftword", 28, 0, 11, 0, 0),
    "tika-testrtf_annotation_spacing.rtf": ("tika-testrtf_annotation_spacing", 3, 0, 0, 0, 0),
    "testemailwithpngatt.eml": ("Test Attachment Email", 22, 1, 0, 0, 0),
    "testlotuseml.eml": ("testlotuseml", 10, 0, 0, 0, 0),
    "testthunderbirdeml.eml": ("JUnit test message", 14, 1, 0, 0, 0),
    "tika-testodfwithooo3.odt": ("Apache Tika", 71, 2, 3, 0, 1),
    "tika-testodtstyles3.odt": ("tika-testodtstyles3", 141, 0, 0, 0, 1),
    "tika-testopenoffice2.odt": ("tika-testopenoffice2", 14, 0, 0, 0, 0),
    "book-on-liberty.epub": ("On Liberty", 51747, 11, 0, 0, 0),
    "book-pride-and-prejudice.epub": ("Pride and Prejudice", 121555, 61, 0, 0, 0),
    "calendar.pptx": ("calendar", 123, 0, 0, 0, 0),
    "tika-testppt_various.pptx": ("tika-testppt_various", 127, 0, 20, 0, 1),
    "tika-testppt_various2.pptx": ("This is some content", 59, 3, 5, 0, 3),
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
    hidden, left_out = document.reading.left_out
    assert (hidden.what, hidden.words) == ("hidden text", 7)
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
    assert document.reading.notes[0].startswith("Tracked changes were treated as accepted: ")


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


def test_word_writes_rtf_with_notes_boxes_heads_and_three_scripts() -> None:
    document = read_path(real_file("tika-testrtfvarious.rtf"))
    assert outline(document)[:3] == [
        (Kind.PARAGRAPH, "Footnote appears here"),
        (Kind.PARAGRAPH, "Here is a text box"),
        (Kind.FOOTNOTE, "This is a footnote."),
    ]
    assert texts(document, Kind.TABLE) == [
        "Row 1 Col 1\tRow 1 Col 2\tRow 1 Col 3\nRow 2 Col 1\tRow 2 Col 2\tRow 2 Col 3"
    ]
    assert {"ゾルゲと尾崎、淡々と最期", "（ＧＨＱ）", "𐌲𐌿𐍄𐌹𐍃𐌺"} <= set(texts(document))
    assert [(item.what, item.words) for item in document.reading.left_out] == [
        ("running heads and footers", 10)
    ]


def test_a_comment_in_the_middle_of_a_word_of_rtf() -> None:
    document = read_path(real_file("tika-testrtf_annotation_spacing.rtf"))
    assert texts(document) == ["This is supercalifragilistic"]
    assert [(item.what, item.words) for item in document.reading.left_out] == [("comments", 4)]


def test_rtf_lists_keep_their_numbers_and_depth() -> None:
    document = read_path(real_file("tika-testrtflistmicrosoftword.rtf"))
    items = [i for i in range(document.num_paragraphs) if document.kinds[i] == Kind.LIST_ITEM]
    assert [(document.paragraph(i), int(document.levels[i])) for i in items][2:8] == [
        ("3. three", 1),
        ("first", 1),
        ("second", 1),
        ("third", 1),
        ("1. a", 2),
        ("aa", 1),
    ]


def test_attachments_of_a_real_message_are_named() -> None:
    document = read_path(real_file("testemailwithpngatt.eml"))
    assert outline(document) == [
        (Kind.HEADING, "Test Attachment Email"),
        (Kind.BOILERPLATE, "From Tika Test to Tika Test, 20 July 2016, 17:35."),
        (Kind.PARAGRAPH, "This email has a PNG attachment included in it"),
    ]
    (left_out,) = document.reading.left_out
    assert (left_out.what, left_out.missed) == ("the attachment “testPNG.png” (17\u202fkB)", True)


@pytest.mark.parametrize(
    ("name", "pattern", "invented"),
    [
        ("book-on-liberty.epub", r"epub/text/.*\.xhtml", 14),  # numbers of the notes
        ("book-pride-and-prejudice.epub", r"epub/text/.*\.xhtml", 0),
        ("calendar.pptx", r"ppt/slides/slide\d+\.xml", 0),
        ("tika-testppt_various.pptx", r"ppt/(?:slides|notesSlides)/\w+\.xml", 0),
    ],
)
def test_every_word_of_the_parts_is_read_or_counted_as_left_out(
    name: str, pattern: str, invented: int
) -> None:
    path = real_file(name)
    reading = read_path(path).reading
    words = count_words(" ".join(plain_texts(path, pattern)))
    assert reading.of_words - invented == words


def test_notes_of_an_e_book_stand_apart_and_leave_no_numbers_in_its_sentences() -> None:
    document = read_path(real_file("book-on-liberty.epub"))
    notes = texts(document, Kind.FOOTNOTE)
    assert notes[6].startswith("If the arguments of the present chapter are of any validity")
    assert notes[-1].startswith("14. The case of the Bombay Parsees is a curious instance")
    assert "her steadying influence, or" in document.text
    assert "↩" not in document.text
    chapters = texts(document, Kind.HEADING)
    assert "II: Of the Liberty of Thought and Discussion" in chapters
    assert chapters[0] == "Introduction"
    assert "Uncopyright" not in document.text


def test_slides_of_a_presentation_are_its_pages() -> None:
    document = read_path(real_file("tika-testppt_various2.pptx"))
    place = document.text.index("NotesWordArtPage2")
    assert document.page_at(place) == 2
    assert document.page_at(document.text.index("SmartList2")) == 4
    missed = {item.what: item.pages for item in document.reading.left_out if item.missed}
    assert missed == {"slides without text": (5,), "embedded objects": (2, 6, 7)}
    hidden = next(item for item in document.reading.left_out if item.what == "hidden slides")
    assert (hidden.pages, hidden.missed) == ((9,), False)


def test_boxes_of_a_calendar_are_read_along_its_rows() -> None:
    found = texts(read_path(real_file("calendar.pptx")))
    assert found[:13] == [f"{month:02}.2019" for month in range(6, 13)] + [
        f"{month:02}.2020" for month in range(1, 7)
    ]


def test_formulas_sheets_and_changes_of_an_opendocument_text() -> None:
    document = read_path(real_file("tika-testodfwithooo3.odt"))
    found = texts(document)
    assert "This is a rather difficult test document, with interesting features." in found
    assert "A classic example: a² + b² = c²" in found
    assert "Number\tName\n1\tone embedded\n2\ttwo embedded\n3\tthree embedded" in found
    assert document.reading.notes == (
        "Tracked changes were treated as accepted: 2 insertions, 1 deletion.",
    )
