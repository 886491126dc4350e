"""One summary of the documents of a batch."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.events import Event, Finished, Progress, Started
from core.export.excerpt import KeptSummary
from core.jobs.batches.rows import Made
from core.jobs.batches.store import BatchStore
from core.jobs.batches.table_texts import TableReader
from core.jobs.batches.work import row_job
from core.jobs.sources import reading_process
from core.jobs.summarise import SummariseSettings
from core.jobs.summarise_together import combined_of, digest_settings
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
        kept: list[KeptSummary] = []
        tables = TableReader()
        with BatchStore(self.folder) as store:
            settings = digest_settings(store.settings)
            done = [row for row in store.news(0, 0, -1) if row.state == "done"]
        rows = [row for row in done if not self.numbers or row.number in self.numbers]
        with closing(reading_process()) as process:
            for at, row in enumerate(rows):
                stop.raise_if_set()
                yield Progress(at, len(rows), "documents", "Reading")
                wish = row.wish.over(settings).model_copy(update={"length": settings.length})
                job = row_job(row, settings, tables)
                for event in process.run(type(job)(job.source, wish, job.title), stop):
                    if isinstance(event, Finished) and isinstance(event.result, Made):
                        kept.append(KeptSummary.from_json(event.result.kept))
        stop.raise_if_set()
        asked = SummariseSettings.checked({"length": self.length})
        yield Finished(combined_of(kept, asked, stop))


@dataclass(frozen=True)
class ExportTogetherJob:
    """Writes one summary of several documents to a file.

    Args:
        combined: The summary.
        path: Where; its ending chooses the format.
    """

    combined: "CombinedSummary"
    path: Path

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with the path."""
        from core.export.combined import write_combined

        yield Started("Exporting")
        write_combined(self.combined, self.path)
        yield Finished(self.path)
