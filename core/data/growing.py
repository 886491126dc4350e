"""The folder in which a corpus grows until it is whole."""

import errno
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import FULL, EpitomeError
from core.library.folders import Folders
from core.settings import write_whole

_PLAN = "plan.json"
_PARTS = "parts"
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
    try:
        yield
    except OSError as error:
        full = error.errno == errno.ENOSPC
        raise EpitomeError(
            f"{path} cannot be written ({error.strerror or error}).",
            "Free some space on its disk, and call it again: what is prepared is kept."
            if full
            else "Choose another place.",
            FULL if full else "",
        ) from error


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
    goes_on = _begun(path, plan)
    if not goes_on:
        # The plan is written last: a folder without one is one that has not begun.
        with writing(path):
            (path / _PARTS).mkdir(parents=True, exist_ok=True)
        write_whole(path / _PLAN, json.dumps(plan, indent=1).encode())
    yield Growing(path, goes_on)


def _begun(path: Path, plan: dict[str, Any]) -> bool:
    """Whether work with this plan has begun there; other work is thrown away."""
    if not path.exists():
        return False
    try:
        found = json.loads((path / _PLAN).read_bytes())
    except FileNotFoundError:
        if any(child.name != _PARTS for child in path.iterdir()):
            raise EpitomeError(
                f"The folder {path} is in the way; it is no corpus that is being prepared.",
                "Choose another name, or move that folder.",
            ) from None
        found = None
    except ValueError:
        found = None
    if found == plan:
        return True
    shutil.rmtree(path)
    return False
