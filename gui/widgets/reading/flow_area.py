"""A scroll area over a `Flow`: bar, wheel, keys, smooth scrolling; the base of painted lists."""

from PySide6.QtCore import QEasingCurve, QEvent, Qt, QVariantAnimation
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from gui.theme.theme import Theme
from gui.widgets.reading.flow import Flow

SCROLL_MS = 180
_NEAR_SCREENS = 2  # up to here a scroll passes over every item, beyond it jumps
_LINES_PER_KEY = 3


class FlowArea(QAbstractScrollArea):
    """Shows a `Flow`; subclasses paint its items and rebuild it when the width changes."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.flow: Flow | None = None
        self.shown: list[tuple[int, int]] = []
        self._value = 0
        self._is_settling = False
        self._moved = 0
        self._built_width = -1
        self._motion = QVariantAnimation(self)
        self._motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._motion.valueChanged.connect(self._on_motion)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        theme.changed.connect(self.on_theme_changed)

    # What those who inherit may do differently

    def line_step(self) -> int:
        """Logical px of one line, for keys and wheel."""
        return self.theme.line_height("read")

    def rebuild(self) -> None:
        """Rebuilds the flow for another width or font, keeping the reading position."""

    def on_settled(self) -> None:
        """Called after every change of what is on screen."""

    def on_theme_changed(self) -> None:
        """Applies new colours and fonts."""
        self.rebuild()
        self.viewport().update()

    # Scrolling

    @property
    def anchor(self) -> tuple[int, int] | None:
        """The first item on screen and its top in px; None at the very beginning."""
        return self.shown[0] if self.shown and self._value else None

    def settle(self) -> None:
        """Measures the visible items, and updates the scroll bar and the view."""
        if self.flow is None:
            self.shown = []
            self._sync_bar(0, 0)
        else:
            self.shown = self.flow.fill(self.viewport().height())
            self._sync_bar(self.flow.total, self.flow.value)
        self.viewport().update()
        self.on_settled()

    def _sync_bar(self, total: int, value: int) -> None:
        screen = self.viewport().height()
        bar = self.verticalScrollBar()
        self._is_settling = True
        bar.setRange(0, max(0, total - screen))
        bar.setPageStep(screen)
        bar.setSingleStep(self.line_step())
        bar.setValue(value)
        self._is_settling = False
        self._value = bar.value()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Follows the bar."""
        if self._is_settling or self.flow is None:
            return
        value = self.verticalScrollBar().value()
        distance = value - self._value
        if abs(distance) <= _NEAR_SCREENS * self.viewport().height():
            self.flow.move(distance)
        elif value in (0, self.verticalScrollBar().maximum()):
            self._go_to_end(down=value > 0)
        else:
            self.flow.jump(value)
        self.settle()

    def _go_to_end(self, *, down: bool) -> None:
        if self.flow is None or not len(self.flow):
            return
        last = len(self.flow) - 1
        if down:
            y = self.viewport().height() - self.flow.after - self.flow.height(last)
            self.flow.place(last, y)
        else:
            self.flow.place(0, self.flow.before)

    def scroll_by(self, distance: int) -> None:
        """Scrolls down by logical px, up when negative."""
        if self.flow is not None:
            self.flow.move(distance)
            self.settle()

    def scroll_to_end(self, *, down: bool) -> None:
        """Scrolls to the very end, or to the very beginning."""
        self._motion.stop()
        self._go_to_end(down=down)
        self.settle()

    def bring(self, item: int, inner: int, at: int, *, animated: bool = True) -> None:
        """Scrolls until a place inside an item is at a height of the screen.

        Args:
            item: The item.
            inner: Logical px from its top.
            at: Logical px from the top of the screen.
            animated: Whether the last stretch is shown as a movement.
        """
        if self.flow is None:
            return
        self._motion.stop()
        duration = self.theme.motion_ms(SCROLL_MS) if animated and self.isVisible() else 0
        distance = self._distance(item, inner, at)
        if not duration or not distance:
            self.flow.place(item, at - inner)
            self.settle()
            return
        screen = self.viewport().height()
        if abs(distance) > screen:  # only the last stretch is worth seeing
            distance = screen // 2 if distance > 0 else -(screen // 2)
            self.flow.place(item, at - inner + distance)
            self.settle()
        self._glide(distance, duration)

    def _distance(self, item: int, inner: int, at: int) -> int:
        on_screen = dict(self.shown)
        if item in on_screen:
            return on_screen[item] + inner - at
        assert self.flow is not None
        return self.flow.top(item) + inner - at - self.flow.value

    def _glide(self, distance: int, duration_ms: int) -> None:
        self._moved = 0
        self._motion.setDuration(duration_ms)
        self._motion.setStartValue(0)
        self._motion.setEndValue(distance)
        self._motion.start()

    def _on_motion(self, moved: int) -> None:
        step, self._moved = int(moved) - self._moved, int(moved)
        self.scroll_by(step)

    def item_at(self, y: float) -> tuple[int, int] | None:
        """The item at a height of the screen, and its top."""
        below = [(item, top) for item, top in self.shown if top <= y]
        if not below or self.flow is None:
            return None
        item, top = below[-1]
        return (item, top) if y < top + self.flow.height(item) else None

    # Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lays out again if the width changed, and fills a taller screen."""
        super().resizeEvent(event)
        if self.width() != self._built_width:  # a bar that comes or goes changes nothing
            self._built_width = self.width()
            self.rebuild()
        self.settle()

    def changeEvent(self, event: QEvent) -> None:
        """Paints again when the window becomes active or not."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self.rebuild()

    def scroll_by_key(self, event: QKeyEvent) -> bool:
        """Handles arrows, Page Up and Down, Home, End and Space as in a text.

        Args:
            event: A key.

        Returns:
            Whether it was one of these.
        """
        keys, screen = Qt.Key, self.viewport().height() - self.line_step()
        up = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        steps = {
            keys.Key_Down: self.line_step() * _LINES_PER_KEY,
            keys.Key_Up: -self.line_step() * _LINES_PER_KEY,
            keys.Key_PageDown: screen,
            keys.Key_PageUp: -screen,
            keys.Key_Space: -screen if up else screen,
        }
        key = Qt.Key(event.key())
        if key in steps:
            self._motion.stop()
            self.scroll_by(steps[key])
        elif key in (keys.Key_Home, keys.Key_End):
            self.scroll_to_end(down=key == keys.Key_End)
        else:
            return False
        return True
