"""Folders that the user means by a name: corpora, tokenizers, runs.

Folders travel between systems, so a new one gets a name that each of them takes as it is. What has
another name already stays usable.
"""

import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from core.errors import MOST_PATH, EpitomeError, of_system
from core.storage.portable_names import compose_name, find_name_problem, fold_name

LONGEST_INSIDE: Final = 110
"""Characters of the longest path that the program makes in a folder of the user's."""

MOST_FOLDER: Final = MOST_PATH - LONGEST_INSIDE - 1
"""Characters that the path of such a folder may have where Windows takes no long paths."""

_MOST_SHOWN = 40  # characters of a name in a message
_NAME = re.compile(r"[^/\\.][^/\\]*")


def _check_new(folder: Path, name: str, what: str) -> None:
    """Refuses a new folder whose name does not travel, or is one that is there in other letters."""
    with suppress(OSError):
        there = set(os.listdir(folder.parent))  # noqa: PTH208, names are compared
        if name in there:
            return  # the caller says so, or means that folder
        alike = {fold_name(each): each for each in there}.get(fold_name(name))
        if alike is not None and not find_name_problem(name):
            raise EpitomeError(
                f"“{name}” cannot be the name of {what}: “{alike}” is there already, and "
                "not every system tells them apart.",
                "Choose another name.",
            )
    if name not in ("", "..") and (problem := find_name_problem(name)):
        shown = name if len(name) <= _MOST_SHOWN else f"{name[:_MOST_SHOWN]}…"
        raise EpitomeError(
            f"“{shown}” cannot be the name of {what}: {problem}.",
            "Choose a shorter name." if "bytes" in problem else "Choose another name.",
        )
    if (length := len(str(folder.absolute()))) > MOST_FOLDER and has_short_paths():
        raise EpitomeError(
            f"The folder of {what} would have a path of {length} characters, and Windows takes "
            f"{MOST_FOLDER}, since longer ones are in it.",
            "Choose a shorter name.",
        )


def has_short_paths() -> bool:
    """True if this system takes no longer paths than `MOST_PATH`: Windows, unless set otherwise."""
    if sys.platform != "win32":
        return False
    import ctypes

    try:
        return not ctypes.WinDLL("ntdll").RtlAreLongPathsEnabled()
    except AttributeError:  # before Windows 10
        return True


def typed_path(name: str | Path) -> Path:
    """The place that a person means by what was typed.

    Args:
        name: A file or a folder; `~` and `~name` stand for somebody's home. Where nobody has that
            name, as for `~notes.txt`, it is the name of the file itself.

    Returns:
        Its path; a relative one stays relative.
    """
    with suppress(RuntimeError):  # nobody's home
        return Path(name).expanduser()
    return Path(name)


def named_folder(name: str | Path, under: Path) -> Path:
    """The folder that is meant by a name or a path, to be read.

    Args:
        name: A name without slashes, or a path.
        under: Where named folders lie.

    Returns:
        The folder of that name under `under`, if it is there; else the folder of that name where
        the program was called, if that is there; for a path, the path.

    Raises:
        EpitomeError: If it cannot be the name of a folder.
    """
    folder = _place(name, under)
    if folder.exists():
        return folder
    here = typed_path(name).absolute()
    return here if here.is_dir() else _named_alike(folder)


def _named_alike(folder: Path) -> Path:
    """The folder whose name is the same in composed characters; the given one if there is none."""
    with suppress(OSError):
        for name in os.listdir(folder.parent):  # noqa: PTH208, names are compared
            if compose_name(name) == compose_name(folder.name):
                return folder.with_name(name)
    return folder


def new_folder(name: str | Path, under: Path, what: str = "a folder") -> Path:
    """The folder that is meant by a name or a path, to be made.

    Args:
        name: A name without slashes, or a path.
        under: Where named folders lie.
        what: The thing that has the name, as in a sentence: "a run".

    Returns:
        The folder of that name under `under`; for a path, the path. One that is there already may
        have any name.

    Raises:
        EpitomeError: If it cannot be the name of a new folder on every system, or differs from one
            that is there in capitals only.
    """
    folder = _place(name, under)
    typed = str(name)  # on Windows, “a:b” is no name in a folder, but a place on drive A
    _check_new(folder, typed if _NAME.fullmatch(typed) else folder.name, what)
    return folder


def _place(name: str | Path, under: Path) -> Path:
    text = str(name)
    if not text.strip() or "\0" in text:
        raise EpitomeError("The name of a folder is empty.", "Give it a name.")
    folder = under / text if _NAME.fullmatch(text) else typed_path(text).absolute()
    try:
        folder.exists()
    except OSError as error:  # no folder can have such a name
        raise of_system(
            error, f"“{text[:40]}…” cannot be a folder", "Give it a shorter name."
        ) from error
    return folder


def own_folder(name: str, under: Path, what: str) -> Path:
    """The folder of a name among the person's own, where a path would not be found again.

    Args:
        name: A name without slashes.
        under: Where named folders lie.
        what: The thing that has the name, as in a sentence: "a run".

    Returns:
        The folder of that name under `under`.

    Raises:
        EpitomeError: If it is a path, or cannot be the name of a folder.
    """
    if name.strip() and not _NAME.fullmatch(name):
        raise EpitomeError(
            f"“{name}” cannot be the name of {what}: it has no slashes and begins with no dot.",
            "Choose another name.",
        )
    return new_folder(name, under, what)
