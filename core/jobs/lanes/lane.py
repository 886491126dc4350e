"""Starts the queued jobs of a lane one after another, and watches over each.

It is a small process without a window, so that the next job starts also when no window is open,
and that a job which is killed is told with what the system says of its end: only the process that
has started another learns that. A window starts it when there is something to do; it ends when
nothing is left. A lock sees to it that there is one of each lane. When it is killed, the job goes
on, and the next one that is started watches over it.
"""

import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Protocol

import psutil

from core.errors import EpitomeError
from core.events import Event, Failed, Stopped
from core.jobs.lanes import detached
from core.jobs.lanes.following import last_event_of
from core.jobs.lanes.kinds import kind_of
from core.jobs.queue.job_queue import JobQueue, process_lock
from core.jobs.queue.queued import ACTIVE, QueuedJob
from core.jobs.run import failed
from core.library.folders import Folders
from core.runs.events_file import EventsFile
from core.runs.folder import RunFolder, began_before_boot, process_at_work
from core.storage.files import FileLock, is_held
from core.system import crash_reports
from core.system.processes import count_memory_kills, python_command, start_detached

_LOOK_S = 0.5
_HEEDS_CANCEL_S = 10.0  # nothing is kept of a cancelled job, so it may be killed
_LOCK_PATIENCE_S = 0.5
_END_ATTEMPTS = 60
_REMEDY_GONE = "Move it back and resume the job, or remove the job from the list."
_REMEDY = "Resume it: it goes on from what it has kept. Its log is in its folder."
_MEMORY_REMEDY = "Close other programs or use less memory, then resume it."

Command = Callable[[str, int], list[str]]


def command(lane: str) -> list[str]:
    """The command line of the process that starts the jobs of a lane."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--lane", lane]
    code = "import sys; from core.jobs.lanes.lane import main; main(sys.argv[1])"
    return python_command("-c", code, lane)


def attend(queue: JobQueue, command: Callable[[str], list[str]] = command) -> None:
    """Sees to it that somebody starts, and watches over, what is in the queue.

    Args:
        queue: The queue.
        command: Gives the command line of a lane's process.

    Raises:
        EpitomeError: If the queue cannot be read.
        OSError: If a process cannot be started.
    """
    for lane in queue.busy_lanes():
        if not is_held(queue.lane_lock(lane)):
            start_detached(command(lane), queue.folder / "lanes.log")


def main(lane: str, command: Command = detached.command) -> None:
    """Starts the jobs of a lane until none is left.

    Args:
        lane: The lane.
        command: Gives the command line of a job's process.
    """
    crash_reports.begin("lane", Folders.of_this_user().crashes)
    queue = JobQueue.of_this_user(sets_aside=False)
    lock = FileLock(queue.lane_lock(lane))
    # Looked at again after the lock is free: a job that was queued just before found it taken.
    while lane in queue.busy_lanes():
        if not lock.acquire(patience_s=_LOCK_PATIENCE_S):
            return
        try:
            queue.empty_trash()
            _serve(queue, lane, command)
        finally:
            lock.release()


def _serve(queue: JobQueue, lane: str, command: Command) -> None:
    queue.take_back(lane)
    for left in queue.jobs():
        if left.lane == lane and left.state in ACTIVE:
            _watch(queue, left, _Adopted(left.folder))
    while job := queue.begin_next(lane):
        try:
            process = start_detached(command(job.id, job.start), RunFolder(job.folder).log_file)
        except OSError as error:
            traceback.print_exc()
            queue.end(job.id, job.start, failed(error))
            continue
        _watch(queue, job, process)


class Watched(Protocol):
    """A process that somebody watches."""

    def ended(self, wait_s: float) -> bool:
        """Waits for its end, so many seconds at most; whether it came."""
        ...

    def kill(self) -> None:
        """Ends it at once."""
        ...

    def how_it_ended(self) -> str:
        """What is known of its end, a clause."""
        ...

    def was_killed(self) -> bool:
        """Whether it was killed, as the system does when memory runs out."""
        ...

    @property
    def pid(self) -> int:
        """Its process number; 0 where it is not known."""
        ...


def _watch(queue: JobQueue, job: QueuedJob, process: Watched) -> None:
    """Waits for the end of a job's process; of one that could not tell its end, tells it."""
    deadline_s, kills = inf, count_memory_kills()
    while not process.ended(_LOOK_S):
        now = queue.job(job.id)
        if now is not None and now.wish == "cancel" and now.start == job.start:
            deadline_s = min(deadline_s, time.monotonic() + _HEEDS_CANCEL_S)
        if time.monotonic() > deadline_s:
            process.kill()
    now = queue.job(job.id)
    if now is not None and now.start == job.start and now.state in ACTIVE:
        # It has not told its end itself.
        more = kills is not None and (count_memory_kills() or 0) > kills
        _write_end(queue, now, _end_of(now, process, by_memory=more and process.was_killed()))


def _write_end(queue: JobQueue, job: QueuedJob, last: Event | None) -> None:
    """Writes down how a process ended; tries again for a while where the disk is full."""
    for _ in range(_END_ATTEMPTS - 1):
        try:
            return _end(queue, job, last)
        except EpitomeError:
            traceback.print_exc()
            time.sleep(_LOOK_S)
    _end(queue, job, last)


def _end(queue: JobQueue, job: QueuedJob, last: Event | None) -> None:
    if last is None:
        queue.interrupt(job.id, job.start)
    else:
        queue.end(job.id, job.start, last)


def _end_of(job: QueuedJob, process: Watched, *, by_memory: bool) -> Event | None:
    """The last event of a start.

    Args:
        job: The job, as it is in the queue.
        process: Its process, which has ended.
        by_memory: Whether the kernel ended it because memory ran out.

    Returns:
        The event; None where the machine was switched off under it.
    """
    if job.wish == "cancel":
        return Stopped("cancel")
    if not job.folder.is_dir():
        return Failed(f"The folder {job.folder} is gone.", _REMEDY_GONE, kind="ended")
    with suppress(EpitomeError):
        if job.state == "running" and (last := last_event_of(job)):
            return last
    folder = RunFolder(job.folder)
    if finished := _finished(job):
        _record(folder, finished)
        return finished
    if began_before_boot(folder, job.start):
        return None
    if by_memory:
        told = "The system ended its process because the memory of the machine ran out."
        failure = Failed(told, _MEMORY_REMEDY, kind="memory")
    else:
        kind = "killed" if process.was_killed() else "ended"
        message = f"Its process ended early: {process.how_it_ended()}."
        report = crash_reports.read_report(Folders.of_this_user().crashes, process.pid)
        failure = Failed(message, _REMEDY, report, kind)
    _record(folder, failure)
    return failure


def _finished(job: QueuedJob) -> Event | None:
    """The last event of a job that was done when its process died."""
    with suppress(EpitomeError):
        kind = kind_of(job.kind)
        return kind.finished(job.folder) if kind.finished else None
    return None


def _record(folder: RunFolder, last: Event) -> None:
    with suppress(EpitomeError):  # a full disk; the queue tells it too
        if not is_held(folder.lock_file):
            EventsFile(folder.events_file).append(last)


class _Adopted:
    """The process of a job that somebody else has started.

    Args:
        folder: The job's.
    """

    pid = 0

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def ended(self, wait_s: float) -> bool:
        """Whether its lock came free; also where its folder is gone."""
        if not self._folder.is_dir():
            return True
        lock = FileLock(process_lock(self._folder))
        try:
            return lock.acquire(patience_s=wait_s)
        except OSError:  # no lock can be opened there
            time.sleep(wait_s)
            return process_at_work(RunFolder(self._folder)) is None
        finally:
            lock.release()

    def kill(self) -> None:
        """Ends the process that the folder names, if it is still the same."""
        process = process_at_work(RunFolder(self._folder))
        if process is not None:
            with suppress(psutil.Error):
                process.kill()

    def how_it_ended(self) -> str:
        """That nobody knows."""
        return "the reason is unknown, because no other process watched it"

    def was_killed(self) -> bool:
        """No: nobody knows."""
        return False
