"""Checkpoints: whole or not there, the newest whole one is used, the best stays."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import FULL, EpitomeError
from core.runs.checkpoints import Checkpoints


def writing(text: str) -> dict[str, Callable[[Path], None]]:
    def write(path: Path) -> None:
        path.write_text(text)

    return {"weights": write}


def failing(number: int) -> dict[str, Callable[[Path], None]]:
    def write(path: Path) -> None:
        path.write_text("half")
        raise OSError(number, os.strerror(number))

    return {"weights": write}


@pytest.fixture
def run(tmp_path: Path) -> Checkpoints:
    checkpoints = Checkpoints(tmp_path)
    for step in (10, 20, 30):
        checkpoints.write(step, writing(f"weights {step}"), {"step": step})
    return checkpoints


def test_the_newest_is_found_with_its_state(run: Checkpoints) -> None:
    found = run.newest()
    assert found is not None
    assert (found.step, found.state) == (30, {"step": 30})
    assert (found.path / "weights").read_text() == "weights 30"
    assert run.named("last") == found
    assert run.damaged() == []


@pytest.mark.parametrize("harm", ["changed", "shortened", "missing", "no state", "half a state"])
def test_a_damaged_checkpoint_gives_way_to_the_one_before(run: Checkpoints, harm: str) -> None:
    newest = run.newest()
    assert newest is not None
    weights, state = newest.path / "weights", newest.path / "state.json"
    if harm == "changed":
        weights.write_text("weights 31")
    elif harm == "shortened":
        weights.write_text("weights")
    elif harm == "missing":
        weights.unlink()
    elif harm == "no state":
        state.unlink()
    else:
        state.write_text(state.read_text()[:20])
    found = run.newest()
    assert found is not None
    assert found.step == 20
    assert run.damaged() == [newest.path]
    assert run.named("last") is None


@pytest.mark.parametrize(
    ("number", "kind", "remedy"),
    [
        (errno.ENOSPC, FULL, "Free some space on its disk."),
        (errno.EACCES, "", "Make the run's folder writable."),
    ],
)
def test_what_cannot_be_written_leaves_what_was_there(
    run: Checkpoints, tmp_path: Path, number: int, kind: str, remedy: str
) -> None:
    with pytest.raises(EpitomeError) as error:
        run.write(40, failing(number), {})
    place = tmp_path / "checkpoints" / "step-00000040"
    assert (
        error.value.message == f"The checkpoint {place} cannot be written ({os.strerror(number)})."
    )
    assert (error.value.kind, error.value.remedy) == (kind, remedy)
    found = run.newest()
    assert found is not None and found.step == 30
    names = sorted(path.name for path in (tmp_path / "checkpoints").iterdir())
    assert names == ["step-00000010", "step-00000020", "step-00000030"]


def test_half_a_checkpoint_of_a_killed_process_is_none(run: Checkpoints, tmp_path: Path) -> None:
    draft = tmp_path / "checkpoints" / ".step-00000040.draft"
    draft.mkdir()
    (draft / "weights").write_text("half")
    found = run.newest()
    assert found is not None and found.step == 30
    run.write(40, writing("weights 40"), {})
    found = run.newest()
    assert found is not None and found.step == 40


def test_a_step_made_again_replaces_its_checkpoint(run: Checkpoints) -> None:
    run.write(20, writing("again"), {"again": True})
    found = run.named("last")
    assert found is not None
    assert (found.step, found.state) == (20, {"again": True})


def test_the_newest_and_the_best_stay(run: Checkpoints, tmp_path: Path) -> None:
    run.name("best", 10)
    run.write(40, writing("weights 40"), {})
    run.prune(2)
    steps = sorted(int(path.name[5:]) for path in (tmp_path / "checkpoints").iterdir())
    assert steps == [10, 30, 40]
    best = run.named("best")
    assert best is not None and best.step == 10
