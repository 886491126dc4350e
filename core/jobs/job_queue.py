"""The queue of detached jobs, in one file that several windows and processes share.

The file is small, is changed under a lock only, and is written whole: whoever reads it sees the
queue before a change or after it, also when a process is killed in the middle. A job's settings
are frozen in its own folder when it is queued. Who starts the jobs: `core.jobs.lane`.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Literal

from core.errors import EpitomeError, of_system
from core.events import Event, Failed
from core.files import FileLock
from core.jobs.queue_file import QueueFile
from core.jobs.queued import ACTIVE, LASTING, JobOrder, QueuedJob
from core.jobs.trash import move_to_trash, take_from_trash, trash_places
from core.library.folders import Folders
from core.runs.control import request
from core.runs.events_file import whole_bytes
from core.runs.folder import RunFolder, begin_start, check_holds_no_other, last_start


class JobQueue:
    """The queue.

    Args:
        folder: Where its file and its locks lie.
        trash: Where the folders of cancelled jobs go.
    """

    def __init__(self, folder: Path, trash: Path) -> None:
        self._file = QueueFile(folder)
        self.folder, self._trash = folder, trash

    @classmethod
    def of_this_user(cls) -> "JobQueue":
        """The one in Epitome's own folders."""
        folders = Folders.of_this_user()
        return cls(folders.job_queue, folders.trash)

    # --- reading ---

    def jobs(self) -> list[QueuedJob]:
        """All jobs in their order.

        Returns:
            Waiting jobs are started in this order.

        Raises:
            EpitomeError: If the file cannot be read. A damaged one is set aside, and the next call
                finds an empty queue; the jobs' folders stay where they are.
        """
        return self._file.read()

    def job(self, id: str) -> QueuedJob | None:
        """The job of that id, if it is in the queue."""
        return next((job for job in self.jobs() if job.id == id), None)

    def stamp(self) -> tuple[int, int, int]:
        """Changes whenever the queue does, and costs next to nothing to ask for."""
        try:
            about = self._file.path.stat()
        except OSError:
            return (0, 0, 0)
        return (about.st_ino, about.st_size, about.st_mtime_ns)

    def busy_lanes(self) -> list[str]:
        """The lanes in which a job waits or runs."""
        return sorted({job.lane for job in self.jobs() if job.state in ACTIVE | {"waiting"}})

    def lane_lock(self, lane: str) -> Path:
        """The lock that whoever starts the jobs of a lane holds."""
        return self.folder / f"lane-{lane.replace(':', '-')}.lock"

    # --- what a person does ---

    def add(self, order: JobOrder) -> QueuedJob:
        """Freezes a job's settings in its folder, and puts it at the end of the line.

        Args:
            order: The job.

        Returns:
            The job as it waits.

        Raises:
            EpitomeError: If a job of that folder has not ended, it holds files that are not of a
                run, or something cannot be written.
        """
        job = QueuedJob(
            secrets.token_hex(4), order.kind, order.title, order.lane, order.folder.absolute()
        )
        with self._changing() as jobs:
            _refuse_second(jobs, job)
            check_holds_no_other(RunFolder(job.folder))
            order.freeze()
            jobs.append(job)
        return job

    def ask(self, id: str, wish: Literal["pause", "stop", "cancel"]) -> QueuedJob:
        """Pauses, stops or cancels a job; one without a process at once.

        Args:
            id: The job.
            wish: *pause* and *stop* keep what was made; *cancel* moves it to the trash.

        Returns:
            The job as it is now.

        Raises:
            EpitomeError: If it is not in the queue, or has ended.
        """
        with self._changing() as jobs:
            job = _found(jobs, id).asked(wish)
            if job.state in ACTIVE:
                request(RunFolder(job.folder).control_file, wish, job.start)
            elif job.state == "cancelled":
                job = self._discarded(jobs, job)
            _put(jobs, job)
        return job

    def resume(self, id: str) -> QueuedJob:
        """Puts a job that was paused, was stopped or failed at the head of its lane.

        Args:
            id: The job.

        Returns:
            The job as it is now.

        Raises:
            EpitomeError: If it is not in the queue, is finished, or lies in the trash, or if
                another job of its folder has not ended.
        """
        with self._changing() as jobs:
            job = _found(jobs, id)
            was, job = job, job.resumed()
            _refuse_second(jobs, job)
            _put(jobs, job)
            if job.state == "waiting" and was.state != "waiting":
                _put_first(jobs, job)
        return job

    def move(self, id: str, before: str | None) -> None:
        """Changes the order.

        Args:
            id: The job.
            before: The job it is to stand before; None for the end.

        Raises:
            EpitomeError: If one of them is not in the queue.
        """
        with self._changing() as jobs:
            job = _found(jobs, id)
            other = None if before is None else _found(jobs, before)
            if job is not other:
                jobs.remove(job)
                jobs.insert(len(jobs) if other is None else jobs.index(other), job)

    def undo_cancel(self, id: str) -> QueuedJob:
        """Takes a cancelled job back from the trash.

        Args:
            id: The job.

        Returns:
            The job as it was; one that was running is stopped.

        Raises:
            EpitomeError: If it was not cancelled, or its place is taken.
        """
        with self._changing() as jobs:
            job = _found(jobs, id)
            restored = job.restored()
            if restored.state in LASTING:
                _refuse_second(jobs, restored)
            if job.trashed is not None:
                take_from_trash(job.trashed, job.folder)
            _put(jobs, restored)
        return restored

    def forget(self, id: str) -> None:
        """Takes a job that has ended off the list; what it made stays.

        Args:
            id: The job.

        Raises:
            EpitomeError: If it is not in the queue, or has not ended.
        """
        with self._changing() as jobs:
            job = _found(jobs, id)
            if job.state in LASTING:
                raise EpitomeError(f"“{job.title}” has not ended.", "Cancel it first.")
            jobs.remove(job)

    # --- what processes do ---

    def begin_next(self, lane: str) -> QueuedJob | None:
        """Marks the next waiting job of a lane as starting.

        Args:
            lane: The lane.

        Returns:
            The job with the number of its start; None when none waits, or one is at work.
        """
        with self._changing() as jobs:
            of_lane = [job for job in jobs if job.lane == lane]
            waiting = next((job for job in of_lane if job.state == "waiting"), None)
            if waiting is None or any(job.state in ACTIVE for job in of_lane):
                return None
            start = max(waiting.start, last_start(RunFolder(waiting.folder))) + 1
            job = waiting.started(start)
            _put(jobs, job)
        return job

    def claim(self, id: str, start: int) -> FileLock | None:
        """Makes the calling process the one that works on a job.

        Args:
            id: The job.
            start: The number of the start that this process was made for.

        Returns:
            A lock to hold until the process ends: it tells that it lives. None when the job was
            given to another start meanwhile.
        """
        with self._changing() as jobs:
            job = next((each for each in jobs if each.id == id), None)
            if job is None or (job.state, job.start) != ("starting", start):
                return None
            lock = FileLock(process_lock(job.folder))
            if not lock.acquire():
                return None
            begin_start(RunFolder(job.folder), start)
            events_from = whole_bytes(RunFolder(job.folder).events_file)
            _put(jobs, replace(job, state="running", events_from=events_from))
        return lock

    def end(self, id: str, start: int, last: Event) -> None:
        """Writes down how a start ended, unless that is written already.

        Args:
            id: The job.
            start: The number of the start.
            last: Its last event. After a cancel, no process may have the folder open any more.
        """
        with self._changing() as jobs:
            job = next((each for each in jobs if each.id == id), None)
            if job is None or job.start != start or job.state not in ACTIVE:
                return
            self._settle(jobs, job.ended(last))

    def interrupt(self, id: str, start: int) -> None:
        """Puts a job in line again whose process was ended by no fault of its own.

        Args:
            id: The job.
            start: The number of the start.
        """
        with self._changing() as jobs:
            job = next((each for each in jobs if each.id == id), None)
            if job is not None and job.start == start and job.state in ACTIVE:
                self._settle(jobs, job.never_started())

    def take_back(self, lane: str) -> None:
        """Puts jobs in line again whose starting process was never heard of.

        Args:
            lane: A lane in which nobody is starting jobs any more.
        """
        with self._changing() as jobs:
            for job in list(jobs):
                if job.lane == lane and job.state == "starting":
                    self._settle(jobs, job.never_started(), first=False)

    def _settle(self, jobs: list[QueuedJob], job: QueuedJob, first: bool = True) -> None:
        """Writes down what became of a job whose process has ended."""
        if job.state == "cancelled":
            try:
                job = self._discarded(jobs, job)
            except EpitomeError as error:
                failure = Failed(error.message, error.remedy, kind=error.kind)
                job = replace(job, state="stopped", was=None, failure=failure)
        _put(jobs, job)
        if job.state == "waiting" and first:
            _put_first(jobs, job)

    # --- the file ---

    @contextmanager
    def _changing(self) -> Iterator[list[QueuedJob]]:
        """Gives the jobs to be changed; what they are after the block is written."""
        with self._file.changing() as jobs:
            self._finish_moves(jobs)
            before = list(jobs)
            yield jobs
            if jobs != before:
                self._file.write(jobs, before)

    def _discarded(self, jobs: list[QueuedJob], job: QueuedJob) -> QueuedJob:
        """A cancelled job with its folder in the trash.

        The place is written into the queue before the folder is moved. Whoever meets a job with a
        place that is not cancelled yet completes the move: see `_finish_moves`.
        """
        was = _found(jobs, job.id)
        planned = [was.trashed] if was.trashed else trash_places(self._trash, job)
        if not job.folder.exists() and not any(place.exists() for place in planned):
            return replace(job, trashed=None)
        for place in planned:
            self._write_one(jobs, replace(was, trashed=place))
            try:
                move_to_trash(job.folder, place)
            except OSError as error:
                refused = error
            else:
                return replace(job, trashed=place)
        self._write_one(jobs, replace(was, trashed=None))
        raise of_system(
            refused,
            f"{job.folder} cannot be moved to the trash",
            "Make its parent folder writable and close the files in it, then cancel the job again.",
        )

    def _write_one(self, jobs: list[QueuedJob], job: QueuedJob) -> None:
        before = list(jobs)
        _put(jobs, job)
        if jobs != before:
            self._file.write(jobs, before)

    def _finish_moves(self, jobs: list[QueuedJob]) -> None:
        """Completes the moves to the trash during which a process was killed."""
        for job in list(jobs):
            if job.trashed is not None and job.state != "cancelled":
                with suppress(EpitomeError):  # the folder is where it was, and the job too
                    self._write_one(jobs, self._discarded(jobs, job.cancelled()))


def process_lock(folder: Path) -> Path:
    """The lock that a job's process holds as long as it lives."""
    return folder / "process.lock"


def _found(jobs: list[QueuedJob], id: str) -> QueuedJob:
    for job in jobs:
        if job.id == id:
            return job
    raise EpitomeError("This job is not in the queue any more.", "Queue it again.")


def _refuse_second(jobs: list[QueuedJob], job: QueuedJob) -> None:
    """Of each folder one job at most waits or runs."""
    others = (each for each in jobs if each.id != job.id and each.folder == job.folder)
    if any(each.state in LASTING for each in others):
        raise EpitomeError(f"A job in {job.folder} has not ended.", "Choose another folder.")


def _put(jobs: list[QueuedJob], job: QueuedJob) -> None:
    """Puts a job in the place of what it was."""
    jobs[[each.id for each in jobs].index(job.id)] = job


def _put_first(jobs: list[QueuedJob], job: QueuedJob) -> None:
    """Moves a job before all others that wait in its lane."""
    jobs.remove(job)
    waiting = (n for n, each in enumerate(jobs) if (each.lane, each.state) == (job.lane, "waiting"))
    jobs.insert(next(waiting, len(jobs)), job)
