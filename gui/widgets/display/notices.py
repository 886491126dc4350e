"""Notifications of the system, for news that comes while the person works elsewhere."""

import sys
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

Send = Callable[[str, str], bool]
"""Shows a title and a text; whether that was possible."""

_SHOWN_MS = 10_000
_PORTAL = (
    "org.freedesktop.portal.Desktop",
    "/org/freedesktop/portal/desktop",
    "org.freedesktop.portal.Notification",
    "AddNotification",
)


class Notices(QObject):
    """Shows news through the system while the window is not active.

    Args:
        window: The window; it comes to the front when a notification is clicked.
        send: Shows a notification; None for what the system has.
    """

    opened = Signal()
    """A notification was clicked."""

    def __init__(self, window: QWidget, send: Send | None = None) -> None:
        super().__init__(window)
        self._window, self._send = window, send or self._send_to_system
        self._tray: QSystemTrayIcon | None = None
        self.opened.connect(self._raise)

    def show(self, title: str, text: str) -> bool:
        """Shows news, and marks the window in the task bar; whether a notification was sent."""
        if self._window.isActiveWindow():
            return False
        QApplication.alert(self._window)
        return self._send(title, text)

    def _send_to_system(self, title: str, text: str) -> bool:
        if QSystemTrayIcon.isSystemTrayAvailable():
            return self._send_to_tray(title, text)
        return sys.platform == "linux" and _send_to_portal(title, text)

    def _send_to_tray(self, title: str, text: str) -> bool:
        if self._tray is None:
            self._tray = QSystemTrayIcon(self._window.windowIcon(), self)
            self._tray.messageClicked.connect(self.opened)
        self._tray.show()
        self._tray.showMessage(title, text, self._window.windowIcon(), _SHOWN_MS)
        QTimer.singleShot(2 * _SHOWN_MS, self._tray, self._tray.hide)
        return True

    def _raise(self) -> None:
        self._window.raise_()
        self._window.activateWindow()


def _send_to_portal(title: str, text: str) -> bool:
    """Asks the desktop; desktops without a tray have this portal."""
    from PySide6.QtDBus import QDBusConnection, QDBusMessage

    bus = QDBusConnection.sessionBus()
    if not bus.isConnected():
        return False
    call = QDBusMessage.createMethodCall(*_PORTAL)
    call.setArguments([title, {"title": title, "body": text}])
    return bool(bus.send(call))
