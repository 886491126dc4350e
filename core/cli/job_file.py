"""Job files as commands read them: what is wrong in one is wrong usage."""

from collections.abc import Mapping
from pathlib import Path

from core.cli.options import as_wrong_usage
from core.runs import job_file
from core.runs.job_file import JobFile, write_job
from core.settings import Settings

__all__ = ["EMPTY", "JobFile", "read_job", "write_job"]

EMPTY = JobFile((), {})


def read_job(path: Path, command: str, tables: Mapping[str, type[Settings]]) -> JobFile:
    """As `core.runs.job_file.read_job`, with a `WrongUsageError` for what it refuses."""
    with as_wrong_usage():
        return job_file.read_job(path, command, tables)
