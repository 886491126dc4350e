"""What stands under the pointer stays when a page shows something else: it is filled anew."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from pytestqt.qtbot import QtBot

from core.jobs.runs.compare_runs import ComparedRun
from core.jobs.runs.run_history import RunHistory
from core.jobs.training.run_plan import PlanLine
from core.training.events import SampleWritten
from gui.panels.train.compare_page import ComparePage
from gui.panels.train.curves import RunCurves
from gui.panels.train.run_page import RunPage
from gui.panels.train.samples import Samples
from gui.panels.train.state import ListedRun
from gui.theme.theme import Theme
from tests.gui.panels.train.test_curves import news, rows


def history(loss: float = 0.0, *samples: SampleWritten) -> RunHistory:
    made, steps = RunHistory(), rows(1, 20)
    steps[:, 3] += loss
    made.take(news(steps, *((30 + at, sample) for at, sample in enumerate(samples))))
    return made


def sample(step: int, row: int, text: str) -> SampleWritten:
    return SampleWritten(step, row, f"the reference of row {row}", text, "end")


def test_samples_of_another_row_are_shown_in_the_same_widgets(qtbot: QtBot, theme: Theme) -> None:
    samples = Samples(theme)
    qtbot.addWidget(samples)
    samples.show()
    assert samples.texts == []
    written = [sample(step, row, f"{step} of {row}") for row in (0, 4) for step in (10, 20, 30)]
    samples.show_history(history(0.0, *written[:5]))
    first = samples.texts
    assert [text.accessibleName() for text in first[1:]] == ["30 of 0", "20 of 0", "10 of 0"]
    samples.next.click()
    assert samples.texts == first[:3] and not first[3].isVisible()
    assert first[0].accessibleName() == "the reference of row 4"
    assert [text.accessibleName() for text in first[1:3]] == ["20 of 4", "10 of 4"]
    samples.show_history(RunHistory())
    assert samples.texts == []


def test_the_charts_of_another_run_are_the_same_widgets(qtbot: QtBot, theme: Theme) -> None:
    page = RunPage(theme)
    qtbot.addWidget(page)
    page.resize(1200, 800)
    page.show()
    first, second = (
        ListedRun(Path(name), name, "finished", "done", line=f"line of {name}")
        for name in ("first", "second")
    )
    page.open(first, history(), RunCurves(100))
    charts, content = page.charts, page.charts[0].parentWidget()
    charts[0].plot.zoom(0.5)
    charts[0]._choose_axis("tokens")
    charts[0].table_button.click()
    charts[0].set_waiting("Reading the run…")
    curves = RunCurves(200)
    page.open(second, history(3.0), curves)
    assert page.charts is charts and charts[0].parentWidget() is content
    assert [chart.model for chart in charts] == list(curves.all)
    assert charts[0].plot.model is curves.loss and charts[0].legend.model is curves.loss
    assert charts[0].plot.isVisible() and charts[0].plot.follows
    assert charts[0].axes is not None and charts[0].axes.value == "step"
    assert not charts[0].table_button.isChecked()
    assert float(np.max(curves.loss.drawn[0].y())) > 6


def test_other_runs_are_compared_in_the_same_widgets(qtbot: QtBot, theme: Theme) -> None:
    page = ComparePage(theme)
    qtbot.addWidget(page)
    page.resize(1200, 800)
    page.show()
    line = PlanLine("train", "steps", "Steps", "10", True)
    runs = [
        ComparedRun(Path(str(at)), f"run {at}", (replace(line, words=str(at)),), history(at))
        for at in range(3)
    ]
    colors = {run.folder: f"s{at + 1}" for at, run in enumerate(runs)}
    page.show_runs(runs[:2], colors)
    charts, tables = page.charts, page.tables
    results, settings = tables
    assert [chart.accessibleName() for chart in charts] == ["Loss, smoothed 0.9", "Validation loss"]
    assert results.isVisible() and settings.table_model.columnCount() == 3
    page.show_runs(runs, colors)
    assert page.charts is charts and page.tables is tables
    assert [chart.accessibleName() for chart in charts] == ["Loss, smoothed 0.9", "Validation loss"]
    assert len(charts[0].model.series) == 3 and settings.table_model.columnCount() == 4
    same = [replace(run, lines=runs[0].lines) for run in runs]
    page.show_runs(same, colors)
    assert settings.isHidden() and page._same.isVisible()
    page.show_runs(runs[:1], colors)
    assert not charts[0].isVisible() and page._lacks.isVisible()
    page.show_runs(runs[:2], colors)
    assert charts[0].isVisible() and not page._lacks.isVisible()
