"""Toasts: short news at the bottom right, with one action at most."""

from collections.abc import Callable
from functools import partial
from typing import Final, Literal

from PySide6.QtCore import (
    QEvent,
    QObject,
    QPoint,
    QRectF,
    QSize,
    Qt,
    QTimer,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import QCloseEvent, QEnterEvent, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import Button
from gui.widgets.support import layouts
from gui.widgets.support.announce import announce
from gui.widgets.support.listening import listen
from gui.widgets.support.paint import draw_plate, draw_shadow, painter_on

Severity = Literal["ok", "warn", "err", "info"]

WIDTH_PX = 420
SHOWN_MS = 6000
MAX_TOASTS = 3

_RADIUS_PX = 8
_SHADOW_PX = 16  # room for it round the card
_GAP_PX = 12
_EDGE_PX = 16
_FOLD_MS = 140
_SIGNS: Final[dict[Severity, tuple[str, str]]] = {
    "ok": ("circle-check", "ok"),
    "warn": ("triangle-alert", "warn"),
    "err": ("octagon-x", "err"),
    "info": ("info", "accent"),
}


class Toast(QWidget):
    """One piece of news. It leaves after 6 s; errors stay, and so does what is pointed at."""

    closed = Signal()

    def __init__(
        self,
        theme: Theme,
        severity: Severity,
        title: str,
        text: str = "",
        *,
        action: str = "",
        on_action: Callable[[], object] | None = None,
        about: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """News.

        Args:
            theme: The look.
            severity: How it went.
            title: What happened.
            text: What it means, or "".
            action: One thing to do about it, or "".
            on_action: Called when that is chosen.
            about: What it is news of; empty for its title.
            parent: Qt's owner.
        """
        super().__init__(parent)
        self.about = about or title
        self._theme = theme
        self.sentence = f"{title} {text}".strip()
        self.setAccessibleName(self.sentence)
        self.setFixedWidth(WIDTH_PX + 2 * _SHADOW_PX)
        self._timer = QTimer(self, singleShot=True, interval=SHOWN_MS)
        self._timer.timeout.connect(self.close)
        if severity != "err":
            self._timer.start()
        self._was_running = False
        self._lay_out(theme, severity, title, text, action, on_action)

    @property
    def leaves_by_itself(self) -> bool:
        """Whether its 6 s are running."""
        return self._timer.isActive()

    def _lay_out(
        self,
        theme: Theme,
        severity: Severity,
        title: str,
        text: str,
        action: str,
        on_action: Callable[[], object] | None,
    ) -> None:
        room = _SHADOW_PX
        words = layouts.column(
            layouts.stretch(0), Label(theme, title, "strong" if text else "body", "text", wrap=True)
        )
        if text:
            words.addWidget(Label(theme, text, "small", "text2", wrap=True))
        words.addStretch()
        sign = QVBoxLayout()
        sign.setContentsMargins(0, 2 if text else 4, 0, 0)  # on the first line
        sign.addWidget(Sign(theme, *_SIGNS[severity]))
        sign.addStretch()
        ends = layouts.row(spacing=4)
        if action:
            self.action = Button(theme, action, kind="link", height=24)
            self.action.triggered.connect(self.close)
            if on_action is not None:
                self.action.triggered.connect(on_action)
            ends.addWidget(self.action)
        self.close_button = Button(
            theme, kind="ghost", icon="x", height=24, tooltip=self.tr("Close")
        )
        self.close_button.triggered.connect(self.close)
        ends.addWidget(self.close_button)
        row = layouts.row(
            sign,
            (words, 1),
            ends,
            into=self,
            margins=(room + 17, room + 11, room + 9, room + 11),
            spacing=10,
        )
        self.setFixedHeight(row.totalHeightForWidth(self.width()))

    def enterEvent(self, event: QEnterEvent) -> None:
        self._was_running = self._timer.isActive()
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        if self._was_running:
            self._timer.start()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        room = _SHADOW_PX
        card = QRectF(self.rect()).adjusted(room, room, -room, -room)
        draw_shadow(painter, card, _RADIUS_PX, color("shadow"))
        draw_plate(painter, card, _RADIUS_PX, color("raised"), color("line"))
        painter.end()


class Toasts(QObject):
    """The toasts of a window, newest lowest, at most three, above the status bar."""

    def __init__(self, window: QWidget, theme: Theme, bottom_px: int = 28) -> None:
        """No toasts yet.

        Args:
            window: Where they float.
            theme: The look.
            bottom_px: Height of what they must not hide at the foot.
        """
        super().__init__(window)
        self._window, self._theme, self._bottom_px = window, theme, bottom_px
        self._shown: list[Toast] = []
        listen(window, lambda _: self._place(), "resizeEvent")

    @property
    def shown(self) -> tuple[Toast, ...]:
        """The toasts in sight, oldest first."""
        return tuple(self._shown)

    def show(
        self,
        severity: Severity,
        title: str,
        text: str = "",
        *,
        action: str = "",
        on_action: Callable[[], object] | None = None,
        about: str = "",
    ) -> Toast:
        """Shows news and announces it; older news of the same thing leaves.

        Args:
            severity: How it went.
            title: What happened.
            text: What it means, or "".
            action: One thing to do about it, or "".
            on_action: Called when that is chosen.
            about: What it is news of; empty for its title.

        Returns:
            The toast.
        """
        self.dismiss(about or title)
        while len(self._shown) >= MAX_TOASTS:
            self._shown[0].close()
        toast = Toast(
            self._theme,
            severity,
            title,
            text,
            action=action,
            on_action=on_action,
            about=about,
            parent=self._window,
        )
        toast.closed.connect(partial(self._forget, toast))
        self._shown.append(toast)
        toast.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._place()
        toast.show()
        self._rise(toast)
        announce(toast, toast.sentence, urgent=severity == "err")
        return toast

    def dismiss(self, about: str) -> None:
        """Closes what is told of a thing, since it holds no longer."""
        for toast in self.shown:
            if toast.about == about:
                toast.close()

    def _forget(self, closed: Toast) -> None:
        self._shown = [toast for toast in self._shown if toast is not closed]
        self._place()

    def _place(self) -> None:
        right = self._window.width() - _EDGE_PX + _SHADOW_PX
        bottom = self._window.height() - self._bottom_px - _EDGE_PX + _SHADOW_PX
        for toast in reversed(self._shown):
            size: QSize = toast.size()
            toast.move(right - size.width(), bottom - size.height())
            toast.raise_()
            bottom -= size.height() - 2 * _SHADOW_PX + _GAP_PX

    def _rise(self, toast: Toast) -> None:
        duration_ms = self._theme.motion_ms(_FOLD_MS)
        if not duration_ms:
            return
        goal = toast.pos()
        rise = QVariantAnimation(toast)
        rise.setDuration(duration_ms)
        rise.setStartValue(12)
        rise.setEndValue(0)
        rise.valueChanged.connect(lambda offset: toast.move(goal + QPoint(0, offset)))
        rise.finished.connect(self._place)
        rise.start()
