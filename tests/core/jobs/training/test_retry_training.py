"""A run that ran out of memory goes on with a smaller step, and nothing it learnt is lost."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import EpitomeError
from core.events import Finished
from core.jobs.call import CallJob
from core.jobs.run import run_inline
from core.jobs.training.retry_training import (
    FailedRun,
    Retry,
    changed_plan,
    find_retries,
    keep_retry,
)
from core.runs.folder import RunFolder
from core.stop import StopToken
from core.training.events import StepDone
from core.training.plan import RunPlan
from tests.helpers.runs import curve, run_events, stopped_run, tiny_corpus, tiny_plan


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_corpus(tmp_path_factory.mktemp("corpus"))


def large_plan(corpus: Path, **train: Any) -> RunPlan:
    """A plan whose batch, not the program, needs most of the memory."""
    return tiny_plan(corpus, **{"batch": 96, "rouge_rows": 0, **train})


def found_in(folder: Path) -> FailedRun:
    (last,) = run_inline(CallJob(find_retries, folder), StopToken())
    assert isinstance(last, Finished), last
    assert isinstance(last.result, FailedRun)
    return last.result


def the_retry(found: FailedRun, words: str) -> Retry:
    (retry,) = [each for each in found.retries if each.words.startswith(words)]
    return retry


def test_what_saves_most_comes_first(tmp_path: Path, corpus: Path) -> None:
    stopped_run(tmp_path / "run", large_plan(corpus), "stop", after=2)
    found = found_in(tmp_path / "run")
    saved = [each.saved_bytes for each in found.retries]
    assert found.step == 2 and len(saved) > 1
    assert saved == sorted(saved, reverse=True) and min(saved) > 0


def test_parts_of_a_step_change_in_place_and_the_run_learns_the_same(
    tmp_path: Path, corpus: Path
) -> None:
    plan = large_plan(corpus, steps=4, validate_every=4)
    run_events(tmp_path / "whole", plan)
    folder = tmp_path / "run"
    stopped_run(folder, plan, "stop", after=2)
    retry = the_retry(found_in(folder), "Compute each step in 2 parts")
    assert retry.in_place
    keep_retry(folder, retry)
    events = run_events(folder)
    assert isinstance(events[-1], Finished), events[-1]
    assert [each.step for each in events if isinstance(each, StepDone)] == [3, 4]
    assert RunPlan.load(RunFolder(folder)).train.accumulate == 2
    assert losses(folder) == pytest.approx(losses(tmp_path / "whole"), rel=1e-5)


def losses(folder: Path) -> list[float]:
    return [json.loads(values)["loss"] for kind, values in curve(folder) if kind == "StepDone"]


def test_another_batch_is_a_new_run_from_the_weights_with_the_steps_that_are_left(
    tmp_path: Path, corpus: Path
) -> None:
    folder = tmp_path / "run"
    stopped_run(folder, large_plan(corpus, steps=12), "stop", after=5)
    retry = the_retry(found_in(folder), "Halve the batch")
    assert not retry.in_place
    assert retry.plan.run.start_from == str(folder)
    assert (retry.plan.train.steps, retry.plan.train.batch) == (7, 48)
    with pytest.raises(EpitomeError, match="cannot go on so"):
        keep_retry(folder, retry)


def test_before_the_first_checkpoint_every_change_is_made_in_place(
    tmp_path: Path, corpus: Path
) -> None:
    folder = tmp_path / "run"
    plan = large_plan(corpus, steps=2)
    stopped_run(folder, plan, "cancel", after=1)
    found = found_in(folder)
    assert found.step == 0 and all(each.in_place for each in found.retries)
    keep_retry(folder, the_retry(found, "Halve the batch"))
    events = run_events(folder)
    assert isinstance(events[-1], Finished), events[-1]
    assert RunPlan.load(RunFolder(folder)).train.batch == 48


def test_a_plan_is_changed_in_model_and_training(corpus: Path) -> None:
    plan = large_plan(corpus)
    changed = changed_plan(plan, {"length": 96, "batch": 4})
    assert (changed.model.length, changed.train.batch) == (96, 4)  # type: ignore[union-attr]
    assert changed.run == plan.run and changed.decoding == plan.decoding
