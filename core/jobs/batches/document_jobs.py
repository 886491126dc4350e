"""The work on one document of many: a file, or a row of a table of texts."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.events import Event, Failed, Finished, Steps
from core.jobs.batches.parquet import is_parquet
from core.jobs.batches.rows import NO_RECORD, BatchRow, Made, made_of
from core.jobs.batches.table_texts import TableReader, lost_row, open_table
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.summarise import SummariseJob, SummariseSettings
from core.stop import StopToken


def table_row_job(
    table: Path,
    record: int,
    name: str,
    settings: SummariseSettings,
    tables: TableReader,
    remedy: str,
) -> SummariseJob:
    """Returns the work on a row of a table.

    Args:
        table: The file of the table.
        record: The row, from 0.
        name: The name of the row, also its title if the table has none.
        settings: How the text is summarised; its column is read.
        tables: Reads the texts of tables.
        remedy: What the user can do if the text has gone.

    Returns:
        The job.

    Raises:
        EpitomeError: If the text is not in its table any more.
    """
    text = tables.text(table, record, settings.column)
    if text is None:
        raise lost_row(table, record, remedy)
    return SummariseJob(SourceRef(text=text.text, name=name), settings, text.title or name)


@dataclass(frozen=True)
class RowJob:
    """Summarises one document of a batch; its result is what the batch stores.

    Args:
        job: The summary.
    """

    memory_remedy = SummariseJob.memory_remedy
    remote_noun = SummariseJob.remote_noun

    job: SummariseJob

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields progress, then `Finished` with a `Made`."""
        for event in self.job.run(stop):
            if isinstance(event, Finished):
                yield Finished(made_of(event.result, self.job.settings))
            else:
                yield event

    @property
    def num_bytes(self) -> int:
        """The size of the document."""
        return self.job.num_bytes

    def write_order(self, stop: StopToken) -> Steps[bytes]:
        """Writes what a worker of a cluster needs."""
        return self.job.write_order(stop)

    def read_reply(self, reply: object) -> Made | Failed:
        """Reads a worker's reply."""
        result = self.job.read_reply(reply)
        return result if isinstance(result, Failed) else made_of(result, self.job.settings)


def row_job(
    row: BatchRow, settings: SummariseSettings, tables: TableReader, password: str = ""
) -> RowJob:
    """Returns the work on one document of a batch.

    Args:
        row: The document.
        settings: Those of the batch.
        tables: Reads the texts of tables.
        password: Opens an encrypted file.

    Returns:
        The job.

    Raises:
        EpitomeError: If the text is not in its table any more.
    """
    own_settings, path = row.wish.over(settings), Path(row.path)
    if row.record != NO_RECORD:
        remedy = "Add the table again."
        return RowJob(table_row_job(path, row.record, row.name, own_settings, tables, remedy))
    if is_parquet(path):
        open_table(path)  # no reader opens such a file as a document; this says what is wrong
    return RowJob(SummariseJob(SourceRef(path=path, password=password), own_settings))
