"""Curves hold every point that counts, on each axis, with what happened on the way."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from core.jobs.runs.compare_runs import ComparedRun
from core.jobs.runs.run_history import COLUMNS, RunHistory, RunNews
from core.jobs.training.run_plan import PlanLine
from core.runs.events import Resumed
from core.runs.follower import Followed
from core.training.events import StepSkipped, ValidationDone
from gui.panels.train.compare_page import loss_model, validation_model
from gui.panels.train.curves import RunCurves
from gui.panels.train.smoothed_chart import SmoothedChart
from gui.theme.theme import Theme
from gui.widgets.charts.chart_legend import Legend

WHEN = "2026-11-22T10:00:00+00:00"


def rows(first: int, last: int, *, number: int = 0) -> np.ndarray:
    """Steps as `RunNews` has them: 10 tokens and 2 s each."""
    made = np.zeros((last - first + 1, len(COLUMNS)))
    steps = np.arange(first, last + 1)
    made[:, COLUMNS.index("number")] = (number or first) + np.arange(len(steps))
    made[:, COLUMNS.index("step")] = steps
    made[:, COLUMNS.index("loss")] = 5.0 - steps / 100
    made[:, COLUMNS.index("tokens")] = 10
    made[:, COLUMNS.index("seconds")] = 2
    made[:, COLUMNS.index("peak_mib")] = 2000
    made[:, COLUMNS.index("data_seconds")] = np.nan  # as older programs leave it out
    return made


def news(steps: np.ndarray, *others: tuple[int, object], kept: int | None = None) -> RunNews:
    told = tuple(Followed(number, WHEN, event) for number, event in others)  # type: ignore[arg-type]
    return RunNews(steps, told, kept, 0, True)


def validation(step: int, *, best: bool = True) -> ValidationDone:
    return ValidationDone(step, 3.0, 10, {"1": 0.25, "L": 0.2}, best, 6.0)


def drawn(curves: RunCurves, axis: str = "step") -> np.ndarray:
    return curves._each.x(axis)


def test_points_grow_without_being_drawn_anew() -> None:
    history, curves = RunHistory(), RunCurves(100)
    history.take(news(rows(1, 10)))
    curves.take(history)
    series = curves._each
    history.take(news(rows(11, 30)))
    curves.take(history)
    assert curves._each is series and len(series) == 30
    assert curves.loss.axis.until == 100
    assert curves.speed.series[0].y()[-1] == pytest.approx(5)
    assert curves.memory.series[0].y()[-1] == pytest.approx(2.097, abs=1e-3)


def test_the_planned_end_may_be_known_later() -> None:
    curves = RunCurves()
    curves.loss.choose_axis("tokens")
    curves.set_planned(500)
    assert curves.loss.axis.name == "tokens"
    curves.loss.choose_axis("step")
    assert curves.loss.axis.until == 500


def test_axes_count_tokens_and_time_at_work_with_validations() -> None:
    history, curves = RunHistory(), RunCurves()
    history.take(news(rows(1, 4), (5, validation(4))))
    curves.take(history)
    history.take(news(rows(5, 6)))
    curves.take(history)
    assert drawn(curves, "tokens").tolist() == [10, 20, 30, 40, 50, 60]
    assert drawn(curves, "time").tolist() == [2, 4, 6, 8, 16, 18]
    assert curves._validation.x("tokens").tolist() == [40]


def test_what_a_resume_takes_back_leaves_the_curve_and_the_seam_is_marked() -> None:
    history, curves = RunHistory(), RunCurves()
    history.take(news(rows(1, 10), (11, validation(10))))
    curves.take(history)
    history.take(news(rows(7, 8, number=20), (19, Resumed(6, 6)), kept=6))
    curves.take(history)
    assert drawn(curves).tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
    assert len(curves._validation) == 0
    assert [(note.x, note.text) for note in curves.loss.notes] == [(6, "resumed here")]


def test_skipped_steps_and_the_best_validation_are_marked() -> None:
    history, curves = RunHistory(), RunCurves()
    events = [(3, StepSkipped(3, "its loss is not finite")), (5, validation(4)),
              (7, validation(6, best=False))]  # fmt: skip
    history.take(news(rows(1, 6), *events))
    curves.take(history)
    told = {(note.x, note.text) for note in curves.loss.notes}
    assert told == {(3, "step skipped"), (4, "best 3.00")}


def test_each_kind_of_rouge_has_its_line() -> None:
    history, curves = RunHistory(), RunCurves()
    history.take(news(rows(1, 6), (3, validation(3)), (7, validation(6))))
    curves.take(history)
    assert [series.name for series in curves.rouge.series] == ["ROUGE-1", "ROUGE-L"]
    assert curves.rouge.series[0].y().tolist() == [25, 25]


def test_another_run_is_drawn_behind_in_its_own_colour_and_taken_away_again() -> None:
    history, other, curves = RunHistory(), RunHistory(), RunCurves()
    history.take(news(rows(1, 6)))
    other.take(news(rows(1, 9)))
    curves.take(history)
    curves.overlay(compared("earlier", other), "s3")
    assert [series.name for series in curves.loss.series] == ["earlier", "loss", "validation"]
    assert curves.loss.series[0].look.color == "s3"
    assert curves.overlays == (Path("earlier"),)
    curves.keep_overlays([])
    assert [series.name for series in curves.loss.series] == ["loss", "validation"]


def test_runs_of_one_title_are_drawn_side_by_side() -> None:
    curves = RunCurves()
    for folder, rate in (("a", "0.001"), ("b", "0.002")):
        history = RunHistory()
        history.take(news(rows(1, 6)))
        run = replace(compared("same", history, rate=rate), folder=Path(folder))
        curves.overlay(run, "s3")
    assert curves.overlays == (Path("a"), Path("b"))
    assert [each.name for each in curves.loss.series[:2]] == ["same (a)", "same (b)"]


def test_a_title_says_so_where_raw_losses_are_left_out(qtbot: QtBot, theme: Theme) -> None:
    history = RunHistory()
    history.take(news(rows(1, 6)))
    model = loss_model([compared("a", history)], {Path("a"): "s3"})
    chart = SmoothedChart(theme, model)
    qtbot.addWidget(chart)
    assert chart.model.title == "Loss, smoothed 0.9"
    chart.set_smoothing(0.98)
    assert chart.model.title == "Loss, smoothed 0.98"
    chart.set_smoothing(0)
    assert chart.model.title == "Loss"


def test_the_legend_says_it_instead_where_both_have_no_room(qtbot: QtBot, theme: Theme) -> None:
    history, curves = RunHistory(), RunCurves()
    history.take(news(rows(1, 6)))
    curves.take(history)
    curves.overlay(compared("other", history), "s3")
    chart = SmoothedChart(theme, curves.loss, lambda: True, chooses_axis=True)
    qtbot.addWidget(chart)
    chart.resize(1200, 400)
    chart.show()
    assert chart.model.title == "Loss, smoothed 0.9" and chart.legend.isVisible()
    for width in range(1200, 400, -20):
        chart.resize(width, 400)
        says_so = chart.legend.isVisible() or chart.model.title == "Loss, smoothed 0.9"
        assert says_so, width
        if chart.model.title == "Loss":
            break
    assert chart.legend.isVisible()
    chart.resize(400, 400)
    assert chart.model.title == "Loss, smoothed 0.9" and not chart.legend.isVisible()


def test_a_run_shows_its_own_raw_loss_and_says_nothing(qtbot: QtBot, theme: Theme) -> None:
    history, curves = RunHistory(), RunCurves()
    history.take(news(rows(1, 6)))
    curves.take(history)
    chart = SmoothedChart(theme, curves.loss, lambda: bool(curves.overlays))
    qtbot.addWidget(chart)
    assert chart.model.title == "Loss"
    curves.overlay(compared("other", history), "s3")
    chart.refresh()
    assert chart.model.title == "Loss, smoothed 0.9"


def test_scores_of_all_sizes_have_one_decimal() -> None:
    history, curves = RunHistory(), RunCurves()
    low = replace(validation(3), rouge={"1": 0.12724, "2": 0.002534})
    history.take(news(rows(1, 3), (4, low)))
    curves.take(history)
    assert [series.y()[-1] for series in curves.rouge.series] == [12.7, 0.3]
    assert [curves.rouge.name(each) for each in curves.rouge.series] == [
        "ROUGE-1 12.7", "ROUGE-2 0.3",
    ]  # fmt: skip
    lower = replace(low, step=4, rouge={"1": 0.099, "2": 0.0})
    history.take(news(rows(4, 4), (9, lower)))
    curves.take(history)
    assert curves.rouge.name(curves.rouge.series[0]) == "ROUGE-1 9.9"


def compared(title: str, history: RunHistory, seed: int = 0, rate: str = "0.001") -> ComparedRun:
    lines = (
        PlanLine("train", "seed", "Seed", str(seed), differs=False),
        PlanLine("train", "learning_rate", "Learning rate", rate, differs=False),
    )
    return ComparedRun(Path(title), title, lines, history)


def test_other_runs_that_differ_in_the_seed_alone_are_drawn_as_their_mean_and_range() -> None:
    curves = RunCurves()
    for seed in (1, 2):
        history = RunHistory()
        history.take(news(rows(1, 6 + seed)))
        curves.overlay(compared(f"seed {seed}", history, seed), f"s{seed + 2}")
    faster = RunHistory()
    faster.take(news(rows(1, 6)))
    curves.overlay(compared("faster", faster, rate="0.002"), "s5")
    mean, alone = curves.loss.series[:2]
    assert mean.name == "seed 1 (2 seeds)" and mean.look.color == "s3"
    assert len(mean.members) == 2 and len(mean) == 7
    low, high = mean.band()
    assert (low <= mean.y()).all() and (mean.y() <= high).all()
    assert alone.name == "faster" and not alone.members
    curves.keep_overlays([Path("seed 2"), Path("faster")])
    assert [each.name for each in curves.loss.series[:2]] == ["seed 2", "faster"]
    assert not curves.loss.series[0].members


def test_a_million_points_are_taken_without_a_loop_over_them() -> None:
    history, curves = RunHistory(), RunCurves(1_000_000)
    for first in range(1, 1_000_001, 100_000):
        history.take(news(rows(first, first + 99_999)))
        curves.take(history)
    assert len(curves._each) == 1_000_000
    assert drawn(curves, "tokens")[-1] == 10_000_000


def seeds(*runs: tuple[str, RunHistory]) -> list[ComparedRun]:
    """Runs that differ in nothing but the seed."""
    lines = [PlanLine("train", "seed", "Seed", name, False) for name, _ in runs]
    return [
        ComparedRun(Path(name), name, (line,), history)
        for (name, history), line in zip(runs, lines, strict=True)
    ]


def test_runs_of_several_seeds_are_one_mean_over_the_steps_they_share() -> None:
    first, second = RunHistory(), RunHistory()
    first.take(news(rows(1, 6), (7, validation(6))))
    higher = rows(1, 4)
    higher[:, COLUMNS.index("loss")] += 1
    second.take(news(higher))
    runs = seeds(("a", first), ("b", second))
    (mean,) = loss_model(runs, {Path("a"): "s3", Path("b"): "s4"}).series
    assert (mean.name, len(mean.members), mean.look.color) == ("a (2 seeds)", 2, "s3")
    assert mean.x("step").tolist() == [1, 2, 3, 4]
    low, high = mean.band()
    assert mean.y().tolist() == pytest.approx(((low + high) / 2).tolist())
    assert (high - low).tolist() == pytest.approx([1.0] * 4)
    (validations,) = validation_model(runs, {Path("a"): "s3", Path("b"): "s4"}).series
    assert len(validations) == 0


def test_the_legend_says_how_many_seeds(theme: Theme) -> None:
    histories = [RunHistory() for _ in range(3)]
    for history in histories:
        history.take(news(rows(1, 5)))
    runs = seeds(*zip("abc", histories, strict=True))
    legend = Legend(theme, loss_model(runs, {Path("a"): "s3"}))
    (key,) = legend.keys
    assert key.band and key.words == "mean and range of 3 seeds"
    legend.deleteLater()
