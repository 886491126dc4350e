"""Real PDFs, each looked at page by page: what must be true of what is read.

They lie beside the repository; where they do not, these tests are skipped.
"""

from functools import cache
from pathlib import Path

import pytest

from core.documents.document import Document, Kind, Source
from core.documents.readers.pdf import pdf_facts, read_pdf
from core.errors import EpitomeError
from core.events import result_of
from core.stop import StopToken
from tests.helpers.reader_checks import check_spans

FOLDER = Path(__file__).parents[4] / "../shared/data/files"
pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason=f"the folder of real files is not there: {FOLDER}"
)


@cache
def read(name: str, password: str = "") -> Document:
    data = (FOLDER / name).read_bytes()
    return result_of(read_pdf(data, Source(name), StopToken(), password=password))


def texts(document: Document, kind: Kind) -> list[str]:
    return [
        document.paragraph(index)
        for index in range(document.num_paragraphs)
        if document.kinds[index] == kind
    ]


def left_out(document: Document) -> dict[str, tuple[int, tuple[int, ...]]]:
    return {item.what: (item.words, item.pages) for item in document.reading.left_out}


def test_two_columns_with_a_title_over_them() -> None:
    document = read("two-column.pdf")
    assert document.title == "Two-Column Document with Lorem Ipsum"
    assert texts(document, Kind.HEADING) == [document.title, "Abstract"]
    assert texts(document, Kind.BOILERPLATE) == ["Your Name", "January 3, 2024"]
    running = texts(document, Kind.PARAGRAPH)
    assert running[0] == "This is a sample document with two columns filled with Lorem Ipsum text."
    assert "Donec nonummy pellentesque ante. Phasellus" in running[3]  # left column to the right
    assert "Aenean faucibus. Morbi dolor nulla" in document.text
    assert texts(document, Kind.CAPTION) == ["Table 1: EU Countries Information"]
    (table,) = texts(document, Kind.TABLE)
    assert "Denmark\t5.8\t42,951\tCopenhagen\tDanish" in table.splitlines()
    assert left_out(document) == {"page numbers": (3, (1, 2, 3))}


def test_paper_with_formulas() -> None:
    document = read("paper-discouragement-attacks.pdf")
    assert document.title == "Discouragement Attacks"
    headings = texts(document, Kind.HEADING)
    assert headings[1:] == [
        "Abstract",
        "1 Introduction",
        "2 Griefing factors",
        "3 Epsilon attacks",
        "4 Total attacks",
        "5 Conclusion",
    ]
    assert "a chance to earn a reward of R/N if they actually sign" in document.text
    assert "we need p ≤ 1/2 for epsilon attacks to be unprofitable." in document.text
    assert "attacker acting maliciously inside a consensus mechanism" in document.text
    assert "The validator count reduces to N/2 + 1, and" in document.text
    assert "If the reward curve is pushed down by ϵ, then the" in document.text
    assert document.page_at(document.text.index("Consider the following type")) == 1
    assert left_out(document) == {"page numbers": (8, tuple(range(1, 9)))}
    assert document.reading.notes == (
        "Fractions on pages 1, 2, 3, 5 and 6 were written on one line and may be wrong.",
    )


def test_paper_with_notes_and_references() -> None:
    document = read("paper-evolving-nullifiers.pdf")
    assert document.title.startswith("A Note on Notes: Towards Scalable Anonymous Payments via")
    headings = texts(document, Kind.HEADING)
    assert headings[1:3] == ["Abstract.", "1 Introduction"]
    assert headings[3:7] == [
        "Existence", "Authorization", "Balance Integrity", "Nullifier Correctness",
    ]  # fmt: skip
    assert headings[7] == "1.1 Scaling Anonymous Payments"
    levels = {document.paragraph(i): int(document.levels[i]) for i in range(len(document.levels))}
    assert levels["1 Introduction"] + 1 == levels["1.1 Scaling Anonymous Payments"]
    notes = texts(document, Kind.FOOTNOTE)
    assert len(notes) == 4
    assert notes[0].startswith("¹ While Tornado Cash had experimental support")
    references = texts(document, Kind.REFERENCE)
    assert len(references) == 20
    assert references[1].endswith("http://arxiv.org/abs/1905.09274")
    assert [text.split(".")[0] for text in references] == [str(i) for i in range(1, 21)]
    assert "Bünz, B." in references[8]
    whole = next(text for text in texts(document, Kind.PARAGRAPH) if "Tornado.cash¹" in text)
    assert "Unlike many non-private payment schemes" in whole  # over the note and the page's end


def test_draft_with_lists_and_a_bibliography() -> None:
    document = read("paper-science-salaries.pdf")
    title = "Paying Salaries to Scientists Using Prediction Markets on Blockchain"
    assert document.title == title
    assert document.reading.pages == 11
    assert "Incentivizing Search Engine Owners" in texts(document, Kind.HEADING)
    assert len(texts(document, Kind.LIST_ITEM)) == 18
    references = texts(document, Kind.REFERENCE)
    assert [text[:2] for text in references] == [f"{i}:" for i in range(1, 9)]
    assert "HIRE GOOGLE TO ACCOUNT SALARIES" in references[6]
    assert "BaseRestorableSalary allowing" in document.text
    assert document.reading.complete


def test_transcript_with_numbered_lines() -> None:
    document = read("court-transcript-2000.pdf")
    every = tuple(range(1, 32))
    assert left_out(document)["line numbers"] == (31 * 25, every)
    assert left_out(document)["page numbers"] == (31, every)
    running = texts(document, Kind.PARAGRAPH)
    assert "QUESTION: Very well, Mr. Waldman." in running
    first = next(text for text in running if text.startswith("QUESTION: Would it also be open"))
    assert "about the -- that the Seventh Circuit's test is incorrect?" in first
    assert sum(text.startswith("QUESTION:") for text in running) >= 25
    assert not any(text[:2].isdigit() for text in running)
    headings = texts(document, Kind.HEADING)
    assert "ORAL ARGUMENT OF MICHAEL R. DREEBEN ON BEHALF OF THE RESPONDENT" in headings


def test_page_from_an_online_editor() -> None:
    document = read("google-doc.pdf")
    assert document.title == "PDF Example Document"
    assert texts(document, Kind.HEADING) == ["Example document"]
    assert document.text.count("Beautiful is better than ugly.") == 1
    assert "Although that way may not be obvious at first unless you're Dutch." in document.text
    assert texts(document, Kind.FOOTNOTE)[0] == "¹ 2021 estimate"
    (table,) = texts(document, Kind.TABLE)
    assert "Capital\tJakarta\tBerlin\tVienna\tParis\tVatican City" in table.splitlines()
    assert "Although practicality beats purity." in texts(document, Kind.PARAGRAPH)


def test_page_from_a_word_processor_with_heads_and_feet() -> None:
    document = read("various.pdf")
    found = left_out(document)
    assert found["running heads and feet"] == (20, (1, 2))
    tables = texts(document, Kind.TABLE)
    assert [table.count("\n") for table in tables] == [1, 1]
    assert "Bullet 2" in texts(document, Kind.LIST_ITEM)
    assert "Here is a text box" in texts(document, Kind.PARAGRAPH)
    assert found["words in unknown letters"] == (1, (1,))
    assert "ゾルゲと尾崎、淡々と最期" in document.text
    assert texts(document, Kind.CAPTION) == ["Figure 1 This is a caption for Figure 1"]
    assert texts(document, Kind.FOOTNOTE) == ["¹ This is a footnote."]
    assert "header text" not in document.text


def test_charts_are_left_out_of_the_text() -> None:
    document = read("report-prr-survey-2021.pdf")
    assert document.reading.of_pages == 9
    found = left_out(document)
    assert found["charts"][0] > document.reading.words
    assert not document.reading.complete
    assert "Oldest Version vs Nodes Under Management" in texts(document, Kind.HEADING)
    assert "75%" not in texts(document, Kind.PARAGRAPH)


def test_form_says_that_its_fields_were_not_read() -> None:
    document = read("form-xfa.pdf")
    assert left_out(document)["what was typed into the form"] == (29, (1,))
    assert "Applications should be submitted two full weeks" in document.text
    assert not document.reading.complete


def test_patent_with_two_columns_recognised_from_a_picture() -> None:
    document = read("scan-patent-1950-two-column.pdf")
    assert left_out(document)["pages with misread text"][1] == (1,)
    assert left_out(document)["line numbers"][1] == (2, 3)
    assert left_out(document)["column numbers"] == (4, (2, 3))
    assert "Mass, a corporation of Delaware" in document.text
    assert "This compares with an expenditure of 36 kw.-sec." in document.text
    assert "pages 2 and 3 was recognised" in document.reading.notes[0]
    claims = [text for text in texts(document, Kind.LIST_ITEM) if "method of treating" in text]
    assert [text[:2] for text in claims] == [f"{i}." for i in range(1, 7)]
    assert claims[1].endswith("cook the same to a predetermined degree.")
    assert "falling in the microwave region" in claims[0]
    assert "those skilled in the art, a function of the geometry" in document.text


def test_older_patents_recognised_from_pictures() -> None:
    document = read("scan-patent-1881.pdf")
    assert left_out(document)["pages with misread text"][1] == (1,)
    assert "Many words of page 3 are misread." in document.reading.notes
    assert "It is arranged upon the upper end of a shaft" in document.text
    assert "which projects into chamber A" in document.text  # its line ends beside a number
    assert texts(document, Kind.FOOTNOTE) == []
    oldest = read("scan-patent-1836.pdf")
    assert "a number of hammers D for breaking it up" in oldest.text
    assert "Many words of page 1 are misread." in oldest.reading.notes


def test_locked_file_opens_with_its_password_only() -> None:
    assert read("password.pdf", "openpassword").text.startswith("Lorem ipsum dolor sit amet")
    with pytest.raises(EpitomeError, match="opens only with its password") as caught:
        read("password.pdf")
    assert caught.value.kind == "password"
    with pytest.raises(EpitomeError, match="This password does not open the PDF"):
        read("password.pdf", "another")
    facts = pdf_facts((FOLDER / "password.pdf").read_bytes())
    assert (facts.pages, facts.protection) == (1, "RC4, 128 bits")


def test_file_spoilt_by_a_program_that_took_it_for_text_is_refused() -> None:
    with pytest.raises(EpitomeError, match="it was converted as if it were text"):
        read("report-storage-f2f-notes.pdf")


@pytest.mark.parametrize(
    "name",
    [
        *("two-column.pdf", "google-doc.pdf", "various.pdf", "form-xfa.pdf"),
        *("paper-discouragement-attacks.pdf", "paper-evolving-nullifiers.pdf"),
        *("paper-science-salaries.pdf", "court-transcript-2000.pdf", "report-prr-survey-2021.pdf"),
        *("scan-patent-1836.pdf", "scan-patent-1881.pdf", "scan-patent-1950-two-column.pdf"),
    ],
)
def test_spans_and_pages_of_every_file_are_sound(name: str) -> None:
    document = read(name)
    check_spans(document)
    assert (document.page_starts[1:] >= document.page_starts[:-1]).all()
    left_out_words = sum(item.words for item in document.reading.left_out)
    assert document.reading.of_words == document.reading.words + left_out_words
