"""Adds files, folders and tables to a batch."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import EpitomeError
from core.events import Event, Finished, Progress, Started
from core.jobs.batches.job_file import save_job_file
from core.jobs.batches.rows import BatchSettings
from core.jobs.batches.store import BatchStore, FoundSource
from core.jobs.batches.tables import ColumnRole
from core.jobs.sources.source_files import FolderOptions, is_folder, look_into
from core.numbers import format_quantity
from core.stop import StopToken

if TYPE_CHECKING:
    from core.jobs.batches.table_texts import OpenedTable

_AT_ONCE = 1_000


@dataclass(frozen=True)
class SourcesAdded:
    """What came of adding.

    Args:
        added: How many documents were added.
        known: How many were in the batch before.
        notes: What was passed over, a sentence each.
    """

    added: int
    known: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class AddToBatchJob:
    """Adds documents to a batch, which is made if it is not there.

    Args:
        folder: The folder of the batch.
        names: Files and folders. A table of texts gives a document for each of its rows; where no
            column is clearly one of texts, none until one is chosen (`ChooseColumnJob`).
        settings: For a new batch; None for the defaults.
    """

    folder: Path
    names: tuple[Path, ...]
    settings: BatchSettings | None = None

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields how many are found, then `Finished` with `SourcesAdded`."""
        yield Started("Looking for documents")
        notes: list[str] = []
        found = added = 0
        with BatchStore(self.folder, make=True) as store:
            if self.settings is not None and not store.counts()["all"]:
                store.set_settings(self.settings)
            for name in self.names:
                sources = iter(self._sources(name.absolute(), store, notes, stop))
                while part := list(islice(sources, _AT_ONCE)):
                    stop.raise_if_set()
                    found += len(part)
                    added += store.add(part, [str(name.absolute())])
                    yield Progress(found, 0, "documents", "Looking for documents")
            save_job_file(self.folder, store)
        yield Finished(SourcesAdded(added, found - added, tuple(notes)))

    def _sources(
        self, name: Path, store: BatchStore, notes: list[str], stop: StopToken
    ) -> Iterable[FoundSource]:
        if not is_folder(str(name)):
            yield from _of_file(name, name.name, store)
            return
        content = look_into(name, FolderOptions(), stop)
        special = format_quantity(len(content.special), "device or pipe", "devices or pipes")
        passed = [*content.left_out, *([f"{special} passed over"] if content.special else [])]
        notes += [f"{name.name}: {why}." for why in passed]
        for file in content.taken:
            yield from _of_file(file, str(file.relative_to(name)), store)


def _of_file(file: Path, name: str, store: BatchStore) -> Iterator[FoundSource]:
    """A file as one document; of a table, each row with a text."""
    from core.jobs.batches.table_texts import is_table, open_table

    if not is_table(file):
        yield FoundSource(str(file), name)
        return
    try:
        table = open_table(file, store.columns_of(str(file)), store.settings.column)
    except EpitomeError:
        yield FoundSource(str(file), name)  # its row tells what is wrong
        return
    if table.may_be_document:
        yield FoundSource(str(file), name)
        return
    count = 0
    for source in _rows_of(table, name):
        count += 1
        yield source
    store.set_table(table.told(count))
    if not count:  # no document tells by what it was found: its column is chosen later
        store.add((), [str(table.path)])


def _rows_of(table: "OpenedTable", name: str) -> Iterator[FoundSource]:
    from core.jobs.batches.table_texts import row_name

    for each in table.texts(0):
        yield FoundSource(str(table.path), row_name(name, each.record, each.title), each.record)


@dataclass(frozen=True)
class ChooseColumnJob:
    """Reads another column of a table; its documents wait to be summarised again.

    Args:
        folder: The folder of the batch.
        path: The table, absolute.
        role: What the column holds.
        column: The column; empty for none, which only titles may be.
    """

    folder: Path
    path: str
    role: ColumnRole
    column: str

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with the number of documents."""
        from core.jobs.batches.table_texts import open_table

        yield Started("Reading the table")
        with BatchStore(self.folder) as store:
            known = next(each for each in store.tables if each.path == self.path)
            columns = known.with_column(self.role, self.column)
            table = open_table(Path(self.path), columns if columns.text else None)
            found = list(_rows_of(table, Path(self.path).name))
            told = replace(table.told(len(found)), title=columns.title)
            store.read_table_anew(told, found)
        yield Finished(len(found))
