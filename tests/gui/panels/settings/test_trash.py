"""The trash in Settings: from the panels to it, restored, deleted for good."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.jobs.call import CallJob
from core.jobs.models.trash_model import trash_model
from gui.main_window import MainWindow
from gui.panels.settings.panel import SettingsPanel
from gui.panels.settings.trash import TrashList
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.dialog import ConfirmDialog
from gui.workers.inline import run_now
from tests.helpers.models import a_model
from tests.helpers.windows import toasts, words_on


@pytest.fixture
def deleted(window: MainWindow) -> Path:
    """The place of a model in the trash."""
    for left in (window.folders.runs, window.folders.trash):  # by an earlier test of the module
        shutil.rmtree(left, ignore_errors=True)
    folder = a_model(window.folders.runs, "tuned")
    return run_now(CallJob(trash_model, folder, window.folders)).result  # type: ignore[attr-defined, no-any-return]


def shown(qtbot: QtBot, window: MainWindow, num_items: int) -> TrashList:
    panel = window.shown
    assert isinstance(panel, SettingsPanel) and panel.trash is not None
    trash = panel.trash
    qtbot.waitUntil(lambda: trash.isVisible() and len(trash.rows) == num_items)
    qtbot.waitUntil(lambda: all(row.isVisible() for row in trash.rows))
    return trash


@pytest.mark.parametrize("name", ["models", "train", "corpus"])
def test_a_panel_that_is_shown_first_has_the_focus_elsewhere_than_on_its_trash(
    qtbot: QtBot, window: MainWindow, deleted: Path, name: str
) -> None:
    qtbot.waitUntil(window.isActiveWindow)
    window.show_panel(name)
    focus = QApplication.focusWidget()
    assert focus is not None and window.shown.isAncestorOf(focus)
    assert focus.accessibleName() != "What is in the trash"


def trash_button(window: MainWindow) -> Button:
    """The button of the panel that is shown which leads to the trash."""
    buttons = [each for each in window.shown.findChildren(Button) if each.isVisible()]
    (button,) = [each for each in buttons if each.accessibleName() == "What is in the trash"]
    return button


@pytest.mark.parametrize("name", ["models", "train", "corpus"])
def test_the_trash_is_a_click_away_from_what_is_deleted(
    qtbot: QtBot, window: MainWindow, deleted: Path, name: str
) -> None:
    window.show_panel(name)
    button = trash_button(window)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.rail.value == "settings"
    trash = shown(qtbot, window, 1)
    assert "tuned" in words_on(trash) and "deleted in 30 days" in words_on(trash)
    assert window.panel("settings").page == "trash"  # type: ignore[attr-defined]
    qtbot.mouseClick(trash.rows[0].restore, Qt.MouseButton.LeftButton)
    shown(qtbot, window, 0)
    assert (window.folders.runs / "tuned").is_dir()
    assert "The trash is empty." in words_on(trash) and not trash.empty.isVisible()
    assert toasts(window)[-1] == "“tuned” is restored"


def test_the_trash_is_used_by_keyboard(qtbot: QtBot, window: MainWindow, deleted: Path) -> None:
    qtbot.waitUntil(window.isActiveWindow)
    window.show_panel("models")
    qtbot.keyClick(trash_button(window), Qt.Key.Key_Return)
    trash = shown(qtbot, window, 1)
    passed = []
    for _ in range(4):
        focus = QApplication.focusWidget()
        assert focus is not None
        passed.append(focus.accessibleName() or focus.text())  # type: ignore[attr-defined]
        qtbot.keyClick(focus, Qt.Key.Key_Tab)
    name = "Delete tuned for good…"
    assert passed == ["Trash", "Empty the trash…", "Restore tuned", name]
    trash.rows[0].restore.setFocus()
    qtbot.keyClick(trash.rows[0].restore, Qt.Key.Key_Return)
    shown(qtbot, window, 0)


@pytest.mark.parametrize("sure", [False, True])
def test_it_is_deleted_for_good_only_after_a_question(
    qtbot: QtBot, window: MainWindow, deleted: Path, sure: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def ask(theme: object, title: str, text: str, **named: object) -> bool:
        asked.append((title, text, str(named["deed"])))
        return sure

    monkeypatch.setattr(ConfirmDialog, "ask", ask)
    window.act("trash")
    trash = shown(qtbot, window, 1)
    qtbot.mouseClick(trash.rows[0].delete, Qt.MouseButton.LeftButton)
    ((title, text, deed),) = asked
    assert title == "Delete “tuned” for good?" and "cannot be restored" in text
    assert deed.startswith("Delete ") and deed.endswith("kB")
    shown(qtbot, window, 0 if sure else 1)
    assert deleted.exists() is not sure
    if not sure:
        monkeypatch.setattr(ConfirmDialog, "ask", lambda *_, **__: True)
        trash.empty.click()
        shown(qtbot, window, 0)
        assert not deleted.exists()
