"""The quotation that opens under a summary sentence: the evidence with its context."""

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from core.documents.document import Document
from core.summaries.summary import Evidence
from gui.theme.theme import Theme
from gui.widgets.reading.text_block import Ink, TextBlock, paint_mark
from gui.widgets.support.paint import draw_plate

_CONTEXT = 90  # code points shown before and after the evidence
_MAX_QUOTE = 1_500
_MAX_QUOTES = 3
_HEAD_PX, _TOP_PX, _GAP_PX, _BOTTOM_PX = 16, 10, 5, 13
_HEAD_X_PX, _TEXT_X_PX = 15, 19
_CENTRE = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine


class Quotation:
    """One piece of evidence with some of its paragraph.

    Attributes:
        evidence: Where it is.
        text: Context, evidence, context.
        start: Where the evidence begins in `text`.
        end: Where it ends.
    """

    def __init__(self, document: Document, evidence: Evidence) -> None:
        """Takes the quotation from its document."""
        self.evidence = evidence
        index = document.paragraph_at(evidence.start)
        first, last = int(document.starts[index]), int(document.ends[index])
        quote_end = min(evidence.end, evidence.start + _MAX_QUOTE)
        before = _context_before(document.text, first, evidence.start)
        after = _context_after(document.text, quote_end, last)
        self.text = before + document.text[evidence.start : quote_end] + after
        self.start = len(before)
        self.end = len(before) + quote_end - evidence.start


def _context_before(text: str, first: int, start: int) -> str:
    if start - first <= _CONTEXT:
        return text[first:start]
    space = text.find(" ", start - _CONTEXT, start)
    return "… " + text[space + 1 : start] if space >= 0 else ""


def _context_after(text: str, end: int, last: int) -> str:
    if last - end <= _CONTEXT:
        return text[end : max(end, last)]
    space = text.rfind(" ", end, end + _CONTEXT)
    return text[end:space] + " …" if space >= 0 else ""


class QuoteCard:
    """The quotations of one summary sentence, laid out for a width.

    Attributes:
        height: Logical px of the whole card.
    """

    def __init__(
        self, theme: Theme, document: Document, evidence: tuple[Evidence, ...], width: float
    ) -> None:
        """Lays the quotations out.

        Args:
            theme: Fonts and line heights.
            document: The source.
            evidence: What is quoted; the first three are.
            width: Logical px of the card.
        """
        self._theme, self.width = theme, width
        self._quotations = [Quotation(document, item) for item in evidence[:_MAX_QUOTES]]
        font, line_height = theme.font("reads"), theme.line_height("reads")
        room = width - 2 * _TEXT_X_PX + 4
        self._blocks = [TextBlock(q.text, font, line_height, room) for q in self._quotations]
        text_px = sum(block.height for block in self._blocks)
        heads_px = len(self._blocks) * (_TOP_PX + _HEAD_PX + _GAP_PX)
        self.height = heads_px + text_px + _BOTTOM_PX

    def link_rect(self) -> QRectF:
        """Where "Show in source" stands, from the card's upper left corner; easy to hit."""
        words = QFontMetricsF(self._theme.font("strong")).horizontalAdvance(_show_text())
        left = self.width - _HEAD_X_PX - words
        return QRectF(left - 6, 4, words + 12, _HEAD_PX + 12)

    def paint(self, painter: QPainter, at: QPointF) -> None:
        """Paints the card with its upper left corner at a point."""
        color = self._theme.color
        box = QRectF(at.x(), at.y(), self.width, self.height)
        draw_plate(painter, box, 8, color("window"), color("line"))
        self._write(painter, _show_text(), self.link_rect().translated(at), "strong", "accent")
        y = at.y() + _TOP_PX
        for quotation, block in zip(self._quotations, self._blocks, strict=True):
            self._paint_head(painter, quotation.evidence, QPointF(at.x() + _HEAD_X_PX, y))
            y += _HEAD_PX + _GAP_PX
            self._paint_quote(painter, quotation, block, QPointF(at.x() + _TEXT_X_PX, y))
            y += block.height + _TOP_PX

    def _paint_head(self, painter: QPainter, evidence: Evidence, at: QPointF) -> None:
        head = _tr("Source, page {0}").format(evidence.page) if evidence.page else _tr("Source")
        words = QFontMetricsF(self._theme.font("cap")).horizontalAdvance(head)
        box = QRectF(at.x(), at.y(), self.width, _HEAD_PX)
        paragraph = _tr("paragraph {0}").format(evidence.paragraph)
        self._write(painter, head, box, "cap", "ev", Qt.AlignmentFlag.AlignLeft)
        box.translate(words + 12, 0)
        self._write(painter, paragraph, box, "capr", "text3", Qt.AlignmentFlag.AlignLeft)

    def _paint_quote(
        self, painter: QPainter, quotation: Quotation, block: TextBlock, at: QPointF
    ) -> None:
        words = [rect.translated(at) for rect in block.rects(quotation.start, quotation.end)]
        paint_mark(painter, words, "quoted", self._theme)
        inks = [
            Ink(0, quotation.start, self._theme.color("text2")),
            Ink(quotation.start, quotation.end, self._theme.color("evStrongText")),
        ]
        block.draw(painter, at, self._theme.color("text"), inks)

    def _write(
        self,
        painter: QPainter,
        text: str,
        box: QRectF,
        role: str,
        color: str,
        side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignHCenter,
    ) -> None:
        painter.setFont(self._theme.font(role))
        painter.setPen(self._theme.color(color))
        painter.drawText(box, _CENTRE | side, text)


def _show_text() -> str:
    return _tr("Show in source")


def _tr(text: str) -> str:
    return QCoreApplication.translate("SummaryList", text)
