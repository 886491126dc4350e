"""The lines of a plot, their markers, and the labels at their ends."""

from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from gui.widgets.charts.chart_layer import LABEL_PX, MIDDLE, TOP_PX, Layer
from gui.widgets.charts.chart_model import OTHER
from gui.widgets.charts.chart_series import Floats, Series, clear_of, decimate, spread
from gui.widgets.charts.chart_view import View

LABEL_GAP_PX = 9
_RAW_ALPHA = 0.28
_BAND_ALPHA = 0.18
_PLATE_ALPHA = 0.8
_MOST_MARKERS = 400
_CHUNK = 8
_DASHED = (3.2, 2.4)


@dataclass(frozen=True)
class EndLabel:
    """What stands at the end of a line.

    Args:
        box: Where, in px.
        text: The name of the series and its last value.
        ink: The colour of the line.
    """

    box: QRectF
    text: str
    ink: QColor


class Lines(Layer):
    """Each series: its single values, its line, its markers, its label."""

    def __init__(self, plot: View) -> None:
        super().__init__(plot)
        self.setCacheMode(self.CacheMode.DeviceCoordinateCache)  # the crosshair moves above it

    def label_width(self) -> float:
        """Width of the widest label at an end of a line."""
        metrics = QFontMetricsF(self.plot.theme.font("cap"))
        names = [self.model.name(series) for series in self.model.drawn if series.look.labelled]
        return max((metrics.horizontalAdvance(name) for name in names), default=0.0)

    def draw(self, painter: QPainter) -> None:
        shown = self.model.shown
        painter.save()
        painter.setClipRect(self.plot.plane.adjusted(-1, -TOP_PX, 1, 1))
        for series in shown:
            if series.members:
                self._paint_band(painter, series)
        for series in shown:
            if series.look.joined:
                self._paint_series(painter, series)
        painter.restore()
        for series in shown:
            if series.look.marker:
                self._paint_markers(painter, series)
        self._paint_beyond(painter)
        self._paint_labels(painter)

    def _paint_band(self, painter: QPainter, series: Series) -> None:
        """The range of the members of a mean."""
        ends, columns = self.plot.ends, max(int(self.plot.plane.width()), 1)
        x, sides = self.model.x(series), self.model.band(series)
        whole = np.isfinite(sides[0]) & np.isfinite(sides[1])
        edges = [
            decimate(x[whole], side[whole], ends.left, ends.right, columns, peaks=False)
            for side in sides
        ]
        (low_x, low_y), (high_x, high_y) = edges
        px, py = self.plot.to_px(
            np.concatenate([low_x, high_x[::-1]]), np.concatenate([low_y, high_y[::-1]])
        )
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.color(series.look.color, _BAND_ALPHA))
        painter.drawPolygon(_polygon(px, py))

    def _paint_series(self, painter: QPainter, series: Series) -> None:
        model, look = self.model, series.look
        smoothed = look.smooth and model.smoothing > 0
        if smoothed and look.raw_line:
            raw = QPen(self.color(look.color, _RAW_ALPHA), 1)
            self._paint_line(painter, model.x(series), model.y(series, smooth=False), raw)
        grey = look.color == OTHER
        pen = QPen(self.color("text2" if grey else look.color), 1.25 if grey else 2)
        if look.smooth and not smoothed:
            pen.setWidthF(1)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        dash = _DASHED if look.dashed else model.dash(series)
        if dash and pen.widthF() > 1:  # single values are too dense for it
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            pen.setDashPattern(dash)
        if look.dashed and not grey:
            pen.setWidthF(1.5)
        self._paint_line(painter, model.x(series), model.y(series), pen, peaks=not smoothed)

    def _paint_line(
        self, painter: QPainter, x: Floats, y: Floats, pen: QPen, *, peaks: bool = True
    ) -> None:
        ends, plane = self.plot.ends, self.plot.plane
        columns = max(int(plane.width()), 1)
        xs, ys = decimate(x, y, ends.left, ends.right, columns, peaks=peaks)
        px, py = self.plot.to_px(xs, ys)
        py = np.clip(py, plane.top() - 1000, plane.bottom() + 1000)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        dense = len(xs) > 2 * columns and pen.widthF() <= 1  # smoothing would blur them to grey
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, not dense)
        whole = np.isfinite(px) & np.isfinite(py)
        breaks = np.flatnonzero(~whole)
        start = 0
        for end in [*breaks.tolist(), len(px)]:
            if end - start == 1:
                painter.drawPoint(QPointF(px[start], py[start]))
            elif end > start:
                _draw_polyline(painter, px[start:end], py[start:end], pen)
            start = end + 1
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _paint_markers(self, painter: QPainter, series: Series) -> None:
        model, plane, ends = self.model, self.plot.plane, self.plot.ends
        x, y = model.x(series), model.y(series)
        start, end = np.searchsorted(x, [ends.left, ends.right])
        x, y = x[int(start) : int(end) + 1], y[int(start) : int(end) + 1]
        if len(x) > _MOST_MARKERS:
            return  # a line of points is a line
        for px, py in zip(*self.plot.to_px(x, y), strict=True):
            if np.isfinite(py) and plane.adjusted(-1, -TOP_PX, 1, 1).contains(px, py):
                self.draw_marker(painter, series, QPointF(px, py))

    def _paint_beyond(self, painter: QPainter) -> None:
        painter.setFont(self.plot.theme.font("capr"))
        for plate, words in self.beyond():
            painter.fillRect(plate, self.color("surface"))
            painter.setPen(self.color("text3"))
            painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, words)

    def _paint_labels(self, painter: QPainter) -> None:
        painter.setFont(self.plot.theme.font("cap"))
        for label in self.labels():
            if label.box.right() < self.plot.plane.right():  # steep lines may pass behind it
                plate = label.box.adjusted(-3, 1, 0, -1)
                painter.fillRect(plate, self.color("surface", _PLATE_ALPHA))
            painter.setPen(label.ink)
            box = label.box.adjusted(0, 0, self.size.width(), 0)
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | MIDDLE, label.text)

    def labels(self) -> list[EndLabel]:
        """The labels at the ends of the lines: apart, above the axis, and on no other line."""
        metrics, half = QFontMetricsF(self.plot.theme.font("cap")), LABEL_PX / 2
        low, high = self.plot.plane.top() + half - 4, self.plot.plane.bottom() - half
        found: list[EndLabel] = []
        now = self.now()
        for series in self.model.drawn:
            end = self._label_place(series)
            if end is None or not series.look.labelled:
                continue
            (x, y), text = end, self.model.name(series)
            width = metrics.horizontalAdvance(text)
            if now is not None and x <= now < x + LABEL_GAP_PX + width:
                x = now
            x += LABEL_GAP_PX
            y = clear_of(y, half, self._spans(series, x, x + width), low, high)
            ink = self.color("text2" if series.look.color == OTHER else series.look.color)
            found.append(EndLabel(QRectF(x, y - half, width, LABEL_PX), text, ink))
        ys = spread([label.box.center().y() for label in found], LABEL_PX, low, high)
        for label, y in zip(found, ys, strict=True):
            label.box.moveTop(y - half)
        return found

    def _spans(self, label_of: Series, left: float, right: float) -> list[tuple[float, float]]:
        """The heights that the other lines take between two places, in px."""
        edge = self.plot.plane.right()
        if left >= edge:
            return []
        ends = [self.plot.place_at(left), self.plot.place_at(min(right, edge))]
        found = []
        for series in self.model.shown:
            x, y = self.model.x(series), self.model.y(series)
            if series is label_of or not len(x) or x[0] > ends[1] or x[-1] < ends[0]:
                continue
            start, end = np.searchsorted(x, ends)
            edges = np.interp(np.clip(ends, x[0], x[-1]), x, y)
            _, py = self.plot.to_px(0.0, np.concatenate([edges, y[int(start) : int(end)]]))
            py = py[np.isfinite(py)]
            if len(py):
                found.append((float(py.min()) - 1, float(py.max()) + 1))
        return found

    def _label_place(self, series: Series) -> tuple[float, float] | None:
        """The last point of a series that is seen."""
        x, y = self.model.x(series), self.model.y(series)
        end = int(np.searchsorted(x, self.plot.ends.right, "right"))
        while end and not np.isfinite(y[end - 1]):
            end -= 1
        if not end or x[end - 1] < self.plot.ends.left:
            return None
        px, py = self.plot.to_px(float(x[end - 1]), float(y[end - 1]))
        plane = self.plot.plane
        if end < len(x):
            px = plane.right()
        elif not plane.top() - 1 <= py <= plane.bottom() + 1:
            return None
        return px, min(max(py, plane.top()), plane.bottom())


def _draw_polyline(painter: QPainter, px: Floats, py: Floats, pen: QPen) -> None:
    # A long line is stroked as a whole, in time that grows faster than its length.
    size = _CHUNK if pen.style() == Qt.PenStyle.SolidLine else len(px)
    for start in range(0, len(px) - 1, size):
        end = min(start + size + 1, len(px))
        painter.drawPolyline(_polygon(px[start:end], py[start:end]))


def _polygon(px: Floats, py: Floats) -> QPolygonF:
    polygon = pg.functions.create_qpolygonf(len(px))
    points = pg.functions.ndarray_from_qpolygonf(polygon)
    points[:, 0], points[:, 1] = px, py
    made: QPolygonF = polygon
    return made
