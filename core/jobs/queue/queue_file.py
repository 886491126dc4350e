"""The file of the queue: read at any time, changed under its lock only, written whole."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from core.errors import EpitomeError, check_not_newer, explained
from core.jobs.queue.queued import LASTING, QueuedJob
from core.jobs.queue.trash import (
    belongs_to_home,
    delete_from_trash,
    draft_places,
    has_place_in_trash,
)
from core.storage.files import locked, set_aside, write_bytes
from core.storage.parsing import parse_json
from core.storage.regular_files import read_regular

_VERSION = 1
_KEPT_ENDED = 50  # so many jobs that have ended are still listed
_JOBS = TypeAdapter(list[QueuedJob])


class _DamagedError(Exception):
    """What stands in the file is no queue."""


class QueueFile:
    """The file.

    Args:
        folder: Where it lies, with its lock.
        trash: Where the folders of cancelled jobs go.
        sets_aside: True for a process that shows its errors to the user; any other leaves a damaged
            file where it is, for such a process to report.
    """

    def __init__(self, folder: Path, trash: Path, *, sets_aside: bool = True) -> None:
        self._trash = trash
        self.path, self._lock = folder / "queue.json", folder / "queue.lock"
        self._sets_aside = sets_aside

    def read(self) -> list[QueuedJob]:
        """All jobs in their order.

        Returns:
            The jobs; none where there is no file.

        Raises:
            EpitomeError: If the file cannot be read, or is of a newer program. A damaged one is set
                aside (see `sets_aside`), and the next call finds an empty queue; the jobs' folders
                stay.
        """
        try:
            return self._read()
        except _DamagedError:
            with self._locked():  # another process may have replaced it meanwhile
                return self._read_or_set_aside()

    @contextmanager
    def changing(self) -> Iterator[list[QueuedJob]]:
        """Gives the jobs to be changed, under the lock."""
        with self._locked():
            yield self._read_or_set_aside()

    def write(self, jobs: list[QueuedJob], before: list[QueuedJob]) -> None:
        """Writes the jobs, and drops those that ended long ago; only under the lock.

        A folder beside the queue is that of a job only, and is deleted when its job is dropped; so
        is the draft of a cancelled one.

        Args:
            jobs: What they are now; each that has just ended gets its number.
            before: What they were.
        """
        _number_ended(jobs, before)
        ended = sorted(_ended(jobs), key=lambda job: job.end_number)
        dropped = {job.id for job in ended[:-_KEPT_ENDED]}
        jobs[:] = [job for job in jobs if job.id not in dropped]
        values = {"version": _VERSION, "jobs": _JOBS.dump_python(jobs, mode="json")}
        write_bytes(self.path, json.dumps(values, indent=1).encode())
        listed = {job.id for job in jobs}
        for job in before:
            if job.id not in listed:
                self._delete_belongings(job)

    def _delete_belongings(self, job: QueuedJob) -> None:
        """Deletes what nobody can want any more once a job is not listed; not what it made."""
        if job.folder.parent == self.path.parent.absolute() and job.folder.name != "..":
            if job.trashed is None:
                shutil.rmtree(job.folder, ignore_errors=True)
            else:
                delete_from_trash(self._trash, job.trashed)
        for place in draft_places(job) if job.state == "cancelled" else ():
            delete_from_trash(self._trash, place)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        what = f"{self.path} cannot be written"
        with explained(what, "Make its folder writable."), locked(self._lock):
            yield

    def _read_or_set_aside(self) -> list[QueuedJob]:
        try:
            return self._read()
        except _DamagedError as error:
            aside = set_aside(self.path) if self._sets_aside else None
            kept = f"; it was renamed to {aside.name}" if aside else ""
            raise EpitomeError(
                f"The queue of jobs {self.path} is damaged{kept}.",
                "Queue the jobs again; what they have made is still in their folders.",
            ) from error

    def _read(self) -> list[QueuedJob]:
        with explained(f"{self.path} cannot be read", "Make it readable."):
            try:
                data = read_regular(self.path)
            except FileNotFoundError:
                return []
        try:
            values = parse_json(data)
            check_not_newer(f"The queue of jobs {self.path}", values["version"], _VERSION)
            if values["version"] != _VERSION:
                raise ValueError("no version of the queue had this number")
            found = _JOBS.validate_python([_with_draft(job) for job in values["jobs"]])
            return [self._with_own_places(job) for job in found]
        except (ValueError, KeyError, TypeError, ValidationError, RecursionError) as error:
            raise _DamagedError from error

    def _with_own_places(self, job: QueuedJob) -> QueuedJob:
        """A job without a place in the trash, or a draft, that is not of this home."""
        if job.trashed is not None and not has_place_in_trash(self._trash, job):
            job = replace(job, trashed=None)
        if job.draft is not None and not belongs_to_home(job.draft, job, self._trash):
            job = replace(job, draft=None)
        return job


def _with_draft(job: dict[str, Any]) -> dict[str, Any]:
    """A job as it is written now: older programs did not write where its draft lies."""
    if "draft" in job or job["kind"] != "corpus":
        return job
    from core.jobs.corpora.queued_corpus import draft_of  # else no reader of the queue loads it

    with suppress(EpitomeError):
        return job | {"draft": str(draft_of(Path(job.get("trashed") or job["folder"])))}
    return job


def _ended(jobs: list[QueuedJob]) -> list[QueuedJob]:
    return [job for job in jobs if job.state not in LASTING]


def _number_ended(jobs: list[QueuedJob], before: list[QueuedJob]) -> None:
    states = {job.id: job.state for job in before}
    last = max((job.end_number for job in jobs), default=0)
    for place, job in enumerate(jobs):
        if job.state not in LASTING and states.get(job.id) != job.state:
            jobs[place] = replace(job, end_number=last + 1)
