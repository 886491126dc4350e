"""Moves the folders of a cancelled job to the trash and back, each by one rename.

A rename happens or does not: no half of a folder is ever left anywhere. Each function can be
called again after a kill, and then finds its work done.

The queue is a file, which may have been copied, moved or forged: its paths may be those of other
folders. So only folders are moved that Epitome has made, and that are in the home or were chosen in
it. Only what is in the trash is deleted: in that of the home, or in a folder beside a job's that
has the mark of one.
"""

import json
import math
import os
import re
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from core.data.staging import exclusive, is_staging
from core.errors import EpitomeError, explained, of_system
from core.jobs.queue.queued import QueuedJob
from core.runs.folder import JOB_FILE
from core.storage.files import append_whole
from core.storage.parsing import parse_json
from core.storage.regular_files import read_regular, rename_patiently

KEPT_DAYS: Final = 30
"""What has lain in the trash for longer is deleted."""

_COLLECTIONS = {"runs", "batches", "comparisons", "corpora", "tokenizers", "jobs"}
# By a file of ours, what is beside it in our folders; none where nobody else makes such a file.
_MARKS: dict[str, set[str]] = {
    "queued.toml": set(),
    "sweep-001.toml": set(),
    JOB_FILE: {"process.json", "events.jsonl", "model.json", "checkpoints", "batch.sqlite"},
    "corpus.toml": {"documents"},
    "comparison.json": {"texts.jsonl"},
}
# In a folder with the name of an entry, these suffice.
_MARKS_OF_ENTRIES = {"batch.sqlite", "comparison.json", "plan.json", "tokenizer.json"}
_ENTRY = re.compile(r".+-[0-9a-f]{8}(\.draft)?", re.DOTALL)
_DAY_S = 86_400
_NAME_BYTES = 120  # some disks allow 143 for the whole name
_BESIDE = ".epitome-trash"
_DRAFT = ".draft"
_MARK = "epitome-trash.txt"
_MARK_TEXT = f"Epitome keeps here for {KEPT_DAYS} days what was deleted, then removes it.\n"
ELSEWHERE: Final = "elsewhere.jsonl"
"""Lies in the trash, and names the folders on other disks that belong to it, one a line, each with
the home: those of a home that was copied stay its own."""


def trash_places(trash: Path, job: QueuedJob) -> Sequence[Path]:
    """Where a job's folder may go: the trash, or beside the folder where that is another disk."""
    return _places(trash, job.folder, job.id)


def _places(trash: Path, folder: Path, id: str) -> Sequence[Path]:
    name = folder.name
    while len(os.fsencode(name)) > _NAME_BYTES:
        name = name[:-1]
    name = f"{name}-{id}"
    return (trash / name, folder.parent / _BESIDE / name)


def has_place_in_trash(trash: Path, job: QueuedJob) -> bool:
    """True if the place in the trash that a job names is one that it can have."""
    place = job.trashed
    if place is None or place not in trash_places(trash.absolute(), job):
        return False
    return _is_inside(trash, place) and belongs_to_home(place, job, trash)


def get_home(trash: Path) -> Path:
    """Returns the folder of a home that the trash is in, by its one path without links."""
    return Path(os.path.realpath(trash.parent))


def belongs_to_home(path: Path, job: QueuedJob, trash: Path) -> bool:
    """True if a path that a job names is in the home, or was chosen in it.

    Args:
        path: The path.
        job: The job.
        trash: The trash, which is in the home.

    Returns:
        False for the paths of a job in a copy of the home in which it was queued.
    """
    home = get_home(trash)
    return job.home == home or home in Path(os.path.realpath(path)).parents


def is_own_job(job: QueuedJob, trash: Path) -> bool:
    """True if Epitome has made a job's folder, and it is of this home."""
    return is_own(job.folder, trash) and belongs_to_home(job.folder, job, trash)


def is_own(folder: Path, trash: Path) -> bool:
    """True if Epitome has made a folder: it is one of the home's, or has files of a job's.

    Args:
        folder: The folder; a link to one is not that.
        trash: The trash, which is in the home.

    Returns:
        Whether it may be moved to the trash.
    """
    if folder.is_symlink() or not folder.is_dir() or folder.name == "..":
        return False
    return (
        (folder.parent.parent == trash.absolute().parent and folder.parent.name in _COLLECTIONS)
        or _has_marks({each.name for each in _inside(folder)})
        or is_staging(folder)
    )


def _has_marks(names: set[str]) -> bool:
    return any(file in names and (not beside or beside & names) for file, beside in _MARKS.items())


def is_entry(place: Path) -> bool:
    """True if Epitome has put a folder into a trash: its name and its files say so."""
    if not _ENTRY.fullmatch(place.name) or place.is_symlink() or not place.is_dir():
        return False
    names = {each.name for each in _inside(place)}
    return not names or bool(names & _MARKS_OF_ENTRIES) or _has_marks(names)


def delete_from_trash(trash: Path, place: Path) -> None:
    """Deletes a folder if it is in the trash, or in one beside a job's folder; as far as it can.

    Args:
        trash: The trash.
        place: The folder.
    """
    if _is_inside(trash, place):
        shutil.rmtree(place, ignore_errors=True)


def _is_inside(trash: Path, place: Path) -> bool:
    is_in_trash = place.parent == trash.absolute() or _is_trash_beside(place.parent)
    return bool(_ENTRY.fullmatch(place.name)) and is_in_trash


def _is_trash_beside(folder: Path) -> bool:
    """True if a folder is a trash of Epitome's on another disk."""
    named = folder.name == _BESIDE and folder.is_absolute() and not folder.is_symlink()
    with suppress(OSError):
        return named and read_regular(folder / _MARK) == _MARK_TEXT.encode()
    return False


def draft_places(job: QueuedJob) -> Sequence[Path]:
    """Where the draft of a cancelled job may lie: beside its folder, or in a trash on its disk."""
    if job.draft is None or job.trashed is None:
        return ()
    beside = draft_beside(job.trashed)
    return (beside, job.draft.parent / _BESIDE / beside.name)


def draft_beside(place: Path) -> Path:
    """Where the draft of a job may be whose folder has this place in the trash."""
    return place.with_name(f"{place.name}{_DRAFT}")


def is_draft(place: Path) -> bool:
    """True if a folder in the trash is the draft of a job."""
    return place.name.endswith(_DRAFT)


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
    if place.parent.name == _BESIDE and not any(place.parent.iterdir()):
        with (place.parent / _MARK).open("xb") as mark:
            mark.write(_MARK_TEXT.encode())
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
    if not is_own(folder, trash):
        raise EpitomeError(f"{folder} was not made by Epitome.", "Delete it yourself.")
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
        line = {"home": str(get_home(trash)), "trash": str(place.parent.absolute())}
        append_whole(trash / ELSEWHERE, json.dumps(line).encode() + b"\n")


def other_trashes(trash: Path) -> set[Path]:
    """The folders on other disks that belong to a trash and hold something."""
    found = set()
    with suppress(OSError):
        for line in read_regular(trash / ELSEWHERE).splitlines():
            with suppress(ValueError, TypeError, KeyError):
                noted = parse_json(line)
                if noted["home"] == str(get_home(trash)):
                    found.add(Path(noted["trash"]))
    return {
        folder
        for folder in found
        if _is_trash_beside(folder) and any(each.name != _MARK for each in _inside(folder))
    }


def take_from_trash(place: Path, folder: Path) -> Path:
    """Moves a folder back.

    Args:
        place: Where it lies in the trash.
        folder: Where it was; it may be there again already.

    Returns:
        The folder.

    Raises:
        EpitomeError: If another folder is there now, or it cannot be renamed.
    """
    if folder.exists():
        if not place.exists():
            return folder
        raise EpitomeError(f"{folder} exists again.", "Move that folder away.")
    with explained(f"{place} cannot be moved back", f"Move it to {folder} by hand."):
        folder.parent.mkdir(parents=True, exist_ok=True)
        rename_patiently(place, folder)
    return folder


def move_draft_to_trash(job: QueuedJob) -> None:
    """Moves the draft of a cancelled job; one that cannot be moved, or is in use, stays.

    Args:
        job: The job; its place in the trash is known.
    """
    if job.draft is None or not job.draft.is_dir() or not is_staging(job.draft):
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
    trash = trash.absolute()
    folders = {trash, *other_trashes(trash), *(job.trashed.parent for job in jobs if job.trashed)}
    folders |= {place.parent for job in jobs for place in draft_places(job)}
    oldest_s = now_s - KEPT_DAYS * _DAY_S
    found = {path for each in folders if not each.is_symlink() for path in _inside(each)}
    found = {path for path in found if _is_inside(trash, path) and is_entry(path)}
    return {path for path in found if _came_s(path) < oldest_s}


def _inside(folder: Path) -> Iterator[Path]:
    with suppress(OSError):
        yield from folder.iterdir()


def _came_s(path: Path) -> float:
    """When a folder came into the trash, at the latest; now for one that cannot be asked."""
    with suppress(OSError):
        about = path.lstat()
        return max(about.st_mtime, about.st_ctime)
    return float("inf")


def trash_folders(trash: Path) -> list[Path]:
    """Returns the trash, and those on other disks that belong to it."""
    return [trash, *sorted(other_trashes(trash))]


def days_left(place: Path, now_s: float) -> int:
    """Returns in how many days a folder in the trash is deleted; at least 0."""
    return max(0, math.ceil(KEPT_DAYS - (now_s - min(_came_s(place), now_s)) / _DAY_S))
