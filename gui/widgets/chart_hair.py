"""The hair-line of a plot, its points and its read-out; painted alone when the pointer moves."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from gui.widgets.chart_layer import MIDDLE, Layer
from gui.widgets.chart_model import Reading
from gui.widgets.chart_ticks import readable
from gui.widgets.chart_view import View
from gui.widgets.paint import draw_plate, draw_shadow

_LARGER = 1.5


class Hair(Layer):
    """The hair-line with its points and its read-out; painted alone when the pointer moves."""

    def __init__(self, plot: View) -> None:
        super().__init__(plot)
        self.setZValue(3)

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
            # Of a series with points elsewhere the nearest one is read, and shown where it is.
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
        rows = [(series, readable(value)) for series, value in reading.values]
        names = max((small.horizontalAdvance(series.name) for series, _ in rows), default=0)
        values = max((bold.horizontalAdvance(text) for _, text in rows), default=0)
        width = max(small.horizontalAdvance(head), names + values + 36) + 24
        height = 16 + 20 * len(rows) + 18
        left = x + 12 if x + 12 + width <= self.size.width() - 4 else x - 12 - width
        box = QRectF(max(left, 4), plot.plane.top() + 8, width, height)
        draw_shadow(painter, box, 10, self.color("shadow"))
        draw_plate(painter, box, 10, self.color("raised"), self.color("line"))
        painter.setFont(theme.font("small"))
        painter.setPen(self.color("text3"))
        line = QRectF(box.left() + 12, box.top() + 9, width - 24, 16)
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | MIDDLE, head)
        for series, text in rows:
            line.translate(0, 20)
            middle = QPointF(line.left() + 5, line.center().y())
            self.draw_marker(painter, series, middle)
            painter.setPen(self.color("text2"))
            painter.setFont(theme.font("small"))
            painter.drawText(line.adjusted(18, 0, 0, 0), MIDDLE, series.name)
            painter.setPen(self.color("text"))
            painter.setFont(theme.font("smallb"))
            painter.drawText(line, Qt.AlignmentFlag.AlignRight | MIDDLE, text)
