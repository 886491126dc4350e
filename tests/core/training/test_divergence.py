"""Which validation losses show that the weights are ruined."""

import math
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.runs.checkpoints import Checkpoints
from core.training.divergence import (
    fault_of,
    fault_of_course,
    fault_of_end,
    is_ruined,
    remember,
    way_back,
)
from core.training.settings import TrainSettings
from core.training.state import RunState
from core.training.step import StepTotals

VOCABULARY = 2048  # guessing costs 7.6 nats


def state(lowest: float | None = None, usual: float | None = None) -> RunState:
    return RunState("", lowest_loss=lowest, usual_loss=usual)


@pytest.mark.parametrize(
    ("loss", "lowest", "usual", "ruined"),
    [
        (float("nan"), 5.0, 5.0, True),
        (float("inf"), None, None, True),
        (1e9, None, 5.0, True),  # far above the training loss, at the first validation
        (1e9, 4.0, 1e9, True),  # far worse than before, though training has become as bad
        (15.3, 7.5, 7.5, True),
        (9.0, None, 6.9, True),  # damaged at the peak of the learning rate, before the first
        (9.0, 3.0, 3.0, True),
        (7.0, 0.1, 0.1, False),  # learnt by heart, but better than guessing
        (8.0, None, 8.0, False),  # has learnt nothing yet
        (5.5, 5.0, 4.0, False),
    ],
)
def test_a_loss_that_is_worse_than_guessing_and_far_above_the_usual_shows_ruin(
    loss: float, lowest: float | None, usual: float | None, ruined: bool
) -> None:
    assert is_ruined(loss, state(lowest, usual), VOCABULARY) is ruined


def test_a_run_that_diverged_before_its_first_validation_is_measured_by_its_first_steps() -> None:
    run = state()
    for step in range(200):
        remember(7.6 if step < 5 else 15.0, 1.0, run)
    assert run.usual_loss is not None and run.usual_loss > 14
    assert is_ruined(15.0, run, VOCABULARY)


@pytest.mark.parametrize(
    ("ruined", "usual", "loss", "ends"),
    [
        (1, 15.0, 15.0, False),
        (2, 15.0, 15.0, False),
        (3, 15.0, 15.0, True),
        (3, 7.5, 9.0, True),
        (3, 0.2, 9.0, False),  # learnt by heart: the best checkpoint stays
        (3, 0.2, float("nan"), True),
        (0, 15.0, 15.0, False),
    ],
)
def test_a_run_ends_after_three_ruined_validations(
    ruined: int, usual: float, loss: float, ends: bool
) -> None:
    run = RunState("", step=1200, usual_loss=usual, ruined=ruined)
    told = fault_of_course(loss, run, VOCABULARY)
    assert bool(told) is ends
    if ends:
        assert f"its last 3 validations are worse than guessing, with a loss of {loss:.3g}" in told


def test_a_run_ends_well_only_with_a_model_that_is_of_use() -> None:
    ruined = RunState("", usual_loss=9.0, lowest_usual=7.5, ruined=1, validated=6)
    assert "no validation was better than guessing" in fault_of_end(ruined, VOCABULARY)
    assert not fault_of_end(RunState("", best=5.0, ruined=1, validated=6), VOCABULARY)
    unseen = RunState("", usual_loss=9.0, lowest_usual=7.5)
    assert "its training loss is 9, and was 7.5 before" in fault_of_end(unseen, VOCABULARY)
    assert not fault_of_end(RunState("", usual_loss=8.0, lowest_usual=7.5), VOCABULARY)
    assert not fault_of_end(RunState(""), VOCABULARY)


@pytest.mark.parametrize(("times", "skipped"), [(9.0, False), (40.0, False), (150.0, True)])
def test_a_single_long_gradient_is_clipped_and_only_a_monstrous_one_skipped(
    times: float, skipped: bool
) -> None:
    run = RunState("", step=51, usual_norm=0.7, usual_loss=6.7)
    totals = StepTotals(epoch=0, loss=6.7, loss_tokens=100, tokens=200)
    assert bool(fault_of(totals, times * 0.7, run, TrainSettings())) is skipped


@given(st.floats(0, math.log(VOCABULARY)), st.floats(0, 100), st.floats(0, 100))
def test_what_is_better_than_guessing_is_never_ruined(
    loss: float, lowest: float, usual: float
) -> None:
    assert not is_ruined(loss, state(lowest, usual), VOCABULARY)


@given(st.lists(st.floats(0.01, 100), min_size=1))
def test_the_usual_loss_lies_between_those_that_were_seen(losses: list[float]) -> None:
    run = state()
    run.skipped = 3
    for loss in losses:
        remember(loss, loss, run)
    assert run.usual_loss is not None and run.usual_loss == run.usual_norm
    assert min(losses) * 0.999 <= run.usual_loss <= max(losses) * 1.001
    assert run.skipped == 0


def test_a_run_that_diverges_again_and_again_keeps_its_proven_checkpoints(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path)
    for step in (80, 90, 100):
        checkpoints.write(step, {"weights": lambda path: path.touch()}, {})
    found = []
    for _ in range(3):
        newest = checkpoints.newest()
        assert newest is not None
        found.append(newest.step)
        way_back(checkpoints, RunState("", step=newest.step + 10, skipped=10), TrainSettings())
    # Nothing proved that of step 100; that of step 90 is proven, as 100 was made from it.
    assert found == [100, 90, 90]
    assert sorted(path.name for path in (tmp_path / "checkpoints").iterdir()) == [
        "diverged-step-00000100", "step-00000080", "step-00000090"
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["best", "proven"])
def test_a_checkpoint_that_proved_to_be_of_use_is_not_set_aside(
    tmp_path: Path, name: Literal["best", "proven"]
) -> None:
    checkpoints = Checkpoints(tmp_path)
    checkpoints.write(100, {"weights": lambda path: path.touch()}, {})
    checkpoints.name(name, 100)
    remedy = way_back(checkpoints, RunState("", step=110, skipped=10), TrainSettings())
    assert "which takes the weights of step 100," in remedy
    assert checkpoints.newest() is not None
