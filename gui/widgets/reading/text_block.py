"""Text of several lines with marks under it, as source, summary and quotations are painted."""

import math
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextLine,
    QTextOption,
)

from gui.theme.theme import Theme
from gui.widgets.support.utf16 import Utf16Map, display_text

MARK_OUTSET_PX = 2.5  # how much wider than its words a mark is, on either side
MARK_INSET_PX = 1.5  # how much lower than its line, above and below
_RADIUS_PX = 3
_TAB_PX = 32

MarkStyle = Literal[
    "rest", "lit", "quoted", "unsupported", "doubtful", "shared", "found", "found here",
    "gap", "target", "mask", "sentence", "underlined", "novel",
]  # fmt: skip


@dataclass(frozen=True)
class Ink:
    """The colour of some of the words.

    Args:
        start: First code point in the block.
        end: One past the last.
        color: What they are drawn in.
    """

    start: int
    end: int
    color: QColor


class TextBlock:
    """One text laid out in lines of a fixed height.

    Offsets are code points of `text`; points are relative to the block's upper left corner.
    """

    def __init__(
        self, text: str, font: QFont, line_height: int, width: float, *, wrap: bool = True
    ) -> None:
        """Lays the text out.

        Args:
            text: What to show.
            font: Its font.
            line_height: Logical px from line to line.
            width: Logical px a line may have.
            wrap: Whether long lines are broken between words (code is broken anywhere).
        """
        self.text = text
        self.line_height = line_height
        self.width = width
        self._map = Utf16Map(text)
        self._layout = QTextLayout(display_text(text), font)
        self._layout.setCacheEnabled(True)
        self._layout.setTextOption(_option(wrap, is_right_to_left(text)))
        self._starts: list[int] = []  # in UTF-16 units, of each line
        self._ends: list[int] = []  # the same, without white space at the end
        self._lay_out(QFontMetricsF(font))

    def _lay_out(self, metrics: QFontMetricsF) -> None:
        baseline = (self.line_height - metrics.height()) / 2 + metrics.ascent()
        self._layout.beginLayout()
        top = 0
        while (line := self._layout.createLine()).isValid():
            line.setLineWidth(self.width)
            # Lines with letters of a fallback font keep the same distance.
            line.setPosition(QPointF(0, round(top + baseline) - line.ascent()))
            self._starts.append(line.textStart())
            self._ends.append(self._last_letter(line.textStart(), line.textLength()))
            top += self.line_height
        self._layout.endLayout()

    def _last_letter(self, start: int, length: int) -> int:
        first = self._map.to_code_points(start)
        letters = self.text[first : self._map.to_code_points(start + length)].rstrip()
        return self._map.to_utf16(first + len(letters))

    @property
    def num_lines(self) -> int:
        """How many lines there are; an empty text has one."""
        return max(1, len(self._starts))

    @property
    def height(self) -> int:
        """Logical px from the first line's top to the last one's bottom."""
        return self.num_lines * self.line_height

    def line_of(self, offset: int) -> int:
        """The line that holds a code point."""
        unit = self._map.to_utf16(offset)
        below = next((i for i, start in enumerate(self._starts) if start > unit), None)
        return max(0, (len(self._starts) if below is None else below) - 1)

    def line_start(self, line: int) -> int:
        """The first code point of a line."""
        return self._map.to_code_points(self._starts[line]) if self._starts else 0

    def offset_at(self, point: QPointF) -> int:
        """The code point before which a click at a point puts the cursor."""
        if not self._starts:
            return 0
        line = min(max(int(point.y() // self.line_height), 0), len(self._starts) - 1)
        unit = self._layout.lineAt(line).xToCursor(point.x())
        return self._map.to_code_points(int(unit))

    def hit(self, point: QPointF) -> int | None:
        """The code point whose letter lies under a point, or None beside the words."""
        line = int(point.y() // self.line_height)
        if not 0 <= line < len(self._starts):
            return None
        span = self._layout.lineAt(line).naturalTextRect()
        if not span.left() - MARK_OUTSET_PX <= point.x() <= span.right() + MARK_OUTSET_PX:
            return None
        unit = self._layout.lineAt(line).xToCursor(
            point.x(), QTextLine.CursorPosition.CursorOnCharacter
        )
        return self._map.to_code_points(int(unit))

    def rects(self, start: int, end: int) -> list[QRectF]:
        """Where words are: one rectangle of the full line height for each line they touch.

        Args:
            start: First code point.
            end: One past the last.

        Returns:
            Rectangles, top to bottom; white space at the ends of lines is left out.
        """
        first, last = self._map.to_utf16(start), self._map.to_utf16(end)
        found = (self._rect(line, first, last) for line in self._lines_between(first, last))
        return [rect for rect in found if rect is not None]

    def _lines_between(self, first: int, last: int) -> Iterator[int]:
        for i, start in enumerate(self._starts):
            following = self._starts[i + 1] if i + 1 < len(self._starts) else math.inf
            if start < last and first < following:
                yield i

    def _rect(self, index: int, first: int, last: int) -> QRectF | None:
        begin, end = max(first, self._starts[index]), min(last, self._ends[index])
        if end <= begin:
            return None
        line = self._layout.lineAt(index)
        left, right = sorted((_x(line.cursorToX(begin)), _x(line.cursorToX(end))))
        return QRectF(left, index * self.line_height, right - left, self.line_height)

    def draw(
        self,
        painter: QPainter,
        at: QPointF,
        color: QColor,
        inks: Sequence[Ink] = (),
        clip: QRectF | None = None,
    ) -> None:
        """Draws the words.

        Args:
            painter: Where.
            at: Upper left corner of the block.
            color: Of the words.
            inks: Words in other colours.
            clip: What needs to be drawn; all when left out.
        """
        painter.setPen(color)
        self._layout.draw(painter, at, [self._format(ink) for ink in inks], clip or QRectF())

    def _format(self, ink: Ink) -> QTextLayout.FormatRange:
        made = QTextLayout.FormatRange()
        form = QTextCharFormat()
        form.setForeground(ink.color)
        made.start = self._map.to_utf16(ink.start)
        made.length = self._map.to_utf16(ink.end) - made.start
        made.format = form
        return made


def mark_rect(words: QRectF) -> QRectF:
    """The rectangle of a mark around words that fill their line's height."""
    return words.adjusted(-MARK_OUTSET_PX, MARK_INSET_PX, MARK_OUTSET_PX, -MARK_INSET_PX)


def paint_mark(painter: QPainter, words: Sequence[QRectF], style: MarkStyle, theme: Theme) -> None:
    """Paints one mark; the words are drawn over it afterwards.

    Args:
        painter: Where.
        words: What `TextBlock.rects` gave, moved to their place.
        style: What the mark says.
        theme: Its colours.
    """
    fill, line = _FILLS.get(style), _LINES.get(style)
    for rect in map(mark_rect, words):
        painter.setPen(Qt.PenStyle.NoPen)
        if fill:
            painter.setBrush(theme.color(fill))
            painter.drawRoundedRect(rect, _RADIUS_PX, _RADIUS_PX)
        if line:
            _underline(painter, rect, theme.color(line), style)
        if style.startswith("found"):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("text"), 2 if style == "found here" else 1))
            painter.drawRoundedRect(rect.adjusted(0.5, 0, -0.5, 0), _RADIUS_PX, _RADIUS_PX)


def paint_gap(
    painter: QPainter, words: Sequence[QRectF], theme: Theme, shade: int, chosen: bool, lit: bool
) -> None:
    """Paints the ground of a sentence that may become a gap.

    Args:
        painter: Where.
        words: What `TextBlock.rects` gave, moved to their place.
        theme: Its colours.
        shade: How high its score is, 0 to 5.
        chosen: Whether it is chosen: it is underlined.
        lit: Whether it is under the pointer or the keyboard: it is framed.
    """
    for rect in map(mark_rect, words):
        if shade:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color(f"score{shade}"))
            painter.drawRoundedRect(rect, _RADIUS_PX, _RADIUS_PX)
        if chosen:
            _underline(painter, rect, theme.color("ev"), "gap")
        if lit:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("text"), 1))
            painter.drawRoundedRect(rect.adjusted(0.5, 0, -0.5, 0), _RADIUS_PX, _RADIUS_PX)


_FILLS: dict[MarkStyle, str] = {
    "rest": "evSoft",
    "lit": "evStrong",
    "quoted": "evStrong",
    "mask": "evSoft",
    "doubtful": "warnSoft",
    "shared": "accentSoft",
    "found here": "evSoft",
}
_LINES: dict[MarkStyle, str] = {
    "lit": "ev",
    "shared": "accentLine",
    "unsupported": "warn",
    "doubtful": "warn",
    "underlined": "ev",
    "novel": "text3",
}


def _underline(painter: QPainter, rect: QRectF, color: QColor, style: MarkStyle) -> None:
    height = 1.25 if style in ("shared", "novel") else 2.0
    pen = QPen(color, height)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if style in ("unsupported", "doubtful"):
        pen.setDashPattern([2, 1])
    elif style == "novel":
        pen.setDashPattern([1, 2])
    painter.setPen(pen)
    y = rect.bottom() - 0.5
    painter.drawLine(QPointF(rect.left() + 1, y), QPointF(rect.right() - 1, y))


def is_right_to_left(text: str) -> bool:
    """Whether a text begins in a script that is written from right to left."""
    if text.isascii():
        return False
    directions = (unicodedata.bidirectional(letter) for letter in text[:200])
    return next((way for way in directions if way in ("L", "R", "AL")), "L") != "L"


def _option(wrap: bool, right_to_left: bool) -> QTextOption:
    option = QTextOption()
    mode = QTextOption.WrapMode
    option.setWrapMode(mode.WrapAtWordBoundaryOrAnywhere if wrap else mode.WrapAnywhere)
    ways = Qt.LayoutDirection
    option.setTextDirection(ways.RightToLeft if right_to_left else ways.LeftToRight)
    sides = Qt.AlignmentFlag
    option.setAlignment(sides.AlignRight if right_to_left else sides.AlignLeft)
    option.setTabStopDistance(_TAB_PX)
    return option


def _x(position: object) -> float:
    # PySide gives the position alone, or with the cursor it was made from.
    return float(position[0] if isinstance(position, tuple) else position)  # type: ignore[arg-type]
