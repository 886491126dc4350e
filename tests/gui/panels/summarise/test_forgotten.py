"""What private mode and forgetting leave of documents that are just being read: nothing."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from core.jobs.sources.sources import SourceRef
from gui.main_window import MainWindow
from gui.panels.summarise.state import Phase
from tests.helpers.windows import (
    ARTICLE,
    PATENT,
    REPORT,
    desk,
    open_file,
    toasts,
    wait_for,
)


def kept(window: MainWindow) -> list[str]:
    """The kept copies of documents."""
    return [path.name for path in window.folders.sessions.rglob("*.bin")]


def begin_reading(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    desk(window).open_source(SourceRef(path=path))
    wait_for(qtbot, window, Phase.READING)


def set_private(window: MainWindow, private: bool) -> None:
    window.set_preferences(window.preferences.model_copy(update={"private": private}))


def test_nothing_is_kept_when_private_mode_comes_while_a_document_is_read(
    qtbot: QtBot, window: MainWindow
) -> None:
    begin_reading(qtbot, window, PATENT)
    set_private(window, True)
    wait_for(qtbot, window)
    qtbot.waitUntil(lambda: not kept(window))
    assert [path.name for path in window.folders.sessions.iterdir()] == ["door.lock"]


def test_a_document_is_kept_when_private_mode_ends_before_it_is_read(
    qtbot: QtBot, window: MainWindow
) -> None:
    begin_reading(qtbot, window, PATENT)
    set_private(window, True)
    set_private(window, False)
    wait_for(qtbot, window)
    session = desk(window).saver.session
    assert session is not None
    qtbot.waitUntil(session.copy_file().exists)
    qtbot.waitUntil(lambda: len(kept(window)) == 1)


def test_nothing_is_kept_of_a_document_that_is_read_ahead_and_forgotten(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_file(qtbot, window, ARTICLE)
    desk(window).open_files([ARTICLE, PATENT, REPORT])

    def is_ahead() -> bool:
        opened = desk(window).documents
        return any(
            each is not opened.shown and each.state.phase is Phase.READING for each in opened.all
        )

    qtbot.waitUntil(is_ahead)
    window.forget_everything()
    assert desk(window).opener.run is None
    qtbot.waitUntil(lambda: "Everything is forgotten" in toasts(window))
    open_file(qtbot, window, ARTICLE)  # the engine is done with whatever was read before
    session = desk(window).saver.session
    assert session is not None
    folders = [path.name for path in window.folders.sessions.iterdir() if path.is_dir()]
    assert folders == [session.folder.name] and len(kept(window)) == 1
