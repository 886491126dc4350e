"""From names to sources of rows: documents, tables, folders of both, Hugging Face data sets."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Final, Protocol

from core.data import hub
from core.data.columns import Columns, find_columns
from core.data.corpus import SPLITS, Split
from core.data.rows import Raw, raw_row
from core.data.settings import CorpusSettings, Make
from core.data.tables import is_table, num_rows, open_table
from core.documents.readers.formats import folder_suffixes
from core.errors import EpitomeError
from core.summary import format_quantity

_SPLIT_NAMES: Final[dict[str, Split]] = {
    **{split: split for split in SPLITS},
    "valid": "validation",
    "val": "validation",
    "dev": "validation",
}


class RowSource(Protocol):
    """Something that gives rows."""

    @property
    def name(self) -> str:
        """What to call it."""
        ...

    @property
    def has_summaries(self) -> bool:
        """Whether its rows have summaries."""
        ...

    def told(self, make: Make) -> str:
        """What is read of it for such rows, one sentence."""
        ...

    def stamp(self) -> list[Any]:
        """Plain values that change when its rows change."""
        ...

    @property
    def count(self) -> int | None:
        """How many rows it has, if that is known beforehand."""
        ...

    def rows(self) -> Iterator[Raw]:
        """Its rows, in an order of their own that never changes."""
        ...


@dataclass(frozen=True)
class TableSource:
    """A table, each row a document.

    Args:
        path: Its file.
        columns: What is read of it.
        split: The split that all its rows belong to; None if it is not split.
    """

    path: Path
    columns: Columns
    split: Split | None = None

    @property
    def name(self) -> str:
        """What to call it."""
        return self.path.name

    @property
    def has_summaries(self) -> bool:
        """Whether its rows have summaries."""
        return bool(self.columns.summary)

    def told(self, make: Make) -> str:
        """What is read of it for such rows, one sentence."""
        split = f", all {self.split}" if self.split else ""
        return f"{self.path}: {self.columns.told(make)}{split}."

    def stamp(self) -> list[Any]:
        """Plain values that change when its rows change."""
        status = self.path.stat()
        return [str(self.path), status.st_size, status.st_mtime_ns, str(self.columns), self.split]

    @property
    def count(self) -> int | None:
        """How many rows it has, if its format tells."""
        return num_rows(self.path)

    def rows(self) -> Iterator[Raw]:
        """Its rows, in the order of the file, numbered from 1."""
        for number, fields in enumerate(open_table(self.path)[1], 1):
            yield raw_row(fields, self.columns, f"{self.path}:{number}", self.split)


@dataclass(frozen=True)
class FilesSource:
    """Documents in files of any format that can be read, each a row.

    Args:
        name: What to call them.
        paths: The files.
    """

    name: str
    paths: tuple[Path, ...] = field(repr=False)
    has_summaries: bool = False

    def told(self, make: Make) -> str:
        """What is read of it for such rows, one sentence."""
        return f"{self.name}: {format_quantity(len(self.paths), 'document')}."

    def stamp(self) -> list[Any]:
        """Plain values that change when its rows change."""
        found = [(path, path.stat()) for path in self.paths]
        return [[str(path), status.st_size, status.st_mtime_ns] for path, status in found]

    @property
    def count(self) -> int:
        """How many files there are."""
        return len(self.paths)

    def rows(self) -> Iterator[Raw]:
        """A row for each file, still to be read."""
        for path in self.paths:
            yield Raw(str(path), str(path), path=str(path))


def find_row_sources(names: tuple[str, ...], settings: CorpusSettings) -> list[RowSource]:
    """What is meant by names.

    Args:
        names: Files, folders, and data sets as ``hf:name``.
        settings: Which columns are read, and which files of a folder.

    Returns:
        At least one source for each name.

    Raises:
        EpitomeError: If there is none of that name, or a folder holds nothing to be read.
    """
    sources: list[RowSource] = []
    for name in names:
        folder = hub.newsroom_folder(name)
        if folder is not None:
            sources += _local(folder, settings)
        elif name.startswith(hub.PREFIX):
            sources.append(hub.find_hub_source(name, settings))
        else:
            sources += _local(Path(name).expanduser(), settings)
    return sources


def _local(path: Path, settings: CorpusSettings) -> list[RowSource]:
    if path.is_dir():
        return _in_folder(path, settings)
    if not path.is_file():
        raise EpitomeError(f"There is no file or folder {path}.", "Check the name.")
    if is_table(path):
        return [_table(path, settings)]
    return [FilesSource(str(path), (path,))]


def _in_folder(folder: Path, settings: CorpusSettings) -> list[RowSource]:
    paths = sorted(path for path in _walk(folder) if _wanted(path.relative_to(folder), settings))
    # A pipe would keep whoever opens it waiting: it is left out with the files that are no text.
    tables = [path for path in paths if is_table(path) and path.is_file()]
    files = tuple(path for path in paths if path not in tables)
    splits = _splits(tables)
    sources: list[RowSource] = [_table(path, settings, splits.get(path)) for path in tables]
    if files:
        sources.append(FilesSource(str(folder), files))
    if not sources:
        raise EpitomeError(
            f"The folder {folder} holds no document and no table.",
            "Name another folder, or other files of it with --include.",
        )
    return sources


def _table(path: Path, settings: CorpusSettings, split: Split | None = None) -> TableSource:
    names, rows = open_table(path)
    rows.close()  # type: ignore[attr-defined] # all are generators, which hold the file open
    columns = find_columns(names, path.name, settings.document_column, settings.summary_column)
    return TableSource(path.absolute(), columns, split)


def _splits(tables: list[Path]) -> dict[Path, Split]:
    """The splits of tables that are called after them, where a folder holds two or more such."""
    named = {path: _SPLIT_NAMES.get(path.name.partition(".")[0].lower()) for path in tables}
    found = {path: split for path, split in named.items() if split}
    in_folder = {path.parent: set[Split]() for path in found}
    for path, split in found.items():
        in_folder[path.parent].add(split)
    return {path: split for path, split in found.items() if len(in_folder[path.parent]) > 1}


def _walk(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(parent) / name for name in names)


def _wanted(file: Path, settings: CorpusSettings) -> bool:
    def matches(patterns: tuple[str, ...]) -> bool:
        return any(fnmatch(file.name, p) or fnmatch(file.as_posix(), p) for p in patterns)

    if matches(settings.exclude):
        return False
    if settings.include:
        return matches(settings.include)
    return not file.name.startswith((".", "~$")) and (
        is_table(file) or file.suffix.lower() in folder_suffixes()
    )
