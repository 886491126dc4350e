"""One summary of the documents of a batch."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.events import Event, Failed, Finished, Progress, Started
from core.export.excerpt import KeptSummary
from core.jobs.batches.document_jobs import RowJob, row_job
from core.jobs.batches.rows import BatchRow, BatchSettings, Made
from core.jobs.batches.store import BatchStore
from core.jobs.batches.table_texts import TableReader
from core.jobs.pool.choice import num_processes, open_pool
from core.jobs.pool.ordered import OrderedJobs
from core.jobs.summaries.summarise import BUILT_IN, SummariseSettings
from core.jobs.summaries.summarise_together import combined_of, digest_settings
from core.stop import StopToken

if TYPE_CHECKING:
    from core.export.combined import CombinedSummary


@dataclass(frozen=True)
class BatchTogetherJob:
    """Reads documents of a batch again, and makes one summary of them.

    Args:
        folder: The folder of the batch.
        length: How long the one summary is.
        numbers: Which documents; empty for all that have a summary.
    """

    folder: Path
    length: str
    numbers: tuple[int, ...] = ()

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields how far it is, then `Finished` with a `CombinedSummary`."""
        yield Started("Summarising together")
        with BatchStore(self.folder) as store:
            settings = store.settings
            done = [row for row in store.news(0, 0, -1) if row.state == "done"]
            rows = [row for row in done if not self.numbers or row.number in self.numbers]
            tables = TableReader(store.columns_of)
            kept, lost = yield from _read(rows, settings, tables, stop)
        asked = SummariseSettings.checked({"length": self.length})
        combined = combined_of(kept, asked, stop)
        yield Finished(replace(combined, notes=(*combined.notes, *lost)))


def _read(
    rows: Sequence[BatchRow], settings: BatchSettings, tables: TableReader, stop: StopToken
) -> Generator[Event, None, tuple[list[KeptSummary], list[str]]]:
    """The long summaries of documents, and what could not be read again, a sentence each."""
    kept: list[KeptSummary] = []
    lost: list[str] = []

    def job_of(number: int, is_its_turn: bool) -> RowJob:
        job = row_job(rows[number], settings, tables).job
        return RowJob(replace(job, settings=digest_settings(job.settings)))

    size = num_processes(settings.processes, [BUILT_IN], len(rows))
    with closing(OrderedJobs(open_pool("", size, stop), len(rows), job_of, stop)) as jobs:
        for at, row in enumerate(rows):
            yield Progress(at, len(rows), "documents", "Reading")
            *_, last = jobs.follow(at)
            if isinstance(last, Finished) and isinstance(last.result, Made):
                kept.append(KeptSummary.from_json(last.result.kept))
            elif isinstance(last, Failed):
                lost.append(f"{row.name} is not in it: {last.message}")
    return kept, lost


@dataclass(frozen=True)
class ExportTogetherJob:
    """Writes one summary of several documents to a file.

    Args:
        combined: The summary.
        path: Where; its ending chooses the format.
        replace: Whether another file that is there is replaced.
    """

    combined: "CombinedSummary"
    path: Path
    replace: bool = False

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with the path."""
        from core.export.combined import write_combined

        yield Started("Exporting")
        write_combined(self.combined, self.path, replace=self.replace)
        yield Finished(self.path)
