"""The plane of a chart: pyqtgraph turns pointer and wheel into ranges, we paint what is in them.

Only `chart.py` imports this module, when the first chart is shown: pyqtgraph takes its time.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QGraphicsObject, QStyleOptionGraphicsItem, QWidget

from gui.theme.theme import Theme
from gui.widgets.announce import announce
from gui.widgets.chart_model import OTHER, ChartModel, Reading
from gui.widgets.chart_series import Floats, Marker, Series, decimate, spread
from gui.widgets.chart_ticks import labels, readable, ticks
from gui.widgets.paint import draw_plate, draw_shadow

_BOTTOM_PX, _TOP_PX, _RIGHT_PX = 26, 10, 12
LEFT_PX = 44  # fixed, so that charts that stand one below the other are aligned
_LABEL_PX = 16
_LABEL_GAP_PX = 9
_ROOM_FOR_TICK_PX = 64
_ROOM_FOR_LINE_PX = 34
_SHORT_BELOW_PX = 280
_MARKER_PX = 3.6
_LARGER = 1.5
_RAW_ALPHA = 0.28
_HATCH_PX = 8
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # where a line is looked for behind a label
_ZOOM = 1.25
_NEAR_PX = 1.0
_MOST_MARKERS = 400
_CHUNK = 8


@dataclass(frozen=True)
class _Ends:
    """What is seen: left, right, low and high in coordinates."""

    left: float
    right: float
    low: float
    high: float


class Plot(pg.GraphicsView):  # type: ignore[misc]
    """Draws a model. Wheel zooms about the pointer, drag pans, double-click shows all again.

    Left and Right move the hair-line, + and - zoom about it, 0 shows all.
    """

    range_changed = Signal()
    """Another part is seen."""
    read = Signal(object)
    """The `Reading` under the hair-line; None when it is gone."""

    def __init__(self, theme: Theme, model: ChartModel, parent: QWidget | None = None) -> None:
        """A plot of a model; call `refresh` when the model has changed.

        Args:
            theme: The look.
            model: What is drawn.
            parent: Qt's owner.
        """
        super().__init__(parent=parent, background=None)
        self._theme, self.model = theme, model
        self._follows, self._shared = True, False
        self._reading: Reading | None = None
        self._pointer_px: float | None = None
        self._right_px = float(_RIGHT_PX)
        self.box = pg.ViewBox(enableMenu=False)
        self.box.setDefaultPadding(0)
        self.scene().addItem(self.box)
        self._ink = _Ink(self)
        self.scene().addItem(self._ink)
        self._hair = _Hair(self)
        self.scene().addItem(self._hair)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(model.title)
        self.setFrameShape(self.Shape.NoFrame)
        self.box.sigRangeChangedManually.connect(self._on_moved)
        self.box.sigRangeChanged.connect(self._on_range)
        self._dress()
        theme.changed.connect(self._dress)
        self.refresh()

    # Ranges

    @property
    def ends(self) -> _Ends:
        """What is seen, in the model's coordinates."""
        (left, right), (low, high) = self.box.viewRange()
        return _Ends(left, right, low, high)

    @property
    def plane(self) -> QRectF:
        """Where the lines are drawn, in px."""
        rect: QRectF = self.box.geometry()
        return rect

    @property
    def follows(self) -> bool:
        """Whether all is seen, and goes on being seen as it grows."""
        return self._follows

    @property
    def reading(self) -> Reading | None:
        """The values under the hair-line."""
        return self._reading

    def refresh(self) -> None:
        """Draws the model as it is now."""
        self.setAccessibleDescription(self.model.describe())
        self._place()
        if self._follows:
            self._show_all()
        if self._reading is not None:
            self._reading = self.model.read(self._reading.x)
        self._repaint()

    def reset(self) -> None:
        """Shows all again, and goes on doing so."""
        self.reset_quietly()
        self.range_changed.emit()

    def reset_quietly(self) -> None:
        """Shows all again, since a linked chart does."""
        self._follows = True
        self.refresh()

    def zoom(self, factor: float) -> None:
        """Shows more (above 1) or less of the x axis, about the hair-line or the middle."""
        ends = self.ends
        at = self._reading.x if self._reading else (ends.left + ends.right) / 2
        self.show_x(at - (at - ends.left) * factor, at + (ends.right - at) * factor)
        self.range_changed.emit()

    def show_x(self, left: float, right: float) -> None:
        """Shows a part of the x axis, and every value in it."""
        self._follows = False
        self._set(left, right, *self.model.range_y(left, right))

    def wanted_margin(self) -> float:
        """The room that labels need right of the plane."""
        labels_px = self._ink.label_width()
        (left, right), width = self.seen_x, self.width() - LEFT_PX
        ends = [self.model.x(series)[-1] for series in self.model.drawn if len(series)]
        ends = [end for end in ends if end >= left]
        if not labels_px or not ends or right <= left or width <= 0:
            return float(_RIGHT_PX)
        share = min(max(float((max(ends) - left) / (right - left)), 1e-3), 1.0)
        needed = (share * width + _LABEL_GAP_PX + labels_px + 4 - width) / share
        return float(min(max(needed, _RIGHT_PX), width / 2))

    @property
    def seen_x(self) -> tuple[float, float]:
        """The part of the x axis that is seen, or will be."""
        return self.model.range_x() if self._follows else (self.ends.left, self.ends.right)

    def set_margin(self, margin: float | None = None) -> None:
        """Sets the room right of the plane, as charts do that share an axis; None for its own."""
        self._right_px = self.wanted_margin() if margin is None else margin
        self._shared = margin is not None
        self._place()

    def _show_all(self) -> None:
        self._set(*self.model.range_x(), *self.model.range_y())

    def _set(self, left: float, right: float, low: float, high: float) -> None:
        self.box.setRange(xRange=(left, right), yRange=(low, high), padding=0)

    def _on_moved(self, *_: object) -> None:
        self._follows = False
        self.range_changed.emit()

    def _on_range(self, *_: object) -> None:
        if not self._follows:
            self._place()
        self._repaint()

    def _place(self) -> None:
        if not self._shared:
            self._right_px = self.wanted_margin()
        width = max(self.width() - LEFT_PX - self._right_px, 10)
        height = max(self.height() - _TOP_PX - _BOTTOM_PX, 10)
        plane = QRectF(LEFT_PX, _TOP_PX, width, height)
        if plane != self.plane:
            self.box.setGeometry(plane)
        self._ink.set_size(QSizeF(self.width(), self.height()))
        self._hair.set_size(QSizeF(self.width(), self.height()))

    def _repaint(self) -> None:
        self._ink.update()
        self._hair.update()

    def _dress(self) -> None:
        self.setBackground(self._theme.color("surface"))
        self._repaint()

    # Places

    def to_px(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Coordinates of the model as px of the plot."""
        ends, plane = self.ends, self.plane
        across = (x - ends.left) / (ends.right - ends.left)
        up = (y - ends.low) / (ends.high - ends.low)
        return plane.left() + across * plane.width(), plane.bottom() - up * plane.height()

    def place_at(self, px: float) -> float:
        """The coordinate on the x axis of a px."""
        ends, plane = self.ends, self.plane
        return ends.left + (px - plane.left()) / plane.width() * (ends.right - ends.left)

    # Pointer and keys

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "_ink"):
            self._place()
            self._repaint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        inside = self.plane.contains(event.position())
        idle = event.buttons() == Qt.MouseButton.NoButton
        self._pointer_px = event.position().y()
        self.point_at(self.place_at(event.position().x()) if inside and idle else None)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.reset()
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.point_at(None)

    def focusOutEvent(self, event: Any) -> None:
        super().focusOutEvent(event)
        self.point_at(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._step(-1 if key == Qt.Key.Key_Left else 1)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._go(self.ends.left if key == Qt.Key.Key_Home else self.ends.right)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(1 / _ZOOM)
        elif key == Qt.Key.Key_Minus:
            self.zoom(_ZOOM)
        elif key == Qt.Key.Key_0:
            self.reset()
        elif key == Qt.Key.Key_Escape and self._reading is not None:
            self.point_at(None)
        else:
            event.ignore()

    def focus_shape(self) -> tuple[Any, int]:
        """Where the focus ring goes: inside the edge."""
        return self.rect().adjusted(4, 4, -4, -4), 6

    def point_at(self, place: float | None) -> None:
        """Puts the hair-line at the points nearest to a place; None takes it away."""
        reading = None if place is None else self.model.read(place)
        if reading is not None and not self.ends.left <= reading.x <= self.ends.right:
            reading = None
        self._hair.update()
        if reading != self._reading:
            self._reading = reading
            self.read.emit(reading)

    @property
    def nearest(self) -> Series | None:
        """The series whose point under the hair-line is nearest to the pointer."""
        if self._reading is None:
            return None
        at = self._pointer_px
        apart = [
            (0.0 if at is None else abs(self.to_px(0.0, self.model.to_y(value))[1] - at), index)
            for index, (_, value) in enumerate(self._reading.values)
        ]
        return self._reading.values[min(apart)[1]][0] if apart else None

    def _go(self, place: float) -> None:
        self._pointer_px = None
        self.point_at(min(max(place, self.ends.left), self.ends.right))
        if self._reading is not None:
            announce(self, self.model.told(self._reading))

    def _step(self, direction: int) -> None:
        ends = self.ends
        if self._reading is None:
            self._go(ends.right if direction < 0 else ends.left)
            return
        pixel = _NEAR_PX * (ends.right - ends.left) / max(self.plane.width(), 1)
        xs = [self.model.x(series) for series in self.model.drawn if len(series)]
        target = self._reading.x + direction * pixel
        found = [_beyond(x, target, direction) for x in xs]
        places = [place for place in found if place is not None]
        if places:
            self._go(min(places) if direction > 0 else max(places))


class _Layer(QGraphicsObject):
    """Something painted over the whole plot, in its px."""

    def __init__(self, plot: Plot) -> None:
        super().__init__()
        self._plot, self._size = plot, QSizeF()
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def set_size(self, size: QSizeF) -> None:
        """Takes the size of the plot."""
        if size != self._size:
            self.prepareGeometryChange()
            self._size = size

    def boundingRect(self) -> QRectF:
        return QRectF(QPointF(0, 0), self._size)

    @property
    def _model(self) -> ChartModel:
        return self._plot.model

    def _color(self, token: str, alpha: float = 1.0) -> QColor:
        color = self._plot._theme.color(token)
        if alpha < 1.0:
            color = QColor(color)
            color.setAlphaF(alpha)
        return color


class _Ink(_Layer):
    """Grid, axes, limits, lines, markers and labels."""

    def __init__(self, plot: Plot) -> None:
        super().__init__(plot)
        self.setZValue(1)

    def label_width(self) -> float:
        """Width of the widest label at an end of a line."""
        metrics = QFontMetricsF(self._plot._theme.font("cap"))
        names = [self._model.name(series) for series in self._model.drawn if series.look.labelled]
        return max((metrics.horizontalAdvance(name) for name in names), default=0.0)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_grid(painter)
        plane = self._plot.plane
        painter.save()
        painter.setClipRect(plane.adjusted(-1, -_TOP_PX, 1, 1))
        self._paint_limits(painter)
        self._paint_notes(painter)
        for series in self._model.drawn:
            if len(series):
                self._paint_series(painter, series)
        painter.restore()
        for series in self._model.drawn:
            if series.look.marker and len(series):
                self._paint_markers(painter, series)
        self._paint_labels(painter)

    # Grid and axes

    def _paint_grid(self, painter: QPainter) -> None:
        model, plot = self._model, self._plot
        plane, ends = plot.plane, plot.ends
        painter.setFont(plot._theme.font("capr"))
        low, high = model.from_y(ends.low), model.from_y(ends.high)
        most = max(2, min(6, int(plane.height() / _ROOM_FOR_LINE_PX)))
        lines = ticks(low, high, log=model.log_y, kind=model.values, most=most)
        short = plane.width() < _SHORT_BELOW_PX
        words = labels(lines, model.values, short=short, padded=not model.log_y)
        for value, text in zip(lines, words, strict=True):
            _, y = plot.to_px(0.0, model.to_y(value))
            y = round(y) + 0.5
            painter.setPen(QPen(self._color("grid"), 1))
            painter.drawLine(QPointF(plane.left(), y), QPointF(plane.right(), y))
            painter.setPen(self._color("text3"))
            box = QRectF(0, y - _LABEL_PX / 2, plane.left() - 8, _LABEL_PX)
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | _MIDDLE, text)
        self._paint_x_axis(painter, short)

    def _paint_x_axis(self, painter: QPainter, short: bool) -> None:
        model, plot, plane = self._model, self._plot, self._plot.plane
        bottom = round(plane.bottom()) + 0.5
        painter.setPen(QPen(self._color("line2"), 1))
        painter.drawLine(QPointF(plane.left(), bottom), QPointF(plane.right(), bottom))
        most = max(2, min(6, int(plane.width() / _ROOM_FOR_TICK_PX)))
        left, right = model.from_x(plot.ends.left), model.from_x(plot.ends.right)
        kind = model.axis.kind
        places = ticks(left, right, log=model.log_x, kind=kind, most=most)
        metrics = QFontMetricsF(painter.font())
        words = labels(places, kind, short=short, padded=not model.log_x)
        for value, text in zip(places, words, strict=True):
            x, _ = plot.to_px(model.to_x(value), 0.0)
            painter.setPen(QPen(self._color("line2"), 1))
            painter.drawLine(QPointF(round(x) + 0.5, bottom), QPointF(round(x) + 0.5, bottom + 3))
            painter.setPen(self._color("text3"))
            width = metrics.horizontalAdvance(text)
            start = min(max(x - width / 2, 0.0), self._size.width() - width - 1)
            box = QRectF(start, bottom + 6, width + 2, _LABEL_PX)
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | _MIDDLE, text)

    def _paint_limits(self, painter: QPainter) -> None:
        model, plot, plane = self._model, self._plot, self._plot.plane
        for limit in model.limits:
            _, y = plot.to_px(0.0, model.to_y(limit.value))
            if not np.isfinite(y) or y > plane.bottom():
                continue
            over = QRectF(plane.left(), plane.top(), plane.width(), max(y - plane.top(), 0))
            if over.height() > 0:
                self._hatch(painter, over)
            if y < plane.top():
                continue
            y = round(y) + 0.5
            painter.setPen(QPen(self._color("err"), 1))
            painter.drawLine(QPointF(plane.left(), y), QPointF(plane.right(), y))
            painter.setFont(plot._theme.font("capr"))
            text = f"{limit.name} {readable(limit.value)} {model.unit}".rstrip()
            above = y - plane.top() > _LABEL_PX + 4
            top = y - _LABEL_PX - 3 if above else y + 3
            width = QFontMetricsF(painter.font()).horizontalAdvance(text)
            plate = self._free_plate(QSizeF(width + 8, _LABEL_PX), top)
            painter.fillRect(plate, self._color("surface"))
            painter.setPen(self._color("err"))
            painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)

    def _free_plate(self, size: QSizeF, top: float) -> QRectF:
        """Where a label can stand at a height, left to right, without a line crossing it."""
        plane, first = self._plot.plane, None
        for start in np.linspace(plane.left() + 4, plane.right() - size.width() - 4, 5):
            plate = QRectF(QPointF(start, top), size)
            first = first or plate
            places = [self._plot.place_at(start + size.width() * share) for share in _SHARES]
            if not any(self._crosses(series, places, plate) for series in self._model.drawn):
                return plate
        assert first is not None
        return first

    def _crosses(self, series: Series, places: list[float], plate: QRectF) -> bool:
        x, y = self._model.x(series), self._model.y(series)
        if not len(series) or x[0] > places[-1] or x[-1] < places[0]:
            return False
        heights = self._plot.to_px(0.0, np.interp(places, x, y))[1]
        low, high = np.nanmin(heights), np.nanmax(heights)
        return bool(low <= plate.bottom() and high >= plate.top())

    def _hatch(self, painter: QPainter, area: QRectF) -> None:
        painter.save()
        painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
        painter.setPen(QPen(self._color("err", 0.22), 1))
        start = area.left() - area.height()
        for index in range(int((area.width() + area.height()) / _HATCH_PX) + 1):
            x = start + index * _HATCH_PX
            painter.drawLine(
                QPointF(x, area.bottom()), QPointF(x + area.height(), area.bottom() - area.height())
            )
        painter.restore()

    def _paint_notes(self, painter: QPainter) -> None:
        model, plot, plane = self._model, self._plot, self._plot.plane
        now = self._now()
        if now is not None:
            painter.setPen(QPen(self._color("line2"), 1))
            at = round(now) + 0.5
            painter.drawLine(QPointF(at, plane.top()), QPointF(at, plane.bottom()))
        painter.setFont(plot._theme.font("capr"))
        metrics = QFontMetricsF(painter.font())
        until = -np.inf
        top = plane.top() + 2
        for note in sorted(model.notes, key=lambda note: note.x):
            place = model.placed(note.x)
            x = plot.to_px(place, 0.0)[0] if place is not None else -1.0
            if not plane.left() <= x <= plane.right():
                continue
            width = metrics.horizontalAdvance(note.text)
            start = min(max(x - width / 2, plane.left()), plane.right() - width)
            top = top + _LABEL_PX if start < until else plane.top() + 2
            until = start + width + 8
            painter.setPen(self._color("text2"))
            box = QRectF(start, top, width + 1, _LABEL_PX)
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | _MIDDLE, note.text)
            painter.setPen(QPen(self._color("line2"), 1, Qt.PenStyle.DotLine))
            at = round(x) + 0.5
            painter.drawLine(QPointF(at, top + _LABEL_PX + 2), QPointF(at, plane.bottom()))

    def _now(self) -> float | None:
        """Where the present is, in px; None where it is not known."""
        now = self._model.now
        place = None if now is None else self._model.placed(now)
        return None if place is None else float(self._plot.to_px(place, 0.0)[0])

    # Lines

    def _paint_series(self, painter: QPainter, series: Series) -> None:
        model, look = self._model, series.look
        smoothed = look.smooth and model.smoothing > 0
        if smoothed:
            whisper = QPen(self._color(look.color, _RAW_ALPHA), 1)
            self._paint_line(painter, model.x(series), model.y(series, smooth=False), whisper)
        grey = look.color == OTHER
        pen = QPen(self._color("text2" if grey else look.color), 1.25 if grey else 2)
        if look.smooth and not smoothed:
            pen.setWidthF(1)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        if look.dashed:
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            pen.setDashPattern([3.2, 2.4])
        if look.dashed and not grey:
            pen.setWidthF(1.5)
        self._paint_line(painter, model.x(series), model.y(series), pen, peaks=not smoothed)

    def _paint_line(
        self, painter: QPainter, x: Floats, y: Floats, pen: QPen, *, peaks: bool = True
    ) -> None:
        ends, plane = self._plot.ends, self._plot.plane
        columns = max(int(plane.width()), 1)
        xs, ys = decimate(x, y, ends.left, ends.right, columns, peaks=peaks)
        px, py = self._plot.to_px(xs, ys)
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
        model, plane, ends = self._model, self._plot.plane, self._plot.ends
        x, y = model.x(series), model.y(series)
        start, end = np.searchsorted(x, [ends.left, ends.right])
        x, y = x[int(start) : int(end) + 1], y[int(start) : int(end) + 1]
        if len(x) > _MOST_MARKERS:
            return  # a line of points is a line
        for px, py in zip(*self._plot.to_px(x, y), strict=True):
            if np.isfinite(py) and plane.adjusted(-1, -_TOP_PX, 1, 1).contains(px, py):
                self.draw_marker(painter, series, QPointF(px, py))

    def draw_marker(
        self, painter: QPainter, series: Series, at: QPointF, scale: float = 1.0
    ) -> None:
        """One marker; hollow ones say that a point is forecast."""
        look = series.look
        ink = self._color("text2" if look.color == OTHER else look.color)
        painter.setPen(QPen(ink, 1.5))
        painter.setBrush(self._color("surface") if look.hollow else ink)
        draw_marker(painter, look.marker or "circle", at, _MARKER_PX * scale)

    def _paint_labels(self, painter: QPainter) -> None:
        plot, plane = self._plot, self._plot.plane
        found: list[tuple[float, float, str, QColor]] = []
        for series in self._model.drawn:
            end = self._label_place(series)
            if end is not None and series.look.labelled:
                grey = series.look.color == OTHER
                ink = self._color("text2" if grey else series.look.color)
                found.append((*end, self._model.name(series), ink))
        half = _LABEL_PX / 2
        ys = spread([y for _, y, _, _ in found], _LABEL_PX, plane.top() + half - 4, plane.bottom())
        painter.setFont(plot._theme.font("cap"))
        now = self._now()
        for (last, _, text, ink), y in zip(found, ys, strict=True):
            width = _LABEL_GAP_PX + QFontMetricsF(painter.font()).horizontalAdvance(text)
            x = now if now is not None and last <= now < last + width else last
            painter.setPen(ink)
            box = QRectF(x + _LABEL_GAP_PX, y - half, self._size.width(), _LABEL_PX)
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | _MIDDLE, text)

    def _label_place(self, series: Series) -> tuple[float, float] | None:
        """The last point of a series that is seen."""
        x, y = self._model.x(series), self._model.y(series)
        end = int(np.searchsorted(x, self._plot.ends.right, "right"))
        while end and not np.isfinite(y[end - 1]):
            end -= 1
        if not end or x[end - 1] < self._plot.ends.left:
            return None
        px, py = self._plot.to_px(float(x[end - 1]), float(y[end - 1]))
        plane = self._plot.plane
        if end < len(x):
            px = plane.right()
        elif not plane.top() - 1 <= py <= plane.bottom() + 1:
            return None
        return px, min(max(py, plane.top()), plane.bottom())


class _Hair(_Layer):
    """The hair-line with its points and its read-out; painted alone when the pointer moves."""

    def __init__(self, plot: Plot) -> None:
        super().__init__(plot)
        self.setZValue(2)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        reading = self._plot.reading
        if reading is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        model, plot, plane = self._model, self._plot, self._plot.plane
        x, _ = plot.to_px(reading.x, 0.0)
        at = round(x) + 0.5
        painter.setPen(QPen(self._color("line2"), 1))
        painter.drawLine(QPointF(at, plane.top()), QPointF(at, plane.bottom()))
        nearest = plot.nearest
        for series, value in reversed(reading.values):
            _, y = plot.to_px(0.0, model.to_y(value))
            if np.isfinite(y) and plane.contains(x, y):
                scale = _LARGER if series is nearest else 1.0
                plot._ink.draw_marker(painter, series, QPointF(x, y), scale)
        self._paint_pop_up(painter, reading, x)

    def _paint_pop_up(self, painter: QPainter, reading: Reading, x: float) -> None:
        plot, model, theme = self._plot, self._model, self._plot._theme
        small, bold = QFontMetricsF(theme.font("small")), QFontMetricsF(theme.font("smallb"))
        head = f"{model.axis.title} {model.axis.words(model.from_x(reading.x))}"
        rows = [(series, readable(value)) for series, value in reading.values]
        names = max((small.horizontalAdvance(series.name) for series, _ in rows), default=0)
        values = max((bold.horizontalAdvance(text) for _, text in rows), default=0)
        width = max(small.horizontalAdvance(head), names + values + 36) + 24
        height = 16 + 20 * len(rows) + 18
        left = x + 12 if x + 12 + width <= self._size.width() - 4 else x - 12 - width
        box = QRectF(max(left, 4), plot.plane.top() + 8, width, height)
        draw_shadow(painter, box, 10, self._color("shadow"))
        draw_plate(painter, box, 10, self._color("raised"), self._color("line"))
        painter.setFont(theme.font("small"))
        painter.setPen(self._color("text3"))
        line = QRectF(box.left() + 12, box.top() + 9, width - 24, 16)
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | _MIDDLE, head)
        for series, text in rows:
            line.translate(0, 20)
            middle = QPointF(line.left() + 5, line.center().y())
            plot._ink.draw_marker(painter, series, middle)
            painter.setPen(self._color("text2"))
            painter.setFont(theme.font("small"))
            painter.drawText(line.adjusted(18, 0, 0, 0), _MIDDLE, series.name)
            painter.setPen(self._color("text"))
            painter.setFont(theme.font("smallb"))
            painter.drawText(line, Qt.AlignmentFlag.AlignRight | _MIDDLE, text)


_MIDDLE = Qt.AlignmentFlag.AlignVCenter


def draw_marker(painter: QPainter, marker: Marker, at: QPointF, size: float) -> None:
    """Draws a marker with the painter's pen and brush.

    Args:
        painter: Where.
        marker: Its shape.
        at: Its middle.
        size: From its middle to its edge.
    """
    if marker == "circle":
        painter.drawEllipse(at, size, size)
        return
    if marker == "cross":
        painter.drawLine(at + QPointF(-size, -size), at + QPointF(size, size))
        painter.drawLine(at + QPointF(-size, size), at + QPointF(size, -size))
        return
    wide = size * 1.15
    corners = {
        "square": ((-size, -size), (size, -size), (size, size), (-size, size)),
        "down": ((-wide, -size), (wide, -size), (0.0, wide)),
        "diamond": ((0.0, -wide), (wide, 0.0), (0.0, wide), (-wide, 0.0)),
        "up": ((-wide, size), (wide, size), (0.0, -wide)),
    }[marker]
    painter.drawPolygon(QPolygonF([at + QPointF(x, y) for x, y in corners]))


def _draw_polyline(painter: QPainter, px: Floats, py: Floats, pen: QPen) -> None:
    # A long line is stroked as a whole, in time that grows faster than its length.
    size = _CHUNK if pen.style() == Qt.PenStyle.SolidLine else len(px)
    for start in range(0, len(px) - 1, size):
        end = min(start + size + 1, len(px))
        polygon = pg.functions.create_qpolygonf(end - start)
        points = pg.functions.ndarray_from_qpolygonf(polygon)
        points[:, 0], points[:, 1] = px[start:end], py[start:end]
        painter.drawPolyline(polygon)


def _beyond(x: Floats, target: float, direction: int) -> float | None:
    if direction > 0:
        index = int(np.searchsorted(x, target, "left"))
        return float(x[index]) if index < len(x) else None
    index = int(np.searchsorted(x, target, "right")) - 1
    return float(x[index]) if index >= 0 else None
