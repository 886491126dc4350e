"""What takes long to make is made once for all tests of a process, and copied."""

import atexit
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

_made: dict[str, Path] = {}


@cache
def _folder() -> Path:
    folder = tempfile.mkdtemp(prefix="epitome-tests-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def kept(what: str, make: Callable[[Path], object]) -> Path:
    """A folder that is made once for all tests of this process; nobody may change it.

    Args:
        what: Names it; the same words mean the same folder.
        make: Is given an empty folder to fill when it is first asked for.

    Returns:
        The folder.
    """
    if what not in _made:
        folder = _folder() / str(len(_made))
        folder.mkdir()
        make(folder)
        _made[what] = folder
    return _made[what]


def copied(source: Path, folder: Path) -> Path:
    """A copy of a folder that looks as if it were made now; gives the copy."""
    return shutil.copytree(source, folder, copy_function=shutil.copy, dirs_exist_ok=True)
