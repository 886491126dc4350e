"""A small kind of job that tests queue, and the processes that know it."""

import faulthandler
import json
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from core.errors import EpitomeError
from core.events import Event, Finished, Progress, Started
from core.jobs.lanes import detached, lane
from core.jobs.lanes.following import JobFollower
from core.jobs.lanes.kinds import JobKind
from core.jobs.queue.job_queue import JobQueue
from core.jobs.queue.queued import JobSpec, QueuedJob
from core.library.folders import HOME_VARIABLE
from core.stop import StopToken
from tests.helpers.killing import KILL
from tests.helpers.warm_processes import works_in

if TYPE_CHECKING:
    from pytest import MonkeyPatch  # a process of a lane need not load it

ROOT = Path(__file__).parents[2]
_PATIENCE = 10_000  # looks; an upper bound, never a wait
_LOOK_S = 0.05


@dataclass(frozen=True)
class Counted(Event):
    """A number was counted."""

    number: int


@dataclass(frozen=True)
class CountUpJob:
    """Counts up to a number, keeping how far it is in its folder; then does something more.

    *wait* waits for a wish to end at its first start, *stay* at each; *deaf* does not hear one;
    *die* kills its process, *crash* crashes it, *fail* fails.
    """

    folder: Path
    top: int
    then: str

    def run(self, stop: StopToken) -> Iterator[Event]:
        with (self.folder / "starts.txt").open("a", encoding="utf-8") as file:
            file.write(f"{os.getpid()}\n")
        kept = self.folder / "kept.txt"
        done = int(kept.read_text("utf-8")) if kept.exists() else 0
        yield Started("Counting up")
        for number in range(done + 1, self.top + 1):
            kept.write_text(str(number), "utf-8")
            yield Counted(number)
            yield Progress(number, self.top, "numbers", "Counting up")
        self._end(stop)
        yield Finished({"sum": sum(range(self.top + 1))})

    def _end(self, stop: StopToken) -> None:
        again = (self.folder / "starts.txt").read_text("utf-8").count("\n") > 1
        if self.then == "stay" or (self.then == "wait" and not again):
            while not stop.wait(60.0):
                pass
            stop.raise_if_set()
        while self.then == "deaf":
            pass
        if self.then == "die" and not again:
            os.kill(os.getpid(), KILL)
        if self.then == "crash" and not again:
            faulthandler._sigsegv()  # type: ignore[attr-defined]
        if self.then == "fail" and not again:
            raise EpitomeError("This is wrong.", "Do that.", kind="test")


def count_up(folder: Path) -> CountUpJob:
    """The job whose settings lie in a folder."""
    return CountUpJob(folder, **json.loads((folder / "queued.toml").read_text("utf-8")))


KINDS = {"count": JobKind(count_up, (Counted,), ("queued.toml",))}


def queue_count(
    queue: JobQueue, folder: Path, top: int = 3, then: str = "", lane: str = "cpu"
) -> QueuedJob:
    """Queues a job that counts."""
    return queue.add(specify_count(folder, top, then, lane))


def specify_count(folder: Path, top: int = 3, then: str = "", lane: str = "cpu") -> JobSpec:
    """A job that counts, to be queued."""
    files = {"queued.toml": json.dumps({"top": top, "then": then})}
    return JobSpec("count", folder.name, lane, folder, files)


def lane_command(lane: str) -> list[str]:
    """As `core.jobs.lanes.lane.command`, for a process that knows this kind."""
    return [sys.executable, "-c", "from tests.helpers.queued_jobs import lane_main; lane_main()",
            lane]  # fmt: skip


def job_command(id: str, start: int) -> list[str]:
    """As `core.jobs.lanes.detached.command`, for a process that knows this kind."""
    return [sys.executable, "-c", "from tests.helpers.queued_jobs import job_main; job_main()",
            id, str(start)]  # fmt: skip


def attend(queue: JobQueue) -> None:
    """As a window does."""
    lane.attend(queue, lane_command)


def lane_main() -> None:
    """The body of a lane's process."""
    lane._HEEDS_CANCEL_S = 0.2
    lane.main(sys.argv[1], job_command)


def job_main() -> None:
    """The body of a job's process."""
    detached.main(sys.argv[1], int(sys.argv[2]), KINDS)


def processes_of(home: Path) -> list[psutil.Process]:
    """All other processes that work in a home."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            works = process.environ().get(HOME_VARIABLE) == str(home)
            if (works or works_in(process.pid, str(home))) and process.pid != os.getpid():
                found.append(process)
    return found


def end_all(home: Path) -> None:
    """Kills whatever a test has left at work in its home."""
    while processes := processes_of(home):
        for process in processes:
            with suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(processes)


@contextmanager
def queue_of(home: Path, monkeypatch: "MonkeyPatch") -> Iterator[JobQueue]:
    """The queue of a test's home, whose processes find the tests; nothing of it is left at work."""
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}{os.pathsep}{os.environ['PYTHONPATH']}")
    yield JobQueue.of_this_user()
    end_all(home)


def events_of(queue: JobQueue, id: str) -> Iterator[Event]:
    """What a queued job tells, to its end."""
    follower, pause = JobFollower(queue, id), threading.Event()
    for _ in range(_PATIENCE):
        if follower.over:
            return
        yield from follower.poll()
        pause.wait(_LOOK_S)
    raise AssertionError("it did not end")
