"""Toasts, status bar, progress bar, chips, skeleton: what the window tells."""

from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QContextMenuEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from core.numbers import THIN_SPACE
from gui.job_list import JobList
from gui.theme.theme import Theme
from gui.widgets.chrome import status_bar, toast
from gui.widgets.chrome.job_popup import JobPopup
from gui.widgets.chrome.status_bar import StatusBar, memory_text
from gui.widgets.chrome.toast import MAX_TOASTS, Toasts
from gui.widgets.display.chip import Chip
from gui.widgets.display.progress import ProgressBar
from gui.widgets.display.skeleton import Skeleton
from gui.widgets.inputs.menu import Menu
from gui.widgets.support.focus_ring import FocusRing


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1000, 700)
    with qtbot.waitExposed(window):
        window.show()
    return window


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a screen reader would say."""
    sentences: list[str] = []

    def listen(widget: QWidget, sentence: str, *, urgent: bool = False) -> None:
        sentences.append(sentence)

    monkeypatch.setattr(toast, "announce", listen)
    monkeypatch.setattr(status_bar, "announce", listen)
    return sentences


def test_at_most_three_toasts_the_oldest_leaves(
    window: QWidget, theme: Theme, heard: list[str]
) -> None:
    toasts = Toasts(window, theme)
    for number in range(MAX_TOASTS + 1):
        toasts.show("ok", f"Exported {number}")
    assert [shown.sentence for shown in toasts.shown] == [f"Exported {n}" for n in (1, 2, 3)]
    assert heard == [f"Exported {n}" for n in range(4)]


def test_news_of_the_same_thing_does_not_stack(window: QWidget, theme: Theme) -> None:
    toasts = Toasts(window, theme)
    toasts.show("ok", "Copied the summary", about="summary")
    toasts.show("err", "The disk is full")
    toasts.show("ok", "Exported", about="summary")
    toasts.show("err", "The disk is full")
    assert [toast.sentence for toast in toasts.shown] == ["Exported", "The disk is full"]


def test_stale_news_leaves(window: QWidget, theme: Theme) -> None:
    toasts = Toasts(window, theme)
    toasts.show("err", "Not exported", about="summary")
    toasts.show("warn", "No disk")
    toasts.dismiss("summary")
    assert [toast.sentence for toast in toasts.shown] == ["No disk"]


def test_toasts_stand_above_the_status_bar_without_touching(window: QWidget, theme: Theme) -> None:
    toasts = Toasts(window, theme, bottom_px=28)
    first = toasts.show("ok", "One")
    second = toasts.show("err", "Two", "And more")
    window.resize(900, 600)
    room = 16  # for the shadow
    assert second.geometry().bottom() - room < 600 - 28
    assert first.geometry().bottom() - room < second.geometry().top() + room
    assert second.geometry().right() - room < 900


def test_action_of_a_toast_acts_and_closes(qtbot: QtBot, window: QWidget, theme: Theme) -> None:
    toasts = Toasts(window, theme)
    done: list[str] = []
    shown = toasts.show("ok", "Exported", action="Show", on_action=lambda: done.append("shown"))
    qtbot.mouseClick(shown.action, Qt.MouseButton.LeftButton)
    assert done == ["shown"]
    assert toasts.shown == ()


def test_error_toast_stays_until_closed(qtbot: QtBot, window: QWidget, theme: Theme) -> None:
    toasts = Toasts(window, theme)
    good, bad = toasts.show("ok", "Exported"), toasts.show("err", "Not exported")
    assert good.leaves_by_itself
    assert not bad.leaves_by_itself
    qtbot.mouseClick(bad.close_button, Qt.MouseButton.LeftButton)
    assert toasts.shown == (good,)


@pytest.fixture
def jobs() -> JobList:
    return JobList()


@pytest.fixture
def bar(qtbot: QtBot, theme: Theme, jobs: JobList) -> Iterator[StatusBar]:
    """A status bar in a window of its own, as at the foot of the program's."""
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 400)
    bar = StatusBar(theme, jobs, window)
    bar.setGeometry(0, 372, 900, 28)
    window.show()
    yield bar


def test_status_bar_shows_progress_and_announces_tenths(
    bar: StatusBar, jobs: JobList, heard: list[str]
) -> None:
    for percent in range(26):
        jobs.report("read", "Reading patent.pdf", share=percent / 100)
    assert heard == [f"Reading patent.pdf: {n}{THIN_SPACE}%" for n in (10, 20)]
    assert bar.text == "Reading patent.pdf…"  # the ring stands still
    jobs.end("read", "done", "Read all 14 962 words.")
    assert heard[-1] == "Read all 14 962 words."
    assert bar.text == "Read all 14 962 words."
    assert bar.cancel_button.isHidden()


def test_status_bar_pauses_resumes_and_cancels_the_running_job(
    qtbot: QtBot, bar: StatusBar, jobs: JobList
) -> None:
    wishes: list[str] = []
    for state in ("running", "paused"):
        jobs.report("train", "Training", state, share=0.4, can_pause=True, obey=wishes.append)
        qtbot.mouseClick(bar.pause_button, Qt.MouseButton.LeftButton)
    assert bar.pause_button.accessibleName() == "Resume"
    qtbot.mouseClick(bar.cancel_button, Qt.MouseButton.LeftButton)
    assert wishes == ["pause", "resume", "cancel"]
    jobs.report("train", "Training", "waiting", can_pause=True, obey=wishes.append)
    assert bar.pause_button.isHidden() and not bar.cancel_button.isHidden()
    jobs.end("train", "stopped")
    assert bar.cancel_button.isHidden()
    assert bar.text == "Ready. No jobs running."


def place(button: QWidget) -> QPoint:
    """Where it stands in the status bar, once all that changed is laid out."""
    QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    return button.mapTo(button.window(), QPoint(0, 0))


def test_pause_and_cancel_stand_still_whatever_is_said(bar: StatusBar, jobs: JobList) -> None:
    def report(key: str, title: str, *state: Any, **how: Any) -> None:
        jobs.report(key, title, *state, obey=print, **how)

    report("a", "Training a", share=0.01, can_pause=True)
    before = place(bar.pause_button), place(bar.cancel_button)
    report("a", "Training a", share=1.0, can_pause=True)
    report("a", "Training something with a longer name", "paused", share=0.5, can_pause=True)
    report("b", "b", "waiting")
    assert (place(bar.pause_button), place(bar.cancel_button)) == before
    report("c", "Reading report.pdf", share=None)  # it cannot be paused
    report("a", "Training a", "waiting")
    assert place(bar.cancel_button) == before[1]


def heard_by(name: str, wishes: list[str]) -> Callable[[str], object]:
    return lambda wish: wishes.append(f"{name} {wish}")


def fill(jobs: JobList, wishes: list[str]) -> None:
    """A running, a waiting and an ended job."""
    jobs.report("corpus", "Making patents")
    jobs.end("corpus", "failed", "The disk is full.")
    jobs.report("a", "Training a", share=0.4, can_pause=True, obey=heard_by("a", wishes))
    jobs.report("b", "Training b", "waiting", obey=heard_by("b", wishes))


@pytest.mark.parametrize("by", ["button", "click", "key"])
def test_the_list_of_jobs_opens_with_the_focus_in_it(
    qtbot: QtBot, bar: StatusBar, jobs: JobList, by: str
) -> None:
    fill(jobs, [])
    assert bar.list_button.text() == "3 jobs"
    assert bar.list_button.accessibleName() == ("Show all jobs: 1 running, 1 waiting, 1 failed")
    if by == "key":
        bar.list_button.setFocus()
        qtbot.keyClick(bar.list_button, Qt.Key.Key_Space)
    else:
        target = bar.list_button if by == "button" else bar
        qtbot.mouseClick(target, Qt.MouseButton.LeftButton, pos=target.rect().center())
    popup = bar.findChild(JobPopup)
    assert popup.isVisible()
    said = [row.accessibleName() for row in popup.rows]
    assert said == [
        f"Training a: 40{THIN_SPACE}%",
        "Training b: Waiting",
        "Making patents: The disk is full.",
    ]
    assert popup.focusWidget() is popup.rows[0].pause
    qtbot.keyClick(popup, Qt.Key.Key_Escape)
    assert not popup.isVisible()


def test_jobs_are_asked_in_the_list_by_keyboard(
    qtbot: QtBot, bar: StatusBar, jobs: JobList
) -> None:
    wishes: list[str] = []
    fill(jobs, wishes)
    bar.open_list()
    popup = bar.findChild(JobPopup)

    def press() -> str:
        focus = popup.focusWidget()
        name = focus.accessibleName()
        qtbot.keyClick(focus, Qt.Key.Key_Space)
        return name

    assert press() == "Pause Training a"
    jobs.report("a", "Training a", "paused", can_pause=True, obey=heard_by("a", wishes))
    assert press() == "Resume Training a", "the focus stays"
    qtbot.keyClick(popup, Qt.Key.Key_Down)
    assert press() == "Cancel Training a"
    qtbot.keyClick(popup, Qt.Key.Key_Tab)
    assert press() == "Cancel Training b"
    qtbot.keyClick(popup, Qt.Key.Key_Down)
    assert press() == "Remove Making patents from the list"
    assert wishes == ["a pause", "a resume", "a cancel", "b cancel"]
    assert [row.accessibleName().partition(":")[0] for row in popup.rows] == [
        "Training a",
        "Training b",
    ]
    for key in "ab":
        jobs.end(key, "stopped", stays=False)
    assert not popup.isVisible(), "there is nothing left to show"
    assert bar.list_button.isHidden()


NOTE = (
    "The disk is full: the checkpoint of step 12 000 could not be written into the folder "
    "/home/somebody/Epitome/data/runs/2026-11-21-reformer-small-a1b2/checkpoints. Free 3.4 GB "
    "there, then resume it; what was learnt until step 11 000 is kept."
)


def test_a_long_note_is_shown_whole(bar: StatusBar, jobs: JobList) -> None:
    for length in range(40, len(NOTE), 20):
        jobs.report("a", "Training a", note=NOTE[:length])
        jobs.report("b", "Training b", note=NOTE)
        bar.open_list()
        popup = bar.findChild(JobPopup)
        popup.grab()  # lays it out
        words = [row._words for row in popup.rows]
        assert [each.height() for each in words] == [
            each.heightForWidth(each.width()) for each in words
        ]
        last = words[-1]
        assert last.mapTo(popup, QPoint(0, last.height())).y() <= popup.height() - 12
        popup.close()


def offer(jobs: JobList, wishes: list[str]) -> None:
    """Three jobs in line, the second with all that a waiting job can be asked for."""
    both = ("move_up", "move_down", "duplicate", "show_folder")
    offers = {"a": both[1:], "b": both, "c": ("move_up", "duplicate", "show_folder")}
    for key, offered in offers.items():
        jobs.report(
            key,
            f"Training {key}",
            "waiting",
            offers=frozenset(offered),  # type: ignore[arg-type]
            obey=heard_by(key, wishes),
        )


def test_the_focus_is_seen_in_the_list_of_jobs(qtbot: QtBot, bar: StatusBar, jobs: JobList) -> None:
    offer(jobs, [])
    bar.open_list()
    popup = bar.findChild(JobPopup)
    for _ in range(3):
        qtbot.keyClick(popup.focusWidget(), Qt.Key.Key_Tab)
    focus, ring = popup.focusWidget(), popup.findChild(FocusRing)
    qtbot.waitUntil(ring.isVisible)
    assert ring.geometry().center() == focus.mapTo(popup, focus.rect().center())


def test_waiting_jobs_are_moved_by_buttons_and_keys(
    qtbot: QtBot, bar: StatusBar, jobs: JobList
) -> None:
    wishes: list[str] = []
    offer(jobs, wishes)
    bar.open_list()
    popup = bar.findChild(JobPopup)
    first, second, third = popup.rows
    assert not first.up.isEnabled() and first.up.toolTip() == "It is the next to run."
    assert not third.down.isEnabled() and third.down.toolTip() == "It is the last."
    second.up.setFocus()
    qtbot.keyClick(second.up, Qt.Key.Key_Space)
    qtbot.keyClick(second.up, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    qtbot.keyClick(second.up, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    third.cancel.setFocus()
    qtbot.keyClick(third.cancel, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert wishes == ["b move_up", "b move_down", "b move_up"]


def test_the_focus_goes_with_a_job_that_moves(qtbot: QtBot, bar: StatusBar, jobs: JobList) -> None:
    offer(jobs, [])
    bar.open_list()
    popup = bar.findChild(JobPopup)
    moved = popup.rows[1]
    moved.up.setFocus()
    jobs.arrange(["b", "a", "c"])
    jobs.report("b", "Training b", "waiting", offers=frozenset({"move_down"}), obey=print)
    assert popup.rows[0] is moved
    assert popup.focusWidget() is moved.down, "up cannot be pressed any more"
    qtbot.keyClick(popup.focusWidget(), Qt.Key.Key_Tab)
    qtbot.keyClick(popup.focusWidget(), Qt.Key.Key_Tab)
    assert popup.focusWidget() in popup.rows[1].controls, "Tab follows the new order"


def test_the_menu_of_a_job_offers_what_works(qtbot: QtBot, bar: StatusBar, jobs: JobList) -> None:
    wishes: list[str] = []
    offer(jobs, wishes)
    jobs.report("d", "Training d", can_pause=True, obey=heard_by("d", wishes))
    jobs.end("d", "failed", "Why.", offers=frozenset({"duplicate"}), obey=heard_by("d", wishes))
    bar.open_list()
    popup = bar.findChild(JobPopup)

    def offered(row: int) -> list[str]:
        return [action.text() for action in popup.rows[row].menu().actions()]

    moves = ["Move up", "Move down", "Duplicate", "Show the folder", "Cancel"]
    assert offered(1) == moves
    assert offered(0) == moves[1:]
    assert offered(3) == ["Try again", "Duplicate", "Remove from the list"]
    popup.rows[3].menu().actions()[1].trigger()
    assert wishes == ["d duplicate"]


@pytest.mark.parametrize("by", ["mouse", "key"])
def test_the_menu_of_a_job_opens_by_right_click_and_by_key(
    qtbot: QtBot, bar: StatusBar, jobs: JobList, by: str
) -> None:
    wishes: list[str] = []
    offer(jobs, wishes)
    bar.open_list()
    row = bar.findChild(JobPopup).rows[1]
    reason = QContextMenuEvent.Reason
    target = row._title if by == "mouse" else row.cancel
    at = target.rect().center()
    event = QContextMenuEvent(
        reason.Mouse if by == "mouse" else reason.Keyboard, at, target.mapToGlobal(at)
    )
    QApplication.sendEvent(target, event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, Menu) and menu.accessibleName() == "Training b"
    qtbot.keyClick(menu, Qt.Key.Key_Down)
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    assert wishes == ["b move_up"]


def test_a_cancelled_job_is_restored_from_the_list(
    qtbot: QtBot, bar: StatusBar, jobs: JobList
) -> None:
    wishes: list[str] = []
    jobs.report("a", "Training a", can_pause=True, obey=print)
    obey = heard_by("a", wishes)
    jobs.end("a", "stopped", "Cancelled.", offers=frozenset({"restore"}), obey=obey)
    bar.open_list()
    (row,) = bar.findChild(JobPopup).rows
    assert row.restore.accessibleName() == "Restore Training a" and not row.pause.isVisible()
    qtbot.mouseClick(row.restore, Qt.MouseButton.LeftButton)
    row.restore.setFocus()
    jobs.report("a", "Training a", "paused", can_pause=True, obey=obey)
    assert bar.findChild(JobPopup).focusWidget() is row.pause, "not the button that cancels again"
    jobs.end("a", "done", "Done.", offers=frozenset({"forget"}), obey=obey)
    qtbot.mouseClick(row.cancel, Qt.MouseButton.LeftButton)
    assert wishes == ["a restore", "a forget"]


def test_memory_is_told_in_gigabytes() -> None:
    assert memory_text(6_200_000_000, 32_000_000_000) == f"6.2 of 32{THIN_SPACE}GB"


@pytest.mark.parametrize(("given", "shown"), [(0.41, 0.41), (-1.0, 0.0), (7.0, 1.0), (None, None)])
def test_progress_bar_stays_between_none_and_all(
    qtbot: QtBot, theme: Theme, given: float | None, shown: float | None
) -> None:
    bar = ProgressBar(theme, name="Reading")
    qtbot.addWidget(bar)
    bar.set_share(given)
    assert bar.share == shown
    interface = QAccessible.queryAccessibleInterface(bar)
    assert interface.role() == QAccessible.Role.ProgressBar
    assert interface.text(QAccessible.Text.Name) == "Reading"


def test_unknown_length_stands_still_when_motion_is_reduced(qtbot: QtBot, theme: Theme) -> None:
    bar = ProgressBar(theme, name="Reading")
    qtbot.addWidget(bar)
    bar.set_share(None)
    bar.show()
    assert not bar.moves
    theme.set_motion("system")
    assert bar.moves
    bar.hide()
    assert not bar.moves


@pytest.mark.parametrize("contrast", ["system", "more"])
def test_paused_bar_is_seen_on_its_track(
    qtbot: QtBot, theme: Theme, contrast: Literal["system", "more"]
) -> None:
    theme.set_contrast(contrast)
    bar = ProgressBar(theme, name="Reading", width=100)
    qtbot.addWidget(bar)
    bar.set_share(0.5)
    bar.set_paused(True)
    image = bar.grab().toImage()
    assert image.pixelColor(20, 2) == theme.color("line2")
    assert image.pixelColor(80, 2) != theme.color("line2")


def test_chip_says_its_state_by_icon_and_colour(qtbot: QtBot, theme: Theme) -> None:
    chip = Chip(theme, "done", "ok")
    qtbot.addWidget(chip)
    chip.resize(chip.sizeHint())
    good = chip.grab().toImage()
    chip.set_state("done", "plain")
    assert chip.sizeHint().width() < good.width()
    assert chip.text() == "done"


def test_skeleton_has_a_name_and_the_height_of_its_lines(qtbot: QtBot, theme: Theme) -> None:
    skeleton = Skeleton(theme, 4)
    qtbot.addWidget(skeleton)
    assert skeleton.accessibleName() == "The text is loading"
    assert skeleton.sizeHint().height() == 4 * 25 - 11
