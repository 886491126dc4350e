"""Folders that a person means by a name: corpora, tokenizers, runs."""

import re
from contextlib import suppress
from pathlib import Path

from core.errors import EpitomeError, of_system

_MOST_BYTES = 255
"""The longest name of a file on the usual disks."""
_NAME = re.compile(r"[^/\\.][^/\\]*")


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
    folder = new_folder(name, under)
    here = typed_path(name).absolute()
    return here if not folder.exists() and here.is_dir() else folder


def new_folder(name: str | Path, under: Path) -> Path:
    """The folder that is meant by a name or a path, to be made.

    Args:
        name: A name without slashes, or a path.
        under: Where named folders lie.

    Returns:
        The folder of that name under `under`; for a path, the path.

    Raises:
        EpitomeError: If it cannot be the name of a folder.
    """
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
        what: What has the name, as in a sentence: "a run".

    Returns:
        The folder of that name under `under`.

    Raises:
        EpitomeError: If it is a path, or cannot be the name of a folder.
    """
    folder = new_folder(name, under)
    if not _NAME.fullmatch(name):
        raise EpitomeError(
            f"“{name}” cannot be the name of {what}: it has no slashes and begins with no dot.",
            "Choose another name.",
        )
    if len(name.encode(errors="surrogatepass")) > _MOST_BYTES:  # `under` may not be there to ask
        raise EpitomeError(
            f"“{name[:40]}…” cannot be the name of {what}: it has at most {_MOST_BYTES} bytes.",
            "Choose a shorter name.",
        )
    return folder
