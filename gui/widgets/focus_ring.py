"""The keyboard focus ring: 2 px, with a gap of 2 px, shown only after keyboard use."""

from typing import Protocol, runtime_checkable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QPaintEvent, QRegion
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget
from shiboken6 import isValid

from gui.theme.theme import Theme
from gui.widgets.paint import draw_plate, painter_on

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
        self._watched: list[QWidget] = []
        self._from_keyboard, self._by_mouse = from_keyboard, not from_keyboard
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._place)
        self.hide()
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus_changed)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress:
            self._from_keyboard, self._by_mouse = False, True
            self._later.start()
        elif kind == QEvent.Type.ShortcutOverride:  # comes before every key, shortcuts included
            self._by_mouse = False
        elif kind == QEvent.Type.KeyPress and watched is self._target:
            self._from_keyboard = True
            self._later.start()
        elif kind in _MOVED:
            self._later.start()
        return False

    def _on_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        if not isValid(self) or not isValid(self._window):
            return  # the window is being taken down
        for widget in filter(isValid, self._watched):
            widget.removeEventFilter(self)
        self._watched = []
        inside = new is not None and new.window() is self._window
        self._target = new if inside else None
        if QApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._from_keyboard, self._by_mouse = False, True
        elif inside and _is_in(old, self._window):
            self._from_keyboard = not self._by_mouse
        self._watch()
        self._place()

    def _watch(self) -> None:
        widget = self._target
        while widget is not None:
            widget.installEventFilter(self)
            self._watched.append(widget)
            widget = None if widget.isWindow() else widget.parentWidget()

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
        for widget in self._watched:
            if widget is not target and isinstance(widget, QAbstractScrollArea):
                viewport = widget.viewport()
                clip &= QRect(viewport.mapTo(window, QPoint(0, 0)), viewport.size())
        return clip


def _is_in(widget: QWidget | None, window: QWidget) -> bool:
    return widget is not None and isValid(widget) and widget.window() is window
