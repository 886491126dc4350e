"""Moves the folder of a cancelled job to the trash and back, always by one rename.

A rename happens or does not: no half of a folder is ever left anywhere. Each function can be
called again after a kill, and then finds its work done.
"""

from collections.abc import Sequence
from pathlib import Path

from core.errors import EpitomeError, explained
from core.jobs.queued import QueuedJob
from core.regular_files import rename_patiently

_NAME_CHARACTERS = 40  # the whole name may have 255 bytes
_BESIDE = ".epitome-trash"


def trash_places(trash: Path, job: QueuedJob) -> Sequence[Path]:
    """Where a job's folder may go: the trash, or beside the folder where that is another disk."""
    name = f"{job.folder.name[:_NAME_CHARACTERS]}-{job.id}"
    return (trash / name, job.folder.parent / _BESIDE / name)


def move_to_trash(folder: Path, place: Path) -> None:
    """Moves a folder to its place in the trash.

    Args:
        folder: The folder.
        place: Where it goes; it may be there already.

    Raises:
        OSError: If it cannot be renamed; it is where it was then.
    """
    if place.exists() and not folder.exists():
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    rename_patiently(folder, place)


def take_from_trash(place: Path, folder: Path) -> None:
    """Moves a folder back.

    Args:
        place: Where it lies in the trash.
        folder: Where it was; it may be there again already.

    Raises:
        EpitomeError: If another folder is there now, or it cannot be renamed.
    """
    if folder.exists():
        if not place.exists():
            return
        raise EpitomeError(f"{folder} exists again.", "Move that folder away.")
    with explained(f"{place} cannot be moved back", f"Move it to {folder} by hand."):
        folder.parent.mkdir(parents=True, exist_ok=True)
        rename_patiently(place, folder)
