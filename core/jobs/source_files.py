"""From names to the sources that are read: files, and the files in folders."""

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from core.events import Failed
from core.jobs.sources import SourceRef
from core.numbers import format_quantity
from core.settings import Settings, option


class FolderOptions(Settings):
    """Which files of a folder are sources."""

    include: tuple[str, ...] = option(
        (), "Pattern", "In folders, read only files that match, such as '*.pdf'; may be repeated."
    )
    exclude: tuple[str, ...] = option(
        (), "Pattern", "In folders, skip files that match; may be repeated."
    )


@dataclass(frozen=True)
class NamedSource:
    """A source and what to call it.

    Args:
        name: As the person wrote it, or found in the folder they wrote.
        source: What to read, or why there is nothing to read.
    """

    name: str
    source: SourceRef | Failed


@dataclass(frozen=True)
class SkippedFiles:
    """What was passed over in a folder.

    Args:
        name: The folder, or the one file.
        why: What was passed over, a clause.
    """

    name: str
    why: str


def is_folder(name: str) -> bool:
    """Whether a folder has that name; False for names that the system refuses as too long."""
    try:
        return Path(name).is_dir()
    except OSError:
        return False


def files_named(
    name: str, options: FolderOptions
) -> tuple[tuple[NamedSource, ...], tuple[SkippedFiles, ...]]:
    """The sources that a name stands for.

    Args:
        name: A file or a folder, which is searched with all folders in it.
        options: Which files of a folder.

    Returns:
        At least one source, those of a folder in the order of their paths; and what was passed
        over.
    """
    if not is_folder(name):
        return (NamedSource(name, SourceRef(path=Path(name))),), ()
    wanted, passed = _in_folder(Path(name), options)
    skipped = [SkippedFiles(name, f"{format_quantity(passed, 'file')} passed over")]
    special = [file for file in wanted if _is_special(file)]
    skipped = skipped[: bool(passed)]
    why = "passed over, since it is a device or a pipe"
    skipped += [SkippedFiles(str(file), why) for file in special]
    found = [NamedSource(str(file), SourceRef(path=file)) for file in wanted if file not in special]
    return tuple(found or [NamedSource(name, _nothing_in_folder(options))]), tuple(skipped)


def paths_of(sources: Iterable[NamedSource]) -> Iterator[Path]:
    """The files among sources."""
    for named in sources:
        if isinstance(named.source, SourceRef) and named.source.path:
            yield named.source.path


def _in_folder(folder: Path, options: FolderOptions) -> tuple[list[Path], int]:
    taken, passed = [], 0
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            file = Path(parent) / name
            if _wanted(file.relative_to(folder), options):
                taken.append(file)
            else:
                passed += 1
    return sorted(taken), passed


def _is_special(file: Path) -> bool:
    """Whether it is a pipe, a socket or a device, whose reading may never end."""
    try:
        mode = file.stat().st_mode
    except OSError:
        return False  # told as any file that cannot be read
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _wanted(file: Path, options: FolderOptions) -> bool:
    def matches(patterns: tuple[str, ...]) -> bool:
        return any(fnmatch(file.name, p) or fnmatch(file.as_posix(), p) for p in patterns)

    if matches(options.exclude):
        return False
    if options.include:
        return matches(options.include)
    return file.suffix.lower() in _endings() and not file.name.startswith((".", "~$"))


@cache
def _endings() -> tuple[str, ...]:
    """What is taken from a folder when nothing is said; a file that is named is always tried."""
    from core.documents.readers.formats import folder_suffixes

    return folder_suffixes()


def _nothing_in_folder(options: FolderOptions) -> Failed:
    patterns = " and ".join(options.include) or ", ".join(_endings())
    return Failed(
        f"The folder holds no file that is taken as a source ({patterns}).",
        "Name other files with --include.",
    )
