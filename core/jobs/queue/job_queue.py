"""The queue of detached jobs, in one file that several windows and processes share.

The file is small, is changed under a lock only, and is written whole: whoever reads it sees the
queue before a change or after it, also when a process is killed in the middle. A job's settings
are frozen in its own folder when it is queued. Who starts the jobs: `core.jobs.lanes.lane`.
"""

import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Literal

from core.errors import EpitomeError
from core.events import Event, Failed
from core.jobs.queue.cancelling import Cancelling, take_back
from core.jobs.queue.queue_file import QueueFile
from core.jobs.queue.queue_order import found, put, put_first, refuse_second
from core.jobs.queue.queued import ACTIVE, LASTING, JobSpec, QueuedJob
from core.jobs.queue.trash import (
    belongs_to_home,
    delete_from_trash,
    discard_folder,
    draft_beside,
    draft_places,
    expired,
    get_home,
    is_own_job,
)
from core.library.folders import Folders
from core.runs.control import request
from core.runs.events_file import whole_bytes
from core.runs.folder import RunFolder, begin_start, check_holds_no_other, last_start
from core.storage.files import FileLock, is_held


class JobQueue:
    """The queue.

    Args:
        folder: Where its file and its locks lie.
        trash: Where the folders of cancelled jobs go.
        sets_aside: As for `QueueFile`.
    """

    def __init__(self, folder: Path, trash: Path, *, sets_aside: bool = True) -> None:
        self._file = QueueFile(folder, trash, sets_aside=sets_aside)
        self._cancelling = Cancelling(self._file, trash)
        self.folder, self._trash = folder, trash

    @classmethod
    def of_this_user(cls, *, sets_aside: bool = True) -> "JobQueue":
        """The one in Epitome's own folders."""
        folders = Folders.of_this_user()
        return cls(folders.job_queue, folders.trash, sets_aside=sets_aside)

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

    def add(self, spec: JobSpec) -> QueuedJob:
        """Saves a job's settings in its folder, and puts it at the end of the queue.

        Args:
            spec: The job.

        Returns:
            The job as it waits.

        Raises:
            EpitomeError: If a job of that folder has not ended, it holds files that are not of a
                run, or something cannot be written.
        """
        job = QueuedJob(
            secrets.token_hex(4),
            spec.kind,
            spec.title,
            spec.lane,
            spec.folder.absolute(),
            draft=spec.draft,
            home=get_home(self._trash),
        )
        with self._changing() as jobs:
            refuse_second(jobs, job)
            check_holds_no_other(RunFolder(job.folder))
            spec.save()
            jobs.append(job)
        return job

    def adopt(self, spec: JobSpec) -> QueuedJob:
        """Takes in a job that lies on the disk already, as one that was stopped.

        Args:
            spec: The job; its settings are in its folder.

        Returns:
            The job: the one that the queue has of this folder, or a new one, which can be resumed
            or cancelled like all others.

        Raises:
            EpitomeError: If the queue cannot be changed.
        """
        folder = spec.folder.absolute()
        with self._changing() as jobs:
            known = [each for each in jobs if each.folder == folder and each.state != "cancelled"]
            if known:
                return known[-1]
            job = QueuedJob(
                secrets.token_hex(4),
                spec.kind,
                spec.title,
                spec.lane,
                folder,
                state="stopped",
                home=get_home(self._trash),
            )
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
            job = found(jobs, id).asked(wish)
            if job.state in ACTIVE and self._is_foreign(job):
                job = self._not_startable(job)
            elif job.state in ACTIVE:
                request(RunFolder(job.folder).control_file, wish, job.start)
            elif job.state == "cancelled":
                job = self._cancelling.discard(jobs, job)
            put(jobs, job)
        return job

    def pause_running(self) -> None:
        """Pauses all jobs at work: the session ends, and with it their processes."""
        for job in self.jobs():
            if job.state in ACTIVE:
                with suppress(EpitomeError):  # it has just ended, or nothing can be written
                    self.ask(job.id, "pause")

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
            job = found(jobs, id)
            was, job = job, job.resumed()
            refuse_second(jobs, job)
            put(jobs, job)
            if job.state == "waiting" and was.state != "waiting":
                put_first(jobs, job)
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
            job = found(jobs, id)
            other = None if before is None else found(jobs, before)
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
            job = found(jobs, id)
            restored = job.restored()
            if restored.state in LASTING:
                refuse_second(jobs, restored)
            take_back(job)
            put(jobs, restored)
        return restored

    def discard(self, folder: Path) -> Path:
        """Moves the folder of a run to the trash, unless a job works in it or is to go on with it.

        Args:
            folder: The run's.

        Returns:
            Where it lies in the trash.

        Raises:
            EpitomeError: If a job in it has not ended, or it cannot be moved.
        """
        with self._changing() as jobs:
            waiting = any(j.folder == folder.absolute() and j.state in LASTING for j in jobs)
            if waiting or is_held(RunFolder(folder).lock_file):
                raise EpitomeError(
                    f"A job in {folder} has not ended.", "Wait for its end, or cancel it."
                )
            named = (job for job in jobs if job.folder == folder.absolute())
            if not all(belongs_to_home(job.folder, job, self._trash) for job in named):
                raise EpitomeError(_describe_foreign_folder(folder), "Delete it there.")
            place = discard_folder(folder, self._trash)
            # Another run or model may get this folder: what is listed of this one ends here.
            jobs[:] = [j for j in jobs if j.folder != folder.absolute() or j.state == "cancelled"]
            return place

    def delete_trashed(self, place: Path) -> None:
        """Deletes a folder in the trash for good, with its draft and the job that has put it there.

        Args:
            place: Its place in the trash.

        Raises:
            EpitomeError: If it is not in the trash, or cannot be deleted.
        """
        with self._changing() as jobs:
            for path in (place, draft_beside(place)):
                delete_from_trash(self._trash, path)
            if os.path.lexists(place):
                raise EpitomeError(
                    f"{place} cannot be deleted from the trash.",
                    "Close the files in it, and delete it again.",
                )
            jobs[:] = [job for job in jobs if job.trashed != place]

    def forget(self, id: str) -> None:
        """Takes a job that has ended off the list; what it made stays.

        Args:
            id: The job.

        Raises:
            EpitomeError: If it is not in the queue, or has not ended.
        """
        with self._changing() as jobs:
            job = found(jobs, id)
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
            for job in of_lane:
                if job.state == "waiting" and not is_own_job(job, self._trash):
                    put(jobs, self._not_startable(job))
            waiting = next((j for j in jobs if (j.lane, j.state) == (lane, "waiting")), None)
            if waiting is None or any(job.state in ACTIVE for job in of_lane):
                return None
            start = max(waiting.start, last_start(RunFolder(waiting.folder))) + 1
            job = waiting.started(start)
            put(jobs, job)
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
            put(jobs, replace(job, state="running", events_from=events_from))
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

        A job at work in a folder that is not Epitome's has failed: nothing is written there.

        Args:
            lane: A lane in which nobody is starting jobs any more.
        """
        with self._changing() as jobs:
            for job in list(jobs):
                if job.lane == lane and job.state in ACTIVE and self._is_foreign(job):
                    put(jobs, self._not_startable(job))
                elif job.lane == lane and job.state == "starting":
                    self._settle(jobs, job.never_started(), first=False)

    def empty_trash(self, now_s: float | None = None) -> None:
        """Deletes what has lain in the trash for too long; its jobs leave the list.

        What cannot be deleted is tried again by the next call.

        Args:
            now_s: The time, in seconds since 1970; None for now.

        Raises:
            EpitomeError: If the queue cannot be read.
        """
        now_s = time.time() if now_s is None else now_s
        if not expired(self._trash, self.jobs(), now_s):
            return
        with suppress(EpitomeError):
            with self._changing() as jobs:  # nobody takes anything back meanwhile
                gone = expired(self._trash, jobs, now_s)
                jobs[:] = [job for job in jobs if job.trashed not in gone]
                gone -= {place for job in jobs for place in draft_places(job)}
            for path in gone:  # no job of the list lies there any more
                delete_from_trash(self._trash, path)

    def _is_foreign(self, job: QueuedJob) -> bool:
        """True if a job's folder is of another home, or not Epitome's; not where it is gone."""
        return os.path.lexists(job.folder) and not is_own_job(job, self._trash)

    def _not_startable(self, job: QueuedJob) -> QueuedJob:
        """A job that cannot start: its folders are of another home, or not made by Epitome."""
        message = f"The folder {job.folder} holds no job."
        if not belongs_to_home(job.folder, job, self._trash):
            message = _describe_foreign_folder(job.folder)
        failure = Failed(message, "Set up a new job.")
        return replace(job, state="failed", wish="", failure=failure)

    def _settle(self, jobs: list[QueuedJob], job: QueuedJob, first: bool = True) -> None:
        """Writes down what became of a job whose process has ended."""
        if job.state == "cancelled":
            try:
                job = self._cancelling.discard(jobs, job)
            except EpitomeError as error:
                failure = Failed(error.message, error.remedy, kind=error.kind)
                job = replace(job, state="stopped", was=None, failure=failure)
        put(jobs, job)
        if job.state == "waiting" and first:
            put_first(jobs, job)

    # --- the file ---

    @contextmanager
    def _changing(self) -> Iterator[list[QueuedJob]]:
        """Gives the jobs to be changed; what they are after the block is written."""
        with self._file.changing() as jobs:
            self._cancelling.finish_moves(jobs)
            before = list(jobs)
            yield jobs
            if jobs != before:
                self._file.write(jobs, before)


def _describe_foreign_folder(path: Path) -> str:
    return f"{path} belongs to another home of Epitome."


def process_lock(folder: Path) -> Path:
    """The lock that a job's process holds as long as it lives."""
    return folder / "process.lock"
