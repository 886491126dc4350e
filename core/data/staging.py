"""The staging folder in which a corpus is built until it is complete."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.data.corpus import DOCUMENTS, STAGING_SUFFIX, check_path
from core.data.prepared import PLAN
from core.errors import EpitomeError, explained
from core.events import Progress, Steps
from core.library.folders import Folders
from core.stop import StopToken
from core.storage.atomic_files import write_whole
from core.storage.files import CHOOSE_HOME, FileLock, flush
from core.storage.parsing import parse_json
from core.storage.regular_files import read_regular, rename_patiently

_SHARDS = "parts"
_LOCK = "lock"
_PLAN_KEYS = {"version", "make", "settings", "sources"}
_LOOK_AGAIN_S = 0.5


@dataclass(frozen=True)
class StagingFolder:
    """A folder that is not a corpus yet.

    Args:
        path: The folder.
        resumes: Whether it contains work of an earlier call.
    """

    path: Path
    resumes: bool

    @property
    def shards(self) -> Path:
        """The folder of the shards until the corpus is written."""
        return self.path / _SHARDS

    def move_to(self, corpus: Path) -> None:
        """Deletes everything but the corpus, and renames the folder to it.

        The plan goes last: until then, a call that was interrupted is resumed by the next one. The
        shards are deleted only when a power cut can no longer take what was made of them.
        """
        with writing(corpus):
            for written in (*(self.path / DOCUMENTS).rglob("*"), *self.path.iterdir(), self.path):
                flush(written)
            shutil.rmtree(self.shards)
            (self.path / _LOCK).unlink(missing_ok=True)  # of an older program
            rename_patiently(self.path, corpus)
            (corpus / PLAN).unlink()


def put_in_place(temporary: Path, path: Path) -> None:
    """Gives a file that is whole its name, which a power cut leaves to no half of it.

    Args:
        temporary: The file, as it was written.
        path: Its name.

    Raises:
        OSError: If it cannot be renamed, or the disk is full.
    """
    flush(temporary)
    rename_patiently(temporary, path)


def staging_place(corpus: Path) -> Path:
    """Where a corpus is built."""
    return corpus.with_name(f"{corpus.name}{STAGING_SUFFIX}")


def is_staging(folder: Path) -> bool:
    """True if a folder is one in which a corpus is built, and no link to one."""
    has_name = folder.name.endswith(STAGING_SUFFIX) and not folder.is_symlink()
    with suppress(EpitomeError):
        return has_name and (_plan_of(folder) or {}).keys() == _PLAN_KEYS
    return False


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Explains errors of writing to a folder.

    Args:
        path: The folder, or a file.

    Yields:
        None: the folder is written inside the block.

    Raises:
        EpitomeError: If the disk is full, or the folder cannot be written.
    """
    full = "Free some space on its disk, and run the command again: finished work is kept."
    with explained(f"{path} cannot be written", "Choose another place.", full):
        yield


@contextmanager
def staging_folder(corpus: Path | None, plan: dict[str, Any]) -> Iterator[StagingFolder]:
    """Opens the staging folder of a corpus.

    Args:
        corpus: The folder it will become; None for a temporary folder, deleted at the end.
        plan: Sources and settings; work begun with another plan is deleted.

    Yields:
        The folder; it is left as it is if the block raises.
    """
    if corpus is None:
        cache = Folders.of_this_user().cache
        check_path(cache)
        with explained(f"{cache} cannot be made", CHOOSE_HOME):
            cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="counting-", dir=cache) as folder:
            (Path(folder) / _SHARDS).mkdir()
            yield StagingFolder(Path(folder), resumes=False)
        return
    path = staging_place(corpus)
    with exclusive(path):
        check_new(corpus)  # it may have been finished in the meantime
        _check_ours(path)
        with writing(path):
            path.mkdir(exist_ok=True)
        resumes = _plan_of(path) == plan
        if not resumes:
            _begin(path, plan)
        (path / _SHARDS).mkdir(exist_ok=True)  # gone where a call was ended as it finished
        yield StagingFolder(path, resumes)


@contextmanager
def exclusive(folder: Path) -> Iterator[None]:
    """Locks a folder against other processes, by a file beside it.

    The folder may be made, renamed and deleted inside the block.

    Args:
        folder: The folder.

    Yields:
        None: the folder is locked until the block ends.

    Raises:
        EpitomeError: If another process has locked it, or no file can be made beside it.
    """
    lock = _lock_of(folder)
    if not _acquired(lock):
        in_use = f"Another process is using {folder}."
        raise EpitomeError(in_use, "Wait until it has finished, or end it.")
    try:
        yield
    finally:
        lock.release(delete=True)


def wait_for_lock(folder: Path, what: str, stop: StopToken) -> Steps[FileLock]:
    """Locks a folder as `exclusive` does, once no other process has locked it.

    Args:
        folder: The folder.
        what: What is being done meanwhile ("Waiting for another process").
        stop: Ends the wait.

    Yields:
        Progress of the wait.

    Returns:
        The lock, which is held; whoever has it releases and deletes it.

    Raises:
        EpitomeError: If no file can be made beside the folder.
        Stopping: If an end was asked for.
    """
    lock = _lock_of(folder)
    while not _acquired(lock):
        yield Progress(0, 0, "documents", what)
        stop.wait(_LOOK_AGAIN_S)
        stop.raise_if_set()
    return lock


def _lock_of(folder: Path) -> FileLock:
    return FileLock(folder.with_name(f"{folder.name}.lock"))


def _acquired(lock: FileLock) -> bool:
    with writing(lock.path):
        lock.path.parent.mkdir(parents=True, exist_ok=True)
        return lock.acquire()


def check_new(corpus: Path) -> None:
    """Refuses to prepare a corpus where something is already, or none can be opened.

    Args:
        corpus: Where it is to be.

    Raises:
        EpitomeError: If something is there, or its path is not UTF-8.
    """
    check_path(corpus)
    if os.path.lexists(corpus):
        raise EpitomeError(f"{corpus} already exists.", "Choose another name, or delete it.")


def _check_ours(path: Path) -> None:
    """Refuses a folder with this name that is not a staging folder."""
    if is_staging(path) or not os.path.lexists(path):
        return
    if path.is_dir() and not path.is_symlink():
        _plan_of(path)  # raises what is wrong with a plan that cannot be read
    if path.is_symlink() or any(child.name not in (_SHARDS, _LOCK) for child in path.iterdir()):
        raise EpitomeError(
            f"The folder {path} is in the way: it is not a corpus in preparation.",
            "Choose another name, or move that folder.",
        )


def _plan_of(path: Path) -> dict[str, Any] | None:
    """The plan of the work begun there; None if there is none, or it is incomplete."""
    remedy = "Choose another name, or move that folder."
    with (
        explained(f"{path / PLAN} cannot be read", remedy),
        suppress(FileNotFoundError, ValueError),
    ):
        found = parse_json(read_regular(path / PLAN))
        return found if isinstance(found, dict) else None
    return None


def _begin(path: Path, plan: dict[str, Any]) -> None:
    """Deletes other work; the plan is written last, and work counts as begun only with it."""
    with writing(path):
        (path / PLAN).unlink(missing_ok=True)
        shutil.rmtree(path / _SHARDS, ignore_errors=True)
        shutil.rmtree(path / DOCUMENTS, ignore_errors=True)
        (path / _SHARDS).mkdir()
    write_whole(path / PLAN, json.dumps(plan, indent=1).encode(), replace=True)
