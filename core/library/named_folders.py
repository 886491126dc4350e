"""Folders that a person means by a name: corpora, tokenizers, runs."""

import re
from pathlib import Path

from core.errors import EpitomeError, of_system

_NAME = re.compile(r"[^/\\.][^/\\]*")


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
    here = Path(name).expanduser().absolute()
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
    folder = under / text if _NAME.fullmatch(text) else Path(text).expanduser().absolute()
    try:
        folder.exists()
    except OSError as error:  # no folder can have such a name
        raise of_system(
            error, f"“{text[:40]}…” cannot be a folder", "Give it a shorter name."
        ) from error
    return folder
