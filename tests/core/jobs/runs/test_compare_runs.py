"""Runs side by side show what differs and which is best; a report is one file with all of it."""

import re
from pathlib import Path

import pytest

from core.events import Failed, Finished
from core.jobs.run import run_inline
from core.jobs.runs.compare_runs import (
    ComparedRun,
    CompareRunsJob,
    differences,
    results,
    seed_groups,
)
from core.jobs.runs.run_history import RunHistory
from core.jobs.runs.run_report import RunReportJob
from core.jobs.training.run_plan import PlanLine
from core.runs.about import RunAbout, write_about
from core.runs.folder import RunFolder
from core.stop import StopToken
from tests.helpers.runs import run_events, tiny_corpus, tiny_plan


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two real runs that differ in one setting."""
    corpus = tiny_corpus(tmp_path_factory.mktemp("corpus"))
    folder = tmp_path_factory.mktemp("runs")
    for name, rate in (("first", 0.01), ("second", 0.001)):
        run_events(folder / name, tiny_plan(corpus, learning_rate=rate))
    return folder / "first", folder / "second"


def compared(runs: tuple[Path, ...]) -> tuple[ComparedRun, ...]:
    *_, last = run_inline(CompareRunsJob(runs), StopToken())
    assert isinstance(last, Finished)
    return last.result  # type: ignore[no-any-return]


def test_only_settings_that_differ_are_told(runs: tuple[Path, Path]) -> None:
    lines = differences(compared(runs))
    assert [(line.title, line.words) for line in lines] == [("Learning rate", ("0.01", "0.001"))]


def test_runs_that_differ_in_the_seed_alone_are_one_group() -> None:
    def run(name: str, **values: str) -> ComparedRun:
        lines = {("model", "seed"): "0", ("train", "seed"): "0", ("train", "batch"): "8"}
        lines |= {("train", field): words for field, words in values.items()}
        told = tuple(PlanLine(*place, place[1], words, False) for place, words in lines.items())
        return ComparedRun(Path(name), name, told, RunHistory())

    runs = [run("a"), run("b", seed="1"), run("c", batch="4"), run("d", seed="2"), run("e")]
    groups = [[each.title for each in group] for group in seed_groups(runs)]
    assert groups == [["a", "b", "d"], ["c"], ["e"]]


def test_the_best_value_is_told_with_its_step(runs: tuple[Path, Path]) -> None:
    found = compared(runs)
    line = next(each for each in results(found) if each.title == "Best validation loss")
    losses = [min((v.loss, v.step) for _, v in run.history.validations) for run in found]
    assert line.best == losses.index(min(losses))
    for words, (loss, step) in zip(line.words, losses, strict=True):
        assert words == f"{loss:.3f}, step {step}"


def test_equal_values_have_no_best(runs: tuple[Path, Path]) -> None:
    same = compared((runs[0], runs[0]))
    assert {line.best for line in results(same)} == {-1}
    assert differences(same) == []


def test_a_report_is_one_file_that_needs_no_other(runs: tuple[Path, Path], tmp_path: Path) -> None:
    write_about(RunFolder(runs[0]), RunAbout("First <try>", "It was “short”."))
    *_, last = run_inline(RunReportJob(runs[0], tmp_path / "report.html"), StopToken())
    assert last == Finished(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text("utf-8")
    assert "First &lt;try&gt;" in text and "It was “short”." in text
    assert "<svg" in text and text.count("<circle") == 2
    assert "--learning-rate 0.01" in text and "fingerprint" in text and "torch" in text
    assert not re.search(r"(src|href)=", text)
    assert text.isascii() or "charset" in text
    write_about(RunFolder(runs[0]), RunAbout())


def test_a_report_of_no_run_fails_with_a_sentence(tmp_path: Path) -> None:
    *_, last = run_inline(RunReportJob(tmp_path / "none", tmp_path / "r.html"), StopToken())
    assert isinstance(last, Failed) and "none" in last.message
    assert not (tmp_path / "r.html").exists()
