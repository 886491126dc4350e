"""What painted widgets share: crisp plates, mixed colours, the running ring."""

from typing import Any

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF, Qt, QTimer, QVariantAnimation
from PySide6.QtGui import QColor, QCursor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from core.display_names import shown
from gui.theme.theme import Theme
from gui.widgets.support.listening import listen

HOVER_MS = 90
_RING_STEP_MS = 80
_SHADOW_REACH_PX = 12
_SHADOW_LAYER = 0.05  # of its strength, eight times
_RING_STEP_DEG = 30.0


class Painter(QPainter):
    """Writes names of files so that none of them can turn the reading round or take two lines."""

    def drawText(self, *what: Any) -> Any:  # one of a dozen forms; each has one text
        cleaned: list[Any] = [shown(each) if isinstance(each, str) else each for each in what]
        return super().drawText(*cleaned)


def painter_on(widget: QWidget) -> QPainter:
    """A painter with smooth edges; call its `end` when done."""
    painter = Painter(widget)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter


def draw_plate(
    painter: QPainter,
    rect: QRectF,
    radius: float,
    fill: QColor | None,
    border: QColor | None = None,
    width: float = 1.0,
) -> None:
    """Draws a rounded plate whose border lies inside the rectangle, so that 1 px stays 1 px.

    Args:
        painter: With smooth edges.
        rect: Outer edge in logical px.
        radius: Of the outer edge.
        fill: Colour inside, or None.
        border: Colour of the border, or None.
        width: Of the border in px.
    """
    inset = width / 2 if border else 0.0
    painter.setPen(QPen(border, width) if border else Qt.PenStyle.NoPen)
    painter.setBrush(fill if fill else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(
        rect.adjusted(inset, inset, -inset, -inset), radius - inset, radius - inset
    )


def mixed(start: QColor, end: QColor, amount: float) -> QColor:
    """The colour a share of the way from one to another, alpha included."""
    if amount <= 0.0:
        return start
    if amount >= 1.0:
        return end
    pairs = zip(start.getRgbF(), end.getRgbF(), strict=True)  # type: ignore[call-overload]
    return QColor.fromRgbF(*(a + (b - a) * amount for a, b in pairs))


def clear(color: QColor) -> QColor:
    """The same colour, wholly transparent: where a fade starts."""
    made = QColor(color)
    made.setAlpha(0)
    return made


def draw_icon(
    painter: QPainter,
    theme: Theme,
    name: str,
    color: str,
    top_left: QPointF,
    size: int = 16,
    angle: float = 0.0,
) -> None:
    """Draws an icon at a place, sharp on the painter's device.

    Args:
        painter: Where.
        theme: Gives the picture.
        name: Lucide's name.
        color: Token of its strokes.
        top_left: Its corner in logical px.
        size: Logical px.
        angle: Degrees clockwise.
    """
    ratio = painter.device().devicePixelRatioF()
    painter.drawPixmap(top_left, theme.pixmap(name, color, size, ratio, angle))


def draw_shadow(painter: QPainter, rect: QRectF, radius: float, color: QColor) -> None:
    """Draws the soft shadow of what floats: thin plates that add up towards the middle."""
    layer = QColor(color)
    layer.setAlphaF(color.alphaF() * _SHADOW_LAYER)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(layer)
    for outset in range(_SHADOW_REACH_PX, -3, -2):
        grown = rect.adjusted(-outset, 4 - outset, outset, 4 + outset)
        painter.drawRoundedRect(grown, radius + outset, radius + outset)


class HoverFade(QObject):
    """How far a widget is lit by the pointer, 0 to 1, moving in 90 ms."""

    def __init__(self, widget: QWidget, theme: Theme) -> None:
        super().__init__(widget)
        self._widget, self._theme = widget, theme
        self._animation = QVariantAnimation(self)
        self._animation.valueChanged.connect(self._on_value)
        self.amount, self._entered = 0.0, QRect()
        listen(widget, lambda _: self._enter(), "enterEvent")
        listen(widget, lambda _: self._leave(), "leaveEvent", "hideEvent")
        listen(widget, lambda _: self._follow_page(), "paintEvent")

    def _enter(self) -> None:
        self._entered = self._place
        self._move_to(1.0)

    def _leave(self) -> None:
        self._entered = QRect()
        self._move_to(0.0)

    @property
    def _place(self) -> QRect:
        """The rectangle of the widget on the screen."""
        return QRect(self._widget.mapToGlobal(QPoint()), self._widget.size())

    def _follow_page(self) -> None:
        """Looks again at the pointer where the widget has moved: one that rests leaves nothing."""
        if self._entered.isNull() or self._place == self._entered:
            return
        self._entered = self._place
        self._move_to(float(self._place.contains(QCursor.pos())))

    def _move_to(self, target: float) -> None:
        duration_ms = self._theme.motion_ms(HOVER_MS)
        self._animation.stop()
        if duration_ms == 0 or not self._widget.isVisible():
            self._on_value(target)
            return
        self._animation.setDuration(duration_ms)
        self._animation.setStartValue(self.amount)
        self._animation.setEndValue(target)
        self._animation.start()

    def _on_value(self, value: float) -> None:
        self.amount = float(value)
        self._widget.update()


class RunningRing(QObject):
    """The angle of a ring that says "running"; stands still when motion is reduced."""

    def __init__(self, widget: QWidget, theme: Theme) -> None:
        super().__init__(widget)
        self._widget, self._theme = widget, theme
        self._timer = QTimer(self)
        self._timer.setInterval(_RING_STEP_MS)
        self._timer.timeout.connect(self._turn)
        self.angle = 0.0

    def start(self) -> None:
        """Turns the ring, unless motion is reduced."""
        if not self._theme.reduced_motion:
            self._timer.start()

    def stop(self) -> None:
        """Stops the ring at its first angle."""
        self._timer.stop()
        self.angle = 0.0

    def _turn(self) -> None:
        self.angle = (self.angle + _RING_STEP_DEG) % 360
        if self._widget.isVisible():
            self._widget.update()
