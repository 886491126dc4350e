"""How the models of papers are trained by default."""

import pytest

from core.training.presets import TRAINING_PRESETS
from core.training.settings import TrainSettings


@pytest.mark.parametrize("name", TRAINING_PRESETS)
def test_the_warm_up_ends_long_before_the_run_does(name: str) -> None:
    train = TrainSettings(**TRAINING_PRESETS[name])
    assert train.warm_up <= train.steps / 2


@pytest.mark.parametrize("name", TRAINING_PRESETS)
def test_sources_are_cut_at_their_end_as_the_papers_do(name: str) -> None:
    assert TrainSettings(**TRAINING_PRESETS[name]).too_long == "start"
