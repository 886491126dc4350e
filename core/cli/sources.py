"""From what was typed to the sources that are read: files, folders, standard input."""

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from core.cli.console import Console
from core.cli.options import WrongUsageError
from core.events import Failed
from core.jobs.sources import SourceRef
from core.settings import Settings, option
from core.summary import format_quantity

STANDARD_INPUT = "-"


class FolderOptions(Settings):
    """Which files of a folder are sources."""

    include: tuple[str, ...] = option(
        (), "Pattern", "In folders, read only files that match, such as '*.pdf'; may be repeated."
    )
    exclude: tuple[str, ...] = option(
        (), "Pattern", "In folders, skip files that match; may be repeated."
    )


@dataclass(frozen=True)
class Named:
    """A source and what to call it.

    Args:
        name: As the person wrote it, or found in the folder they wrote.
        source: What to read, or why there is nothing to read.
    """

    name: str
    source: SourceRef | Failed


def find_sources(
    arguments: tuple[str, ...], options: FolderOptions, console: Console
) -> list[Named]:
    """All sources, those of a folder in the order of their paths.

    Args:
        arguments: Files, folders and "-".
        options: Which files of a folder.
        console: Is told what was passed over.

    Returns:
        At least one for each argument.

    Raises:
        WrongUsageError: If standard input is named twice.
    """
    if "" in arguments:
        raise WrongUsageError("A source has an empty name.", "Name a file, a folder, or -.")
    if arguments.count(STANDARD_INPUT) > 1:
        raise WrongUsageError("Standard input (-) was named twice.", "Name it once.")
    return [named for argument in arguments for named in _found(argument, options, console)]


def paths_of(sources: Iterable[Named]) -> Iterator[Path]:
    """The files among sources."""
    for named in sources:
        if isinstance(named.source, SourceRef) and named.source.path:
            yield named.source.path


def has_many(arguments: tuple[str, ...]) -> bool:
    """Whether the result is a list: several arguments, or a folder, however much is in it."""
    return len(arguments) > 1 or any(map(is_folder, arguments))


def is_folder(argument: str) -> bool:
    """Whether a folder has that name; False for names that the system refuses as too long."""
    try:
        return Path(argument).is_dir()
    except OSError:
        return False


def _found(argument: str, options: FolderOptions, console: Console) -> Iterator[Named]:
    if argument == STANDARD_INPUT:
        # Read when its turn has come: the pipe may still be filling.
        yield Named("standard input", named_source(argument))
        return
    path = Path(argument)
    if not is_folder(argument):
        yield Named(argument, named_source(argument))
        return
    wanted, passed = _in_folder(path, options)
    taken = [file for file in wanted if not _is_special(file)]
    if passed:
        console.say(f"{argument}: {format_quantity(passed, 'file')} passed over.")
    for file in wanted:
        if _is_special(file):
            console.say(f"{file}: passed over, since it is a device or a pipe.")
    for file in taken:
        yield Named(str(file), SourceRef(path=file))
    if not taken:
        yield Named(argument, _nothing_in_folder(options))


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


def with_input(source: SourceRef) -> SourceRef:
    """The source, with the bytes of standard input if it is no file."""
    return source if source.path else replace(source, data=sys.stdin.buffer.read())


def named_source(argument: str) -> SourceRef:
    """The source for one argument, a file or "-"; standard input is not read yet."""
    if argument == STANDARD_INPUT:
        return SourceRef(name="Standard input")
    return SourceRef(path=Path(argument))
