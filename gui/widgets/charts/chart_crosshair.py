"""The crosshair of a plot, its points and its read-out; painted alone when the pointer moves."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from gui.widgets.charts.chart_layer import MIDDLE, Layer
from gui.widgets.charts.chart_model import Reading
from gui.widgets.charts.chart_series import Series
from gui.widgets.support.paint import draw_plate, draw_shadow
from gui.widgets.support.ticks import readable

_LARGER = 1.5
_EDGE_PX = 4.0  # the read-out stays this far from the edges of the plot
_APART_PX = 8.0  # a point farther from the line is told with its own place


class Crosshair(Layer):
    """A vertical line with the points nearest to it and their values."""

    def draw(self, painter: QPainter) -> None:
        reading = self.plot.reading
        if reading is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        model, plot, plane = self.model, self.plot, self.plot.plane
        x, _ = plot.to_px(reading.x, 0.0)
        at = round(x) + 0.5
        painter.setPen(QPen(self.color("line2"), 1))
        painter.drawLine(QPointF(at, plane.top()), QPointF(at, plane.bottom()))
        nearest = plot.nearest
        for series, value in reversed(reading.values):
            # The nearest point of a series with points elsewhere is read, and shown where it is.
            px, py = plot.to_px(model.point_of(series, reading.x), model.to_y(value))
            if np.isfinite(py) and plane.contains(px, py):
                scale = _LARGER if series is nearest else 1.0
                self.draw_marker(painter, series, QPointF(px, py), scale)
        if reading.values:
            self._paint_pop_up(painter, reading, x)

    def _paint_pop_up(self, painter: QPainter, reading: Reading, x: float) -> None:
        plot, model, theme = self.plot, self.model, self.plot.theme
        small, bold = QFontMetricsF(theme.font("small")), QFontMetricsF(theme.font("smallb"))
        head = f"{model.axis.title} {model.axis.words(model.from_x(reading.x))}"
        rows = [
            (each, self._name(each, reading), readable(value)) for each, value in reading.values
        ]
        names = max((small.horizontalAdvance(name) for _, name, _ in rows), default=0)
        values = max((bold.horizontalAdvance(text) for _, _, text in rows), default=0)
        # In a narrow plot the names give way: the values are what is asked for, and the only
        # name stands in the chart's head.
        most = self.size.width() - 2 * _EDGE_PX
        if names + values + 60 > most:
            names = max(most - values - 60, 0) if len(rows) > 1 else 0
        width = min(max(small.horizontalAdvance(head), names + values + 36) + 24, most)
        height = 16 + 20 * len(rows) + 18
        left = x + 12 if x + 12 + width <= self.size.width() - _EDGE_PX else x - 12 - width
        box = QRectF(max(left, _EDGE_PX), plot.plane.top() + 8, width, height)
        draw_shadow(painter, box, 10, self.color("shadow"))
        draw_plate(painter, box, 10, self.color("raised"), self.color("line"))
        painter.setFont(theme.font("small"))
        painter.setPen(self.color("text3"))
        line = QRectF(box.left() + 12, box.top() + 9, width - 24, 16)
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | MIDDLE, head)
        for series, name, text in rows:
            line.translate(0, 20)
            middle = QPointF(line.left() + 5, line.center().y())
            self.draw_marker(painter, series, middle)
            painter.setPen(self.color("text2"))
            painter.setFont(theme.font("small"))
            if names:
                name = small.elidedText(name, Qt.TextElideMode.ElideRight, names + 1)
                painter.drawText(line.adjusted(18, 0, 0, 0), MIDDLE, name)
            painter.setPen(self.color("text"))
            painter.setFont(theme.font("smallb"))
            painter.drawText(line, Qt.AlignmentFlag.AlignRight | MIDDLE, text)

    def _name(self, series: Series, reading: Reading) -> str:
        """The name of a series, and where its point is when that is not under the crosshair."""
        at = self.model.point_of(series, reading.x)
        apart = abs(self.plot.to_px(at, 0.0)[0] - self.plot.to_px(reading.x, 0.0)[0])
        words = self.model.axis.words(self.model.from_x(at))
        return f"{series.name} at {words}" if apart > _APART_PX else series.name
