"""All long jobs as a list shows them: those of the queue, and runs started at the command line."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from core.events import Failed, Progress
from core.jobs.lanes.following import progress_of
from core.jobs.queue.job_queue import JobQueue
from core.jobs.queue.queued import QueuedJob, Request, State
from core.jobs.queue.trash import KEPT_DAYS
from core.runs.folder import RunFolder, last_start
from core.storage.files import is_held

_LOOK_ELSEWHERE_S = 3.0
_WISHES = {
    "pause": "Pausing; it keeps what it has made.",
    "stop": "Stopping; it keeps what it has made.",
    "cancel": "Cancelling.",
    "resume": "It goes on as soon as it has stopped.",
}


@dataclass(frozen=True)
class JobNow:
    """A job as it stands.

    Args:
        id: In the queue; empty for a run that was started at the command line.
        title: What a person reads.
        state: Where it stands.
        folder: Its own folder.
        share: How much is done, 0 to 1; None when that is not known.
        note: A sentence on how it stands; may be empty.
        can_pause: Whether it can be paused and resumed.
        kind: Name of its kind, as in `core.jobs.lanes.kinds`.
        lane: The device it works on; empty for a run that was started at the command line.
        wish: What was asked of its process and is not done yet.
        failure: Why it failed.
    """

    id: str
    title: str
    state: State
    folder: Path
    share: float | None = None
    note: str = ""
    can_pause: bool = True
    kind: str = ""
    lane: str = ""
    wish: Request = ""
    failure: Failed | None = None


class JobLister:
    """Lists the jobs of the queue in their order, then the runs that others work on.

    Args:
        queue: The queue.
        runs: Where training runs lie.
    """

    def __init__(self, queue: JobQueue, runs: Path) -> None:
        self._queue, self._runs = queue, runs
        self._stamp: tuple[int, int, int] | None = None
        self._jobs: list[QueuedJob] = []
        self._elsewhere: list[QueuedJob] = []
        self._gone_on: set[str] = set()  # ids of ended jobs whose runs others went on with
        self._next_look_s = 0.0

    def list(self) -> tuple[JobNow, ...]:
        """How each job stands; what has not changed is not read again.

        Returns:
            The jobs.

        Raises:
            EpitomeError: If the queue cannot be read.
        """
        stamp = self._queue.stamp()
        if stamp != self._stamp:
            self._jobs, self._stamp = self._queue.jobs(), stamp
        if time.monotonic() >= self._next_look_s:
            self._next_look_s = time.monotonic() + _LOOK_ELSEWHERE_S
            self._gone_on = {job.id for job in self._jobs if _has_gone_on(job)}
            known = {job.folder for job in self._jobs if job.id not in self._gone_on}
            self._elsewhere = list(_elsewhere(self._runs, known))
        listed = [job for job in self._jobs if job.id not in self._gone_on or not _ended(job)]
        return (*map(_now, listed), *map(_now, self._elsewhere))


def _now(job: QueuedJob) -> JobNow:
    progress = progress_of(job) if job.state in ("running", "paused") else None
    return JobNow(
        job.id,
        job.title,
        job.state,
        job.folder,
        1.0 if job.state == "finished" else _share(progress),
        _note(job, progress),
        can_pause=bool(job.id) and job.wish in ("", "pause", "resume"),
        kind=job.kind,
        lane=job.lane,
        wish=job.wish,
        failure=job.failure,
    )


def _note(job: QueuedJob, progress: Progress | None) -> str:
    if job.wish:
        return _WISHES[job.wish]
    if job.state == "cancelled":  # what is said of a failure can be done only once it is restored
        return _of_trash(job.trashed) if job.trashed else "Cancelled."
    if job.failure:
        return f"{job.failure.message} {job.failure.remedy}"
    if not job.id:
        return "Started at the command line."
    return progress.what if progress and job.state == "running" else ""


def _ended(job: QueuedJob) -> bool:
    return job.state in ("failed", "stopped")


def _has_gone_on(job: QueuedJob) -> bool:
    """True if the run of an ended job was resumed at the command line: how it ended is outdated."""
    return job.kind == "train" and _ended(job) and last_start(RunFolder(job.folder)) > job.start


def _of_trash(place: Path) -> str:
    return f"Cancelled. Its folder is in the trash for {KEPT_DAYS} days: {place}."


def _share(progress: Progress | None) -> float | None:
    if progress is None or not progress.total:
        return None
    return min(progress.done / progress.total, 1.0)


def _elsewhere(runs: Path, queued: set[Path]) -> Iterable[QueuedJob]:
    """The runs on which a process that nobody has queued is at work."""
    for path in sorted(runs.iterdir()) if runs.is_dir() else ():
        folder = RunFolder(path)
        if path.absolute() not in queued and is_held(folder.lock_file):
            yield QueuedJob("", "train", path.name, "", path, "running", last_start(folder))
