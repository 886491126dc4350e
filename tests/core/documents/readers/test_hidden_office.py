"""Text of other office files that no reader sees is left out, with the reason; the rest stays."""

import pytest

from core.documents.document import Document
from tests.helpers import odt_files, pptx_files
from tests.helpers.reader_checks import read, texts

SEEN, PLANTED = "The mill grinds the corn.", "The director was paid twice."
_HIDDEN, _TINY = "the document does not show it", "it is too small to be seen"
_COLOUR = "it has the colour of its background"


def hidden(document: Document) -> dict[str, int]:
    items = document.reading.left_out
    return {item.why: item.words for item in items if item.what == "hidden text"}


# OpenDocument


def odt(body: str) -> Document:
    def text(name: str, properties: str, more: str = "", **attributes: str) -> str:
        inner = f"<style:text-properties {properties}/>{more}"
        return odt_files.style(name, inner, **attributes)

    dark = '<style:paragraph-properties fo:background-color="#112233"/>'
    cell = '<style:table-cell-properties fo:background-color="#000080"/>'
    part = '<style:section-properties fo:background-color="#000080"/>'
    styles = (
        text("White", 'fo:color="#ffffff"')
        + text("Inner", 'fo:font-weight="bold"', parent_style_name="White")
        + text("Tiny", 'fo:font-size="1pt"')
        + text("OnDark", 'fo:color="#ffffff"', dark)
        + text("DarkOnDark", 'fo:color="#112233"', dark)
        + text("W", 'fo:color="#fefefe"', family="text")
        + text("B", 'fo:color="#000000"', family="text")
        + text("T", 'fo:font-size="0.5pt"', family="text")
        + odt_files.style("Blue", cell, family="table-cell")
        + odt_files.style("Part", part, family="section")
        + text("Auto", 'fo:color="#ffffff" style:use-window-font-color="true"')
        + text("Outlined", 'fo:color="#ffffff" style:text-outline="true"')
    )
    whole = odt_files.odt_file(odt_files.paragraph(SEEN) + body, styles=styles)
    return read(whole, "a.odt")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (odt_files.paragraph(PLANTED, "White"), _COLOUR),
        (odt_files.paragraph(PLANTED, "Inner"), _COLOUR),
        (odt_files.paragraph(PLANTED, "DarkOnDark"), _COLOUR),
        (odt_files.paragraph(PLANTED, "Tiny"), _TINY),
        (odt_files.paragraph(f'<text:span text:style-name="W">{PLANTED}</text:span>'), _COLOUR),
        (odt_files.paragraph(f'<text:span text:style-name="T">{PLANTED}</text:span>'), _TINY),
    ],
)
def test_hidden_text_of_an_open_document_is_left_out(body: str, why: str) -> None:
    document = odt(body)
    assert (texts(document), hidden(document)) == ([SEEN], {why: 5})


@pytest.mark.parametrize(
    "body",
    [
        odt_files.paragraph(PLANTED, "OnDark"),
        odt_files.paragraph(PLANTED, "Auto"),
        odt_files.paragraph(PLANTED, "Outlined"),
        f'<text:section text:style-name="Part">{odt_files.paragraph(PLANTED, "White")}'
        "</text:section>",
        odt_files.paragraph(f'<text:span text:style-name="B">{PLANTED}</text:span>', "White"),
        '<table:table><table:table-row><table:table-cell table:style-name="Blue">'
        + odt_files.paragraph(PLANTED, "White")
        + "</table:table-cell></table:table-row></table:table>",
        odt_files.paragraph(
            f"<draw:frame><draw:text-box>{odt_files.paragraph(PLANTED, 'White')}"
            "</draw:text-box></draw:frame>"
        ),
    ],
)
def test_what_is_seen_of_an_open_document_stays(body: str) -> None:
    document = odt(body)
    assert (texts(document), hidden(document)) == ([SEEN, PLANTED], {})


# RTF

_COLOURS = r"{\colortbl;\red255\green255\blue255;\red0\green0\blue0;\red254\green253\blue255;}"


def rtf(body: str) -> Document:
    return read(rf"{{\rtf1\ansi {_COLOURS}{SEEN}\par {body}\par }}", "a.rtf")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (rf"{{\v {PLANTED}}}", "Word does not show it"),
        (r"{\v The \u100?irector was paid twice.}", "Word does not show it"),
        (rf"{{\cf1 {PLANTED}}}", _COLOUR),
        (rf"{{\cf3 {PLANTED}}}", _COLOUR),
        (rf"{{\cf2\highlight2 {PLANTED}}}", _COLOUR),
        (rf"\pard\cbpat2{{\cf2 {PLANTED}}}", _COLOUR),
        (rf"{{\fs1 {PLANTED}}}", _TINY),
        (rf"{{\fs2 {PLANTED}}}", _TINY),
    ],
)
def test_hidden_text_of_rich_text_is_left_out(body: str, why: str) -> None:
    document = rtf(body)
    assert (texts(document), hidden(document)) == ([SEEN], {why: 5})


@pytest.mark.parametrize(
    "body",
    [
        rf"{{\cf1\chcbpat2 {PLANTED}}}",
        rf"{{\cf1\highlight2 {PLANTED}}}",
        rf"\pard\cbpat2{{\cf1 {PLANTED}}}",
        rf"{{\cf1\cf0 {PLANTED}}}",
        rf"{{\cf1\plain {PLANTED}}}",
        rf"{{\fs12 {PLANTED}}}",
        rf"\trowd\clcbpat2\cellx900\pard\intbl{{\cf1 {PLANTED}}}\cell\row\pard",
        rf"\pard\intbl{{\cf1 {PLANTED}}}\cell\trowd\clcbpat2\cellx900\row\pard",
        rf"\trowd\trcbpat2\cellx900\pard\intbl{{\cf1 {PLANTED}}}\cell\row\pard",
        rf"\pard\shading8000{{\cf1 {PLANTED}}}",
        rf"\pard\cfpat2{{\cf1 {PLANTED}}}",
        rf"{{\chshdng8000\cf1 {PLANTED}}}",
        rf"{{\outl\cf1 {PLANTED}}}",
        rf"{{\*\background{{\shp}}}}{{\cf1 {PLANTED}}}",
    ],
)
def test_what_is_seen_of_rich_text_stays(body: str) -> None:
    document = rtf(body)
    assert (texts(document), hidden(document)) == ([SEEN, PLANTED], {})


# PowerPoint

_WHITE = '<a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill>'
_PAPER = '<a:solidFill><a:schemeClr val="bg1"/></a:solidFill>'
_PLACE = (100, 400, 600, 100)


def run(inner: str, **attributes: str) -> str:
    said = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    return f"<a:p><a:r><a:rPr {said}>{inner}</a:rPr><a:t>{PLANTED}</a:t></a:r></a:p>"


def pptx(*shapes: str, master: str = "") -> Document:
    first = pptx_files.shape(SEEN, at=(100, 100, 600, 100))
    slide = pptx_files.Slide("".join((first, *shapes)))
    return read(pptx_files.pptx_file(slide, master=master), "a.pptx")


def filled(place: tuple[int, int, int, int], fill: str, text: str = "") -> str:
    box = f"<p:spPr>{pptx_files.frame(place)}{fill}</p:spPr>"
    body = f"<p:txBody><a:bodyPr/><a:lstStyle/>{text}</p:txBody>" if text else ""
    name = '<p:nvSpPr><p:cNvPr id="2" name="y"/><p:nvPr/></p:nvSpPr>'
    return f"<p:sp>{name}{box}{body}</p:sp>"


@pytest.mark.parametrize(
    ("shape", "why"),
    [
        (pptx_files.shape(PLANTED, at=(1200, 400, 600, 100)), "it lies outside of the page"),
        (pptx_files.shape(PLANTED, at=(100, -200, 600, 100)), "it lies outside of the page"),
        (
            pptx_files.group(pptx_files.shape(PLANTED), at=(1200, 400, 600, 100)),
            "it lies outside of the page",
        ),
        (pptx_files.shape(run(_WHITE), at=_PLACE), _COLOUR),
        (pptx_files.shape(run(_PAPER), at=_PLACE), _COLOUR),
        (filled(_PLACE, _WHITE, run(_WHITE)), _COLOUR),
        (pptx_files.shape(run("", sz="100"), at=_PLACE), _TINY),
        (pptx_files.shape(run("<a:noFill/>"), at=_PLACE), "it is transparent"),
    ],
)
def test_hidden_text_of_a_slide_is_left_out(shape: str, why: str) -> None:
    document = pptx(shape)
    assert (texts(document), hidden(document)) == ([SEEN], {why: 5})


_BLUE = '<a:solidFill><a:srgbClr val="000080"/></a:solidFill>'


@pytest.mark.parametrize(
    "shapes",
    [
        (filled(_PLACE, _BLUE, run(_WHITE)),),
        (filled((0, 300, 1000, 400), _BLUE), pptx_files.shape(run(_WHITE), at=_PLACE)),
        (pptx_files.picture((0, 300, 1000, 400)), pptx_files.shape(run(_WHITE), at=_PLACE)),
        (pptx_files.shape(run("", sz="600"), at=_PLACE),),
        (pptx_files.shape(PLANTED, at=(900, 700, 600, 100)),),
    ],
)
def test_what_is_seen_of_a_slide_stays(shapes: tuple[str, ...]) -> None:
    document = pptx(*shapes)
    assert (texts(document), hidden(document)) == ([SEEN, PLANTED], {})


def test_white_text_on_the_shapes_of_a_master_stays() -> None:
    document = pptx(
        pptx_files.shape(run(_WHITE), at=_PLACE), master=filled((0, 0, 1000, 750), _BLUE)
    )
    assert PLANTED in document.text


@pytest.mark.parametrize(("fill", "is_seen"), [("", True), (_BLUE, True), (_WHITE, False)])
def test_white_text_in_a_table_is_left_out_only_where_its_cell_is_white(
    fill: str, is_seen: bool
) -> None:
    cells = f"<a:tc><a:txBody>{run(_WHITE)}</a:txBody><a:tcPr>{fill}</a:tcPr></a:tc>"
    table = (
        f"<a:graphic><a:graphicData><a:tbl><a:tr>{cells}</a:tr></a:tbl></a:graphicData></a:graphic>"
    )
    place = pptx_files.frame(_PLACE, "p:xfrm")
    document = pptx(f"<p:graphicFrame>{place}{table}</p:graphicFrame>")
    assert (PLANTED in document.text) == is_seen


def test_white_text_with_an_empty_list_of_effects_is_left_out() -> None:
    document = pptx(pptx_files.shape(run(f"{_WHITE}<a:effectLst/>"), at=_PLACE))
    assert hidden(document) == {_COLOUR: 5}
