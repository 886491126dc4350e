"""Runs jobs in a child process: whatever becomes of it never touches this one."""

import queue
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from math import inf
from pathlib import Path

from core.events import Event, Failed, Stopped, is_last
from core.jobs.job import Job
from core.jobs.lanes.child import Happened, RunJob, StopJob, command
from core.jobs.run import failed
from core.library.folders import Folders
from core.numbers import format_quantity
from core.stop import StopToken
from core.system.crash_reports import read_report
from core.system.limits import SPLIT, told_by_status
from core.system.processes import Child, ChildEndedError

_DIES_S = 2.0  # a process that was killed is gone by then, unless the system cannot end it
_LOOK_S = 0.5  # where waiting cannot be interrupted (Windows), Ctrl-C is answered so soon


class ChildProcess:
    """A child process that does one job after another, and is replaced when it dies.

    `run` is called by one thread at a time; `close` and `pid` by any.

    Args:
        name: What the process is called when it ends early; begins a sentence.
        remedy: What a person can do about a job that ended its process or was given up.
        log: A file for its error output; None throws it away.
        heeds_s: How long a job may take to heed a wish to end, in seconds; then its process is
            killed. 0 kills it at once.
        keeps_s: The same for a wish to end and keep what there is; None for the same time.
        silence_s: How long nothing may be heard of a job that has begun, in seconds; then its
            process is killed. None waits for ever.
    """

    def __init__(
        self,
        name: str = "The process that did this",
        remedy: str = "Try again, or make it smaller.",
        *,
        log: Path | None = None,
        heeds_s: float = 0.0,
        keeps_s: float | None = None,
        silence_s: float | None = None,
    ) -> None:
        self._name, self._remedy, self._log = name, remedy, log
        self.heeds_s, self._silence_s = heeds_s, silence_s
        self._keeps_s = keeps_s
        self._lock = threading.Lock()
        self._line: _Line | None = None
        self._number = 0

    @property
    def pid(self) -> int:
        """The process's number; 0 while there is none."""
        with self._lock:
            return self._line.child.pid if self._line and self._line.alive() else 0

    def start(self) -> None:
        """Starts the process where none is alive, so that the next job need not wait for it.

        Raises:
            OSError: If it cannot be started.
        """
        self._living_line()

    def run(self, job: Job, stop: StopToken) -> Iterator[Event]:
        """Runs a job there.

        Args:
            job: What to do.
            stop: The wish to end; a job that does not heed it in time loses its process.

        Yields:
            The job's events; the last is `Finished`, `Failed` or `Stopped`. A process that dies
            gives `Failed` with what the system says of its end, or with the limit that it went
            over, of the kind "ended"; one that is silent for too long, of the kind "silent".
        """
        if stop:
            yield Stopped(stop.wish)
            return
        self._number += 1
        try:
            line = self._living_line()
            line.send(RunJob(self._number, job))
        except Exception as error:
            self.close()
            yield failed(error) if not isinstance(error, OSError) else self._dead(str(error))
            return
        is_over = False
        try:
            with stop.calling(line.wake):
                for event in self._followed(line, self._number, stop):
                    is_over = is_last(event)
                    yield event
        finally:
            if not is_over:
                self.close()

    def _followed(self, line: "_Line", number: int, stop: StopToken) -> Iterator[Event]:
        deadline_s, is_asked = inf, False
        while True:
            if stop and not is_asked:
                keeps = stop.wish != "cancel" and self._keeps_s is not None
                patience_s = self._keeps_s if keeps else self.heeds_s
                is_asked, deadline_s = True, time.monotonic() + (patience_s or 0.0)
                line.send(StopJob(number, stop.wish))
            left_s = deadline_s - time.monotonic()
            if left_s <= 0:
                self.close()
                yield Stopped(stop.wish) if is_asked else self._silent()
                return
            said = line.hear(min(left_s, _LOOK_S))
            if isinstance(said, _End):
                self.close()
                is_wanted = bool(stop) or said.wanted
                yield Stopped(stop.wish or "cancel") if is_wanted else self._ended(said)
                return
            if said is None or said.number != number:
                continue  # woken up, or of a run that was given up
            if not is_asked and self._silence_s is not None:
                deadline_s = time.monotonic() + self._silence_s
            yield said.event
            if is_last(said.event):
                return

    def _living_line(self) -> "_Line":
        with self._lock:
            if self._line is not None and not self._line.alive():
                self._line.close()
                self._line = None
            if self._line is None:
                self._line = _Line(self._log)
            return self._line

    def _ended(self, end: "_End") -> Failed:
        if end.limit:
            return Failed(end.limit, SPLIT, kind="ended")
        return self._dead(end.how, end.report)

    def _dead(self, how: str, report: str = "") -> Failed:
        return Failed(f"{self._name} ended early: {how}.", self._remedy, report, "ended")

    def _silent(self) -> Failed:
        told = f"It did not respond for {format_quantity(int(self._silence_s or 0), 'second')}"
        return Failed(f"{told}, so it was stopped.", self._remedy, kind="silent")

    def close(self) -> None:
        """Ends the process at once, whatever it does; the next job starts another."""
        with self._lock:
            line, self._line = self._line, None
        if line is not None:
            line.close()


class _End:
    """Said by a line when its child is gone.

    Args:
        how: What the system says of its end, a clause.
        wanted: Whether it was ended from here.
        limit: Which of its own limits ended it, a sentence; empty for none.
        report: The stacks of its threads when it crashed; empty if it did not.
    """

    def __init__(self, how: str, wanted: bool, limit: str = "", report: str = "") -> None:
        self.how, self.wanted, self.limit, self.report = how, wanted, limit, report


class _Line:
    """A living child, and the thread that hears what it says."""

    def __init__(self, log: Path | None) -> None:
        self.child = Child(command(), log)
        self._said: queue.SimpleQueue[Happened | _End | None] = queue.SimpleQueue()
        self._wanted = self._is_over = False
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def alive(self) -> bool:
        """Whether the child can still hear and speak."""
        return not self._is_over and self.child.alive()

    def send(self, message: RunJob | StopJob) -> None:
        """Sends a message; that a child is gone is heard, not told here."""
        with suppress(ChildEndedError):
            self.child.channel.send(message)

    def hear(self, timeout_s: float) -> Happened | _End | None:
        """What it says next; None when it says nothing for so long, or this was woken up."""
        try:
            return self._said.get(timeout=timeout_s)
        except queue.Empty:
            return None

    def wake(self) -> None:
        """Ends the waiting of `hear`; may be called from a signal handler."""
        self._said.put(None)

    def _listen(self) -> None:
        while True:
            try:
                self._said.put(self.child.channel.receive())
            except ChildEndedError:
                self._is_over = True
                limit = told_by_status(self.child.status())
                report = read_report(Folders.of_this_user().crashes, self.child.pid)
                self._said.put(_End(self.child.how_it_ended(), self._wanted, limit, report))
                return
            except Exception as error:  # an event that cannot be read here
                self.child.kill()
                self._said.put(_End(f"it sent an unreadable message ({error})", wanted=False))
                return

    def close(self) -> None:
        """Ends the child at once; one that a dead disk holds, past any signal, is left behind."""
        self._wanted = True
        self.child.kill()
        self._thread.join(_DIES_S)
        if self._thread.is_alive():
            self.child.leave()
        else:
            self.child.end()


def run_in_child(job: Job, stop: StopToken) -> Iterator[Event]:
    """Runs a job in a process that begins with it and ends with it; else as `ChildProcess.run`."""
    with closing(ChildProcess()) as process:
        yield from process.run(job, stop)
