"""Moves the folders of a cancelled job to the trash and back, each by one rename.

A rename happens or does not: no half of a folder is ever left anywhere. Each function can be
called again after a kill, and then finds its work done.
"""

import json
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from core.data.staging import exclusive
from core.errors import EpitomeError, explained, of_system
from core.files import append_whole
from core.jobs.queued import QueuedJob
from core.parsing import parse_json
from core.regular_files import read_regular, rename_patiently

KEPT_DAYS: Final = 30
"""What has lain in the trash for longer is deleted."""

_DAY_S = 86_400
_NAME_CHARACTERS = 40  # the whole name may have 255 bytes
_BESIDE = ".epitome-trash"
_DRAFT = ".draft"
ELSEWHERE: Final = "elsewhere.jsonl"
"""Lies in the trash, and names the folders on other disks that belong to it, one a line."""


def trash_places(trash: Path, job: QueuedJob) -> Sequence[Path]:
    """Where a job's folder may go: the trash, or beside the folder where that is another disk."""
    return _places(trash, job.folder, job.id)


def _places(trash: Path, folder: Path, id: str) -> Sequence[Path]:
    name = f"{folder.name[:_NAME_CHARACTERS]}-{id}"
    return (trash / name, folder.parent / _BESIDE / name)


def draft_places(job: QueuedJob) -> Sequence[Path]:
    """Where the draft of a cancelled job may lie: beside its folder, or in a trash on its disk."""
    if job.draft is None or job.trashed is None:
        return ()
    name = f"{job.trashed.name}{_DRAFT}"
    return (job.trashed.with_name(name), job.draft.parent / _BESIDE / name)


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
    with suppress(OSError):
        os.utime(folder)  # its days in the trash are counted from now
    rename_patiently(folder, place)


def discard_folder(folder: Path, trash: Path) -> Path:
    """Moves a folder that no job of the queue owns to the trash.

    Args:
        folder: The folder.
        trash: The trash.

    Returns:
        Where it lies now: in the trash, or beside where it was if that is another disk.

    Raises:
        EpitomeError: If it cannot be moved.
    """
    places = _places(trash, folder, secrets.token_hex(4))
    refused: OSError | None = None
    for place in places:
        try:
            note_elsewhere(trash, place)
            move_to_trash(folder, place)
        except OSError as error:
            refused = error
        else:
            return place
    assert refused is not None
    remedy = "Make its parent folder writable, and close the files in it."
    raise of_system(refused, f"{folder} cannot be moved to the trash", remedy)


def note_elsewhere(trash: Path, place: Path) -> None:
    """Notes where a folder is put if that is not in the trash itself, so that it is emptied there.

    Args:
        trash: The trash.
        place: The place of the folder.
    """
    if place.parent == trash or place.parent in other_trashes(trash):
        return
    with suppress(OSError, EpitomeError):  # then it stays there for longer
        trash.mkdir(parents=True, exist_ok=True)
        append_whole(trash / ELSEWHERE, json.dumps(str(place.parent.absolute())).encode() + b"\n")


def other_trashes(trash: Path) -> set[Path]:
    """The folders on other disks that belong to a trash."""
    found = set()
    with suppress(OSError):
        for line in read_regular(trash / ELSEWHERE).splitlines():
            with suppress(ValueError, TypeError):
                found.add(Path(parse_json(line)))
    return {folder for folder in found if folder.name == _BESIDE and folder.is_absolute()}


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


def move_draft_to_trash(job: QueuedJob) -> None:
    """Moves the draft of a cancelled job; one that cannot be moved, or is in use, stays.

    Args:
        job: The job; its place in the trash is known.
    """
    if job.draft is None or not job.draft.is_dir():
        return
    for place in draft_places(job):
        with suppress(OSError, EpitomeError), exclusive(job.draft):
            move_to_trash(job.draft, place)
            return


def take_draft_from_trash(job: QueuedJob) -> None:
    """Moves the draft of a cancelled job back, if it has one; fails as `take_from_trash` does."""
    place = next((place for place in draft_places(job) if place.exists()), None)
    if place is not None and job.draft is not None:
        take_from_trash(place, job.draft)


def expired(trash: Path, jobs: Sequence[QueuedJob], now_s: float) -> set[Path]:
    """What has lain in the trash for too long.

    Args:
        trash: The trash. What lies on other disks is noted in it, or named by jobs.
        jobs: Those in the queue.
        now_s: The time, in seconds since 1970.

    Returns:
        Folders.
    """
    folders = {trash, *other_trashes(trash), *(job.trashed.parent for job in jobs if job.trashed)}
    folders |= {place.parent for job in jobs for place in draft_places(job)}
    oldest_s = now_s - KEPT_DAYS * _DAY_S
    found = {path for each in folders for path in _inside(each) if _came_s(path) < oldest_s}
    return found - {trash / ELSEWHERE}


def _inside(folder: Path) -> Iterator[Path]:
    with suppress(OSError):
        yield from folder.iterdir()


def _came_s(path: Path) -> float:
    """When a folder came into the trash, at the latest; now for one that cannot be asked."""
    with suppress(OSError):
        about = path.lstat()
        return max(about.st_mtime, about.st_ctime)
    return float("inf")
