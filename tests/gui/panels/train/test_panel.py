"""Runs in the window: real training, followed, paused, killed, resumed, cancelled and undone."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.events import Finished
from core.jobs.call import CallJob
from core.jobs.models.export_model import ExportModelJob
from core.jobs.models.import_model import ImportModelJob
from core.jobs.models.trash_model import trash_model
from core.runs.about import RunAbout, read_about, write_about
from core.runs.events_file import read_events
from core.runs.folder import RunFolder
from core.runs.model_card import ModelCard
from core.training.plan import RunPlan
from gui.main_window import MainWindow
from gui.panels.train.leaving import Answer, LeavingDialog
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.workers.inline import run_now
from tests.helpers.killing import KILL, KILLED
from tests.helpers.runs import finished_run, kept_corpus, stopped_run, tiny_plan
from tests.helpers.training_window import (
    listed,
    pid_of,
    queue_run,
    runs_folder,
    train,
    train_window,
    wait_for_state,
    wait_for_steps,
)
from tests.helpers.windows import desk, the_menu, toasts

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")


@pytest.fixture
def corpus() -> Path:
    return kept_corpus()


@pytest.fixture
def window(qtbot: QtBot, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    with train_window(home, monkeypatch) as window:
        yield window


def losses(folder: Path) -> list[float]:
    events = read_events(RunFolder(folder).events_file)
    return [each.values["loss"] for each in events if each.kind == "StepDone"]


def endless(corpus: Path) -> RunPlan:
    return tiny_plan(corpus, steps=100_000, validate_every=50, rouge_rows=2)


def test_without_runs_one_sentence_leads_to_a_new_job(qtbot: QtBot, window: MainWindow) -> None:
    panel = train(window)
    qtbot.waitUntil(lambda: panel.desk.state.has_looked)
    assert panel.view.start.isVisible()
    assert not panel.new_button.isVisible(), "one primary button in a view"
    assert not panel.view.page.isVisible()


def test_without_runs_every_line_of_the_text_is_shown(qtbot: QtBot, window: MainWindow) -> None:
    window.show_panel("train")
    wrapped = [label for label in window.findChildren(Label) if label.wordWrap()]
    (text,) = [label for label in wrapped if "pre-trains" in label.text()]
    qtbot.waitUntil(lambda: text.isVisible() and text.height() >= text.heightForWidth(text.width()))


def test_a_queued_run_is_drawn_to_its_end(qtbot: QtBot, window: MainWindow, corpus: Path) -> None:
    folder = queue_run(window, tiny_plan(corpus), "tiny")
    wait_for_state(qtbot, window, folder, "finished")
    wait_for_steps(qtbot, window, 12)
    page = train(window).view.page
    # State and events come apart.
    qtbot.waitUntil(lambda: [line.words for line in page.log.lines[:1]] == ["finished"])
    assert page.curves._each.y().tolist() == losses(folder)
    assert [series.name for series in page.curves.rouge.series] == ["ROUGE-1", "ROUGE-2", "ROUGE-L"]
    assert all(len(model.series[0]) == 12 for model in page.curves.small)
    qtbot.waitUntil(lambda: len(page.samples.texts) == 3)  # the reference, and two validations
    qtbot.waitUntil(lambda: listed(window, folder).line.startswith("ROUGE-1 "))  # type: ignore[union-attr]
    assert listed(window, folder).share == 1.0  # type: ignore[union-attr]


def test_a_run_of_the_command_line_is_found_and_opened(
    qtbot: QtBot, window: MainWindow, corpus: Path
) -> None:
    finished_run(runs_folder() / "typed", tiny_plan(corpus))
    train(window).desk.look()
    wait_for_state(qtbot, window, runs_folder() / "typed", "finished")
    wait_for_steps(qtbot, window, 12)
    assert train(window).view.list.titles == ["Earlier", "typed"]


def test_a_run_that_is_paused_killed_or_cancelled_goes_on(
    qtbot: QtBot, window: MainWindow, corpus: Path
) -> None:
    folder = queue_run(window, endless(corpus), "long")
    wait_for_steps(qtbot, window, 3)
    page, desk = train(window).view.page, train(window).desk
    qtbot.mouseClick(page.head.main, Qt.MouseButton.LeftButton)
    wait_for_state(qtbot, window, folder, "paused")
    made = len(losses(folder))
    qtbot.waitUntil(lambda: page.head.main.text() == "Resume")
    qtbot.mouseClick(page.head.main, Qt.MouseButton.LeftButton)
    wait_for_state(qtbot, window, folder, "running")
    wait_for_steps(qtbot, window, made + 2)
    assert page.curves.loss.notes[0].text == "resumed here"
    steps = page.history.column("step")
    assert np.array_equal(steps, np.arange(1, len(steps) + 1))

    os.kill(pid_of(folder), KILL)
    wait_for_state(qtbot, window, folder, "failed")
    qtbot.waitUntil(lambda: KILLED in page.failure.words)
    assert "resume" in listed(window, folder).deeds  # type: ignore[union-attr]
    desk.do("resume")
    wait_for_state(qtbot, window, folder, "running")

    desk.do("cancel")
    wait_for_state(qtbot, window, folder, "cancelled")
    assert not folder.exists()
    qtbot.waitUntil(lambda: any("was cancelled" in told for told in toasts(window)))
    desk.do("restore")
    wait_for_state(qtbot, window, folder, "stopped")
    assert losses(folder)


def test_a_stopped_run_of_the_command_line_is_resumed_from_the_window(
    qtbot: QtBot, window: MainWindow, corpus: Path, tmp_path: Path
) -> None:
    folder = runs_folder() / "typed"
    stopped_run(folder, tiny_plan(corpus), "stop")
    train(window).desk.look()
    wait_for_state(qtbot, window, folder, "stopped")
    train(window).desk.do("resume")
    wait_for_state(qtbot, window, folder, "finished")
    whole = finished_run(tmp_path / "whole", tiny_plan(corpus))
    assert losses(folder) == losses(whole)


def test_closing_asks_once_what_becomes_of_a_running_job(
    qtbot: QtBot, window: MainWindow, corpus: Path
) -> None:
    folder, asked = queue_run(window, endless(corpus), "long"), []
    wait_for_steps(qtbot, window, 3)
    panel = train(window)

    def answer(what: Answer) -> None:
        panel.ask_leaving = lambda theme, titles, parent: asked.append(titles) or what  # type: ignore[func-returns-value]

    answer("stay")
    assert not window.close()
    assert window.isVisible() and asked == [["long"]]
    answer("stop")
    assert panel.may_close()
    wait_for_state(qtbot, window, folder, "stopped")
    assert panel.may_close() and len(asked) == 2


def test_the_question_has_three_answers_and_escape_stays(qtbot: QtBot, theme: Theme) -> None:
    for press, told in (("leave", "leave"), ("stop", "stop"), ("stay", "stay")):
        dialog = LeavingDialog(theme, ["long"])
        qtbot.addWidget(dialog)
        dialog.show()
        getattr(dialog, press).click()
        assert dialog.answer == told
    dialog = LeavingDialog(theme, ["a", "b"])
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.answer == "stay" and not dialog.isVisible()


def test_a_name_and_notes_are_kept_with_the_run(
    qtbot: QtBot, window: MainWindow, corpus: Path
) -> None:
    folder = runs_folder() / "typed"
    finished_run(folder, tiny_plan(corpus, steps=1))
    train(window).desk.look()
    wait_for_state(qtbot, window, folder, "finished")
    form = train(window).view.page.about
    form.notes.setPlainText("Too short.")
    form.title.setText("First try")
    form.title.editingFinished.emit()
    qtbot.waitUntil(lambda: read_about(RunFolder(folder)).notes == "Too short.")
    qtbot.waitUntil(lambda: listed(window, folder).title == "First try")  # type: ignore[union-attr]
    assert "First try" in train(window).view.list.titles


def test_notes_do_not_undo_the_name_that_another_window_gave_meanwhile(
    qtbot: QtBot, window: MainWindow, corpus: Path
) -> None:
    folder = runs_folder() / "typed"
    finished_run(folder, tiny_plan(corpus, steps=1))
    train(window).desk.look()
    wait_for_state(qtbot, window, folder, "finished")
    form = train(window).view.page.about
    form.notes.setPlainText("Too short.")
    write_about(RunFolder(folder), RunAbout("First try"))
    form.notes.left.emit()
    qtbot.waitUntil(lambda: read_about(RunFolder(folder)).notes == "Too short.")
    assert read_about(RunFolder(folder)).title == "First try"


def test_notes_that_are_being_typed_are_kept_with_their_run_when_another_one_opens(
    qtbot: QtBot, window: MainWindow, corpus: Path
) -> None:
    first, second = (runs_folder() / name for name in ("first", "second"))
    for folder in (first, second):
        finished_run(folder, tiny_plan(corpus, steps=1))
    panel = train(window)
    panel.desk.look()
    qtbot.waitUntil(lambda: len(panel.desk.state.runs) == 2)
    panel.desk.open(first)
    wait_for_state(qtbot, window, first, "finished")
    form = panel.view.page.about
    form.notes.setFocus()
    form.notes.setPlainText("Too short.")
    panel.desk.open(second)
    qtbot.waitUntil(lambda: panel.view.page.run.folder == second)  # type: ignore[union-attr]
    assert form.notes.toPlainText() == ""
    qtbot.waitUntil(lambda: read_about(RunFolder(first)).notes == "Too short.")
    assert read_about(RunFolder(second)).notes == ""


def test_the_menu_of_a_run_holds_what_can_be_done(
    qtbot: QtBot, window: MainWindow, corpus: Path
) -> None:
    finished_run(runs_folder() / "typed", tiny_plan(corpus, steps=1))
    train(window).desk.look()
    wait_for_state(qtbot, window, runs_folder() / "typed", "finished")
    qtbot.mouseClick(train(window).view.page.head.more, Qt.MouseButton.LeftButton)
    words = [action.text() for action in the_menu(window).actions() if action.text()]
    assert "Move to the trash" in words and {
        "Continue in a new run…",
        "Fine-tune from here…",
    } <= set(words)
    assert "Resume" not in words and "Pause" not in words
    (summarise,) = (a for a in the_menu(window).actions() if a.text() == "Summarise with it")
    summarise.trigger()
    the_menu(window).close()
    assert window.rail.value == "summarise" and desk(window).state.model == "typed"


def test_another_run_is_drawn_behind_the_open_one(
    qtbot: QtBot, window: MainWindow, corpus: Path
) -> None:
    for name in ("first", "second"):
        finished_run(runs_folder() / name, tiny_plan(corpus, steps=4))
    panel = train(window)
    panel.desk.look()
    qtbot.waitUntil(lambda: len(panel.desk.state.runs) == 2)
    panel.desk.open(runs_folder() / "second")
    wait_for_steps(qtbot, window, 4)
    qtbot.mouseClick(panel.view.page.overlay_button, Qt.MouseButton.LeftButton)
    (action,) = the_menu(window).actions()
    action.trigger()
    qtbot.waitUntil(lambda: panel.view.page.curves.overlays == (runs_folder() / "first",))


def test_the_menu_of_other_runs_says_how_many_it_leaves_out(
    qtbot: QtBot, window: MainWindow, corpus: Path
) -> None:
    for number in range(4):
        finished_run(runs_folder() / f"run-{number}", tiny_plan(corpus, steps=4))
    write_about(RunFolder(runs_folder() / "run-1"), RunAbout("same", ""))
    write_about(RunFolder(runs_folder() / "run-2"), RunAbout("same", ""))
    panel = train(window)
    panel.desk.look()
    qtbot.waitUntil(lambda: len(panel.desk.state.runs) == 4)
    panel.desk.open(runs_folder() / "run-3")
    told = [action.text() for action in panel.desk.overlay_menu(most=2).actions()]
    assert len(told) == 4 and told[-1] == "1 more under “Compare runs”"
    told = [action.text() for action in panel.desk.overlay_menu().actions()]
    assert sorted(told) == ["run-0", "same\trun-1", "same\trun-2"]


@pytest.mark.parametrize("size", [(1366, 768), (1000, 700), (720, 450)])
def test_it_fits_at_every_size(
    qtbot: QtBot, window: MainWindow, corpus: Path, size: tuple[int, int]
) -> None:
    finished_run(runs_folder() / "typed", tiny_plan(corpus))
    panel = train(window)
    panel.desk.look()
    wait_for_state(qtbot, window, runs_folder() / "typed", "finished")
    window.resize(*size)
    qtbot.waitUntil(lambda: window.width() == size[0])
    page, wide = panel.view.page, size[0] >= 1200
    assert panel.view.list.isVisible() == wide
    assert panel.view.box.isVisible() == (not wide)
    assert page.charts[0].isVisible() and page.charts[0].height() >= 160
    if not wide:
        page.switch._parts["details"].click()
        assert page.samples.isVisible() and not page.charts[0].isVisible()
        page.switch._parts["curves"].click()
    for button in (page.head.more, panel.new_button):
        corner = button.mapTo(window, button.rect().bottomRight())
        assert corner.x() < window.width() and corner.y() < window.height()


def test_a_model_that_is_imported_after_its_run_was_deleted_is_not_shown_as_that_run(
    qtbot: QtBot, window: MainWindow, corpus: Path, tmp_path: Path
) -> None:
    folder = queue_run(window, tiny_plan(corpus), "tiny")
    wait_for_state(qtbot, window, folder, "finished")
    page = train(window).view.page
    qtbot.waitUntil(lambda: [line.words for line in page.log.lines[:1]] == ["finished"])
    file = tmp_path / "tiny.epitome-model"
    folders = window.folders
    run_now(ExportModelJob(folder, file, ModelCard()))
    run_now(CallJob(trash_model, folder, folders))
    qtbot.waitUntil(lambda: listed(window, folder) is None)
    assert isinstance(run_now(ImportModelJob(file, folders.runs)), Finished)
    finished_run(folder.with_name("other"), tiny_plan(corpus))
    train(window).desk.look()
    qtbot.waitUntil(lambda: listed(window, folder.with_name("other")) is not None)
    assert listed(window, folder) is None


def test_a_run_that_gets_the_folder_of_a_deleted_one_is_read_anew(
    qtbot: QtBot, window: MainWindow, corpus: Path
) -> None:
    folder = finished_run(runs_folder() / "same", tiny_plan(corpus))
    train(window).desk.look()
    wait_for_state(qtbot, window, folder, "finished")
    wait_for_steps(qtbot, window, 12)
    shutil.rmtree(folder)
    train(window).desk.look()
    qtbot.waitUntil(lambda: listed(window, folder) is None)
    finished_run(folder, tiny_plan(corpus, steps=6))
    train(window).desk.look()
    wait_for_state(qtbot, window, folder, "finished")
    page = train(window).view.page
    qtbot.waitUntil(lambda: len(page.history) == 6)
