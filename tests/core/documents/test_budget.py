"""What a document may take is counted in every format, and while it is read, not at its end."""

import json
import zipfile
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest

from core.documents import budget
from core.documents.budget import OVER
from core.documents.document import Document
from core.documents.readers import office_objects, page_pictures
from core.documents.readers.pdf_layout import pages
from core.documents.readers.recognition import part
from core.errors import EpitomeError
from tests.helpers import odt_files, pdf_maker, pptx_files, word_files
from tests.helpers.attacks import ATTACKS
from tests.helpers.epub_files import epub_file
from tests.helpers.reader_checks import read, texts

LINE = "The pump draws water from the lower basin and lifts it into the upper one."
MANY = 60


def _lines(before: str = "", line: str = LINE, between: str = "\n\n", after: str = "") -> bytes:
    return f"{before}{between.join([line] * MANY)}{after}".encode()


FILES: dict[str, Callable[[], bytes]] = {
    "a.txt": _lines,
    "a.md": lambda: _lines("# Pumps\n\n"),
    "a.rst": lambda: _lines("Pumps\n=====\n\n"),
    "a.html": lambda: _lines("<h1>Pumps</h1><p>", between="</p><p>", after="</p>"),
    "a.rtf": lambda: _lines(r"{\rtf1\ansi ", between=r"\par ", after="}"),
    "a.eml": lambda: _lines("From: a@example.org\nSubject: Pumps\n\n"),
    "a.csv": lambda: _lines("id,text\n", f'1,"{LINE}"', "\n"),
    "a.jsonl": lambda: _lines(line=json.dumps({"id": 1, "text": LINE}), between="\n"),
    "a.docx": lambda: word_files.word_file(word_files.paragraph(LINE) * MANY),
    "a.odt": lambda: odt_files.odt_file(odt_files.paragraph(LINE) * MANY),
    "a.pptx": lambda: pptx_files.pptx_file(
        *[pptx_files.Slide(pptx_files.shape(f"{LINE} {number}")) for number in range(MANY)]
    ),
    "a.epub": lambda: epub_file({"one": f"<h1>Pumps</h1>{f'<p>{LINE}</p>' * MANY}"}),
    "a.pdf": lambda: pdf_maker.long_report(pages=4, words=MANY * 14),
}


def refusal(name: str, data: bytes) -> EpitomeError:
    with pytest.raises(EpitomeError) as caught:
        read(data, name)
    assert caught.value.kind == OVER, caught.value
    return caught.value


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    ("limit", "most", "what"),
    [("MOST_CHARACTERS", 700, "700 characters of text"), ("MOST_PARAGRAPHS", 5, "5 paragraphs")],
)
def test_text_is_counted_in_every_format(
    monkeypatch: pytest.MonkeyPatch, name: str, limit: str, most: int, what: str
) -> None:
    data = FILES[name]()
    assert read(data, name).num_paragraphs >= 1
    if limit == "MOST_PARAGRAPHS" and read(data, name).num_paragraphs <= most:
        pytest.skip("its lines are joined to one paragraph")
    monkeypatch.setattr(budget, limit, most)
    assert f"has more than {what}, which is the most" in refusal(name, data).message


HEADS = odt_files.odf_root(
    "document-styles",
    "<office:master-styles>"
    + "".join(
        f"<style:master-page><style:header>{odt_files.paragraph(f'{LINE} {number}')}"
        "</style:header></style:master-page>"
        for number in range(MANY)
    )
    + "</office:master-styles>",
)
ODT_REMARKS = odt_files.paragraph(
    LINE + f"<office:annotation>{odt_files.paragraph(LINE)}</office:annotation>" * MANY
)
EARLY: dict[str, tuple[str, Callable[[], bytes]]] = {
    "paragraphs of Word": ("a.docx", FILES["a.docx"]),
    "code of Word": (
        "a.docx",
        lambda: word_files.word_file(
            word_files.paragraph(LINE, style="c") * MANY,
            styles=word_files.style("c", "HTML Preformatted"),
        ),
    ),
    "comments of Word": (
        "a.docx",
        lambda: word_files.word_file(
            word_files.paragraph(LINE),
            comments=f'<w:comment w:id="1">{word_files.paragraph(LINE) * MANY}</w:comment>',
        ),
    ),
    "paragraphs of OpenDocument": ("a.odt", FILES["a.odt"]),
    "deletions of OpenDocument": (
        "a.odt",
        lambda: odt_files.odt_file(
            "<text:tracked-changes><text:changed-region><text:deletion>"
            + odt_files.paragraph(LINE) * MANY
            + "</text:deletion></text:changed-region></text:tracked-changes>"
            + odt_files.paragraph(LINE)
        ),
    ),
    "remarks of OpenDocument": ("a.odt", lambda: odt_files.odt_file(ODT_REMARKS)),
    "running heads of OpenDocument": (
        "a.odt",
        lambda: odt_files.odt_file(odt_files.paragraph(LINE), **{"styles.xml": HEADS}),
    ),
    "slides": ("a.pptx", FILES["a.pptx"]),
    "replacements of reStructuredText": (
        "a.rst",
        lambda: ATTACKS["rst_substitutions"].make(40),
    ),
}


@pytest.mark.parametrize("name", EARLY)
def test_text_is_counted_while_it_is_made(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    file, make = EARLY[name]
    data = make()
    assert texts(read(data, file))
    monkeypatch.setattr(budget, "MOST_CHARACTERS", 2_000)
    monkeypatch.setattr(Document, "from_blocks", _not_reached)
    refusal(file, data)


def _not_reached(*blocks: Any, **more: Any) -> Document:
    raise AssertionError("all of it was made before it was counted")


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.rst", "a.csv", "a.jsonl", "a.eml"])
@pytest.mark.parametrize("end", [b"\n", b"\r"])
def test_lines_are_counted_before_anything_is_read(
    monkeypatch: pytest.MonkeyPatch, name: str, end: bytes
) -> None:
    data = FILES[name]().replace(b"\n", end) if end == b"\r" else FILES[name]()
    if name == "a.eml" and end == b"\r":
        pytest.skip("no program writes mail so")
    monkeypatch.setattr(budget, "MOST_LINES", 20)
    assert "has more than 20 lines" in refusal(name, data).message


def test_tags_of_each_page_and_of_the_package_of_a_book_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chapters = {f"c{number}": f"<p>{LINE}</p>" * 9 for number in range(9)}
    book = epub_file(chapters)
    seen: list[int] = []
    add = budget.Budget.add_tags
    monkeypatch.setattr(
        budget.Budget, "add_tags", lambda self, number: (seen.append(number), add(self, number))
    )
    read(book, "a.epub")
    with zipfile.ZipFile(BytesIO(book)) as archive:
        tags = {name: archive.read(name).count(b"<") for name in archive.namelist()}
    for name, number in tags.items():
        assert number in seen or not name.endswith(("xml", "opf", "html", "ncx")), name
    monkeypatch.setattr(budget, "MOST_TAGS", sum(seen) - 1)
    refusal("a.epub", book)


def test_a_chart_of_too_many_cells_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    chart = pptx_files.chart("Yield", ["2019", "2020"], Wheat=["12", "4"], Rye=["1", "2"])
    frame = pptx_files.framed('<c:chart r:id="part1"/>')
    slide = pptx_files.Slide(
        pptx_files.shape(LINE) + frame, parts={"charts/c.xml": ("chart", chart)}
    )
    data = pptx_files.pptx_file(slide)
    assert any("Wheat" in text for text in texts(read(data, "a.pptx")))
    monkeypatch.setattr(office_objects, "_MOST_CELLS", 5)
    left = texts(read(data, "a.pptx"))
    assert LINE in left and not any("Wheat" in text for text in left)


def test_objects_and_shapes_of_a_page_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    def draw(canvas: Any) -> None:
        canvas.drawString(72, 700, LINE)
        for number in range(30):
            canvas.rect(72 + number, 300, 200, 100)

    data = pdf_maker.drawn(draw)
    seen: list[int] = []
    make = pages._as_sheet
    monkeypatch.setattr(
        pages,
        "_as_sheet",
        lambda *parts: (seen.append(len(parts[-1])), make(*parts))[1],
    )
    read(data, "a.pdf")
    monkeypatch.setattr(pages, "_MOST_SHAPES", 7)
    read(data, "a.pdf")
    monkeypatch.setattr(pages, "_MOST_OBJECTS", 4)
    read(data, "a.pdf")
    assert seen[0] == 30 and seen[1] == 7 and seen[2] <= 4


@pytest.mark.skipif(not part.is_installed(), reason="the part “scans” is not installed")
def test_a_picture_of_too_many_pixels_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from PIL import Image

    file = BytesIO()
    Image.new("L", (400, 300), "white").save(file, "PNG")
    monkeypatch.setattr(page_pictures, "MOST_PIXELS", 100_000)
    with pytest.raises(EpitomeError) as caught:
        read(file.getvalue(), "a.png")
    assert "pixels" in caught.value.message


def test_numbers_of_thousands_of_digits_are_cut() -> None:
    digits = "9" * 5_000
    document = read(rf"{{\rtf1\ansi\li{digits} {LINE}\par\fs-{digits} {LINE}\par}}", "a.rtf")
    assert texts(document) == [LINE, LINE]


def test_spaces_that_are_asked_for_are_bounded() -> None:
    body = odt_files.paragraph('a<text:s text:c="60000000"/>b')
    code = odt_files.odt_file(body.replace('"Standard"', '"Preformatted_20_Text"'))
    assert len(read(code, "a.odt").text) < 200
