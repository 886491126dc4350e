"""Makes the sample documents that ship as PDF and DOCX from their sources in `docs/samples`.

    python packaging/make_samples.py [FOLDER]

They go to `resources/samples` unless another folder is named, and come out the same each time.
"""

import datetime
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from docx import Document
from docx.document import Document as DocxDocument
from reportlab.lib.enums import TA_JUSTIFY
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import CondPageBreak, Flowable, Paragraph, SimpleDocTemplate

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "docs" / "samples"
FONTS = ROOT / "resources" / "fonts"
NUMBER = "EP 9 117 233 A1"  # above all numbers that were ever given out
WRITTEN = datetime.datetime(2025, 1, 1, tzinfo=datetime.UTC)
CREATOR = "Epitome"

HEADING = re.compile(r"(#{1,6}) (.+)")
ITEM = re.compile(r"(?:(?P<bullet>-)|\d+\.) (?P<text>.+)")


def main() -> None:
    """Creates both files."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "resources" / "samples"
    make_pdf(SOURCES / "patent.md", folder / "patent.pdf")
    make_docx(SOURCES / "report.md", folder / "report.docx")


def paragraphs_of(source: Path) -> Iterator[str]:
    """The paragraphs, headings and list items of a Markdown file, one line each."""
    for line in source.read_text("utf-8").splitlines():
        if line.strip():
            yield line.strip()


def make_pdf(source: Path, target: Path) -> None:
    """Typesets a patent on A4 with its number in the header and the page number in the footer."""
    pdfmetrics.registerFont(TTFont("Text", FONTS / "SourceSerif4SmText-Regular.ttf"))
    pdfmetrics.registerFont(TTFont("Heading", FONTS / "SourceSerif4-Semibold.ttf"))
    title, *rest = paragraphs_of(source)
    document = SimpleDocTemplate(
        str(target),
        pagesize=A4,
        leftMargin=30 * mm,
        rightMargin=30 * mm,
        topMargin=32 * mm,
        bottomMargin=30 * mm,
        title=title.removeprefix("# "),
        author=CREATOR,
        creator=CREATOR,
        invariant=1,
    )
    flow = [part for line in (title, *rest) for part in _flowables(line)]
    document.build(flow, onFirstPage=_draw_furniture, onLaterPages=_draw_furniture)


def _flowables(line: str) -> Iterator[Flowable]:
    heading = HEADING.fullmatch(line)
    if heading:
        size = {1: 19, 2: 14, 3: 11.5}[len(heading[1])]
        style = ParagraphStyle(
            f"heading {size}", fontName="Heading", fontSize=size, leading=1.25 * size,
            spaceBefore=size, spaceAfter=0.5 * size,
        )  # fmt: skip
        yield CondPageBreak(35 * mm)  # a heading needs some lines below it
        yield Paragraph(escape(heading[2]), style)
        return
    style = ParagraphStyle(
        "text", fontName="Text", fontSize=11, leading=17, spaceAfter=9, alignment=TA_JUSTIFY,
        allowWidows=0, allowOrphans=0,
    )  # fmt: skip
    yield Paragraph(escape(line), style)


def _draw_furniture(canvas: Canvas, document: Any) -> None:
    width, height = A4
    canvas.setFont("Heading", 9.5)
    canvas.drawCentredString(width / 2, height - 18 * mm, NUMBER)
    canvas.setFont("Text", 9.5)
    canvas.drawCentredString(width / 2, 16 * mm, str(document.page))


def make_docx(source: Path, target: Path) -> None:
    """Writes a report with Word's built-in heading and list styles."""
    document = Document()
    for line in paragraphs_of(source):
        _add(document, line)
    about = document.core_properties
    about.title = document.paragraphs[0].text
    about.author = about.last_modified_by = CREATOR
    about.comments = ""
    about.created = about.modified = WRITTEN
    document.save(str(target))
    _forget_times(target)


def _add(document: DocxDocument, line: str) -> None:
    heading, item = HEADING.fullmatch(line), ITEM.fullmatch(line)
    if heading:
        document.add_heading(heading[2], len(heading[1]) - 1)  # level 0 is the title
    elif item:
        document.add_paragraph(item["text"], "List Bullet" if item["bullet"] else "List Number")
    else:
        document.add_paragraph(line)


def _forget_times(archive: Path) -> None:
    """Gives all ZIP entries the same time stamp, so that equal content gives equal bytes."""
    with zipfile.ZipFile(archive) as old:
        parts = [(name, old.read(name)) for name in old.namelist()]
    with zipfile.ZipFile(archive, "w") as new:
        for name, data in parts:
            new.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()
