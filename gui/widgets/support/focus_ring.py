"""The keyboard focus ring: 2 px, with a gap of 2 px, shown only after keyboard use."""

from collections.abc import Callable
from functools import partial
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QPaintEvent, QRegion
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget
from shiboken6 import createdByPython, isValid

from gui.theme.theme import Theme
from gui.widgets.support.listening import listen
from gui.widgets.support.paint import draw_plate, painter_on

OUTSET_PX = 4  # gap 2 and line 2
_MOVED = (
    QEvent.Type.Move,
    QEvent.Type.Resize,
    QEvent.Type.Show,
    QEvent.Type.Hide,
    QEvent.Type.LayoutRequest,  # posted by a list to itself when its rows were laid out anew
)


@runtime_checkable
class ShowsFocus(Protocol):
    """A widget with the focus ring around a part of itself."""

    def focus_shape(self) -> tuple[QRect, int]:
        """The rectangle in the widget's own px, and its corner radius."""
        ...


class RingFrame(QWidget):
    """The ring itself, as large as the widget."""

    def __init__(self, theme: Theme, radius: int, parent: QWidget) -> None:
        """A ring.

        Args:
            theme: The look.
            radius: Of the corners of what it surrounds.
            parent: In whose px it is placed.
        """
        super().__init__(parent)
        self._theme, self._radius = theme, radius
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        color = self._theme.color("accent")
        draw_plate(painter, QRectF(self.rect()), self._radius + OUTSET_PX, None, color, 2.0)
        painter.end()


class FocusRing(RingFrame):
    """One ring per window, above everything in it; transparent to the mouse."""

    def __init__(self, window: QWidget, theme: Theme, *, from_keyboard: bool = False) -> None:
        """The ring of a window.

        Args:
            window: Whose widgets it follows; owns the ring.
            theme: The look.
            from_keyboard: Whether it shows before the first key is pressed.
        """
        super().__init__(theme, 0, window)
        self._window = window
        self._target: QWidget | None = None
        self._stops: list[Callable[[], None]] = []
        self._from_keyboard, self._by_mouse = from_keyboard, not from_keyboard
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._place)
        self.hide()
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus_changed)

    def _hear(self, event: QEvent, *, is_target: bool) -> None:
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress:
            self._from_keyboard, self._by_mouse = False, True
            self._later.start()
        elif kind == QEvent.Type.ShortcutOverride:  # comes before every key, shortcuts included
            self._by_mouse = False
        elif kind == QEvent.Type.KeyPress and is_target:
            self._from_keyboard = True
            self._later.start()
        elif kind in _MOVED:
            self._later.start()

    def _on_focus_changed(self) -> None:  # what had the focus may be half gone: it is not taken
        if not isValid(self) or not isValid(self._window):
            return  # the window is being taken down
        for stop in self._stops:
            stop()
        new, was_inside = QApplication.focusWidget(), self._target is not None
        self._target = new if new is not None and new.window() is self._window else None
        if QApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._from_keyboard, self._by_mouse = False, True
        elif self._target is not None and was_inside:
            self._from_keyboard = not self._by_mouse
        self._stops = [
            listen(widget, partial(self._hear, is_target=widget is self._target))
            for widget in self._chain()
            if createdByPython(widget)  # not a viewport, which moves with its scroll area
        ]
        self._place()

    def _chain(self) -> list[QWidget]:
        """What has the focus and all that it lies in."""
        chain, widget = list[QWidget](), self._target
        while widget is not None:
            chain.append(widget)
            widget = None if widget.isWindow() else widget.parentWidget()
        return chain

    def _place(self) -> None:
        target = self._target
        if target is None or not self._from_keyboard or not isinstance(target, ShowsFocus):
            self.hide()
            return
        shape, self._radius = target.focus_shape()
        ring = QRect(target.mapTo(self._window, shape.topLeft()), shape.size())
        ring.adjust(-OUTSET_PX, -OUTSET_PX, OUTSET_PX, OUTSET_PX)
        visible = ring & self._clip(target)
        if not target.isVisible() or visible.isEmpty():
            self.hide()
            return
        self.setGeometry(ring)
        self.setMask(QRegion(visible.translated(-ring.topLeft())))
        self.raise_()
        self.show()
        self.update()

    def _clip(self, target: QWidget) -> QRect:
        window = self._window
        clip = window.rect()
        for widget in self._chain():
            if widget is not target and isinstance(widget, QAbstractScrollArea):
                viewport = widget.viewport()
                clip &= QRect(viewport.mapTo(window, QPoint(0, 0)), viewport.size())
        return clip
