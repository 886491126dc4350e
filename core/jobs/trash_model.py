"""Moves a model to the trash, and back."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.events import Event, Finished
from core.jobs.job_queue import JobQueue
from core.jobs.trash import take_from_trash
from core.library.folders import Folders
from core.stop import StopToken


@dataclass(frozen=True)
class TrashModelJob:
    """Moves a model's folder to the trash, where it stays for `core.jobs.trash.KEPT_DAYS` days.

    Args:
        folder: The folder of its run.
        folders: Where the trash lies.
    """

    folder: Path
    folders: Folders

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with the folder's place in the trash; fails while a job works in it."""
        queue = JobQueue(self.folders.job_queue, self.folders.trash)
        yield Finished(queue.discard(self.folder))


@dataclass(frozen=True)
class RestoreModelJob:
    """Moves a model's folder back from the trash.

    Args:
        place: Where it lies.
        folder: Where it was.
    """

    place: Path
    folder: Path

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with the folder; fails where another folder is there now."""
        take_from_trash(self.place, self.folder)
        yield Finished(self.folder)
