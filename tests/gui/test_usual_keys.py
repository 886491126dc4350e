"""Keys do what they do in other programs; the window is named after its document."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.panels.summarise.state import Phase
from tests.helpers.windows import desk, end_window, open_file, show_window, texts, the_menu

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def own_window(qtbot: QtBot, home: Path) -> Iterator[MainWindow]:
    """A window that the test may close."""
    window = show_window(home)
    yield window
    end_window(window)


def test_enter_presses_the_focused_button(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    rows, before = desk(window).summary.list, texts(window)
    rows.drop_requested.emit(0)
    undo = desk(window).summary._undo
    undo.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(undo, Qt.Key.Key_Return)
    assert texts(window) == before


def test_ctrl_y_does_again_what_ctrl_z_took_back(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    desk(window).summary.list.drop_requested.emit(0)
    dropped = texts(window)
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL)
    assert texts(window) != dropped
    QTest.keyClick(window, Qt.Key.Key_Y, CTRL)
    assert texts(window) == dropped


def test_ctrl_s_offers_the_formats(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    QTest.keyClick(window, Qt.Key.Key_S, CTRL)
    assert any(".docx" in action.text() for action in the_menu(window).actions())


def test_ctrl_w_closes_the_document(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    assert window.windowTitle() == "The clock that listens to the sea – Epitome"
    QTest.keyClick(window, Qt.Key.Key_W, CTRL)
    assert desk(window).state.phase is Phase.EMPTY
    assert window.isVisible()
    assert window.windowTitle() == "Epitome"
    QTest.keyClick(window, Qt.Key.Key_W, CTRL)
    assert window.isVisible()


def test_ctrl_q_closes_the_window(qtbot: QtBot, own_window: MainWindow) -> None:
    QTest.keyClick(own_window, Qt.Key.Key_Q, CTRL)
    assert not own_window.isVisible()


def test_toasts_leave_the_buttons_of_the_foot_free(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    desk(window).outlet.copy_summary()
    (toast,) = window.toasts.shown
    export = desk(window).summary.export
    top = export.mapTo(window, export.rect().topLeft()).y()
    assert toast.geometry().bottom() - 16 < top  # its shadow
    open_file(qtbot, window)
    assert not window.toasts.shown


def test_the_window_is_named_after_a_file_that_cannot_be_read(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    old = tmp_path / "minutes.doc"
    old.write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + bytes(900))
    open_file(qtbot, window, old, Phase.FAILED)
    assert window.windowTitle() == "minutes.doc – Epitome"
