"""How the pieces of a document are painted: marks, selection, words, margins, page lines."""

import re
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from core.documents.document import UNCOUNTED, Kind
from gui.theme.theme import Theme
from gui.widgets.reading.gap_marks import GapMarks
from gui.widgets.reading.marks import Mark, MarkKind, Marks
from gui.widgets.reading.pieces import ABOVE_PAGE_MARK_PX, PAGE_MARK_PX
from gui.widgets.reading.reading_page import ReadingPage
from gui.widgets.reading.text_block import Ink, MarkStyle, mark_rect, paint_gap, paint_mark
from gui.widgets.support.finder import Finder
from gui.widgets.support.paint import draw_plate

_LABEL_GAP_PX = 12
_NUMBER_GAP_PX = 6
_NUMBER_WIDTH_PX = 32
_DISC_PX, _DISC_GAP_PX = 18, 18
_PULSE_REACH_PX = 6
_NUMBERED: tuple[MarkKind, ...] = ("evidence", "shared", "unsupported")
SELECTION_ALPHA = 64
_OWN_MARKER = re.compile(r"\(?\w{1,4}[.)]|[•‣◦–—*-]\s")
_CENTRE = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine


@dataclass
class Look:
    """What is marked at this moment.

    Attributes:
        finder: Found words.
        marks: Evidence and other marks.
        lit: The summary sentence under the pointer or the keyboard, or None.
        current: Index of the found words one stands on, or -1.
        selected: Span of the selection; empty when start and end are equal.
        pulse: The sentence just jumped to, and how far its pulse is, 0 to 1.
    """

    finder: Finder
    marks: Marks
    lit: int | None = None
    current: int = -1
    selected: tuple[int, int] = (0, 0)
    pulse: tuple[int, float] | None = None

    def style(self, mark: Mark) -> MarkStyle:
        """How a mark is painted."""
        if mark.kind == "sentence":
            return "underlined" if mark.number == self.lit else "sentence"
        if mark.kind != "evidence":
            return mark.kind
        return "lit" if mark.number == self.lit else "rest"


@dataclass(frozen=True)
class MarginNumber:
    """Numbers of summary sentences in the right margin, where their evidence begins.

    Args:
        box: Where they stand on the screen.
        numbers: The sentences, from 1.
    """

    box: QRectF
    numbers: tuple[int, ...]


def margin_numbers(page: ReadingPage, marks: Marks, piece: int, top: int) -> list[MarginNumber]:
    """The sentence numbers beside a piece.

    Args:
        page: The layout.
        marks: Evidence and other marks.
        piece: Which piece.
        top: Where it begins on the screen.

    Returns:
        One for each line on which evidence begins.
    """
    start, end = page.span(piece)
    block, corner = page.block(piece), page.corner(piece, top)
    x = page.left + page.width + _NUMBER_GAP_PX
    begins = [
        mark
        for mark in marks.between(start, end)
        if mark.number and mark.start >= start and mark.kind in _NUMBERED
    ]
    found = []
    for line, group in groupby(begins, lambda mark: block.line_of(mark.start - start)):
        y = corner.y() + line * block.line_height
        numbers = dict.fromkeys(mark.number for mark in group)
        box = QRectF(x, y, _NUMBER_WIDTH_PX, block.line_height)
        found.append(MarginNumber(box, tuple(numbers)))
    return found


def pulse_rect(words: QRectF) -> QRectF:
    """All that a pulse around words may touch."""
    reach = _PULSE_REACH_PX + 1
    return mark_rect(words).adjusted(-reach, -reach, reach, reach)


@dataclass(frozen=True)
class PiecePainter:
    """Paints pieces of one document.

    Args:
        painter: On the screen.
        theme: The look.
        page: The layout.
        look: What is marked.
        clip: What needs to be painted.
    """

    painter: QPainter
    theme: Theme
    page: ReadingPage
    look: Look
    clip: QRectF

    def paint(self, piece: int, top: int) -> None:
        """Paints one piece that begins at a height of the screen."""
        marks = self.look.marks.between(*self.page.span(piece))
        self._page_line(piece, top)
        self._ground(piece, top)
        for mark in marks:
            words = self.page.words(mark.start, mark.end, [(piece, top)])
            if mark.kind in ("gap", "target"):
                lit, chosen = mark.number == self.look.lit, bool(mark.rank) and mark.kind == "gap"
                paint_gap(self.painter, words, self.theme, mark.shade, chosen, lit)
            else:
                paint_mark(self.painter, words, self.look.style(mark), self.theme)
            self._pulse(mark, words)
        self._found(piece, top)
        self._selection(piece, top)
        self._words(piece, top, marks)
        if not isinstance(self.look.marks, GapMarks):
            self._label(piece, top)
        self._numbers(piece, top)
        self._ranks(piece, top, marks)

    def _words(self, piece: int, top: int, marks: list[Mark]) -> None:
        start, end = self.page.span(piece)
        lit = [mark for mark in marks if self.look.style(mark) == "lit"]
        ink = self.theme.color("evStrongText")
        inks = [Ink(max(m.start, start) - start, min(m.end, end) - start, ink) for m in lit]
        masks = [mark for mark in marks if mark.kind == "mask"]
        ink = self.theme.color("ev")
        inks += [Ink(max(m.start, start) - start, min(m.end, end) - start, ink) for m in masks]
        if speaker := self._speaker_length(piece):
            inks.append(Ink(0, speaker, self.theme.color("text3")))
        color = self.theme.color(self.page.style(piece).color)
        at = self.page.corner(piece, top)
        self.page.block(piece).draw(self.painter, at, color, inks, self.clip)

    def _speaker_length(self, piece: int) -> int:
        """How many code points of a piece name who speaks."""
        pieces = self.page.pieces
        if not pieces.is_first[piece] or self.page.kind(piece) == Kind.SPEAKER:
            return 0
        return int(self.page.document.label_lengths[pieces.paragraphs[piece]])

    def _pulse(self, mark: Mark, words: list[QRectF]) -> None:
        if self.look.pulse is None or self.look.pulse[0] != mark.number:
            return
        amount = self.look.pulse[1]
        ink = QColor(self.theme.color("ev"))
        ink.setAlphaF(0.6 * (1 - amount))
        reach = _PULSE_REACH_PX * amount
        for rect in map(mark_rect, words):
            around = rect.adjusted(-reach, -reach, reach, reach)
            draw_plate(self.painter, around, 3 + reach, None, ink, 2)

    def _found(self, piece: int, top: int) -> None:
        for index, start, end in self.look.finder.between(*self.page.span(piece)):
            style: MarkStyle = "found here" if index == self.look.current else "found"
            words = self.page.words(start, end, [(piece, top)])
            paint_mark(self.painter, words, style, self.theme)

    def _selection(self, piece: int, top: int) -> None:
        color = QColor(self.theme.color("accent"))
        color.setAlpha(SELECTION_ALPHA)
        for rect in self.page.words(*self.look.selected, [(piece, top)]):
            self.painter.fillRect(rect, color)

    def _page_line(self, piece: int, top: int) -> None:
        number = int(self.page.pieces.pages[piece])
        if not number:
            return
        page, y = self.page, top + ABOVE_PAGE_MARK_PX
        text = QCoreApplication.translate("ReadingView", "page {0}").format(number)
        box = QRectF(page.left, y, page.width, PAGE_MARK_PX)
        self._write(text, box, Qt.AlignmentFlag.AlignRight, "capr", "text3")
        words = self.painter.fontMetrics().horizontalAdvance(text)
        line = QRectF(page.left, y + PAGE_MARK_PX // 2, page.width - words - 8, 1)
        self.painter.fillRect(line, self.theme.color("line"))

    def _ground(self, piece: int, top: int) -> None:
        kind = self.page.kind(piece)
        corner, height = self.page.corner(piece, top), self.page.block(piece).height
        if kind in (Kind.CODE, Kind.TABLE):
            box = QRectF(self.page.left, corner.y() - 6, self.page.width, height + 12)
            draw_plate(self.painter, box, 6, self.theme.color("sunken"))
        elif kind == Kind.QUOTE:
            bar = QRectF(self.page.left + 8, corner.y() + 3, 2, height - 6)
            self.painter.fillRect(bar, self.theme.color("line"))
        elif kind == Kind.LIST_ITEM and self.page.pieces.is_first[piece]:
            self._bullet(piece, corner)

    def _bullet(self, piece: int, corner: QPointF) -> None:
        block = self.page.block(piece)
        if not _OWN_MARKER.match(block.text):
            self.painter.setPen(Qt.PenStyle.NoPen)
            self.painter.setBrush(self.theme.color("text3"))
            middle = QPointF(corner.x() - 12, corner.y() + block.line_height / 2)
            self.painter.drawEllipse(middle, 2.25, 2.25)

    def _label(self, piece: int, top: int) -> None:
        page = self.page
        is_text = page.pieces.is_first[piece] and page.kind(piece) not in UNCOUNTED
        if not (page.has_labels and is_text):
            return
        y, line_height = page.corner(piece, top).y(), page.block(piece).line_height
        box = QRectF(0, y, page.left - _LABEL_GAP_PX, line_height)
        label = page.document.label(int(page.pieces.paragraphs[piece]))
        self._write(label, box, Qt.AlignmentFlag.AlignRight, "capr", "text3")

    def _numbers(self, piece: int, top: int) -> None:
        for number in margin_numbers(self.page, self.look.marks, piece, top):
            text = ", ".join(map(str, number.numbers))
            self._write(text, number.box, Qt.AlignmentFlag.AlignLeft, "capb", "ev")

    def _ranks(self, piece: int, top: int, marks: list[Mark]) -> None:
        """The numbers of gap sentences, in discs at the left; several of one line side by side."""
        start, _ = self.page.span(piece)
        block, corner = self.page.block(piece), self.page.corner(piece, top)
        right: dict[int, float] = {}
        for mark in reversed([m for m in marks if m.rank and m.start >= start]):
            line = block.line_of(mark.start - start)
            at = right.get(line, self.page.left - _DISC_GAP_PX)
            text = str(mark.rank)
            self.painter.setFont(self.theme.font("capb"))
            width = max(_DISC_PX, self.painter.fontMetrics().horizontalAdvance(text) + 8)
            y = corner.y() + line * block.line_height + (block.line_height - _DISC_PX) / 2
            box = QRectF(at - width, y, width, _DISC_PX)
            draw_plate(self.painter, box, _DISC_PX / 2, self.theme.color("ev"))
            self.painter.setPen(self.theme.color("surface"))
            self.painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
            right[line] = at - width - 2

    def _write(self, text: str, box: QRectF, side: Qt.AlignmentFlag, role: str, color: str) -> None:
        self.painter.setFont(self.theme.font(role))
        self.painter.setPen(self.theme.color(color))
        self.painter.drawText(box, _CENTRE | side, text)
