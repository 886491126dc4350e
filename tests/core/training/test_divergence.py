"""Which validation losses show that the weights are ruined."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.training.divergence import is_ruined, remember
from core.training.state import RunState

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
