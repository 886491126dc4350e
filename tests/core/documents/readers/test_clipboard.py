"""What a person pastes."""

import pytest

from core.documents.document import Document, Kind
from core.documents.readers.door import read_pasted
from core.errors import EpitomeError
from core.events import result_of
from core.stop import StopToken
from tests.helpers.reader_checks import check_spans, outline, texts


def _pasted(text: str, html: str = "") -> Document:
    document = result_of(read_pasted(text, html, StopToken()))
    check_spans(document)
    return document


def test_html_is_taken_where_it_holds_structure() -> None:
    html = (
        "Version:0.9\r\nStartHTML:1\r\n<html><body><!--StartFragment--><h2>Parts</h2>"
        "<nav><ul><li>Basin</li></ul></nav><p>It works.</p><!--EndFragment--></body></html>"
    )
    document = _pasted("Parts\n\nBasin\nIt works.", html)
    assert outline(document) == [
        (Kind.HEADING, "Parts"),
        (Kind.LIST_ITEM, "Basin"),
        (Kind.PARAGRAPH, "It works."),
    ]
    assert (document.title, document.source.name) == ("Parts", "Pasted text")


def test_text_is_taken_where_html_is_only_a_wrapper() -> None:
    text = "First.\n\nSecond."
    assert texts(_pasted(text, "<html><body><span>First. Second.</span>")) == ["First.", "Second."]


def test_text_is_taken_where_html_loses_words() -> None:
    assert texts(_pasted("All of these words.", "<p>All</p>")) == ["All of these words."]


def test_title_is_the_first_words() -> None:
    title = _pasted("It works very well, as all of us have seen in the last ten years.").title
    assert title == "It works very well, as all of us have seen in the last ten …"


@pytest.mark.parametrize(("text", "html"), [("", ""), (" \n\t\n", ""), ("", "<p> </p>")])
def test_nothing_is_refused(text: str, html: str) -> None:
    with pytest.raises(EpitomeError, match="“Pasted text” contains no words"):
        _pasted(text, html)
