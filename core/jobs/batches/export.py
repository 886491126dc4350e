"""Exports the summaries of a batch: as one document, a file for each, or a table."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from core.errors import EpitomeError, explained
from core.events import Event, Finished, Progress, Started
from core.export.excerpt import KeptSummary
from core.jobs.batches.queued import title_of_batch
from core.jobs.batches.rows import BatchRow
from core.jobs.batches.store import BatchStore
from core.stop import StopToken
from core.storage.atomic_files import numbered_places, open_whole, write_beside, write_whole
from core.storage.files import SourceFiles
from core.summaries.summary import Quotable, Summary

ExportKind = Literal["document", "folder", "csv", "jsonl"]


@dataclass(frozen=True)
class BatchExported:
    """What was written.

    Args:
        path: The file or the folder.
        number: How many summaries it holds.
        num_renamed: How many files of a folder have another name, since files of theirs were there.
    """

    path: Path
    number: int
    num_renamed: int = 0


@dataclass(frozen=True)
class ExportBatchJob:
    """Writes the summaries of a batch.

    Args:
        folder: The folder of the batch.
        kind: What is written: one document with contents, a folder of files, or a table.
        path: The file; of a folder of files, the folder.
        suffix: The format of the files in a folder, such as ".docx".
        numbers: The documents whose summaries are written; empty for all.
        replace: Whether a file that is there is replaced; those in a folder of files always stay,
            and summaries get the next free names.
    """

    folder: Path
    kind: ExportKind
    path: Path
    suffix: str = ".md"
    numbers: tuple[int, ...] = ()
    replace: bool = False

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Writes the summaries.

        Args:
            stop: The wish to end early; then nothing is left of a single file.

        Yields:
            How many are written, then `Finished` with a `BatchExported`.

        Raises:
            EpitomeError: If nothing is done yet, a source would be replaced, or nothing can be
                written there.
        """
        yield Started("Exporting")
        place = None if self.kind == "folder" else self.path
        with opened_batch(self.folder, place, self.numbers, stop) as batch:
            written = num_renamed = 0
            for written, is_renamed in self._written(batch):
                num_renamed += is_renamed
                yield Progress(written, batch.total, "summaries", "Exporting")
        yield Finished(BatchExported(self.path, written, num_renamed))

    def _written(self, batch: "OpenedBatch") -> Iterator[tuple[int, bool]]:
        """Writes; yields how many summaries are through, and whether the last was renamed."""
        if self.kind == "folder":
            yield from self._files(batch)
            return
        items = batch.items
        if self.kind == "document":
            from core.export.collection import render_collection

            data = render_collection(batch.title, items, self.path.suffix, batch.quotations)
            write_whole(self.path, data, "Choose another name.", replace=self.replace)
        else:
            from core.export.collection import csv_lines, json_lines

            lines = csv_lines(items) if self.kind == "csv" else json_lines(items)
            with open_whole(
                self.path, "Choose another name.", replace=self.replace, makes_folder=False
            ) as file:
                file.writelines(lines)
        yield items.number, False

    def _files(self, batch: "OpenedBatch") -> Iterator[tuple[int, bool]]:
        from core.export.formats import render

        with explained(f"The folder {self.path} cannot be made", "Choose another place."):
            self.path.mkdir(parents=True, exist_ok=True)
        taken = SourceFiles()
        for number, (row, kept) in enumerate(batch.items.rows(), 1):
            data = render(kept.summary, kept.excerpt, self.suffix, quotations=batch.quotations)
            places = _places(self.path, row, self.suffix, batch.sources, taken)
            write = partial(write_whole, data=data, remedy="Choose another folder.", flush=False)
            place, occupied = write_beside(places, write, replace=False)
            taken.add(place)
            yield number, occupied is not None


class BatchItems:
    """The summaries of a batch, one after the other; knows how many there were.

    Args:
        store: The batch.
        numbers: The documents; empty for all.
        stop: The wish to end early.
    """

    def __init__(self, store: BatchStore, numbers: tuple[int, ...], stop: StopToken) -> None:
        self._store, self._numbers, self._stop = store, numbers or None, stop
        self.number = 0

    def __iter__(self) -> Iterator[tuple[Summary, Quotable]]:
        for _, kept in self.rows():
            yield kept.summary, kept.excerpt

    def rows(self) -> Iterator[tuple[BatchRow, KeptSummary]]:
        """The same, each with its document."""
        self.number = 0
        for found in self._store.summaries(self._numbers):
            self._stop.raise_if_set()
            self.number += 1
            yield found


@dataclass(frozen=True)
class OpenedBatch:
    """A batch that is to be exported.

    Args:
        title: What it is called.
        items: Its summaries.
        total: How many there are.
        quotations: Whether files have page references.
        sources: What is not replaced.
    """

    title: str
    items: BatchItems
    total: int
    quotations: bool
    sources: SourceFiles


@contextmanager
def opened_batch(
    folder: Path, path: Path | None, numbers: tuple[int, ...], stop: StopToken
) -> Iterator[OpenedBatch]:
    """Opens a batch to export it.

    Args:
        folder: The folder of the batch.
        path: The file that is to be written; None for several.
        numbers: The documents whose summaries are written; empty for all.
        stop: The wish to end early.

    Yields:
        The batch.

    Raises:
        EpitomeError: If nothing is done yet, or a source would be replaced.
    """
    with BatchStore(folder) as store, store.unchanged():
        total = len(numbers) or store.counts()["done"]
        if not total:
            raise EpitomeError("The batch has no summaries yet.", "Wait for the first one.")
        sources = SourceFiles(row.path for row in store.news(0, 0, -1))
        if path is not None:
            sources.check(path)
        items = BatchItems(store, numbers, stop)
        title, quotations = title_of_batch(store.sources), store.settings.quotations
        yield OpenedBatch(title, items, total, quotations, sources)


def _places(
    folder: Path, row: BatchRow, suffix: str, sources: SourceFiles, taken: SourceFiles
) -> Iterator[Path]:
    """Names after the document's that are no source and no other summary, the best first."""
    stem, record = Path(row.path).stem, f"-{row.record + 1}" if row.record >= 0 else ""
    for place in numbered_places(folder, stem, suffix, record):
        if place not in sources and place not in taken:
            yield place
