"""The Train panel by keyboard alone: every control is reached, named, and in sight."""

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.library.folders import Folders
from gui.main_window import MainWindow
from gui.widgets.support.focus_ring import FocusRing
from tests.gui.test_keyboard import (
    SIZES,
    can_be_tabbed_to,
    group,
    in_sight,
    named,
    part_in_sight,
    press,
    resized,
    stops,
)
from tests.helpers.runs import finished_run, kept_corpus, tiny_plan
from tests.helpers.training_window import (
    runs_folder,
    train,
    train_window,
    wait_for_state,
    wait_for_steps,
)
from tests.helpers.windows import WIDE

STATES = ("empty", "runs", "what", "data", "from", "fields")


@pytest.fixture
def corpus() -> Path:
    return kept_corpus()


@pytest.fixture
def window(
    qtbot: QtBot, home: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MainWindow]:
    shutil.copytree(corpus, Folders.of_this_user().corpora / "tiny")
    with train_window(home, monkeypatch) as window:
        yield window


def show(qtbot: QtBot, window: MainWindow, corpus: Path, state: str) -> None:
    """Brings the panel into a state that a person sees."""
    panel = train(window)
    if state == "empty":
        qtbot.waitUntil(lambda: panel.desk.state.has_looked)
        return
    finished_run(runs_folder() / "first", tiny_plan(corpus))
    panel.desk.look()
    wait_for_state(qtbot, window, runs_folder() / "first", "finished")
    wait_for_steps(qtbot, window, 12)
    if state != "runs":
        panel.new_job()
        qtbot.waitUntil(lambda: panel.new_desk.has_looked and bool(panel.new_desk.runs))
        qtbot.waitUntil(lambda: panel.new_desk.draft.machine.memory_bytes > 0)
        panel.new_page.show_step(state)


@pytest.mark.parametrize("state", STATES)
def test_tab_reaches_every_control_and_all_have_names(
    qtbot: QtBot, window: MainWindow, corpus: Path, state: str
) -> None:
    show(qtbot, window, corpus, state)
    for size in resized(qtbot, window, *SIZES):
        reached = {group(stop) for stop in stops(qtbot, window)}
        left = {group(control) for control in can_be_tabbed_to(window)} - reached
        assert not left, f"not reached at {size}: {named(left)}"
        for widget in window.findChildren(QWidget):
            if widget.isVisible() and widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
                found = QAccessible.queryAccessibleInterface(widget)
                assert found is not None
                assert found.text(QAccessible.Text.Name).strip(), type(widget).__name__


@pytest.mark.parametrize("state", STATES)
def test_what_has_the_focus_is_in_sight_at_the_least_size(
    qtbot: QtBot, window: MainWindow, corpus: Path, state: str
) -> None:
    window.resize(720, 450)
    show(qtbot, window, corpus, state)
    qtbot.waitUntil(lambda: window.width() == 720)
    for _ in range(len(stops(qtbot, window))):
        press(qtbot, window, "Tab")
        focus = window.focusWidget()
        assert focus is not None
        qtbot.waitUntil(partial(in_sight, focus))
        seen = part_in_sight(focus).boundingRect()
        place = QRect(focus.mapTo(window, seen.topLeft()), seen.size())
        assert window.rect().contains(place), named({focus})


@pytest.mark.parametrize("state", ["what", "data", "from", "fields"])
def test_tab_goes_through_the_columns_of_a_new_job_from_left_to_right(
    qtbot: QtBot, window: MainWindow, corpus: Path, state: str
) -> None:
    window.resize(*WIDE)
    show(qtbot, window, corpus, state)
    page = train(window).new_page
    columns = [page.steps.parentWidget(), page._pages, page._right]
    page.steps.item(state).setFocus()
    passed = [
        next((at for at, each in enumerate(columns) if each.isAncestorOf(stop)), None)
        for stop in [page.steps.item(state), *stops(qtbot, window)]
    ]
    inside = passed[: passed.index(None)]
    assert set(inside) == {0, 1, 2}
    assert inside == sorted(inside, key=lambda column: column or 0)


def test_a_job_is_set_up_with_keys_alone(qtbot: QtBot, window: MainWindow, corpus: Path) -> None:
    show(qtbot, window, corpus, "runs")
    press(qtbot, window, "Ctrl+N")
    panel = train(window)
    assert panel.is_setting_up
    qtbot.waitUntil(lambda: panel.new_desk.has_looked)
    qtbot.waitUntil(lambda: panel.new_page.what.card("gsg").isVisible())
    panel.new_page.what.card("gsg").setFocus()
    press(qtbot, window, "Return")
    assert panel.new_page.step == "data"
    assert window.focusWidget() is panel.new_page.steps.item("data")
    assert panel.new_desk.draft.objective == "gsg"
    press(qtbot, window, "Escape")
    assert not panel.is_setting_up
    assert window.focusWidget() is panel.view.list, "not a button that Enter would press"


def test_the_ring_stays_round_the_run_when_others_come_above_it(
    qtbot: QtBot, window: MainWindow, corpus: Path
) -> None:
    show(qtbot, window, corpus, "runs")
    panel, ring = train(window), window.findChildren(FocusRing)[0]
    runs = panel.view.list
    runs.setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, window, "End")
    qtbot.waitUntil(ring.isVisible)
    before = runs.visualRect(runs.currentIndex())
    finished_run(runs_folder() / "second", tiny_plan(corpus, steps=2))
    panel.desk.look()
    qtbot.waitUntil(lambda: runs.visualRect(runs.currentIndex()).top() > before.top())

    def is_round() -> bool:
        rect, _ = runs.focus_shape()
        return ring.geometry().contains(QRect(runs.mapTo(window, rect.topLeft()), rect.size()))

    qtbot.waitUntil(is_round)


def test_a_step_keeps_the_keyboard_in_a_narrow_window(
    qtbot: QtBot, window: MainWindow, corpus: Path
) -> None:
    window.resize(720, 450)
    show(qtbot, window, corpus, "what")
    panel = train(window)
    panel.new_page.what.card("gsg").setFocus()
    press(qtbot, window, "Return")
    assert window.focusWidget() is panel.new_page.step_box
    press(qtbot, window, "Escape")
    assert window.focusWidget() is panel.view.box


def test_the_list_takes_the_keyboard_when_the_first_run_is_there(
    qtbot: QtBot, window: MainWindow, corpus: Path
) -> None:
    show(qtbot, window, corpus, "empty")
    panel = train(window)
    panel.new_job()
    panel.show_runs()
    assert window.focusWidget() is panel.view.start
    finished_run(runs_folder() / "first", tiny_plan(corpus, steps=1, validate_every=1))
    panel.desk.look()
    qtbot.waitUntil(lambda: window.focusWidget() is panel.view.list)


def test_up_and_down_move_between_runs(qtbot: QtBot, window: MainWindow, corpus: Path) -> None:
    finished_run(runs_folder() / "second", tiny_plan(corpus, steps=2))
    show(qtbot, window, corpus, "runs")
    panel = train(window)
    qtbot.waitUntil(lambda: len(panel.desk.state.runs) == 2)
    panel.desk.open(panel.desk.state.runs[0].folder)
    panel.view.list.setFocus()
    press(qtbot, window, "Down")
    assert panel.desk.state.selected == panel.desk.state.runs[1].folder
