"""A scatter of two measures: a point for each document; a click, or Enter, opens the document."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.theme.theme import Theme
from gui.widgets.support.announce import announce
from gui.widgets.support.paint import draw_plate, draw_shadow, painter_on
from gui.widgets.support.ticks import fitting_labels, labels, ticks

Floats = NDArray[np.float64]

_LEFT_PX, _BOTTOM_PX, _TOP_PX, _RIGHT_PX = 48, 40, 24, 16
_POINT_PX, _LIT_PX = 5.0, 9.0
_NEAR_PX = 12
_FEW, _OPACITY, _OPACITY_OF_MANY = 2_000, 0.6, 0.25
_CELL_PX, _DEEPEST = 3.0, 4
_MOST_TICKS = 5


@dataclass
class Points:
    """What is drawn.

    Attributes:
        x: [N] where each point is.
        y: [N] how high.
        numbers: [N] which document each is.
        titles: What the axes are called.
    """

    x: Floats = field(default_factory=lambda: np.empty(0))
    y: Floats = field(default_factory=lambda: np.empty(0))
    numbers: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    titles: tuple[str, str] = ("", "")


def _look_alike(some: Points, others: Points) -> bool:
    """Whether two sets of points are the same but for their order."""
    if some.titles != others.titles or len(some.x) != len(others.x):
        return False
    order, other = (np.lexsort((each.y, each.x)) for each in (some, others))
    return np.array_equal(some.x[order], others.x[other]) and np.array_equal(
        some.y[order], others.y[other]
    )


class Scatter(QWidget):
    """Draws points. Left and Right walk from point to point, Enter opens.

    All points are drawn once into a picture; pointing at one paints it alone.
    """

    opened = Signal(int)
    """The document of a point that was clicked."""
    pointed = Signal(int)
    """The document of the point under the pointer or the keyboard; -1 for none."""

    def __init__(self, theme: Theme, *, name: str) -> None:
        super().__init__()
        self._theme, self.points = theme, Points()
        self._ends = (0.0, 1.0, 0.0, 1.0)
        self._picture: QPixmap | None = None
        self._current = -1
        self._words = ""
        self.marked = -1
        """The document that is shown; -1 for none."""
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        policy = QSizePolicy.Policy.Expanding
        self.setSizePolicy(policy, policy)
        theme.changed.connect(self._redraw)

    def sizeHint(self) -> QSize:
        return QSize(360, 280)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 160)

    def show_points(self, points: Points) -> None:
        """Draws others; points that are no numbers are left out."""
        told = np.isfinite(points.x) & np.isfinite(points.y)
        before = self.points
        self.points = Points(points.x[told], points.y[told], points.numbers[told], points.titles)
        self._ends = (*_bounds(self.points.x), *_bounds(self.points.y))
        self._current = -1
        if not _look_alike(before, self.points):
            self._picture = None
        self.update()

    def mark(self, number: int) -> None:
        """Frames the point of the document that is shown."""
        if number != self.marked:
            self.marked = number
            self.update()

    def show_words(self, words: str) -> None:
        """Says what the point under the pointer is."""
        self._words = words
        self.update()

    @property
    def current(self) -> int:
        """The document under the pointer or the keyboard; -1 for none."""
        return int(self.points.numbers[self._current]) if self._current >= 0 else -1

    def place_of(self, number: int) -> QPoint | None:
        """Where the point of a document is drawn; None if it has none."""
        found = np.flatnonzero(self.points.numbers == number)
        return self._places[found[0]].toPoint() if len(found) else None

    @property
    def _plane(self) -> QRectF:
        return QRectF(self.rect()).adjusted(_LEFT_PX, _TOP_PX, -_RIGHT_PX, -_BOTTOM_PX)

    def _to_px(self) -> tuple[Floats, Floats]:
        plane, (left, right, low, high) = self._plane, self._ends
        x = plane.left() + (self.points.x - left) / (right - left) * plane.width()
        y = plane.bottom() - (self.points.y - low) / (high - low) * plane.height()
        return x, y

    @property
    def _places(self) -> list[QPointF]:
        x, y = self._to_px()
        return [QPointF(*place) for place in zip(x.tolist(), y.tolist(), strict=True)]

    # Painting

    def _redraw(self) -> None:
        self._picture = None
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._redraw()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._picture is None:
            self._picture = self._drawn()
        painter = painter_on(self)
        painter.drawPixmap(0, 0, self._picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        x, y = self._to_px()
        marked = np.flatnonzero(self.points.numbers == self.marked)
        for at in (*marked.tolist(), self._current):
            if at >= 0:
                self._paint_lit(painter, QPointF(x[at], y[at]), is_current=at == self._current)
        if self._current >= 0 and self._words:
            self._paint_words(painter, QPointF(x[self._current], y[self._current]))
        painter.end()

    def _drawn(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(self._theme.color("surface"))
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_axes(painter)
        ink = self._theme.color("s1")
        for opacity, places in self._layers():
            ink.setAlphaF(opacity)
            painter.setPen(QPen(ink, _POINT_PX, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawPoints(places)
        painter.end()
        return picture

    def _layers(self) -> Iterator[tuple[float, list[QPointF]]]:
        """What is drawn with which opacity: of many points one a cell, darker where there are more.

        Drawing 20,000 points one by one would stop the window for 100 ms.
        """
        if len(self.points.x) <= _FEW:
            yield _OPACITY, self._places
            return
        x, y = (np.floor(each / _CELL_PX) for each in self._to_px())
        cells, counts = np.unique(np.column_stack([x, y]), axis=0, return_counts=True)
        depth = np.minimum(np.log2(counts).astype(np.int64), _DEEPEST)
        for deep in range(_DEEPEST + 1):
            own = (cells[depth == deep] + 0.5) * _CELL_PX
            if len(own):
                opacity = 1 - (1 - _OPACITY_OF_MANY) ** (2**deep)
                yield opacity, [QPointF(*place) for place in own.tolist()]

    def _paint_axes(self, painter: QPainter) -> None:
        plane, color = self._plane, self._theme.color
        left, right, low, high = self._ends
        painter.setFont(self._theme.font("capr"))
        width = QFontMetricsF(painter.font()).horizontalAdvance
        for values, is_x in ((ticks(left, right, most=_MOST_TICKS), True),
                             (ticks(low, high, most=_MOST_TICKS), False)):  # fmt: skip
            room_px = plane.left() - 8
            fitting = labels(values) if is_x else fitting_labels(values, "number", room_px, width)
            for value, words in zip(values, fitting, strict=True):
                if is_x:
                    x = plane.left() + (value - left) / (right - left) * plane.width()
                    box = QRectF(x - 40, plane.bottom() + 4, 80, 16)
                    align = Qt.AlignmentFlag.AlignHCenter
                else:
                    y = plane.bottom() - (value - low) / (high - low) * plane.height()
                    painter.setPen(color("grid"))
                    painter.drawLine(QPointF(plane.left(), y), QPointF(plane.right(), y))
                    box = QRectF(0, y - 8, plane.left() - 8, 16)
                    align = Qt.AlignmentFlag.AlignRight
                painter.setPen(color("text3"))
                painter.drawText(box, align | Qt.AlignmentFlag.AlignVCenter, words)
        painter.setPen(color("line2"))
        painter.drawLine(plane.bottomLeft(), plane.bottomRight())
        painter.setFont(self._theme.font("small"))
        painter.setPen(color("text2"))
        below = QRectF(plane.left(), plane.bottom() + 20, plane.width(), 18)
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, self.points.titles[0])
        above = QRectF(0, 0, self.width(), 18)
        painter.drawText(above, Qt.AlignmentFlag.AlignLeft, self.points.titles[1])

    def _paint_lit(self, painter: QPainter, at: QPointF, *, is_current: bool) -> None:
        color = self._theme.color
        painter.setPen(QPen(color("text" if is_current else "accent"), 1.5))
        painter.setBrush(color("s1") if is_current else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(at, _LIT_PX / 2, _LIT_PX / 2)

    def _paint_words(self, painter: QPainter, at: QPointF) -> None:
        theme = self._theme
        lines = self._words.split("\n")
        metrics = QFontMetricsF(theme.font("small"))
        widest = max(metrics.horizontalAdvance(line) for line in lines) + 24
        width = min(widest, self.width() - 16.0)
        height = 16.0 * len(lines) + 14
        x = at.x() + 12 if at.x() + 12 + width < self.width() - 4 else at.x() - 12 - width
        y = at.y() + 12 if at.y() + 12 + height < self.height() - 4 else at.y() - 12 - height
        box = QRectF(max(x, 4), max(y, 4), width, height)
        draw_shadow(painter, box, 10, theme.color("shadow"))
        draw_plate(painter, box, 10, theme.color("raised"), theme.color("line"))
        painter.setFont(theme.font("small"))
        for row, line in enumerate(lines):
            painter.setPen(theme.color("text" if row == 0 else "text2"))
            place = QRectF(box.left() + 12, box.top() + 7 + 16 * row, width - 24, 16)
            shown = metrics.elidedText(line, Qt.TextElideMode.ElideRight, place.width())
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, shown)

    # Pointer and keys

    def _nearest(self, point: QPointF) -> int:
        if not len(self.points.x):
            return -1
        x, y = self._to_px()
        away = np.hypot(x - point.x(), y - point.y())
        at = int(np.argmin(away))
        return at if away[at] <= _NEAR_PX else -1

    def _point_at(self, at: int) -> None:
        if at != self._current:
            self._current, self._words = at, ""
            self.pointed.emit(self.current)
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(self._nearest(event.position()))
        hand, arrow = Qt.CursorShape.PointingHandCursor, Qt.CursorShape.ArrowCursor
        self.setCursor(hand if self._current >= 0 else arrow)

    def hideEvent(self, event: object) -> None:
        self._point_at(-1)

    def leaveEvent(self, event: object) -> None:
        self._point_at(-1)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        at = self._nearest(event.position())
        if at >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.opened.emit(int(self.points.numbers[at]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, keys = Qt.Key(event.key()), Qt.Key
        if key in (keys.Key_Left, keys.Key_Right) and len(self.points.x):
            self._walk(1 if key == keys.Key_Right else -1)
        elif key in (keys.Key_Return, keys.Key_Enter, keys.Key_Space) and self._current >= 0:
            self.opened.emit(self.current)
        else:
            super().keyPressEvent(event)

    def _walk(self, step: int) -> None:
        """Goes to the next point from left to right."""
        order = np.lexsort((self.points.y, self.points.x))
        if self._current < 0:
            at = 0 if step > 0 else len(order) - 1
        else:
            here = int(np.flatnonzero(order == self._current)[0])
            at = min(max(here + step, 0), len(order) - 1)
        self._point_at(int(order[at]))
        announce(self, self._words.replace("\n", ", "))


def _bounds(values: Floats) -> tuple[float, float]:
    """The ends of an axis: a little beyond the lowest and the highest value."""
    if not len(values):
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    room = 0.04 * (high - low) or max(abs(low) * 0.1, 1.0)
    return low - room, high + room
