"""A title says what a document is about: no address, no date, no code, no office's name."""

import pytest

from core.documents.document import Block, Document, Kind, Source
from core.documents.readers.door import read_bytes
from core.documents.readers.titles import INSTITUTION, is_no_title, opening_title
from core.events import result_of
from core.stop import StopToken


@pytest.mark.parametrize(
    "text",
    [
        "https://example.org/report", "www.example.org", "info@example.org", "1 Main Street",
        "December 16, 2018", "16 December 2018", "3. Oktober 1990", "le 14 juillet 1789"[3:],
        "Monday, November 27, 2000", "06.2019", "2021-11-05", "report-017097", "2,495,429", "11:05",
        "DOC_2021_117.final", "---",
    ],
)  # fmt: skip
def test_what_says_nothing_is_no_title(text: str) -> None:
    assert is_no_title(text)


@pytest.mark.parametrize(
    "text",
    [
        "1984", "COVID-19", "About a@b now", "Catch-22", "HTML5", "May we begin?",
        "March of the Penguins",
        "Report 2021", "The October revolution", "Minutes of 3 May 2021",
        "How to write to the list at dev@example.org, and what happens to your message there",
    ],
)  # fmt: skip
def test_what_says_something_may_be_one(text: str) -> None:
    assert not is_no_title(text)


@pytest.mark.parametrize(
    "text",
    [
        "UNITED STATES PATENT OFFICE", "IN THE SUPREME COURT OF THE UNITED STATES",
        "United States District Court for the Northern District of Ohio", "European Patent Office",
    ],
)  # fmt: skip
def test_offices_and_courts_are_known(text: str) -> None:
    assert INSTITUTION.fullmatch(text)


def of(*blocks: tuple[str, Kind]) -> Document:
    made = [Block(text, kind, 2 if kind == Kind.HEADING else 0) for text, kind in blocks]
    return Document.from_blocks(made, title="", source=Source("a.docx"))


HEAD, TEXT = Kind.HEADING, Kind.PARAGRAPH


@pytest.mark.parametrize(
    ("blocks", "title"),
    [
        ([("5 Of authenticators", HEAD), ("It is so.", TEXT)], "Of authenticators"),
        ([("Agency: Health", HEAD), ("06.2019", HEAD), ("Support assistant", HEAD)],
         "Support assistant"),
        ([("Introduction", HEAD), ("It is so.", TEXT)], ""),
        ([("It is so.", TEXT), ("Of pumps", HEAD)], ""),
        ([("United States Patent Office", HEAD), ("Cream separator", HEAD)], "Cream separator"),
        ([], ""),
    ],
)  # fmt: skip
def test_headings_at_the_beginning_give_a_title(blocks: list[tuple[str, Kind]], title: str) -> None:
    assert opening_title(of(*blocks)) == title


def titled(text: str, name: str) -> str:
    return result_of(read_bytes(text.encode(), name, StopToken())).title


def test_a_numbered_chapter_is_the_title_of_its_file() -> None:
    body = "\n\n".join(["The pump is old and has to be looked after by somebody."] * 5)
    assert titled(f"## 5 Of pumps\n\n{body}\n", "part5.md") == "Of pumps"
    assert titled(f"{body}\n", "part5.md") == "part5"


def test_a_date_in_the_title_of_a_page_gives_way_to_its_heading() -> None:
    page = "<html><head><title>{}</title></head><body><h1>Of pumps</h1>" + "<p>It is old.</p>" * 9
    assert titled(page.format("16 December 2018"), "a.html") == "Of pumps"
    assert titled(page.format("Pumps and men"), "a.html") == "Pumps and men"
