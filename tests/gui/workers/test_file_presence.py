"""A disk that does not answer stops nothing."""

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.library.folders import Folders
from core.library.recent import MOST_RECENTS, Recent, Recents, file_is_missing
from gui.panels.summarise.documents.recent_menu import RecentMenu
from gui.theme.theme import Theme
from gui.workers.file_presence import FilePresence
from tests.helpers.dead_disks import dead_disk
from tests.helpers.windows import desk, end_window, open_file, show_window, texts, the_menu


@pytest.fixture
def owner(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


def test_the_menu_is_there_before_the_disk_answers(
    qtbot: QtBot, theme: Theme, owner: QWidget
) -> None:
    answers, asked = threading.Event(), []

    def wait(path: str) -> bool:
        asked.append(path)
        return answers.wait(20)

    presence = FilePresence(wait)
    recents = [Recent("/net/slow.pdf", "Slow")]
    menu = RecentMenu(theme, owner, recents, presence, lambda path: None)
    (item,) = menu.actions()
    assert item.isEnabled()
    again = RecentMenu(theme, owner, recents, presence, lambda path: None)
    with qtbot.waitSignal(presence.known):
        answers.set()
    assert not item.isEnabled() and "cannot be found" in item.toolTip()
    assert not again.actions()[0].isEnabled()
    assert asked == ["/net/slow.pdf"], "one thread for one path"


def test_what_is_missing_is_marked_and_what_is_there_is_not(
    qtbot: QtBot, theme: Theme, owner: QWidget, tmp_path: Path
) -> None:
    there, gone = tmp_path / "there.txt", tmp_path / "gone.txt"
    there.touch()
    presence = FilePresence(file_is_missing)
    with qtbot.waitSignals([presence.known] * 2):
        menu = RecentMenu(
            theme,
            owner,
            [Recent(str(there), "There"), Recent(str(gone), "Gone")],
            presence,
            lambda path: None,
        )
    assert [item.isEnabled() for item in menu.actions()] == [True, False]


def test_a_file_is_looked_for_again_once_the_disk_has_answered(
    qtbot: QtBot, owner: QWidget, tmp_path: Path
) -> None:
    file = tmp_path / "comes back.txt"
    presence, told = FilePresence(file_is_missing), []
    presence.known.connect(lambda path, is_missing: told.append(is_missing))
    for _ in range(2):
        with qtbot.waitSignal(presence.known):
            presence.ask([str(file)])
        file.touch()
    assert told == [True, False]


def test_a_window_whose_recent_documents_are_on_a_dead_disk_waits_for_none(
    qtbot: QtBot, home: Path, tmp_path: Path
) -> None:
    network = tmp_path / "network"
    recents = Recents(Folders.under(home).recents_file)
    for number in range(MOST_RECENTS):
        recents.add(Recent(str(network / f"{number}.pdf"), f"Report {number}"))
    with dead_disk(network) as disk:
        window = show_window(home)
        qtbot.mouseClick(desk(window).header._recent, Qt.MouseButton.LeftButton)
        menu = the_menu(window)
        assert len(menu.actions()) == MOST_RECENTS
        qtbot.waitUntil(lambda: len(disk.waiting) == MOST_RECENTS)
        assert all(action.isEnabled() for action in menu.actions())
        menu.close()
        open_file(qtbot, window)
        assert texts(window)
        end_window(window)
        assert all(thread.is_alive() for thread in disk.waiting), "the disk has not answered"
        assert disk.asked_by_main == []
