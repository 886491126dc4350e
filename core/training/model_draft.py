"""A model that is taken in: put together in a hidden folder, and a run only when it is whole."""

import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import EpitomeError, explained
from core.numbers import format_size
from core.runs.folder import RunFolder
from core.runs.model_card import ModelCard, write_model_card
from core.storage.files import FileLock, is_held, next_free
from core.storage.regular_files import rename_patiently

if TYPE_CHECKING:
    from core.decoding.settings import DecodingSettings
    from core.models.settings import ModelSettings

_BEGINS, _LOCK = ".importing-", ".lock"
_DRAFT = re.compile(re.escape(_BEGINS) + "[0-9a-f]{8}")


def today() -> str:
    """The day, ISO 8601."""
    return f"{datetime.now().astimezone():%Y-%m-%d}"


def check_room_on_disk(place: Path, num_bytes: int) -> None:
    """Refuses to begin what the disk has no room for.

    Args:
        place: The folder in which the model's will lie; it is made where it is not there.
        num_bytes: What is to be written.

    Raises:
        EpitomeError: If there is not enough.
    """
    with explained(f"{place} cannot be written", "Make it writable."):
        place.mkdir(parents=True, exist_ok=True)
        if num_bytes > shutil.disk_usage(place).free:
            raise EpitomeError(
                f"There is no room for the model, which needs {format_size(num_bytes)}.",
                "Free some space on the disk.",
            )


@contextmanager
def model_draft(place: Path) -> Iterator[Path]:
    """A folder in which a model is put together, beside where it will lie: on the same disk.

    Args:
        place: The folder in which the model's will lie; it is made where it is not there.

    Yields:
        The folder; what is still there at the end is deleted.

    Raises:
        EpitomeError: If it cannot be written.
    """
    with explained(f"{place} cannot be written", "Make it writable."):
        # Hidden, and without its job file: until it is whole, nobody takes it for a run.
        place.mkdir(parents=True, exist_ok=True)
        _remove_left(place)
        draft = place / f"{_BEGINS}{secrets.token_hex(4)}"
        lock = FileLock(_lock_of(draft))
        lock.acquire()  # before there is a draft: one without a lock was left behind
        try:
            draft.mkdir()
            yield draft
        finally:
            shutil.rmtree(draft, ignore_errors=True)
            lock.release(delete=True)


def _lock_of(draft: Path) -> Path:
    return draft.with_name(f"{draft.name}{_LOCK}")


def _remove_left(place: Path) -> None:
    """Removes the drafts of processes that were killed: nobody sees them, and they are large."""
    for draft in place.glob(f"{_BEGINS}*"):
        # Others may have such folders where a user has a model put: only one with a lock is ours.
        lock = _lock_of(draft)
        if _DRAFT.fullmatch(draft.name) and lock.is_file() and not is_held(lock):
            with suppress(OSError):
                shutil.rmtree(draft, ignore_errors=True)
                lock.unlink(missing_ok=True)


def keep_draft(draft: Path, folder: Path, write_job: Callable[[RunFolder], object]) -> Path:
    """Moves a whole draft to where it is found.

    Args:
        draft: What `model_draft` gave for the folder in which it goes.
        folder: Where it goes; a number follows where that is taken.
        write_job: Writes the job file of the run.

    Returns:
        Its folder.
    """
    folder = next_free(folder) if os.path.lexists(folder) else folder
    rename_patiently(draft, folder)
    write_job(RunFolder(folder))  # last: now it is a run
    return folder


def keep_untrained(
    draft: Path,
    folder: Path,
    files: Mapping[str, Callable[[Path], None]],
    state: Mapping[str, Any],
    settings: "ModelSettings",
    decoding: "DecodingSettings",
    card: ModelCard,
) -> Path:
    """Makes a run of a draft whose weights are those of others, and moves it.

    Args:
        draft: What `model_draft` gave; the tokenizer is in it.
        folder: As `keep_draft` takes it.
        files: Writes the files of its one checkpoint, by their names.
        state: What the checkpoint keeps beside them.
        settings: The model's.
        decoding: How it writes.
        card: What is told of it.

    Returns:
        Its folder.
    """
    from core.runs.checkpoints import Checkpoints
    from core.training.plan import RunPlan
    from core.training.settings import RunSettings, TrainSettings

    checkpoints = Checkpoints(draft)
    checkpoints.write(0, dict(files), dict(state))
    checkpoints.name("best", 0)
    write_model_card(RunFolder(draft), card)
    plan = RunPlan(RunSettings(), settings, TrainSettings(), decoding)
    return keep_draft(draft, folder, plan.save)
