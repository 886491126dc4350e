"""A run in several processes: private, stopped as one, and never waiting for one that is gone."""

import json
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from core.events import Event, Failed, Stopped
from core.jobs import team
from core.jobs.child_process import ChildProcess
from core.jobs.run import run_inline
from core.jobs.team import MemberJob, TeamJob
from core.jobs.train import TrainJob
from core.runs.events_file import read_events
from core.runs.folder import RunFolder, processes_before
from core.stop import StopToken
from core.training.events import CheckpointSaved, StepDone
from tests.helpers.command import wait_until
from tests.helpers.leftovers import living_children
from tests.helpers.planted_modules import plant_modules
from tests.helpers.runs import run_events, tiny_corpus, tiny_plan

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_corpus(tmp_path_factory.mktemp("corpora") / "tiny")


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the processes' private folder is made."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


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
    return [each for each in living_children() if "core.jobs.child" in " ".join(each.cmdline())]


def test_nothing_of_it_can_be_reached_from_outside(
    corpus: Path, tmp_path: Path, temporary: Path
) -> None:
    listening: list[str] = []
    modes: list[int] = []

    def look() -> None:
        assert len(members()) == 2
        for member in members():
            sockets = member.net_connections("all")
            listening.extend(each.laddr.ip for each in sockets if each.status == psutil.CONN_LISTEN)
        modes.extend(stat.S_IMODE(path.stat().st_mode) for path in temporary.iterdir())
        stop.request("stop")

    stop = StopToken()
    events = train(corpus, tmp_path / "run", look, stop)
    assert events[-1] == Stopped("stop")
    assert set(listening) == {"127.0.0.1"}
    assert modes == [0o700]
    assert list(temporary.iterdir()) == []
    about = json.loads((tmp_path / "run" / "environment.json").read_text("utf-8"))
    assert (about["processes"], about["command"]) == (2, sys.argv)
    assert processes_before(RunFolder(tmp_path / "run")) == 2


def test_a_stop_wish_reaches_all_and_leaves_a_checkpoint(corpus: Path, tmp_path: Path) -> None:
    stop, run = StopToken(), tmp_path / "run"
    events = train(corpus, run, lambda: stop.request("stop"), stop)
    assert events[-1] == Stopped("stop")
    assert isinstance(events[-2], CheckpointSaved)
    assert members() == []
    steps = [each.values["step"] for each in read_events(run / "events.jsonl")
             if each.kind == "StepDone"]  # fmt: skip
    assert steps[-1] == events[-2].step


@pytest.mark.parametrize("number", [0, 1])
def test_a_process_that_dies_ends_the_others_and_is_named(
    corpus: Path, tmp_path: Path, number: int
) -> None:
    def kill() -> None:
        first = json.loads((tmp_path / "run" / "process.json").read_text("utf-8"))["pid"]
        next(each for each in members() if (each.pid == first) is (number == 0)).kill()

    events = train(corpus, tmp_path / "run", kill)
    last = events[-1]
    assert isinstance(last, Failed)
    assert last.message == (
        f"Process {number + 1} of 2 ended early: it was ended by signal 9, SIGKILL: memory ran "
        "out, or somebody ended it."
    )
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
        left = psutil.Process(launcher.pid).children()
        launcher.kill()
    assert len(left) == 2
    assert psutil.wait_procs(left, timeout=60)[1] == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_the_launcher_stops_the_run_with_a_checkpoint(
    corpus: Path, tmp_path: Path, number: signal.Signals
) -> None:
    command = command_of(corpus, tmp_path)
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as launcher:
        wait_for_steps(launcher, tmp_path / "run")
        left = psutil.Process(launcher.pid).children()
        launcher.send_signal(number)
        _, told = launcher.communicate(timeout=120)
    assert launcher.returncode == 130
    assert "Stopped. Resume with: epitome train --resume" in told
    assert not any(each.is_running() for each in left)
    kinds = [each.kind for each in read_events(tmp_path / "run" / "events.jsonl")]
    assert kinds[-1] == "Stopped" and kinds[-2] == "CheckpointSaved"


def test_a_module_in_the_current_folder_is_not_run(corpus: Path, tmp_path: Path) -> None:
    here = tmp_path / "here"
    plant_modules(here, "torch", "core", "numpy")
    command = command_of(corpus, tmp_path, "--steps", "2")
    told = subprocess.run(command, cwd=here, capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    assert not (here / "was-run").exists()


def command_of(corpus: Path, folder: Path, *words: str) -> list[str]:
    job = folder / "job.toml"
    plan = tiny_plan(corpus, steps=10_000, rouge_rows=0, validate_every=5000)
    job.write_text(plan.to_toml(), "utf-8")
    program = "from core.cli.main import main; raise SystemExit(main())"
    words = ("--config", str(job), "--processes", "2", "--out", str(folder / "run"), *words)
    return [sys.executable, "-P", "-c", program, "train", *words]


def wait_for_steps(launcher: subprocess.Popen[str], run: Path) -> None:
    events = run / "events.jsonl"
    wait_until(launcher, lambda: any(each.kind == "StepDone" for each in read_events(events)))
