"""What is in the trash: it can be listed, restored, and deleted for good."""

import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.data.corpus import CARD
from core.errors import EpitomeError
from core.events import Event, Finished
from core.jobs.batches.store import FILE as BATCH_FILE
from core.jobs.queue.job_queue import JobQueue
from core.jobs.queue.queued import QueuedJob
from core.jobs.queue.trash import days_left, is_draft, is_entry, take_from_trash, trash_folders
from core.library.folders import Folders
from core.runs.comparisons import COMPARISON_FILE
from core.runs.folder import JOB_FILE, RunFolder
from core.runs.model_card import read_model_card
from core.stop import StopToken
from core.storage.files import folder_size
from core.training.plan import QUEUED_FILE

Kind = Literal["run", "model", "corpus", "comparison", "batch", "measurement", "other"]

_KINDS: dict[str, Kind] = {
    JOB_FILE: "run",
    QUEUED_FILE: "run",
    CARD: "corpus",
    COMPARISON_FILE: "comparison",
    BATCH_FILE: "batch",
}
_KINDS_OF_JOBS: dict[str, Kind] = {
    "train": "run",
    "corpus": "corpus",
    "batch": "batch",
    "profile": "measurement",
}
_ID = re.compile(r"-[0-9a-f]{8}$")


@dataclass(frozen=True)
class TrashedItem:
    """A folder in the trash.

    Args:
        place: The folder.
        name: What it was called.
        kind: What it holds.
        size_bytes: Its size, in bytes.
        days_left: In how many days it is deleted.
        job: The id of the cancelled job that it belongs to; empty for none.
    """

    place: Path
    name: str
    kind: Kind
    size_bytes: int
    days_left: int
    job: str = ""


def trash_contents(
    folders: Folders, stop: StopToken, now_s: float | None = None
) -> tuple[TrashedItem, ...]:
    """Returns what is in the trash, what was deleted last first; Args as `ListTrashJob`."""
    now_s = time.time() if now_s is None else now_s
    jobs = {job.trashed: job for job in _queue(folders).jobs() if job.trashed}
    inside = trash_folders(folders.trash)
    items = []
    for place in {place for folder in inside for place in _inside(folder)}:
        stop.raise_if_set()
        if place not in jobs and not is_entry(place):
            continue  # put there by others
        items.append(_item(place, jobs.get(place), now_s))
    return tuple(sorted(items, key=lambda item: (-item.days_left, item.name)))


@dataclass(frozen=True)
class ListTrashJob:
    """Lists what is in the trash, what was deleted last first.

    Args:
        folders: Where the trash is.
        now_s: The time, in seconds since 1970; None for now.
    """

    folders: Folders
    now_s: float | None = None

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with a tuple of `TrashedItem`."""
        yield Finished(trash_contents(self.folders, stop, self.now_s))


@dataclass(frozen=True)
class RestoreTrashedJob:
    """Moves something back from the trash.

    Args:
        item: What is restored.
        folders: Where things of its kind are kept.
    """

    item: TrashedItem
    folders: Folders

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with its folder, which has another name where its own is taken."""
        if self.item.job:
            yield Finished(_queue(self.folders).undo_cancel(self.item.job).folder)
            return
        folder = _free(self._home / self.item.name)
        take_from_trash(self.item.place, folder)
        yield Finished(folder)

    @property
    def _home(self) -> Path:
        folders, kind = self.folders, self.item.kind
        homes = {
            "run": folders.runs, "model": folders.runs, "corpus": folders.corpora,
            "comparison": folders.comparisons, "batch": folders.batches,
        }  # fmt: skip
        if kind not in homes:
            raise EpitomeError(
                f"Nothing says where {self.item.place} was.", "Move the folder back by hand."
            )
        return homes[kind]


@dataclass(frozen=True)
class DeleteTrashedJob:
    """Deletes things in the trash for good.

    Args:
        items: What is deleted.
        folders: Where the trash is.
    """

    items: tuple[TrashedItem, ...]
    folders: Folders

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with the number of bytes that are free now."""
        queue, freed = _queue(self.folders), 0
        for item in self.items:
            stop.raise_if_set()
            queue.delete_trashed(item.place)
            freed += item.size_bytes
        yield Finished(freed)


def _queue(folders: Folders) -> JobQueue:
    return JobQueue(folders.job_queue, folders.trash)


def _inside(folder: Path) -> Iterator[Path]:
    with suppress(OSError):
        for path in folder.iterdir():
            if path.is_dir() and not path.is_symlink() and not is_draft(path):
                yield path


def _item(place: Path, job: QueuedJob | None, now_s: float) -> TrashedItem:
    kind = _KINDS_OF_JOBS.get(job.kind, "other") if job is not None else _kind(place)
    name = job.title if job is not None else _ID.sub("", place.name)
    left = days_left(place, now_s)
    return TrashedItem(place, name, kind, folder_size(place), left, job.id if job else "")


def _kind(place: Path) -> Kind:
    kind: Kind = next((kind for file, kind in _KINDS.items() if (place / file).exists()), "other")
    if kind == "run" and read_model_card(RunFolder(place)).imported:
        return "model"
    return kind


def _free(folder: Path) -> Path:
    """A folder of this name, numbered where it is taken."""
    made, number = folder, 1
    while made.exists():
        number += 1
        made = folder.with_name(f"{folder.name}-{number}")
    return made
