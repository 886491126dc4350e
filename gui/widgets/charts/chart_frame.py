"""What stands behind the lines of a plot: grid, axes, limits and notes."""

from itertools import pairwise

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from core.numbers import THIN_SPACE
from gui.widgets.charts.chart_layer import LABEL_PX, MIDDLE, TOP_PX, Layer, hatch
from gui.widgets.charts.chart_series import Series
from gui.widgets.charts.chart_view import View
from gui.widgets.support.cut_words import fitted
from gui.widgets.support.ticks import MOST, fitting_labels, readable, ticks

_ROOM_FOR_TICK_PX = 64
_ROOM_FOR_LINE_PX = 34
_SHORT_BELOW_PX = 280
_HATCH_PX = 8
_LABEL_GAP_PX = 8
_NOW_GAP_PX = 4
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # where a line is looked for behind a label


class Frame(Layer):
    """Grid, axes, limits and notes."""

    def __init__(self, plot: View) -> None:
        super().__init__(plot)
        self.setCacheMode(self.CacheMode.DeviceCoordinateCache)  # the crosshair moves above it

    def draw(self, painter: QPainter) -> None:
        self._paint_grid(painter)
        painter.setClipRect(self.plot.plane.adjusted(-1, -TOP_PX, 1, 1))
        self._paint_limits(painter)
        self._paint_notes(painter)

    def _paint_grid(self, painter: QPainter) -> None:
        model, plot = self.model, self.plot
        plane, ends = plot.plane, plot.ends
        painter.setFont(plot.theme.font("capr"))
        low, high = model.from_y(ends.low), model.from_y(ends.high)
        most = max(2, min(model.most_lines, int(plane.height() / _ROOM_FOR_LINE_PX)))
        short = plane.width() < _SHORT_BELOW_PX
        room_px = plane.left() - _LABEL_GAP_PX
        width = QFontMetricsF(painter.font()).horizontalAdvance
        while True:  # fewer lines have fewer decimals
            lines = ticks(
                low, high, log=model.log_y, kind=model.values, most=most, whole=model.has_counts
            )
            words = fitting_labels(
                lines, model.values, room_px, width, short=short, padded=not model.log_y
            )
            if most <= 2 or max(map(width, words), default=0) <= room_px:
                break
            most -= 1
        for value, text in zip(lines, words, strict=True):
            _, y = plot.to_px(0.0, model.to_y(value))
            y = round(y) + 0.5
            painter.setPen(QPen(self.color("grid"), 1))
            painter.drawLine(QPointF(plane.left(), y), QPointF(plane.right(), y))
            painter.setPen(self.color("text3"))
            box = QRectF(0, y - LABEL_PX / 2, plane.left() - _LABEL_GAP_PX, LABEL_PX)
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | MIDDLE, text)
        self._paint_x_axis(painter, short)

    def _paint_x_axis(self, painter: QPainter, short: bool) -> None:
        model, plot, plane = self.model, self.plot, self.plot.plane
        bottom = round(plane.bottom()) + 0.5
        painter.setPen(QPen(self.color("line2"), 1))
        painter.drawLine(QPointF(plane.left(), bottom), QPointF(plane.right(), bottom))
        most = max(2, min(MOST, int(plane.width() / _ROOM_FOR_TICK_PX)))
        left, right = model.from_x(plot.ends.left), model.from_x(plot.ends.right)
        kind = model.axis.kind
        whole = model.axis.whole
        places = ticks(left, right, log=model.log_x, kind=kind, most=most, whole=whole)
        metrics = QFontMetricsF(painter.font())
        words = model.label_places(places, short)
        if named := model.axis.labels:
            shown = [place for place in range(len(named)) if left <= place <= right]
            places, words = list(map(float, shown)), [named[place] for place in shown]
            words = self._with_room(painter, words)
        for value, text in zip(places, words, strict=True):
            x, _ = plot.to_px(model.to_x(value), 0.0)
            painter.setPen(QPen(self.color("line2"), 1))
            painter.drawLine(QPointF(round(x) + 0.5, bottom), QPointF(round(x) + 0.5, bottom + 3))
            painter.setPen(self.color("text3"))
            width = metrics.horizontalAdvance(text)
            start = min(max(x - width / 2, 0.0), self.size.width() - width - 1)
            box = QRectF(start, bottom + 6, width + 2, LABEL_PX)
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | MIDDLE, text)

    def _with_room(self, painter: QPainter, words: list[str]) -> list[str]:
        """Words that stand at the places 0, 1, 2 …, shortened where two would run into another."""
        model, plot = self.model, self.plot
        step_px = plot.to_px(model.to_x(1.0), 0.0)[0] - plot.to_px(model.to_x(0.0), 0.0)[0]
        widths = list(map(QFontMetricsF(painter.font()).horizontalAdvance, words))
        if all((a + b) / 2 + 4 <= step_px for a, b in pairwise(widths)):
            return words
        room = QRectF(0, 0, step_px - 6, LABEL_PX)
        return [fitted(painter, each, room) for each in words]

    def _paint_limits(self, painter: QPainter) -> None:
        model, plot, plane = self.model, self.plot, self.plot.plane
        for limit in model.limits:
            _, y = plot.to_px(0.0, model.to_y(limit.value))
            if not np.isfinite(y) or y > plane.bottom():
                continue
            over = QRectF(plane.left(), plane.top(), plane.width(), max(y - plane.top(), 0))
            if over.height() > 0:
                hatch(painter, over, self.color("err", 0.22), _HATCH_PX)
            if y < plane.top():
                continue
            y = round(y) + 0.5
            painter.setPen(QPen(self.color("err"), 1))
            painter.drawLine(QPointF(plane.left(), y), QPointF(plane.right(), y))
            painter.setFont(plot.theme.font("capr"))
            text = f"{limit.name} {readable(limit.value)}{THIN_SPACE}{model.unit}".rstrip()
            above = y - plane.top() > LABEL_PX + 4
            top = y - LABEL_PX - 3 if above else y + 3
            width = QFontMetricsF(painter.font()).horizontalAdvance(text)
            plate = self._free_plate(QSizeF(width + 8, LABEL_PX), top)
            painter.fillRect(plate, self.color("surface"))
            painter.setPen(self.color("err"))
            painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)

    def _free_plate(self, size: QSizeF, top: float) -> QRectF:
        """Where a label can stand at a height, left to right, without a line crossing it."""
        plane, first = self.plot.plane, None
        for start in np.linspace(plane.left() + 4, plane.right() - size.width() - 4, 5):
            plate = QRectF(QPointF(start, top), size)
            first = first or plate
            places = [self.plot.place_at(start + size.width() * share) for share in _SHARES]
            if not any(self._crosses(series, places, plate) for series in self.model.drawn):
                return plate
        assert first is not None
        return first

    def _crosses(self, series: Series, places: list[float], plate: QRectF) -> bool:
        x, y = self.model.x(series), self.model.y(series)
        if not len(x) or x[0] > places[-1] or x[-1] < places[0]:
            return False
        heights = self.plot.to_px(0.0, np.interp(places, x, y))[1]
        heights = heights[np.isfinite(heights)]
        if not len(heights):
            return False
        return bool(heights.min() <= plate.bottom() and heights.max() >= plate.top())

    def _beside(self, now: float | None, start: float, width: float) -> float:
        """Where words begin that the line of the present does not cross, in px."""
        plane = self.plot.plane
        if now is not None and start - _NOW_GAP_PX < now < start + width + _NOW_GAP_PX:
            is_left = start + width / 2 <= now
            start = now - _NOW_GAP_PX - width if is_left else now + _NOW_GAP_PX
        return min(max(start, plane.left()), plane.right() - width)

    def _paint_notes(self, painter: QPainter) -> None:
        model, plot, plane = self.model, self.plot, self.plot.plane
        now = self.now()
        if now is not None:
            painter.setPen(QPen(self.color("line2"), 1))
            at = round(now) + 0.5
            painter.drawLine(QPointF(at, plane.top()), QPointF(at, plane.bottom()))
        painter.setFont(plot.theme.font("capr"))
        metrics = QFontMetricsF(painter.font())
        until = -np.inf
        top = plane.top() + 2
        for note in sorted(model.notes, key=lambda note: note.x):
            place = model.placed(note.x)
            x = plot.to_px(place, 0.0)[0] if place is not None else -1.0
            if not plane.left() <= x <= plane.right():
                continue
            width = metrics.horizontalAdvance(note.text)
            start = self._beside(now, x - width / 2, width)
            top = top + LABEL_PX if start < until else plane.top() + 2
            until = start + width + 8
            painter.setPen(self.color("text2"))
            box = QRectF(start, top, width + 1, LABEL_PX)
            if any(box.intersects(plate) for plate, _ in self.beyond()):
                top += LABEL_PX
                box.translate(0, LABEL_PX)
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | MIDDLE, note.text)
            painter.setPen(QPen(self.color("line2"), 1, Qt.PenStyle.DotLine))
            at = round(x) + 0.5
            painter.drawLine(QPointF(at, top + LABEL_PX + 2), QPointF(at, plane.bottom()))
