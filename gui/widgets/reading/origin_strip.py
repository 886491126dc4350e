"""A strip that stands for a document, with a tick for each place that a summary draws from."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.theme.theme import Theme
from gui.widgets.support.accessible import Part, install_accessibility, tell_focus
from gui.widgets.support.announce import announce
from gui.widgets.support.paint import draw_plate, painter_on

_HEIGHT_PX, _TICK_PX, _LIT_PX = 14, 4, 6
_RADIUS_PX = 3
_NEAR_PX = 6


@dataclass(frozen=True)
class Origin:
    """A place that a sentence of a summary draws from.

    Args:
        share: Where in the document it is, from 0 to 1.
        number: The sentence, from 1.
    """

    share: float
    number: int


class OriginStrip(QWidget):
    """Shows where a summary comes from; a click on a tick, or Enter, leads there.

    Left and Right move from tick to tick.
    """

    chosen = Signal(int)
    """The sentence whose tick was clicked."""
    hovered = Signal(object)
    """The sentence whose tick is under the pointer or the keyboard, or None."""

    def __init__(self, theme: Theme, *, name: str) -> None:
        super().__init__()
        self._theme, self.color = theme, "text3"
        self.origins: tuple[Origin, ...] = ()
        self._lit: int | None = None
        self._current = -1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.setAccessibleName(name)
        install_accessibility()
        theme.changed.connect(self.update)

    def show_origins(self, origins: Sequence[Origin], color: str) -> None:
        """Shows the ticks of another summary in a colour."""
        self.origins = tuple(sorted(origins, key=lambda origin: origin.share))
        self.color, self._current, self._lit = color, -1, None
        focusable = Qt.FocusPolicy.StrongFocus if origins else Qt.FocusPolicy.NoFocus
        self.setFocusPolicy(focusable)
        self.update()

    def set_lit(self, number: int | None) -> None:
        """Makes the ticks of one sentence wider."""
        if number != self._lit:
            self._lit = number
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, _HEIGHT_PX)

    def focus_shape(self) -> tuple[QRect, int]:
        """The whole strip."""
        return self.rect(), _RADIUS_PX

    def _x(self, origin: Origin) -> float:
        return origin.share * max(self.width() - _TICK_PX, 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        draw_plate(painter, QRectF(self.rect()), _RADIUS_PX, color("sunken"))
        for at, origin in enumerate(self.origins):
            lit = origin.number == self._lit or (at == self._current and self.hasFocus())
            width = _LIT_PX if lit else _TICK_PX
            left = self._x(origin) - (width - _TICK_PX) / 2
            tick = QRectF(left, 0, width, self.height())
            painter.fillRect(tick, color("ev" if lit else self.color))
        painter.end()

    # Pointer and keys

    def _at(self, x: float) -> Origin | None:
        near = [o for o in self.origins if abs(self._x(o) + _TICK_PX / 2 - x) <= _NEAR_PX]
        return min(near, key=lambda o: abs(self._x(o) + _TICK_PX / 2 - x), default=None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        origin = self._at(event.position().x())
        hand, arrow = Qt.CursorShape.PointingHandCursor, Qt.CursorShape.ArrowCursor
        self.setCursor(hand if origin else arrow)
        self.hovered.emit(origin.number if origin else None)

    def leaveEvent(self, event: object) -> None:
        self.hovered.emit(None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        origin = self._at(event.position().x())
        if origin is not None:
            self.chosen.emit(origin.number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, keys = Qt.Key(event.key()), Qt.Key
        if key in (keys.Key_Left, keys.Key_Right) and self.origins:
            step = 1 if key == keys.Key_Right else -1
            self._current = min(max(self._current + step, 0), len(self.origins) - 1)
            self.hovered.emit(self.origins[self._current].number)
            announce(self, self.accessible_part(self._current).name)
            tell_focus(self, self._current)
            self.update()
        elif key in (keys.Key_Return, keys.Key_Enter, keys.Key_Space) and self._current >= 0:
            self.chosen.emit(self.origins[self._current].number)
        else:
            super().keyPressEvent(event)

    # For screen readers

    def accessible_role(self) -> QAccessible.Role:
        """A list."""
        return QAccessible.Role.List

    def accessible_count(self) -> int:
        """The ticks."""
        return len(self.origins)

    def accessible_focus(self) -> int:
        """The tick with the keyboard, or -1."""
        return self._current

    def accessible_part(self, index: int) -> Part:
        """One tick: "sentence 4, at 36 % of the source"."""
        origin = self.origins[index]
        words = self.tr("sentence {number}, at {share} % of the source")
        place = QRect(round(self._x(origin)), 0, _TICK_PX, self.height())
        return Part(words.format(number=origin.number, share=round(100 * origin.share)), place)
