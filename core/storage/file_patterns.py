"""Patterns of file names: what is taken from a folder, and what is left out."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path


def is_like(file: Path, patterns: Iterable[str]) -> bool:
    """Whether a file's name, or its path as it is given, is like one of some patterns.

    Capital letters do not matter, on any system: `*.pdf` means `SCAN.PDF`, too.

    Args:
        file: The file; it need not exist.
        patterns: With `*`, `?` and `[…]`.

    Returns:
        Whether one is.
    """
    names = {file.name.casefold(), file.as_posix().casefold()}
    return any(fnmatchcase(name, each.casefold()) for each in patterns for name in names)
