"""Moves a model to the trash, and back."""

from pathlib import Path

from core.jobs.queue.job_queue import JobQueue
from core.library.folders import Folders


def trash_model(folder: Path, folders: Folders) -> Path:
    """Moves a model's folder to the trash, for `core.jobs.queue.trash.KEPT_DAYS` days.

    Args:
        folder: The folder of its run.
        folders: Where the trash lies.

    Returns:
        Its place in the trash.

    Raises:
        EpitomeError: If a job works in it.
    """
    queue = JobQueue(folders.job_queue, folders.trash)
    return queue.discard(folder)
