"""Batches in the queue."""

import re
import secrets
from collections.abc import Collection
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.errors import EpitomeError
from core.events import Finished
from core.jobs.batches.job_file import job_files
from core.jobs.batches.store import BatchStore, FoundSource
from core.jobs.batches.work import BatchDone, BatchJob
from core.jobs.queue.queued import ACTIVE, JobSpec
from core.storage.files import next_free

if TYPE_CHECKING:
    from core.jobs.queue.job_queue import JobQueue

LANE: Final = "documents"
"""Batches wait for one another, and for no training."""
_NO_NAME = re.compile(r"[^\w-]+")


def new_batch_folder(batches: Path, first: Path) -> Path:
    """The folder of a new batch: "2026-11-21-patents-a1b2".

    Args:
        batches: Where batches lie.
        first: The first file or folder of the batch; it is named after it.

    Returns:
        The folder; it is not there yet.
    """
    name = _NO_NAME.sub("-", first.stem).strip("-").lower()[:40] or "batch"
    return batches / f"{datetime.now().astimezone():%Y-%m-%d}-{name}-{secrets.token_hex(2)}"


def title_of_batch(sources: Collection[str]) -> str:
    """What a person reads: the first file or folder, and how many more there are."""
    first = next(iter(sources), "")
    more = len(sources) - 1
    name = Path(first).name or "Batch"
    return f"{name} and {more} more" if more > 0 else name


def specify_batch(folder: Path) -> JobSpec:
    """A batch that is to be worked on by the queue.

    Args:
        folder: The folder of the batch; its documents are there.

    Returns:
        The job.

    Raises:
        EpitomeError: If there is no batch.
    """
    with BatchStore(folder) as store:
        return JobSpec("batch", title_of_batch(store.sources), LANE, folder, job_files(store))


def specify_batch_again(folder: Path, taken: Collection[Path] = ()) -> JobSpec:
    """Copies the documents of a batch into a new batch that is to be worked on.

    Args:
        folder: The folder of the batch.
        taken: Folders that are not free.

    Returns:
        The job.

    Raises:
        EpitomeError: If there is no batch.
    """
    place = next_free(folder, taken)
    with BatchStore(folder) as old, BatchStore(place, make=True) as new:
        new.set_settings(old.settings)
        new.set_cluster(old.cluster)
        for table in old.tables:
            new.set_table(table)
        rows = old.news(0, 0, -1)
        new.add((FoundSource(row.path, row.name, row.record) for row in rows), old.sources)
        spec = JobSpec("batch", title_of_batch(old.sources), LANE, place, job_files(new))
    spec.save()
    return spec


def load_batch_job(folder: Path) -> BatchJob:
    """The job of a queued batch; it goes on with the documents that wait."""
    return BatchJob(folder)


def finished_batch(folder: Path) -> Finished | None:
    """How a batch ended whose process was killed before it could say so.

    Args:
        folder: The folder of the batch.

    Returns:
        Its last event; None where documents wait.

    Raises:
        EpitomeError: If there is no batch.
    """
    with BatchStore(folder) as store:
        counts = store.counts()
    if counts["waiting"]:
        return None
    return Finished(BatchDone(counts["all"], counts["done"], counts["failed"]))


def discard_batch(queue: "JobQueue", folder: Path) -> None:
    """Moves a batch to the trash, from where the queue takes it back.

    Args:
        queue: The queue.
        folder: The folder of the batch.

    Raises:
        EpitomeError: If it cannot be moved.
    """
    with BatchStore(folder) as store:
        spec = JobSpec("batch", title_of_batch(store.sources), LANE, folder)
    queue.ask(queue.adopt(spec).id, "cancel")


def restore_batch(queue: "JobQueue", folder: Path) -> None:
    """Takes a batch back from the trash; nothing if it does not lie there.

    Args:
        queue: The queue.
        folder: The folder that it had.

    Raises:
        EpitomeError: If its place is taken.
    """
    for job in queue.jobs():
        if job.folder == folder.absolute() and job.state == "cancelled":
            queue.undo_cancel(job.id)
            return


def work_on(queue: "JobQueue", folder: Path) -> None:
    """Sees to it that a batch is worked on: queues it, or lets its job go on.

    Args:
        queue: The queue.
        folder: The folder of the batch.

    Raises:
        EpitomeError: If the queue cannot be changed, or the batch lies in the trash.
    """
    known = [job for job in queue.jobs() if job.folder == folder.absolute()]
    last = known[-1] if known else None
    if last is not None and last.state == "cancelled":
        raise EpitomeError(f"“{last.title}” was cancelled.", "Take it back from the trash first.")
    if last is not None and last.state in {*ACTIVE, "waiting"}:
        return  # it takes the documents that were added, too
    if last is not None and last.state != "finished":
        queue.resume(last.id)
        return
    for job in known:
        queue.forget(job.id)
    queue.add(specify_batch(folder))
