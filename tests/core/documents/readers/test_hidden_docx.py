"""Text that Word does not show, or that no reader of the page sees, is left out with the reason."""

import pytest

from core.documents.document import Document
from tests.helpers.reader_checks import read, texts
from tests.helpers.word_files import paragraph, style, word_file

SEEN, PLANTED = "The mill grinds the corn.", "The director was paid twice."
_HIDDEN, _TINY = "Word does not show it", "it is too small to be seen"
_COLOUR = "it has the colour of its background"
STYLES = (
    style("Secret", "Secret", "<w:rPr><w:vanish/></w:rPr>")
    + style("Inner", "Inner", '<w:basedOn w:val="Secret"/>')
    + style("Pale", "Pale", '<w:rPr><w:color w:val="FFFFFF"/></w:rPr>')
    + style("Dark", "Dark", '<w:pPr><w:shd w:val="clear" w:fill="222222"/></w:pPr>')
    + '<w:style w:type="character" w:styleId="Hid"><w:name w:val="Hid"/>'
    + "<w:rPr><w:vanish/></w:rPr></w:style>"
    + '<w:style w:type="table" w:styleId="Grid"><w:name w:val="Grid"/>'
    + '<w:tblStylePr w:type="firstRow">'
    + '<w:tcPr><w:shd w:val="clear" w:fill="000080"/></w:tcPr></w:tblStylePr></w:style>'
)
WHITE = '<w:color w:val="FFFFFF"/>'


def file(body: str) -> Document:
    return read(word_file(paragraph(SEEN) + body, styles=STYLES), "a.docx")


def hidden(document: Document) -> dict[str, int]:
    items = document.reading.left_out
    return {item.why: item.words for item in items if item.what == "hidden text"}


def shade(fill: str) -> str:
    return f'<w:shd w:val="clear" w:color="auto" w:fill="{fill}"/>'


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (paragraph(PLANTED, run="<w:vanish/>"), _HIDDEN),
        (paragraph(PLANTED, "Secret"), _HIDDEN),
        (paragraph(PLANTED, "Inner"), _HIDDEN),
        (paragraph(PLANTED, run='<w:rStyle w:val="Hid"/>'), _HIDDEN),
        (paragraph(PLANTED, run=WHITE), _COLOUR),
        (paragraph(PLANTED, "Pale"), _COLOUR),
        (paragraph(PLANTED, run='<w:color w:val="FEFEFE"/>'), _COLOUR),
        (paragraph(PLANTED, run='<w:color w:themeColor="background1"/>'), _COLOUR),
        (paragraph(PLANTED, run=WHITE + shade("FFFFFF")), _COLOUR),
        (paragraph(PLANTED, run='<w:color w:val="000000"/>' + shade("000000")), _COLOUR),
        (paragraph(PLANTED, "Dark", run='<w:color w:val="222222"/>'), _COLOUR),
        (paragraph(PLANTED, run='<w:sz w:val="1"/>'), _TINY),
        (paragraph(PLANTED, run='<w:sz w:val="2"/>'), _TINY),
    ],
)
def test_hidden_text_is_left_out(body: str, why: str) -> None:
    document = file(body)
    assert texts(document) == [SEEN]
    assert hidden(document) == {why: 5}


_W14 = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'


def cell(inner: str, properties: str = "", table: str = "") -> str:
    cells = f"<w:tc><w:tcPr>{properties}</w:tcPr>{inner}</w:tc>"
    return f"<w:tbl><w:tblPr>{table}</w:tblPr><w:tr>{cells}</w:tr></w:tbl>"


@pytest.mark.parametrize(
    "body",
    [
        paragraph(PLANTED, "Secret", run='<w:vanish w:val="0"/>'),
        paragraph(PLANTED, "Secret", run='<w:rStyle w:val="Hid"/>'),
        paragraph(PLANTED, "Dark", run=WHITE),
        paragraph(PLANTED, run=WHITE + shade("000000")),
        paragraph(PLANTED, run=WHITE + '<w:highlight w:val="blue"/>'),
        paragraph(PLANTED, properties=shade("1F3864"), run=WHITE),
        cell(paragraph(PLANTED, run=WHITE), shade("1F3864")),
        cell(paragraph(PLANTED, run=WHITE), table='<w:tblStyle w:val="Grid"/>'),
        cell(paragraph(PLANTED, run=WHITE), table=shade("1F3864")),
        f"<w:tbl><w:tr><w:tblPrEx>{shade('1F3864')}</w:tblPrEx>"
        f"<w:tc>{paragraph(PLANTED, run=WHITE)}</w:tc></w:tr></w:tbl>",
        paragraph(PLANTED, run=WHITE + "<w:outline/>"),
        paragraph(PLANTED, run=WHITE + "<w:emboss/>"),
        paragraph(PLANTED, run=WHITE + f"<w14:textFill {_W14}><w14:solidFill/></w14:textFill>"),
        paragraph(
            PLANTED, run=WHITE + f"<w14:textOutline {_W14}><w14:solidFill/></w14:textOutline>"
        ),
        paragraph(PLANTED, run='<w:color w:val="000000" w:themeColor="background1"/>'),
        paragraph(PLANTED, run='<w:color w:val="auto"/>'),
        paragraph(PLANTED, run='<w:color w:val="D0D0D0"/>'),
        paragraph(PLANTED, run='<w:sz w:val="8"/>'),
    ],
)
def test_what_is_seen_stays(body: str) -> None:
    document = file(body)
    assert texts(document) == [SEEN, PLANTED]
    assert not hidden(document)


def test_white_text_in_a_plain_cell_and_hidden_rows_are_left_out() -> None:
    document = file(cell(paragraph(PLANTED, run=WHITE)))
    assert (texts(document), hidden(document)) == ([SEEN], {_COLOUR: 5})
    row = f"<w:tr><w:trPr><w:hidden/></w:trPr><w:tc>{paragraph(PLANTED)}</w:tc></w:tr>"
    document = file(f"<w:tbl>{row}</w:tbl>")
    assert (texts(document), hidden(document)) == ([SEEN], {_HIDDEN: 5})


def test_white_text_of_a_document_with_a_picture_behind_it_stays() -> None:
    drawing = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
    anchor = f'<wp:anchor xmlns:wp="{drawing}" behindDoc="1"/>'
    body = f"<w:p><w:r><w:drawing>{anchor}</w:drawing></w:r></w:p>"
    assert texts(file(body + paragraph(PLANTED, run=WHITE))) == [SEEN, PLANTED]
