"""Adds files, folders and tables to a batch."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from core.errors import EpitomeError
from core.events import Event, Finished, Progress, Started
from core.jobs.batches.job_file import freeze
from core.jobs.batches.rows import BatchSettings
from core.jobs.batches.store import BatchStore, FoundSource
from core.jobs.source_files import FolderOptions, is_folder, look_into
from core.numbers import format_quantity
from core.stop import StopToken

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
        names: Files and folders. A table of texts gives a document for each of its rows.
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
                sources = iter(self._sources(name.absolute(), notes, stop))
                while part := list(islice(sources, _AT_ONCE)):
                    stop.raise_if_set()
                    found += len(part)
                    added += store.add(part, [str(name.absolute())])
                    yield Progress(found, 0, "documents", "Looking for documents")
            freeze(self.folder, store)
        yield Finished(SourcesAdded(added, found - added, tuple(notes)))

    def _sources(self, name: Path, notes: list[str], stop: StopToken) -> Iterable[FoundSource]:
        if not is_folder(str(name)):
            yield from self._of_file(name, name.name, notes)
            return
        content = look_into(name, FolderOptions(), stop)
        special = format_quantity(len(content.special), "device or pipe", "devices or pipes")
        passed = [*content.left_out, *([f"{special} passed over"] if content.special else [])]
        notes += [f"{name.name}: {why}." for why in passed]
        for file in content.taken:
            yield from self._of_file(file, str(file.relative_to(name)), notes)

    def _of_file(self, file: Path, name: str, notes: list[str]) -> Iterable[FoundSource]:
        from core.jobs.batches.table_texts import is_table, table_texts

        if is_table(file):
            try:
                texts = table_texts(file)
            except EpitomeError:
                texts = ()  # told by the row of the file
            if texts:
                for each in texts:
                    title = each.title or f"row {each.record + 1}"
                    yield FoundSource(str(file), f"{name}: {title}", each.record)
                return
        yield FoundSource(str(file), name)
