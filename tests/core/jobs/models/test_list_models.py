"""Which of the person's runs the window offers as models."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.events import Finished
from core.jobs.call import CallJob
from core.jobs.models.list_models import list_models
from core.jobs.run import run_inline
from core.runs.about import RunAbout, write_about
from core.runs.folder import RunFolder
from core.stop import StopToken

LISTING = """
import sys
from pathlib import Path
from core.jobs.models.list_models import list_models
print(list(list_models(Path(sys.argv[1]))), "torch" in sys.modules)
"""


def a_run(runs: Path, name: str, *, checkpoints: dict[int, int]) -> Path:
    """A run's folder with checkpoints, by step the second in which each was made."""
    folder = runs / name
    folder.mkdir(parents=True)
    (folder / "job.toml").write_text("", "utf-8")
    for step, second in checkpoints.items():
        state = folder / "checkpoints" / f"step-{step:08}" / "state.json"
        state.parent.mkdir(parents=True)
        state.write_text("{}", "utf-8")
        os.utime(state, (second, second))
    return folder


def listed(runs: Path) -> tuple[str, ...]:
    (event,) = run_inline(CallJob(list_models, runs), StopToken())
    assert isinstance(event, Finished), event
    titles: dict[str, str] = event.result
    return tuple(titles)


def test_runs_are_listed_by_their_last_checkpoint_newest_first(tmp_path: Path) -> None:
    a_run(tmp_path, "a-old", checkpoints={40: 1_000})
    a_run(tmp_path, "b-new", checkpoints={10: 900, 20: 3_000})
    a_run(tmp_path, "c-middle", checkpoints={10: 2_000})
    assert listed(tmp_path) == ("b-new", "c-middle", "a-old")


def test_what_cannot_write_is_not_listed(tmp_path: Path) -> None:
    a_run(tmp_path, "just-begun", checkpoints={})
    half = a_run(tmp_path, "half-written", checkpoints={})
    (half / "checkpoints" / ".step-00000010.draft").mkdir(parents=True)
    (half / "checkpoints" / "step-00000020").mkdir()
    (a_run(tmp_path, "no-job", checkpoints={10: 1_000}) / "job.toml").unlink()
    (tmp_path / "notes.txt").write_text("not a run", "utf-8")
    assert listed(tmp_path) == ()


def test_before_the_first_run_there_are_no_models(tmp_path: Path) -> None:
    assert listed(tmp_path / "runs") == ()


def test_without_the_training_part_there_are_no_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_run(tmp_path, "mine", checkpoints={10: 1_000})
    assert listed(tmp_path) == ("mine",)
    monkeypatch.setitem(sys.modules, "torch", None)  # as where it is not installed
    assert listed(tmp_path) == ()


def test_listing_loads_no_training_engine(tmp_path: Path) -> None:
    a_run(tmp_path, "mine", checkpoints={10: 1_000})
    command = [sys.executable, "-c", LISTING, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['mine'] False"


def test_a_model_is_told_by_the_name_that_it_was_given(tmp_path: Path) -> None:
    a_run(tmp_path, "mine", checkpoints={10: 1_000})
    other = a_run(tmp_path, "other", checkpoints={10: 2_000})
    write_about(RunFolder(other), RunAbout("The other one"))
    (event,) = run_inline(CallJob(list_models, tmp_path), StopToken())
    assert event == Finished({"other": "The other one", "mine": "mine"})
