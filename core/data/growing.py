"""The folder in which a corpus grows until it is whole."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.data.corpus import DOCUMENTS
from core.errors import EpitomeError, explained
from core.files import FileLock
from core.library.folders import Folders
from core.settings import write_whole

_PLAN = "plan.json"
_PARTS = "parts"
_LOCK = "lock"
_SUFFIX = ".preparing"


@dataclass(frozen=True)
class Growing:
    """A folder that is not yet a corpus.

    Args:
        path: The folder.
        goes_on: Whether it holds work of an earlier call.
    """

    path: Path
    goes_on: bool

    @property
    def parts(self) -> Path:
        """Where rows are kept until all are there."""
        return self.path / _PARTS

    def become(self, corpus: Path) -> None:
        """Leaves nothing but the corpus, and gives it its name."""
        with writing(corpus):
            shutil.rmtree(self.parts)
            (self.path / _PLAN).unlink()
            self.path.rename(corpus)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Tells in words what keeps a folder from being written.

    Args:
        path: The folder, or a file.

    Yields:
        None: it is written inside the block.

    Raises:
        EpitomeError: If the disk is full, or nothing can be written there.
    """
    full = "Free some space on its disk, and call it again: what is prepared is kept."
    with explained(f"{path} cannot be written", "Choose another place.", full):
        yield


@contextmanager
def growing_folder(corpus: Path | None, plan: dict[str, Any]) -> Iterator[Growing]:
    """Opens the folder in which a corpus grows.

    Args:
        corpus: What it is to become; None for a folder that is gone at the end.
        plan: What is to be made of what; work that began with another plan is thrown away.

    Yields:
        The folder; it stays as it is when the block is left early.
    """
    if corpus is None:
        cache = Folders.of_this_user().cache
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="counting-", dir=cache) as folder:
            (Path(folder) / _PARTS).mkdir()
            yield Growing(Path(folder), goes_on=False)
        return
    path = corpus.with_name(f"{corpus.name}{_SUFFIX}")
    _check_ours(path)
    with writing(path):
        path.mkdir(parents=True, exist_ok=True)
    with alone(path):
        goes_on = _plan_of(path) == plan
        if not goes_on:
            _begin(path, plan)
        yield Growing(path, goes_on)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keeps other processes out of a folder.

    Args:
        folder: A folder that is there.

    Yields:
        None: nobody else who asks may work there until the block ends.

    Raises:
        EpitomeError: If another process is at work there.
    """
    lock = FileLock(folder / _LOCK)
    if not lock.acquire():
        told = f"Another process is at work in {folder}."
        raise EpitomeError(told, "Wait until it is done, or end it.")
    try:
        yield
    finally:
        lock.release()
        lock.path.unlink(missing_ok=True)


def _check_ours(path: Path) -> None:
    """Refuses a folder of that name that is something else."""
    if not path.exists() or (path / _PLAN).exists():
        return
    if any(child.name not in (_PARTS, _LOCK) for child in path.iterdir()):
        raise EpitomeError(
            f"The folder {path} is in the way; it is no corpus that is being prepared.",
            "Choose another name, or move that folder.",
        )


def _plan_of(path: Path) -> dict[str, Any] | None:
    """What was begun there; None if nothing was, or its plan was cut short."""
    try:
        found: dict[str, Any] = json.loads((path / _PLAN).read_bytes())
    except (FileNotFoundError, ValueError):
        return None
    return found


def _begin(path: Path, plan: dict[str, Any]) -> None:
    """Throws other work away; the plan is written last, and only with it has work begun."""
    with writing(path):
        (path / _PLAN).unlink(missing_ok=True)
        shutil.rmtree(path / _PARTS, ignore_errors=True)
        shutil.rmtree(path / DOCUMENTS, ignore_errors=True)
        (path / _PARTS).mkdir()
    write_whole(path / _PLAN, json.dumps(plan, indent=1).encode())
