"""From names to the sources that are read: files, and the files in folders."""

import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path

from core.errors import of_system
from core.events import Failed
from core.jobs.sources.sources import SourceRef
from core.numbers import format_quantity
from core.settings import Settings, option
from core.stop import StopToken
from core.storage.file_patterns import is_like

_HIDDEN = (".", "~$")
_MOST_KINDS = 4


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
        record: Of a table of texts, the row that is read, from 0; None for the whole source.
        title: The title of that row; empty if it has none.
    """

    name: str
    source: SourceRef | Failed
    record: int | None = None
    title: str = ""

    @property
    def table(self) -> Path | None:
        """The table of which it is a row; None if it is none."""
        if self.record is None or isinstance(self.source, Failed):
            return None
        return self.source.path


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
    content = look_into(Path(name), options)
    skipped = [SkippedFiles(name, why) for why in content.left_out]
    why = "passed over, since it is a device or a pipe"
    skipped += [SkippedFiles(str(file), why) for file in content.special]
    found = [NamedSource(str(file), SourceRef(path=file)) for file in content.taken]
    found += [NamedSource(str(folder), _closed(error)) for folder, error in content.closed.items()]
    return tuple(found or [NamedSource(name, _nothing_in_folder(options))]), tuple(skipped)


def paths_of(sources: Iterable[NamedSource]) -> Iterator[Path]:
    """The files among sources."""
    for named in sources:
        if isinstance(named.source, SourceRef) and named.source.path:
            yield named.source.path


@dataclass
class FolderContent:
    """What lies in a folder and in all folders in it.

    Attributes:
        taken: The files that are sources, in the order of their paths.
        special: Pipes, sockets and devices among them, whose reading may never end.
        passed: How many other files there are, by the ends of their names.
        closed: The folders that could not be looked into, and why.
    """

    taken: list[Path] = field(default_factory=list)
    special: list[Path] = field(default_factory=list)
    passed: Counter[str] = field(default_factory=Counter)
    closed: dict[Path, OSError] = field(default_factory=dict)

    @property
    def left_out(self) -> tuple[str, ...]:
        """What was not taken, a clause each: "9 files passed over (7 .jpg, 2 hidden)"."""
        said = []
        if self.passed:
            kinds = [f"{count} {kind}" for kind, count in self.passed.most_common(_MOST_KINDS)]
            others = self.passed.total() - sum(dict(self.passed.most_common(_MOST_KINDS)).values())
            kinds += [f"{others} others"] if others else []
            number = format_quantity(self.passed.total(), "file")
            said.append(f"{number} passed over ({', '.join(kinds)})")
        if self.closed:
            named = ", ".join(folder.name for folder in islice(self.closed, _MOST_KINDS))
            number = format_quantity(len(self.closed), "folder")
            said.append(f"{number} could not be opened ({named})")
        return tuple(said)


def look_into(folder: Path, options: FolderOptions, stop: StopToken | None = None) -> FolderContent:
    """Searches a folder with all folders in it; hidden folders are not searched.

    Args:
        folder: The folder.
        options: Which files are taken.
        stop: The wish to end early.

    Returns:
        What was found.
    """
    content, wanted = FolderContent(), []

    def note_closed(error: OSError) -> None:
        content.closed[Path(os.fsdecode(error.filename or folder))] = error

    for parent, folders, names in os.walk(folder, onerror=note_closed):
        if stop is not None:
            stop.raise_if_set()
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            file = Path(parent) / name
            if _wanted(file.relative_to(folder), options):
                wanted.append(file)
            else:
                content.passed[_kind(file)] += 1
    for file in sorted(wanted):
        (content.special if _is_special(file) else content.taken).append(file)
    return content


def _kind(file: Path) -> str:
    hidden = file.name.startswith(_HIDDEN)
    return "hidden" if hidden else file.suffix.lower() or "without an ending"


def _is_special(file: Path) -> bool:
    """Whether it is a pipe, a socket or a device, whose reading may never end."""
    try:
        mode = file.stat().st_mode
    except OSError:
        return False  # told as any file that cannot be read
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _wanted(file: Path, options: FolderOptions) -> bool:
    if is_like(file, options.exclude):
        return False
    if options.include:
        return is_like(file, options.include)
    return file.suffix.lower() in _endings() and not file.name.startswith(_HIDDEN)


def has_document_name(file: Path) -> bool:
    """Whether a name ends as those of files that are read; nothing is looked up on the disk."""
    from core.documents.readers.formats import format_by_suffix

    return bool(format_by_suffix(file.suffix.lower()))


@cache
def _endings() -> tuple[str, ...]:
    """What is taken from a folder when nothing is said; a file that is named is always tried."""
    from core.documents.readers.formats import folder_suffixes

    return folder_suffixes()


def _closed(error: OSError) -> Failed:
    told = of_system(
        error, "The folder cannot be opened", "Make it readable, or leave it out by naming others."
    )
    return Failed(told.message, told.remedy, kind=told.kind)


def _nothing_in_folder(options: FolderOptions) -> Failed:
    patterns = " and ".join(options.include) or ", ".join(_endings())
    if options.exclude:
        left_out = " and ".join(options.exclude)
        return Failed(
            f"The folder holds no file that is taken as a source ({patterns}) and not left out by "
            f"--exclude ({left_out}).",
            "Leave fewer files out, or name others with --include.",
        )
    return Failed(
        f"The folder holds no file that is taken as a source ({patterns}).",
        "Name other files with --include.",
    )
