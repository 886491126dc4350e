"""A run that failed says why; after an out-of-memory failure one click makes it smaller."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.errors import foreign
from core.events import Failed
from core.runs.events_file import EventsFile
from core.runs.folder import RunFolder
from core.training.plan import RunPlan
from gui.main_window import MainWindow
from gui.widgets.inputs.button import Button
from tests.helpers.runs import stopped_run, tiny_corpus, tiny_plan
from tests.helpers.training_window import (
    listed,
    runs_folder,
    train,
    train_window,
    wait_for_state,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_corpus(tmp_path_factory.mktemp("corpus"))


@pytest.fixture
def window(qtbot: QtBot, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    with train_window(home, monkeypatch) as window:
        yield window


def out_of_memory() -> Failed:
    told = foreign(RuntimeError("DefaultCPUAllocator: can't allocate memory"), "Use less.")
    assert told is not None
    return Failed(told.message, told.remedy, kind=told.kind)


def failed_run(corpus: Path, failure: Failed, *, kept: int) -> Path:
    """A run that failed; its last checkpoint is that of step *kept*, if any."""
    folder = runs_folder() / "big"
    plan = tiny_plan(corpus, batch=96, steps=2, rouge_rows=0, validate_every=2)
    stopped_run(folder, plan, "stop" if kept else "cancel")
    EventsFile(RunFolder(folder).events_file).append(failure)
    return folder


def open_failed(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    train(window).desk.look()
    wait_for_state(qtbot, window, folder, "failed")
    card = train(window).view.page.failure
    qtbot.waitUntil(lambda: card.isVisible() and "step 1" in card.words)


def button(window: MainWindow, words: str) -> Button:
    (found,) = [
        each for each in train(window).view.page.failure.retries if each.text().startswith(words)
    ]
    return found


def test_after_an_out_of_memory_failure_one_click_continues_with_a_smaller_step(
    qtbot: QtBot, window: MainWindow, corpus: Path
) -> None:
    folder = failed_run(corpus, out_of_memory(), kept=1)
    open_failed(qtbot, window, folder)
    card = train(window).view.page.failure
    assert card.words.startswith("There is not enough memory for this.")
    assert "Use less memory" in card.words
    assert "after step 1, the last checkpoint" in card.words
    smaller = button(window, "Compute each step in 2 parts and resume")
    assert "MB less" in smaller.text()
    qtbot.mouseClick(smaller, Qt.MouseButton.LeftButton)
    wait_for_state(qtbot, window, folder, "finished")
    assert RunPlan.load(RunFolder(folder)).train.accumulate == 2
    qtbot.waitUntil(lambda: not card.isVisible())


def test_a_change_that_needs_a_new_run_opens_it_with_the_weights_kept(
    qtbot: QtBot, window: MainWindow, corpus: Path
) -> None:
    folder = failed_run(corpus, out_of_memory(), kept=1)
    open_failed(qtbot, window, folder)
    qtbot.mouseClick(
        button(window, "Halve the batch to 48 in a new job"), Qt.MouseButton.LeftButton
    )
    panel = train(window)
    qtbot.waitUntil(lambda: panel.is_setting_up and panel.new_desk.draft.start_from == folder)
    plan = panel.new_desk.draft.plan
    assert plan is not None and (plan.train.batch, plan.train.steps) == (48, 1)
    assert listed(window, folder) is not None


def test_a_failure_of_another_kind_offers_to_begin_again_and_no_smaller_job(
    qtbot: QtBot, window: MainWindow, corpus: Path
) -> None:
    folder = failed_run(corpus, Failed("The corpus is gone.", "Restore it."), kept=0)
    open_failed(qtbot, window, folder)
    card = train(window).view.page.failure
    assert card.words == (
        "The corpus is gone. Restore it. No checkpoint was saved: Resume starts again at step 1."
    )
    assert not card.retries
    qtbot.mouseClick(train(window).view.page.head.main, Qt.MouseButton.LeftButton)
    wait_for_state(qtbot, window, folder, "finished")
