"""Trains one run in several processes of this machine, which are started and watched from here.

They meet through a file in a private folder and talk over the loopback interface: nothing can be
reached from outside the machine.
"""

import os
import queue
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path

from core.events import Event, Failed, Finished, Stopped, is_last
from core.jobs.lanes.child_process import ChildProcess
from core.jobs.training.train import TrainJob
from core.stop import StopToken

_RESUME = "Resume the run with --resume."
_GRACE_S = 20.0  # how long the others may take to notice that one of them is gone
_LOOK_S = 0.5
_LOG_CHARACTERS = 4000


@dataclass(frozen=True)
class MemberJob:
    """What one of the processes does.

    Args:
        job: The run.
        rank: The process's number, from 0; the first writes the run's folder.
        count: How many processes there are.
        store: The file through which they meet.
        command: What a person typed, which the run's folder keeps.
    """

    job: TrainJob
    rank: int
    count: int
    store: str
    command: tuple[str, ...]

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Trains as one of several; the events are those of `TrainJob`."""
        from core.training.meeting import STORE_VARIABLE

        os.environ |= {
            "RANK": str(self.rank),
            "LOCAL_RANK": str(self.rank),
            "WORLD_SIZE": str(self.count),
            STORE_VARIABLE: self.store,
        }
        sys.argv = list(self.command)
        # Whoever ends all processes of a session at once means the run, as the launcher does.
        signal.signal(signal.SIGTERM, lambda number, frame: stop.request("stop"))
        yield from self.job.run(stop)


@dataclass(frozen=True)
class TeamJob:
    """Trains a run in several processes.

    Args:
        job: The run.
        processes: How many.
    """

    job: TrainJob
    processes: int

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Trains.

        Args:
            stop: Passed on to every process; they write a checkpoint and end.

        Yields:
            The first process's events; the last one tells what ended the run, in whichever process
            it was. When it is yielded, every process has ended.
        """
        with ExitStack() as left:
            folder = Path(left.enter_context(tempfile.TemporaryDirectory(prefix="epitome-team-")))
            members = [
                left.enter_context(closing(_Member(self, rank, folder, stop)))
                for rank in range(self.processes)
            ]
            yield from _followed(members, left)


class _Member:
    """One process, and the thread that hears what it says."""

    def __init__(self, team: TeamJob, rank: int, folder: Path, stop: StopToken) -> None:
        self.rank = rank
        self._log = folder / f"{rank}.log"
        self._job = MemberJob(
            team.job, rank, team.processes, str(folder / "store"), tuple(sys.argv)
        )
        self._stop = stop
        name = f"Process {rank + 1} of {team.processes}"
        self._process = ChildProcess(name, _RESUME, log=self._log, heeds_s=inf)
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._said: queue.SimpleQueue[tuple[_Member, Event]] = queue.SimpleQueue()

    def begin(self, said: "queue.SimpleQueue[tuple[_Member, Event]]") -> None:
        """Starts the process; what it says is put into a queue."""
        self._said = said
        self._thread.start()

    def end(self) -> None:
        """Ends the process at once."""
        self._process.close()

    def close(self) -> None:
        """Ends the process and the thread."""
        self.end()
        if self._thread.ident is not None:
            self._thread.join()

    def _listen(self) -> None:
        for event in self._process.run(self._job, self._stop):
            if isinstance(event, Failed) and event.kind == "ended":
                details = filter(None, (self._last_words(), event.details))
                event = replace(event, details="\n\n".join(details))
            self._said.put((self, event))

    def _last_words(self) -> str:
        try:
            return self._log.read_text("utf-8", "replace")[-_LOG_CHARACTERS:].strip()
        except OSError:
            return ""


def _followed(members: list[_Member], left: ExitStack) -> Iterator[Event]:
    """The first one's events; the last when all have ended and nothing of them is left."""
    said: queue.SimpleQueue[tuple[_Member, Event]] = queue.SimpleQueue()
    for member in members:
        member.begin(said)
    endings: dict[int, Event] = {}  # in the order in which they came
    deadline_s = inf
    while len(endings) < len(members):
        if time.monotonic() > deadline_s:
            for member in members:
                member.end()
        try:
            member, event = said.get(timeout=_LOOK_S)
        except queue.Empty:
            continue
        if is_last(event):
            endings[member.rank] = event
            if not isinstance(event, Finished):
                member.end()  # its connections with it, so that nobody waits for it
                deadline_s = min(deadline_s, time.monotonic() + _GRACE_S)
        elif member.rank == 0:
            yield event
    left.close()
    yield _cause(endings)


def _cause(endings: dict[int, Event]) -> Event:
    """What ended the run: not what it made the other processes say."""
    first = endings[0]
    if isinstance(first, Finished | Stopped) and not _ended_here(first, endings):
        return first
    failures = [event for event in endings.values() if isinstance(event, Failed)]
    died = [event for event in failures if event.kind == "ended"]
    own = [event for event in failures if event.kind != "teammate"]
    causes: list[Event] = [*died, *own, *failures, first]
    return causes[0]


def _ended_here(first: Event, endings: dict[int, Event]) -> bool:
    """Whether the first process was ended because another had failed."""
    failed = any(isinstance(event, Failed) for event in endings.values())
    return failed and first == Stopped("cancel")
