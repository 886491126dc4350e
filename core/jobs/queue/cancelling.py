"""Cancels jobs so that it can be undone, and so that a kill in the middle loses nothing.

The place in the trash is written into the queue before the folder is moved. Whoever meets a job
with a place that is not cancelled yet completes the move.
"""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from core.errors import EpitomeError, of_system
from core.jobs.queue.queue_file import QueueFile
from core.jobs.queue.queue_order import found, put
from core.jobs.queue.queued import QueuedJob
from core.jobs.queue.trash import (
    belongs_to_home,
    is_own_job,
    move_draft_to_trash,
    move_to_trash,
    note_elsewhere,
    take_draft_from_trash,
    take_from_trash,
    trash_places,
)


class Cancelling:
    """Moves the folders of cancelled jobs to the trash; only under the queue's lock.

    Args:
        file: The queue's.
        trash: Where the folders go.
    """

    def __init__(self, file: QueueFile, trash: Path) -> None:
        self._file, self._trash = file, trash

    def discard(self, jobs: list[QueuedJob], job: QueuedJob) -> QueuedJob:
        """Moves the folder of a cancelled job, and its draft, to the trash.

        Args:
            jobs: The queue, in which the job is not cancelled yet.
            job: The job as it will be.

        Returns:
            The job with its place in the trash.

        Raises:
            EpitomeError: If its folder cannot be moved; it is where it was then.
        """
        was = found(jobs, job.id)
        planned = [was.trashed] if was.trashed else trash_places(self._trash, job)
        is_there = is_own_job(job, self._trash)  # else the folder stays
        if not is_there:
            mine = [place for place in planned if belongs_to_home(place, job, self._trash)]
            planned = [place for place in mine if place.exists()]
            if not planned:
                return replace(job, trashed=None)
        for place in planned:
            self._write_one(jobs, replace(was, trashed=place))
            try:
                note_elsewhere(self._trash, place)
                if is_there:
                    move_to_trash(job.folder, place)
            except OSError as error:
                refused = error
            else:
                job = replace(job, trashed=place)
                if _has_draft_alone(jobs, job):
                    move_draft_to_trash(job)
                return job
        self._write_one(jobs, replace(was, trashed=None))
        raise of_system(
            refused,
            f"{job.folder} cannot be moved to the trash",
            "Make its parent folder writable and close the files in it, then cancel the job again.",
        )

    def finish_moves(self, jobs: list[QueuedJob]) -> None:
        """Completes the moves to the trash during which a process was killed."""
        for job in list(jobs):
            if job.trashed is not None and job.state != "cancelled":
                with suppress(EpitomeError):  # the folder is where it was, and the job too
                    self._write_one(jobs, self.discard(jobs, job.cancelled()))

    def _write_one(self, jobs: list[QueuedJob], job: QueuedJob) -> None:
        before = list(jobs)
        put(jobs, job)
        if jobs != before:
            self._file.write(jobs, before)


def take_back(job: QueuedJob) -> None:
    """Moves the folder of a cancelled job, and its draft, back from the trash.

    Args:
        job: The job.

    Raises:
        EpitomeError: If something is in their place, or cannot be moved.
    """
    if job.trashed is not None:
        take_draft_from_trash(job)
        take_from_trash(job.trashed, job.folder)


def _has_draft_alone(jobs: list[QueuedJob], job: QueuedJob) -> bool:
    """Whether the draft is this job's: it has worked on it, and no other job may go on with it."""
    others = (each for each in jobs if each.id != job.id and each.draft == job.draft)
    may_go_on = any(each.state not in ("finished", "cancelled") for each in others)
    return job.start > 0 and job.was != "finished" and not may_go_on
