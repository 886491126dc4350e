"""A batch as `epitome summarise` takes it: as a file for ``--config``, and as options."""

from collections.abc import Collection
from pathlib import Path

from core.jobs.batches.rows import BatchSettings
from core.jobs.batches.store import BatchStore
from core.jobs.batches.tables import BatchTable
from core.jobs.sources.table_sources import TableOptions
from core.jobs.summaries.summarise import SummariseSettings
from core.runs.job_file import save_job, write_job
from core.settings import Settings

JOB_FILE = "job.toml"


def command_settings(
    settings: BatchSettings, tables: Collection[BatchTable]
) -> dict[str, Settings]:
    """What the command is told to summarise the documents of a batch.

    Args:
        settings: Those of the batch.
        tables: Its tables of texts.

    Returns:
        The tables of settings of a job file. Where all tables of the batch are read by the same
        column, it is named.
    """
    values = settings.model_dump()
    wanted = {name: values[name] for name in SummariseSettings.model_fields}
    columns = {table.text for table in tables}
    if len(columns) == 1:
        wanted["column"] = columns.pop()
    told: dict[str, Settings] = {"settings": SummariseSettings.checked(wanted)}
    return told | ({"tables": TableOptions(rows=True)} if tables else {})


def job_files(store: BatchStore) -> dict[str, str]:
    """The file with the sources and settings of a batch: its name and text."""
    tables = command_settings(store.settings, store.tables)
    return {JOB_FILE: write_job("summarise", store.sources, tables)}


def save_job_file(folder: Path, store: BatchStore) -> None:
    """Writes the sources and settings of a batch into its folder.

    Args:
        folder: The folder of the batch.
        store: The batch.

    Raises:
        EpitomeError: If it cannot be written.
    """
    tables = command_settings(store.settings, store.tables)
    save_job(folder / JOB_FILE, "summarise", store.sources, tables)
