"""The queue of detached jobs, in one file that several windows and processes share.

The file is small, is changed under a lock only, and is written whole: whoever reads it sees the
queue before a change or after it, also when a process is killed in the middle. A job's settings
are frozen in its own folder when it is queued. Who starts the jobs: `core.jobs.lane`.
"""

import json
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from core.errors import EpitomeError, explained
from core.events import Event
from core.files import FileLock, locked, set_aside, write_bytes
from core.jobs.queued import ACTIVE, LASTING, JobOrder, QueuedJob
from core.library.folders import Folders
from core.runs.control import request
from core.runs.folder import RunFolder, begin_start, last_start

_VERSION = 1
_KEPT_ENDED = 50  # so many jobs that have ended are still listed
_JOBS = TypeAdapter(list[QueuedJob])


class JobQueue:
    """The queue.

    Args:
        folder: Where its file and its locks lie.
        trash: Where the folders of cancelled jobs go.
    """

    def __init__(self, folder: Path, trash: Path) -> None:
        self._file, self._lock = folder / "queue.json", folder / "queue.lock"
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
        with explained(f"{self._file} cannot be read", "Make it readable."):
            try:
                data = self._file.read_bytes()
            except FileNotFoundError:
                return []
        try:
            values = json.loads(data)
            version, jobs = values["version"], values["jobs"]
            if version == _VERSION:
                return _JOBS.validate_python(jobs)
        except (ValueError, KeyError, TypeError, ValidationError) as error:
            raise self._damaged() from error
        raise EpitomeError(
            f"The queue of jobs {self._file} has version {version}; this program reads "
            f"version {_VERSION}.",
            "Use the newer program that wrote it.",
        )

    def job(self, id: str) -> QueuedJob | None:
        """The job of that id, if it is in the queue."""
        return next((job for job in self.jobs() if job.id == id), None)

    def stamp(self) -> tuple[int, int, int]:
        """Changes whenever the queue does, and costs next to nothing to ask for."""
        try:
            about = self._file.stat()
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
            EpitomeError: If a job of that folder has not ended, or something cannot be written.
        """
        job = QueuedJob(
            secrets.token_hex(4), order.kind, order.title, order.lane, order.folder.absolute()
        )
        with self._changing() as jobs:
            if any(each.folder == job.folder and each.state in LASTING for each in jobs):
                raise EpitomeError(
                    f"A job in {job.folder} has not ended.", "Choose another folder."
                )
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
                job = self._discarded(job)
            _put(jobs, job)
        return job

    def resume(self, id: str) -> QueuedJob:
        """Puts a job that was paused, was stopped or failed at the head of its lane.

        Args:
            id: The job.

        Returns:
            The job as it is now.

        Raises:
            EpitomeError: If it is not in the queue, is finished, or lies in the trash.
        """
        with self._changing() as jobs:
            job = _found(jobs, id)
            was, job = job, job.resumed()
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
            if job.trashed is not None:
                if job.folder.exists():
                    raise EpitomeError(f"{job.folder} is there again.", "Move that folder away.")
                with explained(f"{job.trashed} cannot be moved back", "Move it back by hand."):
                    shutil.move(job.trashed, job.folder)
            _put(jobs, restored)
        return restored

    def forget(self, id: str) -> None:
        """Takes a job that has ended off the list; its folder stays.

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
            _put(jobs, replace(job, state="running"))
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
            ended = job.ended(last)
            if ended.state == "cancelled":
                ended = self._discarded(ended)
            _put(jobs, ended)
            if ended.state == "waiting":
                _put_first(jobs, ended)

    def take_back(self, lane: str) -> None:
        """Puts jobs in line again whose starting process was never heard of.

        Args:
            lane: A lane in which nobody is starting jobs any more.
        """
        with self._changing() as jobs:
            for job in jobs:
                if job.lane == lane and job.state == "starting":
                    again = job.never_started()
                    _put(jobs, self._discarded(again) if again.state == "cancelled" else again)

    # --- the file ---

    @contextmanager
    def _changing(self) -> Iterator[list[QueuedJob]]:
        """Gives the jobs to be changed; what they are after the block is written."""
        with explained(f"{self._file} cannot be written", "Make its folder writable."):
            self.folder.mkdir(parents=True, exist_ok=True)
            with locked(self._lock):
                jobs = self.jobs()
                before = list(jobs)
                yield jobs
                if jobs != before:
                    self._write(jobs)

    def _write(self, jobs: list[QueuedJob]) -> None:
        ended = [job for job in jobs if job.state not in LASTING]
        dropped = {job.id for job in ended[:-_KEPT_ENDED]}
        kept = [job for job in jobs if job.id not in dropped]
        values = {"version": _VERSION, "jobs": _JOBS.dump_python(kept, mode="json")}
        write_bytes(self._file, json.dumps(values, indent=1).encode())

    def _discarded(self, job: QueuedJob) -> QueuedJob:
        """With its folder in the trash."""
        if not job.folder.exists():
            return job
        place = self._trash / f"{job.folder.name}-{job.id}-{secrets.token_hex(2)}"
        with explained(f"{job.folder} cannot be moved to the trash", "Delete it by hand."):
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(job.folder, place)
        return replace(job, trashed=place)

    def _damaged(self) -> EpitomeError:
        aside = set_aside(self._file)
        kept = f"; it was renamed to {aside.name}" if aside else ""
        return EpitomeError(
            f"The queue of jobs {self._file} is damaged{kept}.",
            "Queue the jobs again; what they have made is still in their folders.",
        )


def process_lock(folder: Path) -> Path:
    """The lock that a job's process holds as long as it lives."""
    return folder / "process.lock"


def _found(jobs: list[QueuedJob], id: str) -> QueuedJob:
    for job in jobs:
        if job.id == id:
            return job
    raise EpitomeError("This job is not in the queue any more.", "Look at the list.")


def _put(jobs: list[QueuedJob], job: QueuedJob) -> None:
    """Puts a job in the place of what it was."""
    jobs[[each.id for each in jobs].index(job.id)] = job


def _put_first(jobs: list[QueuedJob], job: QueuedJob) -> None:
    """Moves a job before all others that wait in its lane."""
    jobs.remove(job)
    waiting = (n for n, each in enumerate(jobs) if (each.lane, each.state) == (job.lane, "waiting"))
    jobs.insert(next(waiting, len(jobs)), job)
