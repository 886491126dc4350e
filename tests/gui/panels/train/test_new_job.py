"""From a corpus to a running job in few clicks; fields, estimate, command and files on the way."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QScrollArea
from pytestqt.qtbot import QtBot

from core.jobs.job import Job
from core.library.folders import Folders
from core.profiling.training_suggestions import Machine
from core.runs.folder import RunFolder
from core.training.plan import RunPlan
from gui.main_window import MainWindow
from gui.panels.train.new_desk import NewDesk
from gui.panels.train.new_job import NewJobPage
from gui.workers.runner import Run
from tests.helpers.runs import run_events, tiny_corpus, tiny_plan
from tests.helpers.training_window import (
    runs_folder,
    train,
    train_window,
    wait_for_state,
    wait_for_steps,
)
from tests.helpers.windows import toasts

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")


@pytest.fixture
def corpus() -> Path:
    return tiny_corpus(Folders.of_this_user().corpora / "tiny")


@pytest.fixture
def window(
    qtbot: QtBot, home: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MainWindow]:
    with train_window(home, monkeypatch) as window:
        yield window


def desk(window: MainWindow) -> NewDesk:
    return train(window).new_desk


def page(window: MainWindow) -> NewJobPage:
    return train(window).new_page


def open_new_job(qtbot: QtBot, window: MainWindow) -> NewJobPage:
    train(window).new_job()
    qtbot.waitUntil(lambda: desk(window).has_looked)
    qtbot.waitUntil(lambda: desk(window).draft.machine.memory_bytes > 0)
    return page(window)


def click(qtbot: QtBot, button: QAbstractButton) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def type_into(window: MainWindow, **values: object) -> None:
    form = page(window).form
    assert form is not None
    for name, raw in values.items():
        form.rows[name].edited.emit(name, raw)
        form.rows[name].committed.emit(name)


TINY = {
    "width": "16", "heads": "2", "depth": "2", "length": "192", "bucket_size": "16",
    "buckets": "4", "vocabulary_size": "400", "steps": "4", "batch": "4", "threads": "1",
    "validate_every": "2", "validate_rows": "4", "rouge_rows": "1", "samples": "1",
    "max_length": "6", "warm_up": "1", "device": "cpu",
}  # fmt: skip


def test_from_a_corpus_to_a_running_job_in_six_clicks(qtbot: QtBot, window: MainWindow) -> None:
    clicks = 0

    def press(button: QAbstractButton) -> None:
        nonlocal clicks
        clicks += 1
        assert button.isVisible() and button.isEnabled()
        click(qtbot, button)

    panel = train(window)
    qtbot.waitUntil(lambda: panel.desk.state.has_looked)
    press(panel.view.start)
    qtbot.waitUntil(lambda: desk(window).has_looked)
    press(page(window).what.card("summary"))
    qtbot.waitUntil(lambda: bool(page(window).data.cards))
    press(page(window).data.cards[0])
    press(page(window).origins.card(None))
    assert page(window).step == "fields"
    type_into(window, **TINY)  # so that the test does not take an hour
    queued: list[Path] = []
    desk(window).queued.connect(queued.append)
    press(page(window).start)
    assert clicks <= 6
    qtbot.waitUntil(lambda: bool(queued))
    (folder,) = queued
    assert not panel.is_setting_up
    wait_for_state(qtbot, window, folder, "finished")
    wait_for_steps(qtbot, window, 4)
    plan = RunPlan.load(RunFolder(folder))
    assert (plan.model.width, plan.train.steps) == (16, 4)  # type: ignore[union-attr]
    assert plan.train.objective == "summary"
    assert (folder / "tokenizer" / "tokenizer.json").exists()


def test_what_is_wrong_is_shown_where_it_is_and_nothing_starts(
    qtbot: QtBot, window: MainWindow
) -> None:
    new = open_new_job(qtbot, window)
    new.show_step("fields")
    type_into(window, heads="3")
    qtbot.waitUntil(lambda: not new.start.isEnabled())
    assert desk(window).draft.missing == "1 value is not allowed yet."
    qtbot.waitUntil(lambda: not new.command.words)
    assert desk(window).known.forecast is None
    desk(window).start()
    assert train(window).is_setting_up
    assert new.form is not None and "must divide" in new.form._across.text()


def test_the_estimate_follows_the_form_and_advice_is_one_click(
    qtbot: QtBot, window: MainWindow
) -> None:
    new = open_new_job(qtbot, window)
    desk(window).draft.take_machine(Machine(memory_bytes=10**9, cores=2, disk_free_bytes=10**11))
    type_into(window, length="8192", batch="16", width="512")
    qtbot.waitUntil(lambda: desk(window).known.fits is False)
    estimate = train(window).estimate
    assert "too much" in estimate.words
    before = desk(window).known.peak_bytes
    qtbot.waitUntil(lambda: bool(estimate.advice_buttons))
    new.show_step("fields")
    click(qtbot, estimate.advice_buttons[0])
    qtbot.waitUntil(lambda: desk(window).known.peak_bytes < 0.9 * before)
    assert desk(window).draft.form.changed


def test_one_step_is_measured_in_another_process(qtbot: QtBot, window: MainWindow) -> None:
    open_new_job(qtbot, window)
    type_into(window, **TINY)
    estimate = train(window).estimate
    qtbot.waitUntil(estimate.try_button.isEnabled)
    click(qtbot, estimate.try_button)
    qtbot.waitUntil(lambda: desk(window).known.measured is not None)
    measured = desk(window).known.measured
    assert measured is not None and measured.num_tokens == 4 * 192
    assert "measured" in estimate.words
    type_into(window, batch="2")
    qtbot.waitUntil(lambda: desk(window).known.measured is None)


def test_a_step_that_does_not_fit_says_so_and_keeps_the_job(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gui.panels.train import new_desk

    limited = new_desk.TryStepJob
    monkeypatch.setattr(new_desk, "TryStepJob", lambda plan: limited(plan, memory_limit_mib=120))
    open_new_job(qtbot, window)
    type_into(window, **(TINY | {"length": "4096", "width": "512", "batch": "8"}))
    desk(window).try_step()
    qtbot.waitUntil(lambda: desk(window).known.failure is not None)
    assert "needs more memory" in train(window).estimate.words
    assert train(window).estimate.chip.text() == "does not fit"
    assert desk(window).draft.plan is not None
    assert train(window).estimate.advice_buttons


def test_the_command_is_copied(qtbot: QtBot, window: MainWindow) -> None:
    new = open_new_job(qtbot, window)
    type_into(window, steps="33")
    qtbot.waitUntil(lambda: "33" in new.command.words)
    words = new.command.words
    assert words[:2] == ["epitome", "train"]
    assert words[words.index("--corpus") + 1] == "tiny"
    assert words[words.index("--steps") + 1] == "33"
    window.shown.commands()["copy_command"]()
    assert "--steps 33" in QGuiApplication.clipboard().text()


def test_settings_go_to_a_file_and_come_back(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    open_new_job(qtbot, window)
    type_into(window, steps="33", clip="")
    plan, file = desk(window).draft.plan, tmp_path / "job.toml"
    desk(window).save_file(file)
    qtbot.waitUntil(file.exists)
    assert RunPlan.read(file) == plan
    type_into(window, steps="44")
    desk(window).open_file(file)
    qtbot.waitUntil(lambda: desk(window).draft.plan == plan)
    desk(window).open_file(tmp_path / "none.toml")
    qtbot.waitUntil(lambda: any("none.toml" in told for told in toasts(window)))


def test_settings_are_kept_as_a_preset(qtbot: QtBot, window: MainWindow) -> None:
    new = open_new_job(qtbot, window)
    type_into(window, steps="33")
    new.name.setText("mine")
    new.name.textEdited.emit("mine")
    desk(window).keep_preset()
    qtbot.waitUntil(lambda: [each.title for each in desk(window).own] == ["mine"])
    assert new.presets.buttons[-1].text() == "mine"
    click(qtbot, new.presets.buttons[-1])
    assert desk(window).draft.preset.own


def test_a_draft_is_found_again_at_the_next_start(
    qtbot: QtBot, home: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with train_window(home, monkeypatch) as first:
        open_new_job(qtbot, first)
        type_into(first, steps="33")
        file = home / "data" / "train-draft.json"
        qtbot.waitUntil(lambda: file.exists() and '"33"' in file.read_text("utf-8"))
    with train_window(home, monkeypatch) as second:
        open_new_job(qtbot, second)
        qtbot.waitUntil(lambda: desk(second).draft.form.changed == ("steps",))


def test_a_draft_that_cannot_be_read_is_told(
    qtbot: QtBot, home: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = home / "data" / "train-draft.json"
    file.write_text('{"fields": {"steps": true, "batch": [1], "none": ""}}', "utf-8")
    with train_window(home, monkeypatch) as window:
        open_new_job(qtbot, window)
        qtbot.waitUntil(lambda: desk(window).draft.corpus is not None)
        assert not any("went wrong" in told for told in toasts(window))
    file.write_text("[", "utf-8")
    with train_window(home, monkeypatch) as window:
        open_new_job(qtbot, window)
        qtbot.waitUntil(lambda: any("train-draft.json" in told for told in toasts(window)))


def test_a_run_is_copied_and_trained_on(qtbot: QtBot, window: MainWindow, corpus: Path) -> None:
    run_events(runs_folder() / "first", tiny_plan(corpus))
    panel = train(window)
    panel.desk.look()
    wait_for_state(qtbot, window, runs_folder() / "first", "finished")
    panel.desk.do("duplicate")
    theirs = RunPlan.load(RunFolder(runs_folder() / "first"))
    qtbot.waitUntil(lambda: desk(window).draft.plan is not None)
    qtbot.waitUntil(lambda: desk(window).draft.plan.train == theirs.train)  # type: ignore[union-attr]
    assert desk(window).draft.plan.run == theirs.run  # type: ignore[union-attr]
    panel.show_runs()
    panel.desk.do("continue")
    qtbot.waitUntil(lambda: desk(window).draft.start_from == runs_folder() / "first")
    assert desk(window).draft.plan.train == theirs.train  # type: ignore[union-attr]
    panel.show_runs()
    panel.desk.do("fine_tune")
    qtbot.waitUntil(lambda: isinstance(desk(window).draft.origin, RunPlan))
    assert desk(window).draft.objective == "summary"
    type_into(window, steps="2", batch="4", validate_every="2", validate_rows="4",
              rouge_rows="1", samples="1", max_length="6", threads="1")  # fmt: skip
    qtbot.waitUntil(lambda: not desk(window)._missing())
    queued: list[Path] = []
    desk(window).queued.connect(queued.append)
    desk(window).start()
    qtbot.waitUntil(lambda: bool(queued))
    (folder,) = queued
    wait_for_state(qtbot, window, folder, "finished")
    start = Path(RunPlan.load(RunFolder(folder)).run.start_from)
    assert start.samefile(runs_folder() / "first")


def test_a_start_that_is_read_late_does_not_replace_what_was_chosen_since(
    qtbot: QtBot, window: MainWindow, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_events(runs_folder() / "first", tiny_plan(corpus))
    open_new_job(qtbot, window)
    reads: list[Run] = []
    run_in_thread = window.controller.run_in_thread

    def noted(job: Job) -> Run:
        reads.append(run_in_thread(job))
        return reads[-1]

    monkeypatch.setattr(window.controller, "run_in_thread", noted)
    desk(window).choose_start(runs_folder() / "first")
    desk(window).choose_start(None)
    qtbot.waitUntil(lambda: bool(reads[0].over))
    assert desk(window).draft.start_from is None


def test_escape_goes_back_and_the_draft_stays(qtbot: QtBot, window: MainWindow) -> None:
    open_new_job(qtbot, window)
    type_into(window, steps="33")
    window.escape()
    assert not train(window).is_setting_up
    train(window).new_job()
    assert desk(window).draft.form.changed == ("steps",)


@pytest.mark.parametrize("size", [(1366, 768), (1000, 700), (720, 450)])
def test_every_step_fits_at_every_size(
    qtbot: QtBot, window: MainWindow, size: tuple[int, int]
) -> None:
    new = open_new_job(qtbot, window)
    window.resize(*size)
    qtbot.waitUntil(lambda: window.width() == size[0])
    wide = size[0] >= 1200
    assert new.steps.isVisible() == wide and new.step_box.isVisible() == (not wide)
    for step in ("what", "data", "from", "fields"):
        new.show_step(step)
        corner = new.start.mapTo(window, new.start.rect().bottomRight())
        assert corner.x() < window.width()
        area = new._pages.currentWidget()
        assert isinstance(area, QScrollArea)
        qtbot.waitUntil(lambda area=area: area.widget().width() <= area.viewport().width())
    assert train(window).estimate.isVisible()


def test_what_the_queue_refuses_stays_as_it_was_set_up(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window.controller.queue, "_attend", lambda queue: None)  # none is started
    new = open_new_job(qtbot, window)
    type_into(window, **(TINY | {"steps": "3"}))
    new.name.setText("mine")
    new.name.textEdited.emit("mine")
    new.several.setText("seed=0,1")
    new.several.textEdited.emit("seed=0,1")
    qtbot.waitUntil(lambda: new.start.text() == "Start 2 jobs")
    other = runs_folder() / "mine-seed-1"
    other.mkdir(parents=True)
    (other / "notes.odt").write_bytes(b"not of a run")
    click(qtbot, new.start)
    desk(window).start()  # a second press changes nothing
    qtbot.waitUntil(lambda: any("holds other files" in told for told in toasts(window)))
    assert len(toasts(window)) == 1
    assert train(window).is_setting_up
    assert desk(window).draft.form.raw("steps") == "3"
    assert (new.name.text(), new.several.text()) == ("mine", "seed=0,1")
    qtbot.waitUntil(lambda: "There is a run of this name already." in new.start.toolTip())
    new.name.setText("again")
    new.name.textEdited.emit("again")
    qtbot.waitUntil(new.start.isEnabled)
    queued: list[Path] = []
    desk(window).queued.connect(queued.append)
    click(qtbot, new.start)
    qtbot.waitUntil(lambda: queued == [runs_folder() / "again-seed-0"])
    assert not train(window).is_setting_up
    assert desk(window).draft.several == ""


@pytest.mark.parametrize("name", ["rate 1e-3/warm-up 1", "../elsewhere", ".hidden", "x" * 300])
def test_a_name_under_which_no_run_would_be_found_is_refused(
    qtbot: QtBot, window: MainWindow, name: str
) -> None:
    new = open_new_job(qtbot, window)
    new.name.setText(name)
    new.name.textEdited.emit(name)
    qtbot.waitUntil(lambda: "Start" in new.start.text() and not new.start.isEnabled())
    assert new.start.toolTip().startswith("“")
    desk(window).start()
    assert train(window).is_setting_up
    new.name.setText("rate 1e-3, warm-up 1")
    new.name.textEdited.emit(new.name.text())
    qtbot.waitUntil(new.start.isEnabled)


def test_several_values_queue_a_job_each(qtbot: QtBot, window: MainWindow) -> None:
    new = open_new_job(qtbot, window)
    type_into(window, **(TINY | {"steps": "1", "validate_every": "1"}))
    new.name.setText("grid")
    new.several.setText("seed=0,1")
    new.several.textEdited.emit("seed=0,1")
    qtbot.waitUntil(lambda: new.start.text() == "Start 2 jobs")
    one = desk(window).known.forecast
    assert desk(window).known.jobs == 2 and one is not None
    new.several.setText("seeds=0,1")
    new.several.textEdited.emit("seeds=0,1")
    qtbot.waitUntil(lambda: not new.start.isEnabled())
    new.several.editingFinished.emit()
    assert new.several.error.startswith("“seeds” is not a field of this job.")
    new.several.setText("seed=0,1")
    new.several.textEdited.emit("seed=0,1")
    qtbot.waitUntil(lambda: new.start.text() == "Start 2 jobs" and not new.several.error)
    click(qtbot, new.start)
    for name in ("grid-seed-0", "grid-seed-1"):
        wait_for_state(qtbot, window, runs_folder() / name, "finished")
    assert RunPlan.load(RunFolder(runs_folder() / "grid-seed-1")).train.seed == 1
