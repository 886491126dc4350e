"""A small map of the source that shows where the sentences of the summary come from."""

from collections.abc import Iterable, Mapping

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.documents.document import Document
from gui.theme.theme import Theme
from gui.widgets.display.miniature import LINE_PX, Miniature
from gui.widgets.reading.marks import Mark, Marks
from gui.widgets.support.accessible import Part, install_accessibility, tell_focus
from gui.widgets.support.paint import draw_plate, painter_on

WIDTH_PX = 72
_TOP_PX = 17
_BOTTOM_PX = 15
_LINE_X, _LINE_WIDTH = 10, 17
_TICK_X, _TICK_WIDTH, _TICK_HEIGHT = 8, 20, 2.75
_LIT_X, _LIT_WIDTH, _LIT_HEIGHT = 5.75, 25.5, 5.5
_FRAME_X, _FRAME_WIDTH, _MIN_FRAME = 5, 26, 12
_CURVE_X, _DOT_X = 30, 66
_DOT_RADIUS, _LIT_DOT_RADIUS = 2, 4
_GREY, _CURVE, _DOT = 0.38, 0.36, 0.65  # how strong lines, curves and dots at rest are
_REACH_PX = 4  # how near the pointer must be to a tick
_BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class EvidenceMap(QWidget):
    """The whole document in miniature, its evidence as ticks, a curve from each to its sentence."""

    hovered = Signal(object)
    """The number of the sentence whose tick or dot is under the pointer, or None."""
    activated = Signal(int)
    """The number of the sentence whose tick or dot was clicked."""
    scroll_requested = Signal(int)
    """The code point to show first on screen."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._document: Document | None = None
        self._miniature: Miniature | None = None
        self._picture: QPixmap | None = None
        self._pictured = (0, 0.0)  # place in the window and device pixel ratio it was drawn for
        self._marks = Marks()
        self._ticks: list[tuple[Mark, float]] = []
        self._span: tuple[int, int] | None = None
        self._rows: Mapping[int, int] = {}
        self._hovered: int | None = None
        self._pressed: QPointF | None = None
        self._grabbed: float | None = None
        self._is_dragging = False
        self.current = -1
        self.lit: int | None = None
        self.setFixedWidth(WIDTH_PX)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(self.tr("Evidence map"))
        theme.changed.connect(self._repaint_rest)
        install_accessibility()

    def sizeHint(self) -> QSize:
        return QSize(WIDTH_PX, 400)

    # What is shown

    def set_document(self, document: Document | None) -> None:
        """Draws another document, without ticks."""
        self._document, self._span, self.lit, self.current = document, None, None, -1
        self._marks = Marks()
        self._draw_again()

    def set_marks(self, marks: Iterable[Mark]) -> None:
        """Shows the evidence as ticks."""
        self._marks = Marks(mark for mark in marks if mark.number)
        self.current = -1
        self._place_ticks()

    def set_visible_span(self, first: int, last: int) -> None:
        """Frames the visible text: the first code point and one past the last."""
        if (first, last) != self._span:
            self._span = (first, last)
            self.update(0, 0, _CURVE_X + 4, self.height())

    def set_rows(self, rows: Mapping[int, int]) -> None:
        """Sets the positions of the sentences.

        Args:
            rows: Number of a sentence to the height of its first line's middle, in px of the
                window; curves lead to these only.
        """
        self._rows = rows
        self._repaint_rest()

    def set_lit(self, number: int | None) -> None:
        """Highlights the tick, curve and dot of one sentence."""
        if number != self.lit:
            self.lit = number
            self.update()

    def _draw_again(self) -> None:
        height = self.height() - _TOP_PX - _BOTTOM_PX
        self._miniature = Miniature(self._document, height) if self._document else None
        self._place_ticks()

    def _place_ticks(self) -> None:
        self._ticks = []
        if self._miniature is not None:
            heights = _TOP_PX + self._miniature.heights_of(self._marks.starts)
            self._ticks = list(zip(self._marks, heights.tolist(), strict=True))
        self._repaint_rest()

    def _repaint_rest(self) -> None:
        self._picture = None
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._draw_again()

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        color = self._theme.color
        painter.fillRect(event.rect(), color("window"))
        for x in (0, WIDTH_PX - 1):
            painter.fillRect(x, 0, 1, self.height(), color("line"))
        if self._miniature is not None:
            frame = self.frame_rect()
            if frame is not None:
                draw_plate(painter, frame, 4, color("surface"), color("line2"))
            painter.drawPixmap(0, 0, self._rest_picture(self._miniature))
            self._paint_lit(painter)
        painter.end()

    def _rest_picture(self, small: Miniature) -> QPixmap:
        """Lines, ticks and curves without a highlight, which is painted on top."""
        origin = self._origin_y()
        ratio = self.devicePixelRatioF()
        if self._picture is None or (origin, ratio) != self._pictured:
            self._pictured = (origin, ratio)
            self._picture = QPixmap(self.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(self._picture)
            self._paint_lines(painter, small)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_rest(painter)
            painter.end()
        return self._picture

    def _paint_lines(self, painter: QPainter, small: Miniature) -> None:
        dark = self._theme.color("line2")
        grey = _faded(dark, _GREY)
        for row in np.flatnonzero(small.widths).tolist():
            width = max(2, round(float(small.widths[row]) * _LINE_WIDTH))
            ink = dark if small.is_heading[row] else grey
            painter.fillRect(_LINE_X, _TOP_PX + row * LINE_PX, width, 1, ink)

    def frame_rect(self) -> QRectF | None:
        """The frame around the visible text, high enough to be dragged."""
        if self._span is None or self._miniature is None:
            return None
        top, bottom = (_TOP_PX + self._miniature.y_of(offset) for offset in self._span)
        spare = max(0.0, _MIN_FRAME - (bottom - top)) / 2
        return QRectF(
            _FRAME_X, round(top - spare) - 2, _FRAME_WIDTH, round(bottom - top + 2 * spare) + 4
        )

    def _paint_rest(self, painter: QPainter) -> None:
        ink = self._theme.color("ev")
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        for y in {round(y * 4) / 4 for _, y in self._ticks}:  # of thousands most lie together
            painter.drawRoundedRect(QRectF(_TICK_X, y - 1, _TICK_WIDTH, _TICK_HEIGHT), 0.5, 0.5)
        pen, dot = QPen(_faded(ink, _CURVE), 1), _faded(ink, _DOT)
        for mark, y in self._ticks:
            end = self._row_y(mark.number)
            if end is not None:
                self._paint_curve(painter, y, end, pen)
                self._paint_dot(painter, end, dot, _DOT_RADIUS)

    def _paint_lit(self, painter: QPainter) -> None:
        ink = self._theme.color("ev")
        lit = [y for mark, y in self._ticks if mark.number == self.lit]
        end = self._row_y(self.lit) if self.lit is not None else None
        for y in lit:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink)
            box = QRectF(_LIT_X, y + 0.5 - _LIT_HEIGHT / 2, _LIT_WIDTH, _LIT_HEIGHT)
            painter.drawRoundedRect(box, 2.5, 2.5)
            if end is not None:
                self._paint_curve(painter, y, end, QPen(ink, 2))
                self._paint_dot(painter, end, ink, _LIT_DOT_RADIUS)

    def _origin_y(self) -> int:
        return self.mapTo(self.window(), QPoint(0, 0)).y()

    def _row_y(self, number: int) -> float | None:
        if number not in self._rows:
            return None
        return float(self._rows[number] - self._origin_y())

    def _paint_curve(self, painter: QPainter, start: float, end: float, pen: QPen) -> None:
        path = QPainterPath(QPointF(_CURVE_X, start + 0.5))
        middle = (_CURVE_X + _DOT_X) / 2
        path.cubicTo(middle, start + 0.5, middle, end, _DOT_X, end)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)

    def _paint_dot(self, painter: QPainter, y: float, color: QColor, radius: int) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawEllipse(QPointF(_DOT_X, y), radius, radius)

    # Pointer

    def number_at(self, point: QPointF) -> int | None:
        """The sentence whose tick or dot is at a point."""
        reach = _REACH_PX + 2
        if point.x() >= _DOT_X - reach:
            dots = [
                (abs(y - point.y()), n) for n in self._rows if (y := self._row_y(n)) is not None
            ]
            near = min(dots, default=(reach, 0))
            return near[1] if near[0] < reach else None
        if point.x() > _CURVE_X + _REACH_PX:
            return None
        ticks = [(abs(y - point.y()), mark.number) for mark, y in self._ticks]
        near = min(ticks, default=(reach, 0))
        return near[1] if near[0] <= _REACH_PX else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        if self._pressed is not None and self._grabbed is not None:
            moved = (point - self._pressed).manhattanLength() > 3
            self._is_dragging = self._is_dragging or moved
            if self._is_dragging:
                self._ask(point.y() - self._grabbed)
            return
        self._hover(self.number_at(point))

    def _hover(self, number: int | None) -> None:
        hand, arrow = Qt.CursorShape.PointingHandCursor, Qt.CursorShape.ArrowCursor
        self.setCursor(arrow if number is None else hand)
        if number != self._hovered:
            self._hovered = number
            self.set_lit(number)
            self.hovered.emit(number)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._miniature is not None:
            self._pressed, self._is_dragging = event.position(), False
            frame = self.frame_rect()
            inside = frame is not None and frame.contains(self._pressed)
            self._grabbed = self._pressed.y() - frame.top() - 2 if frame and inside else None

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is None or self._is_dragging:
            return
        number = self.number_at(pressed)
        if number is not None:
            self.activated.emit(number)
        elif self._grabbed is None and pressed.x() <= _CURVE_X + _REACH_PX:
            frame = self.frame_rect()
            self._ask(pressed.y() - (frame.height() / 2 if frame else 0))

    def _ask(self, y: float) -> None:
        if self._miniature is not None:
            self.scroll_requested.emit(self._miniature.offset_at(y - _TOP_PX))

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)

    # Keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Moves from tick to tick; Enter shows the evidence."""
        keys = Qt.Key
        steps = {keys.Key_Down: 1, keys.Key_J: 1, keys.Key_Up: -1, keys.Key_K: -1}
        key = Qt.Key(event.key())
        if key in steps and self._ticks:
            self._enter(self.current + steps[key])
        elif key in (keys.Key_Home, keys.Key_End) and self._ticks:
            self._enter(0 if key == keys.Key_Home else len(self._ticks) - 1)
        elif key in (keys.Key_Return, keys.Key_Enter) and 0 <= self.current < len(self._ticks):
            self.activated.emit(self._ticks[self.current][0].number)
        else:
            event.ignore()

    def _enter(self, tick: int) -> None:
        self.current = min(max(tick, 0), len(self._ticks) - 1)
        number = self._ticks[self.current][0].number
        self.set_lit(number)
        self.hovered.emit(number)
        tell_focus(self, self.current)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in _BY_KEYBOARD and self._ticks:
            self._enter(max(0, self.current))

    # For screen readers and the focus ring

    def focus_shape(self) -> tuple[QRect, int]:
        """The focused tick; the whole map if there is none."""
        if 0 <= self.current < len(self._ticks):
            return self._tick_rect(self._ticks[self.current][1]), 3
        return self.rect().adjusted(4, 4, -4, -4), 3

    def _tick_rect(self, y: float) -> QRect:
        return QRectF(_LIT_X, y - 3, _LIT_WIDTH, 7).toAlignedRect()

    def accessible_role(self) -> QAccessible.Role:
        """A list."""
        return QAccessible.Role.List

    def accessible_count(self) -> int:
        """All ticks."""
        return len(self._ticks)

    def accessible_focus(self) -> int:
        """The focused tick."""
        return self.current

    def accessible_part(self, index: int) -> Part:
        """One tick: "sentence 4, page 7"."""
        mark, y = self._ticks[index]
        said = self.tr("sentence {0}").format(mark.number)
        page = self._document.page_at(mark.start) if self._document else 0
        if page:
            said += self.tr(", page {0}").format(page)
        return Part(said, self._tick_rect(y))


def _faded(color: QColor, strength: float) -> QColor:
    made = QColor(color)
    made.setAlphaF(strength)
    return made
