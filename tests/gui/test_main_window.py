"""The window as a whole: failures and ways back, what is remembered, folding."""

import os
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.errors import EpitomeError
from core.jobs.documents.open_document import DocumentRanked
from core.jobs.sources.sources import SourceRef
from core.library.folders import Folders
from core.library.preferences import load_preferences
from core.library.recent import Recents
from core.summaries.summary import Length
from gui.main_window import MainWindow
from gui.panels.summarise.state import Phase
from gui.panels.summarise.summary.choices import Choices
from gui.theme.theme import Theme
from gui.widgets.display.strip import Strip
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.field import PasswordField
from tests.helpers.killing import KILL, KILLED
from tests.helpers.patience import PATIENCE_S
from tests.helpers.pdf_maker import encrypted, long_report
from tests.helpers.windows import (
    ARTICLE,
    LOCKED_TEXT,
    PATENT,
    SECRET,
    STILL,
    WIDE,
    desk,
    drop,
    end_window,
    failing,
    files_data,
    locked,
    open_file,
    show_phase,
    show_window,
    texts,
    toasts,
    wait_for,
    words_on,
)

MEDIUM, SMALL = (1000, 700), (720, 450)


@pytest.fixture
def own_window(qtbot: QtBot, home: Path) -> Iterator[MainWindow]:
    """A window of the test's own, for what would disturb others."""
    window = show_window(home)
    yield window
    end_window(window)


class ShownWindows(QObject):
    """Notes every widget that is shown as a window of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.names.append(type(watched).__name__)
        return False


def test_no_part_of_the_window_is_shown_as_a_window_before_it_has_its_place(
    qtbot: QtBot, home: Path
) -> None:
    application, shown = QApplication.instance(), ShownWindows()
    assert application is not None
    application.installEventFilter(shown)
    window = show_window(home)
    open_file(qtbot, window, ARTICLE)
    application.removeEventFilter(shown)
    assert shown.names == ["MainWindow"]
    qtbot.waitUntil(window.isActiveWindow)
    end_window(window)


def child_of(window: MainWindow) -> int:
    return window.controller.engine.child_pid


def button(part: QWidget, name: str) -> Button:
    """The visible button of a name in a part of the window."""
    found = [b for b in part.findChildren(Button) if b.isVisible() and b.accessibleName() == name]
    assert len(found) == 1, [b.accessibleName() for b in part.findChildren(Button)]
    return found[0]


def click(qtbot: QtBot, target: QWidget) -> None:
    qtbot.mouseClick(target, Qt.MouseButton.LeftButton)


# What cannot be read


@pytest.mark.parametrize(
    "kind", ["scan", "empty", "binary", "picture", "broken", "short", "vanished"]
)
def test_failure_is_told_with_its_remedy_and_the_summary_before_is_a_click_away(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, kind: str
) -> None:
    open_file(qtbot, window)
    before = texts(window)
    path, said = failing(kind, tmp_path)
    open_file(qtbot, window, path, Phase.FAILED)
    panel, failure = desk(window), desk(window).state.failure
    assert failure is not None
    shown = words_on(panel.failure)
    assert said in failure.message
    assert failure.message.rstrip(".") in shown
    assert failure.remedy in shown
    assert failure.remedy
    assert panel.failure.isVisible()
    assert window.focusWidget() is button(panel.failure, "Open another file")
    click(qtbot, button(panel.failure, "Go back"))
    assert panel.state.phase is Phase.READY
    assert texts(window) == before
    assert panel.source.view.look.marks.of(1), "its evidence is marked again"


def test_a_failure_with_nothing_before_offers_no_way_back(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    open_file(qtbot, window, failing("empty", tmp_path)[0], Phase.FAILED)
    shown = [b for b in desk(window).failure.findChildren(QPushButton) if b.isVisible()]
    assert "Go back" not in [b.text() for b in shown]
    open_file(qtbot, window)


def test_try_again_reads_the_mended_file(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path, _ = failing("empty", tmp_path)
    open_file(qtbot, window, path, Phase.FAILED)
    path.write_text(LOCKED_TEXT * 3, "utf-8")
    click(qtbot, button(desk(window).failure, "Try again"))
    wait_for(qtbot, window)


def test_locked_pdf_opens_with_its_password_which_is_kept_nowhere(
    qtbot: QtBot, own_window: MainWindow, tmp_path: Path
) -> None:
    window, panel = own_window, desk(own_window)
    open_file(qtbot, window, locked(tmp_path), Phase.FAILED)
    field = panel.failure.findChildren(PasswordField)[0]
    assert window.focusWidget() is field
    field.setText("wrong one")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert panel.state.phase is Phase.READING
    wait_for(qtbot, window, Phase.FAILED)
    assert panel.state.failure is not None
    assert "password" in panel.state.failure.message.lower()
    field = next(f for f in panel.failure.findChildren(PasswordField) if f.isVisible())
    assert field.text() == ""
    assert window.focusWidget() is field
    field.setText(SECRET)
    click(qtbot, button(panel.failure, "Unlock and summarise"))
    wait_for(qtbot, window)
    assert "lantern was lit" in " ".join(texts(window))
    qtbot.waitUntil(lambda: bool(window.recents.read()))
    qtbot.waitUntil(lambda: any(window.folders.sessions.glob("*/state.json")))
    assert panel.state.opened is not None
    assert panel.state.opened.source.password == ""
    assert panel.state.pending is None or panel.state.pending.password == ""
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.name == "document.bin" for path in kept)
    for path in kept:
        assert SECRET.encode() not in path.read_bytes(), path


def test_a_locked_file_is_summarised_as_it_was_once_it_is_unlocked(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = str(locked(tmp_path))
    window.show_panel("summarise", file=path, length="2s", language="en", pinned="3")
    for password in ("wrong one", SECRET):
        wait_for(qtbot, window, Phase.FAILED)
        desk(window).intake.unlock(password)
    wait_for(qtbot, window)
    opened = desk(window).state.opened
    assert opened is not None
    assert opened.choices == Choices(Length(2), frozenset({3}), language="en")


def test_undo_does_not_take_a_typed_password_away(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "locked.pdf"
    path.write_bytes(encrypted(SECRET))
    open_file(qtbot, window, path, Phase.FAILED)
    field = desk(window).failure.findChildren(PasswordField)[0]
    field.setText("half a pass")
    desk(window).undo()
    assert desk(window).failure.findChildren(PasswordField)[0].text() == "half a pass"


def test_going_back_brings_the_kept_copy_back_too(
    qtbot: QtBot, own_window: MainWindow, tmp_path: Path
) -> None:
    window = own_window
    open_file(qtbot, window)
    kept = next(window.folders.sessions.glob("*/document.bin"))
    qtbot.waitUntil(lambda: kept.exists())
    article = kept.read_bytes()
    desk(window).open_source(SourceRef(text=LOCKED_TEXT * 400))
    qtbot.waitUntil(lambda: kept.read_bytes() != article)
    if desk(window).cancel():
        qtbot.waitUntil(lambda: kept.read_bytes() == article)


# The part that reads


def test_reader_killed_from_outside_is_told_and_started_again(
    qtbot: QtBot, own_window: MainWindow, tmp_path: Path
) -> None:
    window, panel = own_window, desk(own_window)
    open_file(qtbot, window)
    before, killed = texts(window), child_of(window)
    path = tmp_path / "long.pdf"
    path.write_bytes(long_report(60, 30_000))
    kill_while_it_reads(qtbot, window, SourceRef(path=path))
    assert f"ended early: {KILLED}" in words_on(panel.failure)
    assert "it has been started again" in words_on(panel.failure)
    assert psutil.pid_exists(child_of(window))
    assert child_of(window) != killed
    click(qtbot, button(panel.failure, "Go back"))
    assert texts(window) == before
    open_file(qtbot, window, PATENT)


def test_text_pasted_when_the_reader_was_killed_is_still_there(
    qtbot: QtBot, own_window: MainWindow
) -> None:
    window = own_window
    kill_while_it_reads(qtbot, window, SourceRef(text=LOCKED_TEXT * 4000))
    QGuiApplication.clipboard().clear()
    click(qtbot, button(desk(window).failure, "Try again"))
    wait_for(qtbot, window)


def begin_reading(qtbot: QtBot, window: MainWindow, source: SourceRef) -> None:
    desk(window).open_source(source)
    progress = desk(window).state
    qtbot.waitUntil(lambda: progress.progress is not None)


def kill_while_it_reads(qtbot: QtBot, window: MainWindow, source: SourceRef) -> None:
    begin_reading(qtbot, window, source)
    with qtbot.waitSignal(window.controller.engine.restarted):
        os.kill(child_of(window), KILL)
    wait_for(qtbot, window, Phase.FAILED)


@pytest.mark.parametrize("by", ["key", "button", "status bar"])
@pytest.mark.parametrize("with_one_open", [True, False])
def test_reading_can_be_cancelled_and_what_was_open_comes_back(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, by: str, with_one_open: bool
) -> None:
    panel = desk(window)
    if with_one_open:
        open_file(qtbot, window)
    path = tmp_path / "large.txt"
    path.write_text(LOCKED_TEXT * 8000, "utf-8")
    begin_reading(qtbot, window, SourceRef(path=path))
    if by == "key":
        qtbot.keyClick(window, Qt.Key.Key_Escape)
    elif by == "button":
        click(qtbot, button(panel.summary, "Cancel"))
    else:
        click(qtbot, window.status.cancel_button)
    assert panel.state.phase is (Phase.READY if with_one_open else Phase.EMPTY)
    if with_one_open:
        assert panel.summary.list.isVisible()
        assert panel.state.opened is not None
        assert panel.source.view.document is panel.state.opened.document
    assert window.status.text == "Stopped. Nothing was changed."
    assert not window.status.cancel_button.isVisible()
    open_file(qtbot, window)


def test_what_is_shown_stays_when_escape_comes_as_the_reading_ends(
    qtbot: QtBot, window: MainWindow
) -> None:
    panel = desk(window)
    panel.open_source(SourceRef(path=ARTICLE))
    assert panel.opener.run is not None
    panel.opener.run.happened.connect(
        lambda event: window.escape() if isinstance(event, DocumentRanked) else None
    )
    qtbot.waitUntil(lambda: panel.opener.run is None)
    assert panel.state.phase is Phase.READY


# What is remembered


def test_settings_are_saved_and_come_back(qtbot: QtBot, home: Path) -> None:
    window = show_window(home)
    file = window.folders.settings_file
    window.panel("settings").preferences_changed.emit(
        STILL.model_copy(update={"theme": "dark", "line_width": 62, "length": "120w"})
    )
    window.set_reading_size(20)
    qtbot.waitUntil(
        lambda: file.exists() and tomllib.loads(file.read_text("utf-8"))["reading_size"] == 20
    )
    end_window(window)
    preferences, note = load_preferences(file)
    assert note == ""
    again = show_window(home, preferences=preferences)
    try:
        assert again.theme.is_dark
        assert again.theme.reading_size == 20
        assert desk(again).source.view.measure == 62
        assert desk(again).state.length == Length(120, "words")
    finally:
        end_window(again)


def test_a_window_that_is_closed_as_it_is_painted_says_nothing_more(
    qtbot: QtBot, home: Path
) -> None:
    theme = Theme(scheme="light", motion="off")
    window = MainWindow(theme, STILL, Folders.under(home))
    window.grab()
    end_window(window)
    QApplication.processEvents()


def test_a_setting_changed_just_before_the_end_is_saved(qtbot: QtBot, home: Path) -> None:
    window = show_window(home)
    for size in range(15, 22):
        window.set_reading_size(size)
    end_window(window)
    assert load_preferences(window.folders.settings_file)[0].reading_size == 21


def test_private_mode_holds_in_all_windows_whatever_else_is_set_in_them(
    qtbot: QtBot, home: Path
) -> None:
    first = show_window(home)
    second = show_window(home)
    file = first.folders.settings_file
    try:
        open_file(qtbot, second)
        assert desk(second).saver.session is not None
        second.set_preferences(second.preferences.model_copy(update={"theme": "dark"}))
        qtbot.waitUntil(lambda: load_preferences(file)[0].theme == "dark")
        first.set_preferences(first.preferences.model_copy(update={"private": True}))
        qtbot.waitUntil(lambda: load_preferences(file)[0].private)
        first.activateWindow()
        qtbot.waitUntil(first.isActiveWindow)
        second.activateWindow()
        qtbot.waitUntil(lambda: second.preferences.private)
        assert desk(second).saver.session is None
        second.set_reading_size(20)
        qtbot.waitUntil(lambda: load_preferences(file)[0].reading_size == 20)
    finally:
        end_window(second)
        end_window(first)
    assert load_preferences(file)[0].private
    assert load_preferences(file)[0].theme == "dark"


def test_private_mode_that_is_turned_off_and_on_leaves_no_copy(qtbot: QtBot, home: Path) -> None:
    window = show_window(home)
    try:
        open_file(qtbot, window)
        qtbot.waitUntil(lambda: any(window.folders.sessions.glob("*/state.json")))
        for is_private in (True, False, True):
            window.set_preferences(STILL.model_copy(update={"private": is_private}))
        qtbot.waitUntil(lambda: not any(window.folders.sessions.glob("*/")))
    finally:
        end_window(window)


def test_what_another_window_set_before_does_not_undo_a_change(qtbot: QtBot, home: Path) -> None:
    window = show_window(home)
    try:
        for is_private in (True, False, True):
            window._kept_preferences.look()
            window.set_preferences(STILL.model_copy(update={"private": is_private}))
        written: list[str] = []
        window.keeper.kept.connect(written.append)
        window.keeper.keep("last", lambda: None)
        qtbot.waitUntil(lambda: "last" in written)
        assert window.preferences.private
        assert load_preferences(window.folders.settings_file)[0].private
    finally:
        end_window(window)


def test_what_waits_at_the_end_and_cannot_be_written_takes_nothing_else_with_it(
    qtbot: QtBot, home: Path
) -> None:
    window = show_window(home)
    is_free = threading.Event()
    window.keeper.keep("slow", lambda: is_free.wait(PATIENCE_S))
    window.show_panel("history")  # its place waits to be written

    def fail() -> None:
        raise EpitomeError("The disk is full.", "Make room.")

    window.keeper.keep("recents", fail)
    window.set_preferences(STILL.model_copy(update={"private": True}))
    window.resize(790, 690)
    desk(window).columns.set_share(0.4)
    is_free.set()
    end_window(window)
    assert load_preferences(window.folders.settings_file)[0].private
    again = show_window(home)
    try:
        assert (again.width(), again.height()) == (790, 690)
        assert desk(again).columns.share == pytest.approx(0.4, abs=0.001)
        assert again.panel("history").isVisible()
    finally:
        end_window(again)


def test_place_and_columns_are_remembered(qtbot: QtBot, home: Path) -> None:
    window = show_window(home)
    window.resize(790, 690)
    desk(window).columns.set_share(0.4)
    window.show_panel("settings")
    end_window(window)
    again = show_window(home)
    try:
        assert (again.width(), again.height()) == (790, 690)
        assert desk(again).columns.share == pytest.approx(0.4, abs=0.001)
        assert again.panel("settings").isVisible()
    finally:
        end_window(again)


@pytest.mark.parametrize(
    "written", ["{", '{"panel": "gone"}', '{"geometry": "bm9uc2Vuc2U=", "splitters": {}}', "[]"]
)
def test_a_damaged_memory_of_the_window_stops_nothing(
    qtbot: QtBot, home: Path, written: str
) -> None:
    file = home / "data" / "window.json"
    file.parent.mkdir(parents=True)
    file.write_text(written, "utf-8")
    window = show_window(home)
    try:
        assert window.panel("summarise").isVisible()
    finally:
        end_window(window)


def test_damaged_settings_are_told_at_the_start(qtbot: QtBot, home: Path) -> None:
    file = home / "config" / "settings.toml"
    file.parent.mkdir(parents=True)
    file.write_text("reading_size = 'huge'", "utf-8")
    preferences, note = load_preferences(file)
    window = show_window(home, preferences=preferences, note=note)
    try:
        (said,) = toasts(window)
        assert "reading_size" in said
        assert "It is kept as" in said
    finally:
        end_window(window)


def test_theme_can_be_switched_while_a_document_is_open(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    before = texts(window)
    light = window.grab().toImage()
    for theme in ("dark", "light"):
        window.panel("settings").preferences_changed.emit(STILL.model_copy(update={"theme": theme}))
        assert window.theme.is_dark is (theme == "dark")
        surface = window.theme.color("surface")
        picture = window.grab().toImage()
        assert picture.pixelColor(*middle_of(desk(window).header, window)) == surface
    assert picture == light
    assert texts(window) == before


def middle_of(part: QWidget, window: MainWindow) -> tuple[int, int]:
    at = part.mapTo(window, QPoint(part.width() - 4, 4))
    return at.x(), at.y()


def test_a_document_can_be_dropped_on_the_settings(qtbot: QtBot, window: MainWindow) -> None:
    window.show_panel("settings")
    assert window.acceptDrops()
    assert drop(window, files_data(ARTICLE))
    assert window.panel("summarise").isVisible()
    wait_for(qtbot, window)


# Folding


PHASES = ("empty", "reading", "ready", "found", "locked", "failed", "settings")


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("size", [WIDE, (1199, 800), MEDIUM, (880, 600), SMALL])
def test_nothing_overlaps_or_is_cut_at_any_width(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, size: tuple[int, int], phase: str
) -> None:
    window.resize(*size)
    show_phase(qtbot, window, phase, tmp_path)
    qtbot.waitUntil(lambda: (window.width(), window.height()) == size)
    for part in strips(window):
        shown = [w for w in children(part) if w.isVisible() and not w.visibleRegion().isEmpty()]
        for widget in shown:
            assert part.rect().contains(widget.geometry()), f"{said(widget)} is cut by {said(part)}"
        for first, second in pairs(shown):
            common = first.geometry() & second.geometry()
            assert common.isEmpty(), f"{said(first)} lies over {said(second)}"
    for control in controls(window):
        least = control.minimumSizeHint()
        assert control.width() >= least.width(), f"{said(control)} is squeezed"


def strips(window: MainWindow) -> list[QWidget]:
    panel = desk(window)
    parts: list[QWidget] = [
        window.rail,
        window.status,
        panel.header,
        panel.summary.foot,
        panel.summary.length,
        *panel.findChildren(Strip),
    ]
    return [part for part in parts if part.isVisible()]


def children(part: QWidget) -> list[QWidget]:
    found = part.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return [widget for widget in found if not widget.isWindow()]


def pairs(widgets: list[QWidget]) -> list[tuple[QWidget, QWidget]]:
    return [(a, b) for i, a in enumerate(widgets) for b in widgets[i + 1 :]]


def controls(window: MainWindow) -> list[QWidget]:
    return [
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]


def said(widget: QWidget) -> str:
    text = widget.accessibleName() or getattr(widget, "text", lambda: "")()
    return f"{type(widget).__name__} “{text}” {widget.geometry().getRect()}"


def test_the_window_keeps_its_least_size(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(300, 200)
    qtbot.waitUntil(lambda: (window.width(), window.height()) == SMALL)


def test_both_sides_and_export_are_in_reach_when_narrow(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(*MEDIUM)
    open_file(qtbot, window)
    panel = desk(window)
    assert panel.header.export.isVisible()
    assert panel.summary.list.isVisible()
    assert not panel.source.view.isVisible()
    click(qtbot, panel.header.switch.part("source"))
    assert panel.source.view.isVisible()
    assert not panel.summary.list.isVisible()


def test_nothing_overlaps_when_the_screen_is_scaled_to_three_hundred_per_cent() -> None:
    # The scale is fixed when Qt starts: so these tests are run again in a process of their own.
    chosen = "nothing_overlaps and (ready or settings) and size4"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", chosen, __file__],
        env=os.environ | {"QT_SCALE_FACTOR": "3"},
        capture_output=True,
        text=True,
        timeout=3 * PATIENCE_S,  # each of the two has the usual patience, and Qt must start
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout


def test_recents_that_cannot_be_cleared_are_told(window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    usual, window.recents = window.recents, Recents(tmp_path / "file" / "recents.json")
    window.panel("settings").clear_recents_requested.emit()
    window.recents = usual
    assert "cannot be written" in toasts(window)[-1]
