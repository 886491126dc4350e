"""The plot of a scatter: all points painted once, and the one that is pointed at above them."""

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QApplication

from gui.widgets.charts.chart_layer import MIDDLE, TOP_PX, Layer
from gui.widgets.charts.chart_plot import Plot
from gui.widgets.charts.chart_series import Floats
from gui.widgets.charts.scatter_model import ScatterModel
from gui.widgets.support.announce import announce
from gui.widgets.support.paint import draw_plate, draw_shadow

_POINT_PX, _LIT_PX = 5.0, 9.0
_RIGHT_PX = 16
_NEAR_PX = 12
_FEW, _OPACITY, _OPACITY_OF_MANY = 2_000, 0.6, 0.25
_CELL_PX, _DEEPEST = 3.0, 4
_LINE_PX, _EDGE_PX = 16, 12


class ScatterPlot(Plot):
    """Points. Left and Right walk from point to point, Enter or a click opens one."""

    opened = Signal(int)
    """The document of a point that was clicked."""
    pointed = Signal(int)
    """The document of the point under the pointer or the keyboard; -1 for none."""
    model: ScatterModel
    at = marked = -1
    words = ""

    def make_layers(self) -> tuple[Layer, ...]:
        self.dots, self.lit = Dots(self), LitDots(self)
        self._pressed = QPoint()
        return self.dots, self.lit

    def wanted_margin(self) -> float:
        return _RIGHT_PX

    @property
    def places(self) -> tuple[Floats, Floats]:
        """Places of the points, in px."""
        return self.to_px(self.model.x_shown, self.model.y_shown)

    def mark(self, number: int) -> None:
        """Frames the point of the document that is shown."""
        self.marked = number
        self.lit.update()

    def show_words(self, words: str) -> None:
        """Says what the point under the pointer is."""
        self.words = words
        self.lit.update()

    @property
    def current(self) -> int:
        """The document under the pointer or the keyboard; -1 for none."""
        return int(self.model.numbers_shown[self.at]) if self.at >= 0 else -1

    def find_place(self, number: int) -> QPoint | None:
        """Returns the place of the point of a document, in px; None if it has none."""
        rows = np.flatnonzero(self.model.numbers_shown == number)
        x, y = self.places
        return QPointF(x[rows[0]], y[rows[0]]).toPoint() if len(rows) else None

    # Pointer and keys

    def _nearest(self, point: QPointF) -> int:
        x, y = self.places
        away = np.hypot(x - point.x(), y - point.y())
        away[np.isnan(away)] = np.inf
        at = int(np.argmin(away)) if len(away) else -1
        return at if at >= 0 and away[at] <= _NEAR_PX else -1

    def point_out(self, at: int) -> None:
        """Lights a point; -1 none."""
        if at != self.at:
            self.at, self.words = at, ""
            self.pointed.emit(self.current)
            self.lit.update()
        hand, arrow = Qt.CursorShape.PointingHandCursor, Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(hand if at >= 0 else arrow)

    def point_at(self, place: float | None) -> None:
        if place is None:
            self.point_out(-1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        idle = event.buttons() == Qt.MouseButton.NoButton
        self.point_out(self._nearest(event.position()) if idle else -1)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        moved = (event.position().toPoint() - self._pressed).manhattanLength()
        at = self._nearest(event.position())
        is_click = moved < QApplication.startDragDistance()
        if is_click and at >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.opened.emit(int(self.model.numbers_shown[at]))

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.point_out(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, keys = Qt.Key(event.key()), Qt.Key
        count = len(self.model.x_shown)
        if key in (keys.Key_Left, keys.Key_Right) and count:
            step = 1 if key == keys.Key_Right else -1
            start = 0 if step > 0 else count - 1
            self.point_out(start if self.at < 0 else min(max(self.at + step, 0), count - 1))
            announce(self, self.words.replace("\n", ", "))
        elif key in (keys.Key_Return, keys.Key_Enter, keys.Key_Space) and self.at >= 0:
            self.opened.emit(self.current)
        elif key == keys.Key_Escape and self.at >= 0:
            self.point_out(-1)
        else:
            super().keyPressEvent(event)


class Dots(Layer):
    """All points."""

    plot: ScatterPlot

    def __init__(self, plot: ScatterPlot) -> None:
        super().__init__(plot)
        self.setCacheMode(self.CacheMode.DeviceCoordinateCache)  # the lit point changes above it

    def draw(self, painter: QPainter) -> None:
        painter.setClipRect(self.plot.plane.adjusted(-1, -TOP_PX, 1, 1))
        for opacity, places in self.layers():
            ink = self.color("s1", opacity)
            painter.setPen(QPen(ink, _POINT_PX, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawPoints([QPointF(*place) for place in places.tolist()])

    def layers(self) -> Iterator[tuple[float, Floats]]:
        """Opacities with their places: of many points one a cell, darker where there are more.

        Drawing 20,000 points one by one would stop the window for 100 ms.
        """
        places = np.column_stack(self.plot.places)
        places = places[np.isfinite(places).all(axis=1)]
        if len(places) <= _FEW:
            yield _OPACITY, places
            return
        cells, counts = np.unique(np.floor(places / _CELL_PX), axis=0, return_counts=True)
        depth = np.minimum(np.log2(counts).astype(np.int64), _DEEPEST)
        for deep in range(_DEEPEST + 1):
            own = (cells[depth == deep] + 0.5) * _CELL_PX
            if len(own):
                yield 1 - (1 - _OPACITY_OF_MANY) ** (2**deep), own


class LitDots(Layer):
    """The point of the document that is shown, and the one that is pointed at with its words."""

    plot: ScatterPlot

    def draw(self, painter: QPainter) -> None:
        plot, (x, y) = self.plot, self.plot.places
        marked = np.flatnonzero(plot.model.numbers_shown == plot.marked)
        for at in (*marked.tolist(), plot.at):
            place = QPointF(x[at], y[at]) if at >= 0 else None
            if place is None or not plot.plane.adjusted(-1, -TOP_PX, 1, 1).contains(place):
                continue
            is_current = at == plot.at
            painter.setPen(QPen(self.color("text" if is_current else "accent"), 1.5))
            painter.setBrush(self.color("s1") if is_current else Qt.BrushStyle.NoBrush)
            painter.drawEllipse(place, _LIT_PX / 2, _LIT_PX / 2)
            if is_current and plot.words:
                self._paint_words(painter, place)

    def _paint_words(self, painter: QPainter, at: QPointF) -> None:
        lines, size = self.plot.words.split("\n"), self.size
        metrics = QFontMetricsF(self.plot.theme.font("small"))
        widest = max(map(metrics.horizontalAdvance, lines))
        width = min(widest + 2 * _EDGE_PX, size.width() - 16)
        height = _LINE_PX * len(lines) + 14.0
        x = at.x() + 12 if at.x() + 12 + width < size.width() - 4 else at.x() - 12 - width
        y = at.y() + 12 if at.y() + 12 + height < size.height() - 4 else at.y() - 12 - height
        box = QRectF(max(x, 4), max(y, 4), width, height)
        draw_shadow(painter, box, 10, self.color("shadow"))
        draw_plate(painter, box, 10, self.color("raised"), self.color("line"))
        painter.setFont(self.plot.theme.font("small"))
        line = QRectF(box.left() + _EDGE_PX, box.top() + 7, width - 2 * _EDGE_PX, _LINE_PX)
        for row, words in enumerate(lines):
            painter.setPen(self.color("text" if row == 0 else "text2"))
            cut = metrics.elidedText(words, Qt.TextElideMode.ElideRight, line.width())
            painter.drawText(line.translated(0, row * _LINE_PX), MIDDLE, cut)
