"""Slider: a track of 4 px, a knob of 16 in its ring; always beside a field with the number."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QSlider, QWidget

from gui.theme.theme import Theme
from gui.widgets.support.paint import draw_plate, painter_on

_TRACK_PX = 4
_KNOB_PX = 18  # 16 within its ring
_HEIGHT_PX = 24  # of the target; the knob is smaller
_FRAME_MS = 16
_PAGES = 10


class Slider(QSlider):
    """A whole number on a line. Arrows 1, Page Up and Down a tenth, Home and End the ends."""

    followed = Signal(int)
    """The value while it moves, at most once a frame."""

    def __init__(
        self,
        theme: Theme,
        minimum: int,
        maximum: int,
        value: int,
        *,
        name: str,
        width: int = 144,
        parent: QWidget | None = None,
    ) -> None:
        """A slider.

        Args:
            theme: The look.
            minimum: Lowest value.
            maximum: Highest value.
            value: At first.
            name: Accessible name.
            width: In px; it may be stretched.
            parent: Qt's owner.
        """
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme, self._width = theme, width
        self._frame = QTimer(self, singleShot=True, interval=_FRAME_MS)
        self._frame.timeout.connect(lambda: self.followed.emit(self.value()))
        self.set_bounds(minimum, maximum)
        self.setValue(value)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.valueChanged.connect(self._on_value_changed)
        theme.changed.connect(self.update)

    def set_bounds(self, minimum: int, maximum: int) -> None:
        """Lowest and highest value; a page is a tenth of the way."""
        self.setRange(minimum, maximum)
        self.setPageStep(max(1, (maximum - minimum) // _PAGES))

    def set_value_quietly(self, value: int) -> None:
        """Moves the knob without telling anybody: the value came from elsewhere."""
        blocked = self.blockSignals(True)
        self.setValue(value)
        self.blockSignals(blocked)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._width, _HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(4 * _KNOB_PX, _HEIGHT_PX)

    def focus_shape(self) -> tuple[QRect, int]:
        """Where the focus ring goes: round the knob."""
        left = round(self._knob_center() - _KNOB_PX / 2)
        return QRect(left, (self.height() - _KNOB_PX) // 2, _KNOB_PX, _KNOB_PX), _KNOB_PX // 2

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self.setValue(self._value_at(event.position().x()))
            event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self.setValue(self._value_at(event.position().x()))
            event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.setSliderDown(False)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        color, usable = self._theme.color, self.isEnabled()
        middle, knob_x = self.height() / 2, self._knob_center()
        track = QRectF(0, middle - _TRACK_PX / 2, self.width(), _TRACK_PX)
        draw_plate(painter, track, _TRACK_PX / 2, color("track"))
        done = QRectF(track.left(), track.top(), knob_x, _TRACK_PX)
        accent = color("accent" if usable else "disabled")
        draw_plate(painter, done, _TRACK_PX / 2, accent)
        knob = QRectF(knob_x - _KNOB_PX / 2, middle - _KNOB_PX / 2, _KNOB_PX, _KNOB_PX)
        draw_plate(painter, knob, _KNOB_PX / 2, color("surface"), accent, 1.75)
        painter.end()

    def _span(self) -> float:
        return max(1.0, self.width() - _KNOB_PX)

    def _knob_center(self) -> float:
        steps = max(1, self.maximum() - self.minimum())
        return _KNOB_PX / 2 + self._span() * (self.value() - self.minimum()) / steps

    def _value_at(self, x: float) -> int:
        share = min(max((x - _KNOB_PX / 2) / self._span(), 0.0), 1.0)
        return self.minimum() + round(share * (self.maximum() - self.minimum()))

    def _on_value_changed(self) -> None:
        self.update()
        if not self._frame.isActive():
            self._frame.start()
