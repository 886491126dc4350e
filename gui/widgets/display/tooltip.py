"""Tooltips with a key cap: after 500 ms of pointing, or of resting on it with the keyboard."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from core.display_names import shown
from gui.theme.compositing import round_corners
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.support import layouts
from gui.widgets.support.leaving import let_go
from gui.widgets.support.listening import listen
from gui.widgets.support.paint import draw_plate, painter_on

_DELAY_MS = 500
_GAP_PX, _RADIUS_PX = 8, 6
_WIDEST_PX = 420
_BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
_GONE = (QEvent.Type.Leave, QEvent.Type.MouseButtonPress, QEvent.Type.Hide, QEvent.Type.FocusOut)


class KeyCap(QLabel):
    """A shortcut drawn as the cap of a key."""

    def __init__(self, theme: Theme, keys: str, parent: QWidget | None = None) -> None:
        super().__init__(keys, parent)
        self._theme = theme
        self.setFont(theme.font("cap"))
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        words = QFontMetricsF(self.font()).horizontalAdvance(self.text())
        return QSize(max(round(words) + 18, 26), 18)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        box = QRectF(0, (self.height() - 18) / 2, self.width(), 18)
        draw_plate(painter, box, 4, self._theme.color("window"), self._theme.color("line"))
        painter.setFont(self.font())
        painter.setPen(self._theme.color("text2"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.text())
        painter.end()


class Tooltip(QWidget):
    """The pop-up itself: words, and the keys that do the same."""

    def __init__(
        self, theme: Theme, text: str, keys: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        words = Label(theme, text, "small", "text")
        if words.sizeHint().width() > _WIDEST_PX:
            words.setWordWrap(True)
            words.setFixedWidth(_WIDEST_PX)
        row = layouts.row(words, into=self, margins=(10, 6, 8 if keys else 10, 6), spacing=10)
        if keys:
            row.addWidget(KeyCap(theme, keys))

    def resizeEvent(self, event: QResizeEvent) -> None:
        round_corners(self, _RADIUS_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        color = self._theme.color
        draw_plate(painter, QRectF(self.rect()), _RADIUS_PX, color("raised"), color("line"))
        painter.end()


class _Teller(QObject):
    """Watches one widget and shows its tooltip."""

    def __init__(self, widget: QWidget, theme: Theme) -> None:
        super().__init__(widget)
        self._widget, self._theme = widget, theme
        self.text, self.keys, self.beside = "", "", False
        self._shown: Tooltip | None = None
        self._timer = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._timer.timeout.connect(self._show)
        listen(widget, self._hear)

    def _hear(self, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.ToolTip:
            return True
        by_keyboard = isinstance(event, QFocusEvent) and event.reason() in _BY_KEYBOARD
        if kind == QEvent.Type.Enter or (kind == QEvent.Type.FocusIn and by_keyboard):
            self._timer.start()
        elif kind in _GONE:
            self.hide()
        return False

    def hide(self) -> None:
        self._timer.stop()
        if self._shown is not None:
            self._shown.close()
            let_go(self._shown)
            self._shown = None

    def _show(self) -> None:
        if not self.text or not self._widget.isVisible():
            return
        self.hide()
        tip = self._shown = Tooltip(self._theme, self.text, self.keys, self._widget)
        tip.setWindowFlags(Qt.WindowType.ToolTip | Qt.WindowType.FramelessWindowHint)
        round_corners(tip, _RADIUS_PX)
        tip.adjustSize()
        tip.move(_place(self._widget, tip.size(), beside=self.beside))
        tip.show()


def set_tooltip(
    widget: QWidget, theme: Theme, text: str, keys: str = "", *, beside: bool = False
) -> None:
    """Gives a widget a tooltip, or another one.

    Args:
        widget: Whose.
        theme: The look.
        text: Plain words; empty takes the tooltip away.
        keys: The shortcut that does the same, such as "Ctrl O".
        beside: Whether it shows at the right of the widget rather than below it.
    """
    text = shown(text, lines=True)
    widget.setToolTip(text)  # what screen readers and tests read; our own pop-up shows it
    teller = widget.findChild(_Teller, options=Qt.FindChildOption.FindDirectChildrenOnly)
    if teller is None and text:
        teller = _Teller(widget, theme)
    if teller is not None:
        teller.text, teller.keys, teller.beside = text, keys, beside
        teller.hide()


def _place(widget: QWidget, size: QSize, *, beside: bool) -> QPoint:
    screen = widget.screen().availableGeometry()
    if beside:
        middle = (widget.height() - size.height()) // 2
        at = widget.mapToGlobal(QPoint(widget.width() + _GAP_PX, middle))
        top = max(screen.top(), min(at.y(), screen.bottom() + 1 - size.height()))
        return QPoint(max(screen.left(), min(at.x(), screen.right() + 1 - size.width())), top)
    below = widget.mapToGlobal(QPoint(0, widget.height() + _GAP_PX))
    x = max(screen.left(), min(below.x(), screen.right() - size.width()))
    if below.y() + size.height() <= screen.bottom():
        return QPoint(x, below.y())
    return QPoint(x, widget.mapToGlobal(QPoint(0, -_GAP_PX - size.height())).y())
