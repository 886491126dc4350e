"""Runs are compared in the window, reports are written, and a missing part is offered."""

import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.distribution.parts import Part
from core.jobs.runs.compare_runs import CompareRunsJob
from core.jobs.runs.list_runs import RunCard
from gui.main_window import MainWindow
from gui.panels.train.compare_page import ComparePage
from gui.panels.train.state import ListedRun
from gui.theme.theme import Theme
from gui.workers.part_installer import PartState
from tests.helpers.runs import finished_run, kept_corpus, tiny_plan
from tests.helpers.training_window import runs_folder, train, train_window, wait_for_state
from tests.helpers.windows import toasts

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")


@pytest.fixture
def corpus() -> Path:
    return kept_corpus()


@pytest.fixture
def window(qtbot: QtBot, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    with train_window(home, monkeypatch) as window:
        yield window


def make_runs(qtbot: QtBot, window: MainWindow, corpus: Path, *names: str) -> None:
    for number, name in enumerate(names):
        finished_run(runs_folder() / name, tiny_plan(corpus, steps=4 + number))
    train(window).desk.look()
    for name in names:
        wait_for_state(qtbot, window, runs_folder() / name, "finished")


def test_runs_stand_side_by_side_in_colours_of_their_own(
    qtbot: QtBot, window: MainWindow, corpus: Path
) -> None:
    make_runs(qtbot, window, corpus, "first", "second", "third")
    panel = train(window)
    qtbot.mouseClick(panel.compare_button, Qt.MouseButton.LeftButton)
    page = panel.compare_page
    qtbot.waitUntil(lambda: len(page.charts) == 2)
    assert len(page.wanted) == 2
    before = {series.name: series.look.color for series in page.charts[0].model.series}
    box = next(box for folder, box in page.boxes.items() if folder not in page.wanted)
    qtbot.waitUntil(box.isVisible)
    box.click()
    qtbot.waitUntil(lambda: len(page.charts[0].model.series) == 3)
    after = {series.name: series.look.color for series in page.charts[0].model.series}
    assert len(set(after.values())) == 3
    assert before.items() <= after.items()
    results, settings = page.tables
    assert results.table_model.rowCount() >= 3
    cells = settings.table_model.record(0).cells
    assert cells["what"] == "Steps"
    window.escape()
    assert panel.view.isVisible()


def test_a_run_has_the_same_colour_in_the_next_window(
    qtbot: QtBot, window: MainWindow, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = train(window)
    first, second = (runs_folder() / name for name in ("first", "second"))
    before = panel.desk.colors_of([first, second])
    state = panel.saved_state()
    with train_window(home, monkeypatch) as another:
        later = train(another)
        later.restore_state({"colors": "torn"})
        later.restore_state({"colors": '{"x": "a colour of a newer program"}'})
        later.restore_state(state)
        assert later.desk.colors_of([second, first]) == before
        assert another.panel("train") is later


def test_what_was_ticked_before_is_not_shown_when_it_is_read_late(
    qtbot: QtBot, window: MainWindow, corpus: Path
) -> None:
    make_runs(qtbot, window, corpus, "first", "second")
    panel = train(window)
    panel.compare_runs()
    page = panel.compare_page
    next(iter(page.boxes.values())).click()  # before both are read
    assert len(page.wanted) == 1
    shown: list[object] = []
    panel.desk.compared.connect(shown.append)
    read: list[object] = []
    last = window.controller.run_in_engine(CompareRunsJob((runs_folder() / "first",)))
    last.finished.connect(read.append)
    qtbot.waitUntil(lambda: bool(read))
    assert shown == [] and page.charts == ()


def test_many_runs_with_long_names_can_be_ticked_in_a_small_window(
    qtbot: QtBot, theme: Theme
) -> None:
    page = ComparePage(theme)
    qtbot.addWidget(page)
    card = RunCard(Path("run"), "run", "finished", step=4)
    names = [f"a run with a very long name that does not fit, number {at}" for at in range(60)]
    runs = [ListedRun(Path(name), name, "finished", "done", card=card) for name in names]
    page.resize(720, 450)
    page.show()
    page.show_list(runs, [])
    qtbot.waitUntil(lambda: len(page.boxes) == 60)
    qtbot.wait(1)
    assert page.height() == 450
    last = page.boxes[Path(names[-1])]
    last.setFocus()
    page._boxes_area.ensureWidgetVisible(last)
    assert page.rect().contains(last.mapTo(page, last.rect().center()))
    assert last.width() <= page._boxes_area.viewport().width()
    assert [page._boxes_column.itemAt(at).widget() for at in range(60)] == list(page.boxes.values())


def test_a_report_and_a_bundle_are_written(
    qtbot: QtBot, window: MainWindow, corpus: Path, tmp_path: Path
) -> None:
    make_runs(qtbot, window, corpus, "first")
    train(window).desk.write_report(runs_folder() / "first", tmp_path / "first.html")
    qtbot.waitUntil(lambda: any("Report written" in told for told in toasts(window)))
    assert "<svg" in (tmp_path / "first.html").read_text("utf-8")
    train(window).desk.write_bundle(runs_folder() / "first", tmp_path / "first.zip")
    qtbot.waitUntil(lambda: any("Bundle written" in told for told in toasts(window)))
    assert "job.toml" in ZipFile(tmp_path / "first.zip").namelist()


def test_without_the_training_part_no_job_is_started(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, parts = train(window), window.parts
    monkeypatch.setattr(Part, "is_installed", property(lambda part: False))
    parts._put("training", PartState("missing"))
    panel.new_job()
    qtbot.waitUntil(lambda: not panel.new_page.start.isEnabled())
    assert panel.new_desk._missing() == "The training part is not installed."
    monkeypatch.undo()
    parts._put("training", PartState("installed"))
