"""The plane of a chart: pyqtgraph turns pointer and wheel into ranges, layers paint them.

Only `chart.py` imports this module, beside the first chart that is made: pyqtgraph takes its time.
"""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QWidget

from gui.theme.theme import Theme
from gui.widgets.charts.chart_crosshair import Crosshair
from gui.widgets.charts.chart_frame import Frame
from gui.widgets.charts.chart_layer import TOP_PX, Layer
from gui.widgets.charts.chart_lines import LABEL_GAP_PX, Lines
from gui.widgets.charts.chart_model import ChartModel, Reading
from gui.widgets.charts.chart_series import Floats, Series
from gui.widgets.charts.chart_view import Ends
from gui.widgets.support.announce import announce

BOTTOM_PX, _RIGHT_PX = 26, 12
LEFT_PX = 44  # fixed, so that charts that stand one below the other are aligned
_ZOOM = 1.25
_NEAR_PX = 1.0


class Plot(pg.GraphicsView):  # type: ignore[misc]
    """Draws a model. Wheel zooms about the pointer, drag pans, double-click shows all again.

    Left and Right move the crosshair, + and - zoom about it, 0 shows all.
    """

    range_changed = Signal()
    """Another part is seen."""
    read = Signal(object)
    """The `Reading` under the crosshair; None when it is gone."""

    zooms = True
    """True if a part of the x axis can be looked at."""

    def __init__(self, theme: Theme, model: ChartModel, parent: QWidget | None = None) -> None:
        """A plot of a model; call `refresh` when the model has changed.

        Args:
            theme: The look.
            model: What is drawn.
            parent: Qt's owner.
        """
        super().__init__(parent=parent, background=None)
        self.theme, self.model = theme, model
        self._follows, self._shared = True, False
        self._reading: Reading | None = None
        self._pointer_px: float | None = None
        self._right_px = float(_RIGHT_PX)
        self.box = pg.ViewBox(enableMenu=False)
        self.box.setDefaultPadding(0)
        self.scene().addItem(self.box)
        self.box.setMouseEnabled(self.zooms, self.zooms)
        self._layers = (Frame(self), *self.make_layers())
        for depth, layer in enumerate(self._layers):
            layer.setZValue(depth + 1)  # above the box
            self.scene().addItem(layer)
        self.setMouseTracking(True)
        # Qt hands a viewport's policy on to its view: the view's own is set after it, or Tab never
        # reaches a chart.
        self.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(model.title)
        self.setFrameShape(self.Shape.NoFrame)
        self.box.sigRangeChangedManually.connect(self._on_moved)
        self.box.sigRangeChanged.connect(self._on_range)
        self._dress()
        theme.changed.connect(self._dress)
        self.refresh()

    def make_layers(self) -> tuple[Layer, ...]:
        """Makes what is painted above the frame; the last one changes with the pointer."""
        self.lines, self.crosshair = Lines(self), Crosshair(self)
        return self.lines, self.crosshair

    @property
    def top_px(self) -> float:
        """The room above the lines."""
        return TOP_PX

    def show_model(self, model: ChartModel) -> None:
        """Draws another model, all of it."""
        self.model, self._reading, self._pointer_px = model, None, None
        self.setAccessibleName(model.title)
        self.reset_quietly()

    # Ranges

    @property
    def ends(self) -> Ends:
        """What is seen, in the model's coordinates."""
        (left, right), (low, high) = self.box.viewRange()
        return Ends(left, right, low, high)

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
        """The values under the crosshair."""
        return self._reading

    def refresh(self) -> None:
        """Draws the model as it is now."""
        self.setAccessibleDescription(self.model.describe())
        self._place()
        if self._follows:
            self._show_all()
        if self._reading is not None:
            self._reading = self.model.read_at(self._reading.x)
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
        """Shows more (above 1) or less of the x axis, about the crosshair or the middle."""
        if not self.zooms:
            return
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
        labels_px = self.lines.label_width()
        (left, right), width = self.seen_x, self.width() - LEFT_PX
        ends = [
            self.model.x(series)[-1] for series in self.model.drawn if len(self.model.x(series))
        ]
        ends = [end for end in ends if end >= left]
        if not labels_px or not ends or right <= left or width <= 0:
            return float(_RIGHT_PX)
        share = min(max(float((max(ends) - left) / (right - left)), 1e-3), 1.0)
        needed = (share * width + LABEL_GAP_PX + labels_px + 4 - width) / share
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
        height = max(self.height() - self.top_px - BOTTOM_PX, 10)
        plane = QRectF(LEFT_PX, self.top_px, width, height)
        if plane != self.plane:
            self.box.setGeometry(plane)
        for layer in self._layers:
            layer.set_size(QSizeF(self.width(), self.height()))

    def _repaint(self) -> None:
        for layer in self._layers:
            layer.update()

    def _dress(self) -> None:
        self.setBackground(self.theme.color("surface"))
        self._repaint()

    def draw_on(self, painter: QPainter, target: QRectF) -> None:
        """Draws the plot somewhere else, as lines and words and not as a picture."""
        modes = [layer.cacheMode() for layer in self._layers]
        for layer in self._layers:
            layer.setCacheMode(layer.CacheMode.NoCache)
        self.scene().render(painter, target, QRectF(self.rect()))
        for layer, mode in zip(self._layers, modes, strict=True):
            layer.setCacheMode(mode)

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
        if hasattr(self, "_layers"):
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
        """Puts the crosshair at the points nearest to a place; None takes it away."""
        reading = None if place is None else self.model.read(place)
        if self._take_reading(reading):
            self.read.emit(self._reading)

    def point_with(self, other: Reading | None) -> None:
        """Puts the crosshair where it stands in a linked chart."""
        self._pointer_px = None
        self._take_reading(None if other is None else self.model.read_at(other.x))

    def _take_reading(self, reading: Reading | None) -> bool:
        """Shows values; whether they are others than before."""
        if reading is not None and not self.ends.left <= reading.x <= self.ends.right:
            reading = None
        before, self._reading = self._reading, reading
        self._layers[-1].update()
        return reading != before

    @property
    def nearest(self) -> Series | None:
        """The series whose point under the crosshair is nearest to the pointer."""
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
            announce(self, self.model.describe_reading(self._reading))

    def _step(self, direction: int) -> None:
        ends = self.ends
        if self._reading is None:
            self._go(ends.right if direction < 0 else ends.left)
            return
        pixel = _NEAR_PX * (ends.right - ends.left) / max(self.plane.width(), 1)
        xs = [self.model.x(series) for series in self.model.shown]
        target = self._reading.x + direction * pixel
        found = [_beyond(x, target, direction) for x in xs]
        places = [place for place in found if place is not None]
        if places:
            self._go(min(places) if direction > 0 else max(places))


def _beyond(x: Floats, target: float, direction: int) -> float | None:
    if direction > 0:
        index = int(np.searchsorted(x, target, "left"))
        return float(x[index]) if index < len(x) else None
    index = int(np.searchsorted(x, target, "right")) - 1
    return float(x[index]) if index >= 0 else None
