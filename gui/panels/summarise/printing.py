"""The summary on paper: as a PDF, or on a printer."""

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF
from PySide6.QtGui import QFont, QPageLayout, QPageSize, QPdfWriter, QTextDocument

from core.documents.document import Document
from core.export.html import render_print
from core.summary import Summary
from core.version import VERSION
from gui.theme.fonts import SERIF

_MARGINS_MM = QMarginsF(5, 2, 5, 2)
"""Beside the 20 mm that Qt leaves free on every page."""
_SIZE_PT = 11
_DOTS_PER_INCH = 300
_STYLE = """
p { margin-top: 0; margin-bottom: 7px; line-height: 120%; }
h1 { font-size: 18pt; margin-bottom: 14px; } h2 { font-size: 12pt; margin-top: 18px; }
"""


def page_of(summary: Summary, document: Document, *, quotations: bool) -> QTextDocument:
    """The summary as it is laid out on paper.

    Args:
        summary: The summary.
        document: What it was made of.
        quotations: Whether every sentence has its evidence.

    Returns:
        The page, which a PDF writer or a printer takes.
    """
    page = QTextDocument()
    page.setDefaultFont(QFont(SERIF, _SIZE_PT))
    page.setDefaultStyleSheet(_STYLE)
    page.setHtml(render_print(summary, document, quotations))
    return page


def render_pdf(summary: Summary, document: Document, *, quotations: bool) -> bytes:
    """The summary as a PDF on A4, with page numbers; arguments as `page_of`."""
    data, buffer = QByteArray(), QBuffer()
    buffer.setBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(_DOTS_PER_INCH)
    writer.setTitle(summary.title)
    writer.setCreator(f"Epitome {VERSION}")
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(_MARGINS_MM, QPageLayout.Unit.Millimeter)
    page_of(summary, document, quotations=quotations).print_(writer)
    buffer.close()
    return bytes(data.data())
