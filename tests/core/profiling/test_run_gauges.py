"""Gauges of a really trained run: what hashing does to documents it was not trained on."""

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from core.events import Finished
from core.profiling.run_gauges import (
    OpenedRun,
    gauge_causality,
    gauge_rotations,
    gauge_twin,
    open_run,
)
from core.profiling.settings import GaugeSettings
from core.stop import StopToken
from tests.helpers.runs import run_events, tiny_corpus, tiny_plan

SETTINGS = GaugeSettings(documents=4, rotations=3, device="cpu", threads=1)


def result_of(steps: Generator[Any, None, Any]) -> Any:
    """What a generator returns; its events are passed over."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    plan = tiny_plan(tiny_corpus(folder / "corpus"), steps=4, validate_every=2, rouge_rows=0)
    assert isinstance(run_events(folder / "tiny", plan)[-1], Finished)
    return folder / "tiny"


@pytest.fixture(scope="module")
def opened(folder: Path) -> OpenedRun:
    found = result_of(open_run(folder, SETTINGS, StopToken()))
    assert isinstance(found, OpenedRun)
    return found


def test_only_the_papers_hashing_lets_the_end_of_a_document_change_what_is_said_before(
    opened: OpenedRun,
) -> None:
    moved = {effect.kind: effect.moved for effect in gauge_causality(opened)}
    assert list(moved) == ["as trained", "lsh", "local", "full", "lsh-chunk", "local-chunk"]
    assert moved["full"] == moved["local"] == moved["as trained"] == moved["lsh"] == 0
    assert moved["lsh-chunk"] > 0


def test_the_twin_has_the_same_weights_and_another_loss(opened: OpenedRun) -> None:
    settings = SETTINGS.model_copy(update={"summaries": 1})
    own, full = (
        result_of(gauge_twin(opened, settings, StopToken(), is_full=is_full))
        for is_full in (False, True)
    )
    assert (own.name, full.name) == ("as trained", "full attention")
    assert own.loss != full.loss and own.loss == pytest.approx(full.loss, abs=0.1)
    assert set(own.rouge) == {"1", "2", "L"} and own.seconds > 0


def test_other_rotations_give_a_spread_that_begins_with_the_models_own(opened: OpenedRun) -> None:
    found = result_of(gauge_rotations(opened, SETTINGS, StopToken()))
    own = result_of(gauge_twin(opened, SETTINGS, StopToken(), is_full=False))
    assert len(found.losses) == 3 == len(set(found.losses)) and found.rouge == ()
    assert found.losses[0] == own.loss


def test_the_same_gauge_gives_the_same_numbers_again(opened: OpenedRun) -> None:
    first, second = (result_of(gauge_rotations(opened, SETTINGS, StopToken())) for _ in range(2))
    assert first == second
