"""A run in several processes: private, stopped as one, and never waiting for one that is gone."""

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from core.events import Event, Failed, Stopped
from core.jobs.lanes.child_process import ChildProcess
from core.jobs.run import run_inline
from core.jobs.training import team
from core.jobs.training.team import MemberJob, TeamJob
from core.jobs.training.train import TrainJob
from core.runs.events_file import read_events
from core.runs.folder import RunFolder, processes_before
from core.stop import StopToken
from core.training.events import CheckpointSaved, StepDone
from tests.helpers.command import wait_until
from tests.helpers.killing import KILL, KILLED
from tests.helpers.leftovers import command_line, living_children
from tests.helpers.planted_modules import plant_modules
from tests.helpers.runs import run_events, tiny_corpus, tiny_plan

ROOT = Path(__file__).parents[4]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_corpus(tmp_path_factory.mktemp("corpora") / "tiny")


def train(
    corpus: Path, run: Path, at_step_two: Callable[[], None], stop: StopToken | None = None
) -> list[Event]:
    """Trains in two processes; does something while they are at work."""
    plan = tiny_plan(corpus, steps=10_000, rouge_rows=0, validate_every=5000)
    job = TeamJob(TrainJob(run, plan), 2)
    events = []
    for event in run_inline(job, StopToken() if stop is None else stop):
        events.append(event)
        if isinstance(event, StepDone) and event.step == 2:
            at_step_two()
    return events


def members() -> list[psutil.Process]:
    return [each for each in living_children() if "core.jobs.lanes.child" in command_line(each)]


@dataclass
class StoppedRun:
    """A run in two processes that was stopped after its second step, and what was seen then."""

    folder: Path
    temporary: Path
    """Where the processes' private folder is made."""
    addresses: list[str] = field(default_factory=list)
    modes: list[int] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    left: list[psutil.Process] = field(default_factory=list)


@pytest.fixture(scope="module")
def stopped(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> StoppedRun:
    place, stop = tmp_path_factory.mktemp("stopped"), StopToken()
    run = StoppedRun(place / "run", place / "temporary")
    run.temporary.mkdir()

    def look() -> None:
        assert len(members()) == 2
        for member in members():
            sockets = member.net_connections("all")
            run.addresses += [at.laddr.ip for at in sockets if at.status == psutil.CONN_LISTEN]
        run.modes += [stat.S_IMODE(path.stat().st_mode) for path in run.temporary.iterdir()]
        stop.request("stop")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tempfile.tempdir", str(run.temporary))
        run.events = train(corpus, run.folder, look, stop)
    run.left = members()
    return run


def test_nothing_of_it_can_be_reached_from_outside(stopped: StoppedRun) -> None:
    assert set(stopped.addresses) == {"127.0.0.1"}
    assert stopped.modes == [0o700]
    assert list(stopped.temporary.iterdir()) == []


def test_how_it_was_trained_is_written_down(stopped: StoppedRun) -> None:
    about = json.loads((stopped.folder / "environment.json").read_text("utf-8"))
    assert (about["processes"], about["command"]) == (2, sys.argv)
    assert processes_before(RunFolder(stopped.folder)) == 2


def test_a_stop_wish_reaches_all_and_leaves_a_checkpoint(stopped: StoppedRun) -> None:
    *_, saved, last = stopped.events
    assert last == Stopped("stop")
    assert isinstance(saved, CheckpointSaved)
    assert stopped.left == []
    steps = [each.values["step"] for each in read_events(stopped.folder / "events.jsonl")
             if each.kind == "StepDone"]  # fmt: skip
    assert steps[-1] == saved.step


@pytest.mark.parametrize("number", [0, 1])
def test_a_process_that_dies_ends_the_others_and_is_named(
    corpus: Path, tmp_path: Path, number: int
) -> None:
    def kill() -> None:
        first = json.loads((tmp_path / "run" / "process.json").read_text("utf-8"))["pid"]
        which = next(each for each in members() if (each.pid == first) is (number == 0))
        os.kill(which.pid, KILL)

    events = train(corpus, tmp_path / "run", kill)
    last = events[-1]
    assert isinstance(last, Failed)
    assert last.message == (f"Process {number + 1} of 2 ended early: {KILLED}.")
    assert last.remedy == "Resume the run with --resume."
    assert members() == []
    stop = StopToken()
    stop.request("stop")
    assert run_events(tmp_path / "run", stop=stop)[-1] == Stopped("stop")  # it can go on


def test_what_keeps_all_from_beginning_is_told_once(corpus: Path, tmp_path: Path) -> None:
    job = TeamJob(TrainJob(tmp_path / "none"), 2)
    assert list(run_inline(job, StopToken())) == [
        Failed(f"There is no run in {tmp_path / 'none'}.", "Train one with epitome train.")
    ]


def test_one_that_is_stopped_before_it_begins_does_not_leave_the_other_waiting_for_it(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(team, "_GRACE_S", 0.5)
    stop, original = StopToken(), ChildProcess.run

    def run(process: ChildProcess, job: MemberJob, stop: StopToken) -> Iterator[Event]:
        if job.rank == 1:
            stop.request("stop")
        return original(process, job, stop)

    monkeypatch.setattr(ChildProcess, "run", run)
    job = TeamJob(TrainJob(tmp_path / "run", tiny_plan(corpus)), 2)
    assert list(run_inline(job, stop))[-1] == Stopped("stop")
    assert members() == []


def test_a_process_left_alone_ends(corpus: Path, tmp_path: Path) -> None:
    command = command_of(corpus, tmp_path)
    with subprocess.Popen(command, cwd=ROOT) as launcher:
        wait_for_steps(launcher, tmp_path / "run")
        left = living_children(launcher.pid)
        launcher.kill()
    assert len(left) == 2
    assert psutil.wait_procs(left, timeout=60)[1] == []


@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.cold_start)]
)
def test_a_signal_to_the_launcher_stops_the_run_and_no_module_of_its_folder_is_run(
    corpus: Path, tmp_path: Path, number: signal.Signals
) -> None:
    here = tmp_path / "here"
    plant_modules(here, "torch", "core", "numpy")
    command = command_of(corpus, tmp_path)
    with subprocess.Popen(command, cwd=here, stderr=subprocess.PIPE, text=True) as launcher:
        wait_for_steps(launcher, tmp_path / "run")
        left = living_children(launcher.pid)
        launcher.send_signal(number)
        _, told = launcher.communicate(timeout=120)
    assert launcher.returncode == 130
    assert "Stopped. Resume with: epitome train --resume" in told
    assert not any(each.is_running() for each in left)
    kinds = [each.kind for each in read_events(tmp_path / "run" / "events.jsonl")]
    assert kinds[-1] == "Stopped" and kinds[-2] == "CheckpointSaved"
    assert not (here / "was-run").exists()


def command_of(corpus: Path, folder: Path) -> list[str]:
    job = folder / "job.toml"
    plan = tiny_plan(corpus, steps=10_000, rouge_rows=0, validate_every=5000)
    job.write_text(plan.to_toml(), "utf-8")
    program = "from core.cli.main import main; raise SystemExit(main())"
    words = ("--config", str(job), "--processes", "2", "--out", str(folder / "run"))
    return [sys.executable, "-P", "-c", program, "train", *words]


def wait_for_steps(launcher: subprocess.Popen[str], run: Path) -> None:
    events = run / "events.jsonl"
    wait_until(launcher, lambda: any(each.kind == "StepDone" for each in read_events(events)))
