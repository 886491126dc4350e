"""The plot of a histogram: bars, hatched where they are over the limit, and one marked value."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from core.numbers import format_count
from gui.widgets.charts.chart_layer import LABEL_PX, MIDDLE, TOP_PX, Layer, hatch
from gui.widgets.charts.chart_plot import Plot
from gui.widgets.charts.histogram_model import HistogramModel

_RIGHT_PX = 22
_HATCH_PX = 5.0
_GAP_PX = 1.0
_LABEL_GAP_PX = 8
_POINTER_PX = 4


class HistogramPlot(Plot):
    """Bars, all of them; Left and Right, or the pointer, read one."""

    zooms = False
    model: HistogramModel

    def make_layers(self) -> tuple[Layer, ...]:
        return (Bars(self),)

    @property
    def top_px(self) -> float:
        rows = 2 * (self.model.limit is not None) + (self.model.marked is not None)
        return TOP_PX + rows * LABEL_PX

    def wanted_margin(self) -> float:
        return _RIGHT_PX


class Bars(Layer):
    """The bars, the limit and the marked value."""

    plot: HistogramPlot

    def draw(self, painter: QPainter) -> None:
        self._paint_bars(painter)
        painter.setFont(self.plot.theme.font("cap"))
        self._paint_marked(painter)
        self._paint_limit(painter)

    def _x(self, value: float) -> float:
        plane = self.plot.plane
        x: float = self.plot.to_px(value, 0.0)[0]
        return min(max(x, plane.left()), plane.right())

    def _paint_bars(self, painter: QPainter) -> None:
        model, bottom = self.plot.model, self.plot.plane.bottom()
        read, limit = model.find_bin(self.plot.reading), model.limit
        for at, (low, high, count) in enumerate(model.table().tolist()):
            if not count:
                continue
            left, right = self._x(low) + _GAP_PX / 2, self._x(high) - _GAP_PX / 2
            top = min(self.plot.to_px(0.0, count)[1], bottom - 1)
            bar = QRectF(left, top, max(right - left, 1.0), bottom - top)
            fits = bar.width() if limit is None else min(self._x(limit) - left, bar.width())
            if limit is None or low < limit:
                ink = self.color("text2" if at == read else "line2")
                painter.fillRect(QRectF(left, top, fits, bar.height()), ink)
                bar.setLeft(left + fits)
            if bar.width() > 0:
                warn = self.color("warn")
                hatch(painter, bar, warn, _HATCH_PX)
                painter.setPen(QPen(warn, 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, 0))

    def _paint_marked(self, painter: QPainter) -> None:
        model, plane = self.plot.model, self.plot.plane
        if model.marked is None:
            return
        x, tip, ink = self._x(model.marked), plane.bottom() - 1, self.color("accent")
        painter.setPen(QPen(ink, 1))
        painter.drawLine(QPointF(x, plane.top()), QPointF(x, tip - _POINTER_PX))
        painter.setBrush(ink)
        across, up = QPointF(_POINTER_PX, 0), QPointF(0, 7)
        foot = QPointF(x, tip)
        painter.drawPolygon([foot - up - across, foot - up + across, foot])
        width = QFontMetricsF(painter.font()).horizontalAdvance(model.marked_name)
        start = min(max(x - 14, plane.left()), max(plane.right() - width, plane.left()))
        box = QRectF(start, plane.top() - LABEL_PX - 2, width + 2, LABEL_PX)
        painter.drawText(box, MIDDLE, model.marked_name)

    def _paint_limit(self, painter: QPainter) -> None:
        model, plane = self.plot.model, self.plot.plane
        if model.limit is None:
            return
        x, top = round(self._x(model.limit)) + 0.5, TOP_PX - 4
        painter.setPen(QPen(self.color("text"), 1))
        painter.drawLine(QPointF(x, top), QPointF(x, plane.bottom()))
        lines = (
            (f"{model.limit_name} {format_count(round(model.limit))}", "text"),
            (model.over_line, "warn" if model.num_over else "text3"),
        )
        for row, (words, token) in enumerate(lines):
            width = QFontMetricsF(painter.font()).horizontalAdvance(words)
            beside = x + _LABEL_GAP_PX
            if beside + width > plane.right():
                beside = x - _LABEL_GAP_PX - width
            painter.setPen(self.color(token))
            painter.drawText(
                QRectF(beside, top + row * LABEL_PX, width + 2, LABEL_PX), MIDDLE, words
            )
