"""Checkpoints: whole or not there, the newest whole one is used, the best stays."""

import errno
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Literal

import pytest

from core.errors import FULL, EpitomeError
from core.runs.checkpoints import Checkpoints
from core.storage.regular_files import open_regular


def writing(text: str) -> dict[str, Callable[[Path], None]]:
    def write(path: Path) -> None:
        path.write_text(text, "utf-8")

    return {"weights": write}


def failing(number: int) -> dict[str, Callable[[Path], None]]:
    def write(path: Path) -> None:
        path.write_text("half", "utf-8")
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
    assert (found.path / "weights").read_text("utf-8") == "weights 30"
    assert run.named("last") == found
    assert run.search() == (found, [])


def test_nothing_is_written_for_a_run_whose_folder_was_moved_away(run: Checkpoints) -> None:
    run.run.rename(run.run.with_name("moved"))
    for write in (lambda: run.write(40, writing("weights"), {}), lambda: run.name("best", 30)):
        with pytest.raises(EpitomeError, match=re.escape(f"The folder {run.run} is gone.")):
            write()
        assert not run.run.exists()


@pytest.mark.parametrize("harm", ["changed", "shortened", "missing", "no state", "half a state"])
def test_a_damaged_checkpoint_gives_way_to_the_one_before(run: Checkpoints, harm: str) -> None:
    newest = run.newest()
    assert newest is not None
    weights, state = newest.path / "weights", newest.path / "state.json"
    if harm == "changed":
        weights.write_text("weights 31", "utf-8")
    elif harm == "shortened":
        weights.write_text("weights", "utf-8")
    elif harm == "missing":
        weights.unlink()
    elif harm == "no state":
        state.unlink()
    else:
        state.write_text(state.read_text("utf-8")[:20], "utf-8")
    found = run.newest()
    assert found is not None
    assert found.step == 20
    assert run.search() == (found, [newest.path])
    assert run.named("last") is None


@pytest.mark.parametrize(
    ("number", "kind", "remedy"),
    [
        (errno.ENOSPC, FULL, "Free some space on its disk."),
        (errno.EACCES, "permission", "Make the run's folder writable."),
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
    (draft / "weights").write_text("half", "utf-8")
    found = run.newest()
    assert found is not None and found.step == 30
    run.write(40, writing("weights 40"), {})
    found = run.newest()
    assert found is not None and found.step == 40


def test_the_draft_of_a_killed_process_is_deleted_when_others_are(
    run: Checkpoints, tmp_path: Path
) -> None:
    draft = tmp_path / "checkpoints" / ".step-00000025.draft"
    draft.mkdir()
    run.prune(3)
    assert steps(tmp_path) == ["step-00000010", "step-00000020", "step-00000030"]


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


def steps(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "checkpoints").iterdir())


@pytest.mark.skipif(os.name == "nt" or os.getuid() == 0, reason="nothing is unreadable there")
@pytest.mark.parametrize("what", ["checkpoints", "checkpoints/step-00000030/weights"])
def test_what_may_not_be_read_is_not_taken_for_damaged(
    run: Checkpoints, tmp_path: Path, what: str
) -> None:
    (tmp_path / what).chmod(0)
    try:
        with pytest.raises(
            EpitomeError, match=r"cannot be read \(Permission denied\)\. Make it rea"
        ):
            run.newest()
    finally:
        (tmp_path / what).chmod(0o700)


@pytest.mark.parametrize("number", [errno.EACCES, errno.EIO])
def test_a_refusal_of_the_system_is_told_not_taken_for_damage(
    run: Checkpoints, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(*arguments: object, **named: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("core.runs.checkpoints.open_regular", refuse)
    with pytest.raises(EpitomeError) as error:
        run.newest()
    assert f"cannot be read ({os.strerror(number)})." in error.value.message
    assert error.value.remedy == "Make it readable, and try again."


def test_a_damaged_checkpoint_does_not_push_out_a_whole_one(
    run: Checkpoints, tmp_path: Path
) -> None:
    for step in (20, 30):
        (tmp_path / f"checkpoints/step-000000{step}/weights").write_text("cut", "utf-8")
    run.write(15, writing("weights 15"), {})
    run.prune(2)
    found, damaged = run.search()
    assert found is not None and found.step == 15
    assert run.named("last") == found
    assert [path.name[-2:] for path in damaged] == ["30", "20"]
    assert steps(tmp_path)[:2] == ["step-00000010", "step-00000015"]


def test_what_is_set_aside_is_never_used_named_or_counted_and_the_newest_of_each_kind_stays(
    run: Checkpoints, tmp_path: Path
) -> None:
    run.name("best", 30)
    newest = run.newest()
    assert newest is not None
    aside = run.set_aside(newest.path, "damaged")
    assert aside is not None and (aside / "weights").read_text("utf-8") == "weights 30"
    assert run.named("best") is None
    last = run.named("last")
    assert last is not None and last.step == 20
    run.write(30, writing("again"), {})
    again = run.set_aside(run.at(30), "damaged")
    assert again == aside.with_name(aside.name + "-2")
    assert again is not None and (again / "weights").read_text("utf-8") == "again"
    assert run.set_aside(run.at(99), "damaged") is None
    assert run.set_aside(run.at(20), "diverged") == run.at(20).with_name("diverged-step-00000020")
    run.prune(1)
    assert steps(tmp_path) == [
        "damaged-step-00000030-2", "diverged-step-00000020", "step-00000010"
    ]  # fmt: skip


def test_what_cannot_be_set_aside_costs_nothing_that_was(
    run: Checkpoints, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    aside = run.set_aside(run.at(30), "damaged")

    def refuse(*arguments: Any) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "replace", refuse)
    assert run.set_aside(run.at(20), "damaged") is None
    assert aside is not None and aside.is_dir() and run.at(20).is_dir()


def test_each_file_is_read_once_to_find_the_newest(
    run: Checkpoints, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "checkpoints/step-00000030/weights").write_text("cut", "utf-8")
    opened: list[Path] = []

    def counting(path: Path, mode: Literal["rb"]) -> BinaryIO:
        opened.append(path)
        return open_regular(path, mode)

    monkeypatch.setattr("core.runs.checkpoints.open_regular", counting)
    run.search()
    assert opened and sorted(opened) == sorted(set(opened))
