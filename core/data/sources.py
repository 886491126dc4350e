"""Finds row sources by name: documents, tables, folders of both, corpora, hub data sets."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

from core.data import hub
from core.data.columns import Columns, find_columns
from core.data.corpus import SPLITS, Split
from core.data.corpus_source import find_corpus
from core.data.settings import CorpusSettings, Make
from core.data.source_rows import SourceRow, source_row
from core.data.tables import has_table_name, is_table, num_rows, open_table, table_notes
from core.documents.readers.formats import folder_suffixes
from core.errors import EpitomeError
from core.library.named_folders import typed_path
from core.numbers import format_quantity
from core.storage.file_patterns import is_like

_SPLIT_NAMES: Final[dict[str, Split]] = {
    **{split: split for split in SPLITS},
    "valid": "validation",
    "val": "validation",
    "dev": "validation",
}

_CUT_OFF: Final = "tables that cannot be read to their end"


class RowSource(Protocol):
    """A source of corpus rows."""

    @property
    def name(self) -> str:
        """The name shown to a person."""
        ...

    @property
    def has_summaries(self) -> bool:
        """Whether its rows have summaries."""
        ...

    def describe(self, make: Make) -> str:
        """One sentence on what is read for rows of this kind."""
        ...

    def cache_key(self) -> list[Any]:
        """Plain values that change when the rows change."""
        ...

    @property
    def count(self) -> int | None:
        """The number of rows, if known in advance."""
        ...

    def rows(self) -> Iterator[SourceRow]:
        """The rows, always in the same order."""
        ...


@dataclass(frozen=True)
class TableSource:
    """A table with one document per row.

    Args:
        path: The file.
        columns: The columns to read.
        split: The split of all its rows; None if it has none.
    """

    path: Path
    columns: Columns
    split: Split | None = None

    @property
    def name(self) -> str:
        """The name shown to a person."""
        return self.path.name

    @property
    def has_summaries(self) -> bool:
        """Whether its rows have summaries."""
        return bool(self.columns.summary)

    def describe(self, make: Make) -> str:
        """Describes the columns that are read for rows of this kind, and the guesses."""
        split = f", all {self.split}" if self.split else ""
        columns = f"{self.path}: {self.columns.describe(make)}{split}."
        return " ".join([columns, *table_notes(self.path)])

    def cache_key(self) -> list[Any]:
        """Plain values that change when the rows change."""
        return [*_file_key(self.path), str(self.columns), self.split]

    @property
    def count(self) -> int | None:
        """The number of rows, if the format stores it."""
        try:
            return num_rows(self.path)
        except OSError:
            return None  # deleted since it was found, which its rows tell

    def rows(self) -> Iterator[SourceRow]:
        """The rows in file order, numbered from 1.

        Where the file is damaged, the last one is a row that says so: other sources may be whole,
        and hours of work stand before it.
        """
        number = 0
        try:
            for number, fields in enumerate(open_table(self.path)[1], 1):
                yield source_row(fields, self.columns, f"{self.path}:{number}", self.split)
        except EpitomeError as error:
            origin = f"{self.path}:{number + 1}"
            yield SourceRow(origin, origin, fault=str(error), faulty=_CUT_OFF)


@dataclass(frozen=True)
class FilesSource:
    """Files of any readable document format, one row each.

    Args:
        name: The name shown to a person.
        paths: The files.
    """

    name: str
    paths: tuple[Path, ...] = field(repr=False)
    has_summaries: bool = False

    def describe(self, make: Make) -> str:
        """One sentence on what is read for rows of this kind."""
        return f"{self.name}: {format_quantity(len(self.paths), 'document')}."

    def cache_key(self) -> list[Any]:
        """Plain values that change when the rows change."""
        return [_file_key(path) for path in self.paths]

    @property
    def count(self) -> int:
        """The number of files."""
        return len(self.paths)

    def rows(self) -> Iterator[SourceRow]:
        """One row per file; the file is read later."""
        for path in self.paths:
            yield SourceRow(str(path), str(path), path=str(path))


def _file_key(path: Path) -> list[Any]:
    """Path, size and time of change; a file that is not there is told when its turn comes."""
    try:
        status = path.stat()
    except OSError:
        return [str(path), None, None]
    return [str(path), status.st_size, status.st_mtime_ns]


def find_row_sources(names: tuple[str, ...], settings: CorpusSettings) -> list[RowSource]:
    """The sources that names refer to.

    Args:
        names: Files, folders, corpora, and data sets as ``hf:name``.
        settings: Which columns to read, and which files of a folder.

    Returns:
        At least one source for each name.

    Raises:
        EpitomeError: If a name refers to nothing, or a folder contains nothing to read.
    """
    sources: list[RowSource] = []
    for name in names:
        folder = hub.newsroom_folder(name)
        if folder is not None:
            sources += _local(folder, settings)
        elif name.startswith(hub.PREFIX):
            sources.append(hub.find_hub_source(name, settings))
        elif corpus := find_corpus(name):
            sources.append(corpus)
        else:
            sources += _local(typed_path(name), settings)
    return sources


def tables_named(name: str, settings: CorpusSettings) -> list[Path]:
    """The tables that a name stands for: itself, or those of a folder.

    Args:
        name: A file or a folder.
        settings: Which files of a folder are read.

    Returns:
        Their paths, sorted; none for anything else.
    """
    path = typed_path(name)
    if path.is_dir():
        wanted = (each for each in _walk(path) if _is_source(each, path, settings))
        return sorted(each for each in wanted if is_table(each) and each.is_file())
    return [path] if path.is_file() and is_table(path) else []


def _local(path: Path, settings: CorpusSettings) -> list[RowSource]:
    if path.is_dir():
        return _in_folder(path, settings)
    if not path.is_file():
        raise EpitomeError(f"There is no file or folder {path}.", "Check the name.")
    if is_table(path):
        return [_table(path, settings)]
    return [FilesSource(str(path), (path,))]


def _in_folder(folder: Path, settings: CorpusSettings) -> list[RowSource]:
    paths = sorted(path for path in _walk(folder) if _is_source(path, folder, settings))
    # A pipe would keep whoever opens it waiting: it is left out with the files that are no text.
    tables = tables_named(str(folder), settings)
    files = tuple(path for path in paths if path not in tables)
    splits = _splits(tables)
    sources: list[RowSource] = [_table(path, settings, splits.get(path)) for path in tables]
    if files:
        sources.append(FilesSource(str(folder), files))
    if not sources:
        raise EpitomeError(
            f"The folder {folder} contains no document and no table.",
            "Choose another folder, or select other files with --include.",
        )
    return sources


def _table(path: Path, settings: CorpusSettings, split: Split | None = None) -> TableSource:
    names, rows = open_table(path)
    rows.close()  # type: ignore[attr-defined] # all are generators, which hold the file open
    columns = find_columns(names, path.name, settings.document_column, settings.summary_column)
    return TableSource(path.absolute(), columns, split)


def _splits(tables: list[Path]) -> dict[Path, Split]:
    """The splits of tables named after a split, in folders with tables of at least two splits."""
    named = {path: _SPLIT_NAMES.get(path.name.partition(".")[0].lower()) for path in tables}
    found = {path: split for path, split in named.items() if split}
    in_folder = {path.parent: set[Split]() for path in found}
    for path, split in found.items():
        in_folder[path.parent].add(split)
    return {path: split for path, split in found.items() if len(in_folder[path.parent]) > 1}


def _walk(folder: Path) -> Iterator[Path]:
    """The files in a folder and in all folders in it.

    A folder that may not be read is given like a file, so that it becomes a row that is skipped
    for that reason.
    """
    closed: list[Path] = []
    for parent, folders, names in os.walk(
        folder, onerror=lambda error: closed.append(Path(os.fsdecode(error.filename)))
    ):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(parent) / name for name in names)
    yield from closed


def _is_source(path: Path, folder: Path, settings: CorpusSettings) -> bool:
    return _wanted(path.relative_to(folder), settings, is_closed=path.is_dir())


def _wanted(file: Path, settings: CorpusSettings, *, is_closed: bool = False) -> bool:
    if is_like(file, settings.exclude):
        return False
    if is_closed:
        return True
    if settings.include:
        return is_like(file, settings.include)
    return not file.name.startswith((".", "~$")) and (
        has_table_name(file) or file.suffix.lower() in folder_suffixes()
    )
