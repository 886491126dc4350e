"""Summaries on paper: as a PDF, or on a printer."""

from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFont, QPageLayout, QPageSize, QPainter, QPdfWriter, QTextDocument

from core.export.html import render_print
from core.export.parts import title_of
from core.summaries.summary import Quotable, Summary
from core.version import VERSION
from gui.theme.fonts import SERIF

_MARGINS_MM = QMarginsF(5, 2, 5, 2)
"""Beside the 20 mm that Qt leaves free on every page."""
_COLLECTION_MARGINS_MM = QMarginsF(25, 22, 25, 15)
_FOOT_MM, _FOOT_PT = 10, 9
_SIZE_PT = 11
_DOTS_PER_INCH = 300
_STYLE = """
p { margin-top: 0; margin-bottom: 7px; line-height: 120%; }
h1 { font-size: 18pt; margin-bottom: 14px; } h2 { font-size: 12pt; margin-top: 18px; }
"""


def page_of(summary: Summary, document: Quotable, *, quotations: bool) -> QTextDocument:
    """The summary as it is laid out on paper.

    Args:
        summary: The summary.
        document: What it was made of.
        quotations: Whether every sentence has its evidence.

    Returns:
        The page, which a PDF writer or a printer takes.
    """
    return _laid_out(render_print(summary, document, quotations))


def _laid_out(html: str) -> QTextDocument:
    page = QTextDocument()
    page.setDefaultFont(QFont(SERIF, _SIZE_PT))
    page.setDefaultStyleSheet(_STYLE)
    page.setHtml(html)
    return page


def render_pdf(summary: Summary, document: Quotable, *, quotations: bool) -> bytes:
    """The summary as a PDF on A4, with page numbers; arguments as `page_of`."""
    data, buffer = QByteArray(), QBuffer()
    buffer.setBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    _set_up(writer, summary.title, _MARGINS_MM)
    page_of(summary, document, quotations=quotations).print_(writer)
    buffer.close()
    return bytes(data.data())


def _set_up(writer: QPdfWriter, title: str, margins_mm: QMarginsF) -> None:
    writer.setResolution(_DOTS_PER_INCH)
    writer.setTitle(title)
    writer.setCreator(f"Epitome {VERSION}")
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(margins_mm, QPageLayout.Unit.Millimeter)


class PdfCollection:
    """Many summaries as one PDF: a page of contents, then each summary on a page of its own.

    The contents name pages, so all summaries are laid out twice: once to count their pages.

    Args:
        title: The title of the whole.
        quotations: Whether every sentence has its evidence.
    """

    def __init__(self, title: str, *, quotations: bool) -> None:
        self._title, self._quotations = title, quotations
        self._entries: list[tuple[str, int]] = []
        self._page = 0

    def write(self, path: Path, items: Iterable[tuple[Summary, Quotable]]) -> Iterator[int]:
        """Writes the file.

        Args:
            path: Where.
            items: Summaries with what is quoted of their documents; passed over twice.

        Yields:
            How many are laid out, counting each of the two times.

        Raises:
            OSError: If it cannot be written.
        """
        writer = QPdfWriter(str(path))
        _set_up(writer, self._title, _COLLECTION_MARGINS_MM)
        done = 0
        for summary, document in items:
            pages = self._document(writer, summary, document).pageCount()
            self._entries.append((title_of(summary), pages))
            done += 1
            yield done
        painter = QPainter()
        if not painter.begin(writer):
            raise OSError(f"{path} cannot be opened for writing")
        try:
            self._draw(painter, writer, self._contents(writer))
            for summary, document in items:
                self._draw(painter, writer, self._document(writer, summary, document))
                done += 1
                yield done
        finally:
            painter.end()

    def _document(self, writer: QPdfWriter, summary: Summary, document: Quotable) -> QTextDocument:
        return _paged(page_of(summary, document, quotations=self._quotations), writer)

    def _contents(self, writer: QPdfWriter) -> QTextDocument:
        """The page of contents; its own length moves the numbers in it."""
        first = 2
        while True:
            pages = _paged(_laid_out(self._contents_html(first)), writer)
            if pages.pageCount() + 1 == first:
                return pages
            first = pages.pageCount() + 1

    def _contents_html(self, first: int) -> str:
        rows, page = [], first
        for number, (title, count) in enumerate(self._entries, 1):
            rows.append(
                f"<tr><td width='8%'>{number}.</td><td width='82%'>{escape(title)}</td>"
                f"<td width='10%' align='right'>{page}</td></tr>"
            )
            page += count
        table = "<table width='100%' cellspacing='0' cellpadding='2'>" + "".join(rows) + "</table>"
        return f"<h1>{escape(self._title)}</h1><h2>Contents</h2>{table}"

    def _draw(self, painter: QPainter, writer: QPdfWriter, document: QTextDocument) -> None:
        """Draws a document, each of its pages on a new one, with its number at the foot."""
        size = document.pageSize()
        foot = QRectF(0, size.height(), size.width(), _foot_px(writer))
        centre = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom
        for at in range(document.pageCount()):
            if self._page:
                writer.newPage()
            self._page += 1
            top = at * size.height()
            painter.save()
            painter.translate(0, -top)
            document.drawContents(painter, QRectF(0, top, size.width(), size.height()))
            painter.restore()
            painter.setFont(QFont(SERIF, _FOOT_PT))
            painter.drawText(foot, int(centre), str(self._page))


def _paged(document: QTextDocument, writer: QPdfWriter) -> QTextDocument:
    """A document laid out for the pages of a writer, with room for a line at their foot."""
    document.documentLayout().setPaintDevice(writer)
    document.setDocumentMargin(0)
    height = writer.height() - _foot_px(writer)
    document.setPageSize(QSizeF(writer.width(), height))
    return document


def _foot_px(writer: QPdfWriter) -> int:
    return round(_FOOT_MM / 25.4 * writer.resolution())
