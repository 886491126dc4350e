"""The settings of a batch as a file that `epitome summarise --config` reads."""

from pathlib import Path

from core.jobs.batches.store import BatchStore
from core.jobs.summarise import SummariseSettings
from core.runs.job_file import write_job
from core.settings import write_whole

JOB_FILE = "job.toml"


def freeze(folder: Path, store: BatchStore) -> None:
    """Writes the sources and the settings of a batch into its folder.

    Args:
        folder: The folder of the batch.
        store: The batch.

    Raises:
        EpitomeError: If it cannot be written.
    """
    values = store.settings.model_dump()
    settings = SummariseSettings.checked(
        {name: values[name] for name in SummariseSettings.model_fields}
    )
    text = write_job("summarise", store.sources, {"settings": settings})
    write_whole(folder / JOB_FILE, text.encode(), "Make Epitome's folder writable.")
