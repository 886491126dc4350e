"""News goes through the system only while the person works elsewhere."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.widgets.display.notices import Notices
from tests.helpers.windows import STILL, end_window, show_window


def test_only_a_window_that_is_not_active_sends_a_notification(qtbot: QtBot) -> None:
    sent: list[tuple[str, str]] = []

    def send(title: str, text: str) -> bool:
        sent.append((title, text))
        return True

    window, other = QWidget(), QWidget()
    qtbot.addWidget(window)
    qtbot.addWidget(other)
    notices = Notices(window, send)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    assert not notices.show("“a” is done", "")
    other.show()
    other.activateWindow()
    qtbot.waitUntil(lambda: not window.isActiveWindow())
    assert notices.show("“b” failed", "The disk is full.")
    assert sent == [("“b” failed", "The disk is full.")]
    notices.opened.emit()
    qtbot.waitUntil(window.isActiveWindow)


def test_without_tray_and_desktop_nothing_is_sent_and_nothing_fails(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
    window = QWidget()
    qtbot.addWidget(window)
    assert not Notices(window)._send_to_system("“a” is done", "")


def test_notifications_can_be_switched_off(qtbot: QtBot, tmp_path: Path) -> None:
    window: MainWindow = show_window(tmp_path)
    sent: list[str] = []
    window.notices._send = lambda title, text: bool(sent.append(title))
    window.setWindowState(Qt.WindowState.WindowMinimized)
    qtbot.waitUntil(lambda: not window.isActiveWindow())
    window._notify_system("“a” is done", "")
    window.set_preferences(STILL.model_copy(update={"notify": False}))
    window._notify_system("“b” is done", "")
    assert sent == ["“a” is done"]
    end_window(window)
