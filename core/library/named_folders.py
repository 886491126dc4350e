"""Folders that the user means by a name: corpora, tokenizers, runs.

Folders travel between systems, so a new one gets a name that each of them takes as it is. What has
another name already stays usable.
"""

import os
import re
import unicodedata
from contextlib import suppress
from pathlib import Path

from core.errors import EpitomeError, of_system
from core.temporary import MOST_NAME_BYTES, fitting_name

_MOST_SHOWN = 40  # characters of a name in a message
_NAME = re.compile(r"[^/\\.][^/\\]*")
_REFUSED = re.compile(r'[<>:"|?*/\\\0-\x1f\ud800-\udfff]')
_DEVICE = re.compile(
    r"(CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(COM|LPT)[0-9¹²³]) *(\..*)?", re.IGNORECASE | re.DOTALL
)
"""Names of devices: Windows opens them instead of a file, whatever ending they have."""


def find_name_problem(name: str) -> str:
    """Returns why no new file or folder gets a name, as a clause; an empty text if it may.

    Args:
        name: A name, not a path.

    Returns:
        The clause, whose subject is the name.
    """
    if match := _REFUSED.search(name):
        is_mark = match[0].isprintable()
        shown = 'none of / \\ < > : " | ? *' if is_mark else "no control characters"
        return f"a name that every system takes has {shown}"
    if not name or name.endswith((".", " ")):
        return "a name that every system takes ends with no dot or space"
    if _DEVICE.fullmatch(name):
        return "Windows has a device of this name"
    if len(name.encode()) > MOST_NAME_BYTES:
        return f"it is too long, since a name has at most {MOST_NAME_BYTES} bytes"
    return ""


def make_portable(name: str, otherwise: str) -> str:
    """Returns a name that every system takes, as near as can be to one that was found somewhere.

    Args:
        name: The name, such as that of a source.
        otherwise: The name where nothing of it is left.

    Returns:
        The same name if it may be one.
    """
    clean = _REFUSED.sub("-", name).lstrip(".")
    if _DEVICE.fullmatch(clean):
        clean = f"_{clean}"
    clean = fitting_name(clean, "").rstrip(". ")
    return clean or otherwise


def _check_new(folder: Path, what: str) -> None:
    """Refuses a new folder whose name does not travel, or is one that is there in other letters."""
    with suppress(OSError):
        there = set(os.listdir(folder.parent))  # noqa: PTH208, names are compared
        if folder.name in there:
            return  # the caller says so, or means that folder
        alike = {_fold(each): each for each in there}.get(_fold(folder.name))
        if alike is not None and not find_name_problem(folder.name):
            raise EpitomeError(
                f"“{folder.name}” cannot be the name of {what}: “{alike}” is there already, and "
                "not every system tells them apart.",
                "Choose another name.",
            )
    if folder.name not in ("", "..") and (problem := find_name_problem(folder.name)):
        name = folder.name if len(folder.name) <= _MOST_SHOWN else f"{folder.name[:_MOST_SHOWN]}…"
        raise EpitomeError(
            f"“{name}” cannot be the name of {what}: {problem}.",
            "Choose a shorter name." if "bytes" in problem else "Choose another name.",
        )


def _fold(name: str) -> str:
    """A name without what some file systems do not tell apart: capitals, composed characters."""
    return unicodedata.normalize("NFC", name).casefold()


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
    here = typed_path(name).absolute()
    return here if not folder.exists() and here.is_dir() else folder


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
    _check_new(folder, what)
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
