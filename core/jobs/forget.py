"""Deletes everything the program keeps of documents, but for corpora and models."""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from core.errors import EpitomeError, explained
from core.jobs.job_queue import JobQueue
from core.jobs.queued import LASTING
from core.library.decisions import DecisionsFile
from core.library.folders import Folders
from core.library.history import History
from core.library.recent import Recents
from core.library.session import delete_all
from core.numbers import format_quantity
from core.runs.comparisons import COMPARISON_FILE

_BATCH = "batch"


def forget_everything(folders: Folders) -> tuple[str, ...]:
    """Deletes history, recent documents, pins, recovery copies, batches, comparisons, the cache.

    Corpora, tokenizers and models stay, and so does a batch whose job has not ended.

    Args:
        folders: The four folders.

    Returns:
        What could not be deleted, a sentence each.

    Raises:
        EpitomeError: If something cannot be deleted.
    """
    History(folders.history_file).forget()
    for kept in (Recents(folders.recents_file), DecisionsFile(folders.decisions_file)):
        if kept.file.exists():
            kept.clear()
        for aside in folders.data.glob(f"{kept.file.stem}.damaged*"):
            aside.unlink(missing_ok=True)
    told = []
    num_windows = delete_all(folders.sessions)
    if num_windows:
        windows = format_quantity(num_windows, "other window")
        told.append(f"What is open in {windows} is kept until it is closed there.")
    num_batches = _forget_batches(folders)
    if num_batches:
        batches = format_quantity(num_batches, "batch", "batches")
        told.append(f"Still at work or paused: {batches}. Cancel first, then do the same again.")
    for folder in _comparisons(folders):
        _delete(folder)
    with explained(f"{folders.cache} cannot be emptied", "Delete it yourself."):
        for path in folders.cache.iterdir() if folders.cache.is_dir() else ():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    return tuple(told)


def _forget_batches(folders: Folders) -> int:
    """Deletes the batches and those in the trash; how many are at work, and stay."""
    queue = JobQueue(folders.job_queue, folders.trash)
    busy: set[Path] = set()
    for job in queue.jobs():
        if job.kind != _BATCH:
            continue
        if job.state in LASTING:
            busy.add(job.folder)
            continue
        if job.trashed is not None:
            _delete(job.trashed)
        with suppress(EpitomeError):  # another window has just resumed it
            queue.forget(job.id)
    for folder in folders.batches.iterdir() if folders.batches.is_dir() else ():
        if folder.absolute() not in busy:
            _delete(folder)
    return len(busy)


def _comparisons(folders: Folders) -> Iterator[Path]:
    """Comparisons, which hold the documents that were compared, and those in the trash."""
    if folders.comparisons.is_dir():
        yield from folders.comparisons.iterdir()
    for folder in folders.trash.iterdir() if folders.trash.is_dir() else ():
        if (folder / COMPARISON_FILE).exists():
            yield folder


def _delete(folder: Path) -> None:
    with explained(f"{folder} cannot be deleted", "Delete it yourself."):
        if folder.is_dir():
            shutil.rmtree(folder)
        else:
            folder.unlink(missing_ok=True)
