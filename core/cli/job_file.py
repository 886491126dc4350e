"""The job that a command is given: a job file, if one is named, and what is typed, which wins."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from core.cli.options import as_wrong_usage, checked
from core.runs.job_file import JobFile, read_job, write_job
from core.settings import Settings

S = TypeVar("S", bound=Settings)


@dataclass(frozen=True)
class GivenJob:
    """What is to be done.

    Args:
        command: The command that does it.
        sources: What it reads.
        tables: By name, its settings.
    """

    command: str
    sources: tuple[str, ...]
    tables: Mapping[str, Settings]

    def __getitem__(self, kind: type[S]) -> S:
        """The settings of a class."""
        return next(table for table in self.tables.values() if isinstance(table, kind))

    def print(self) -> int:
        """Prints it as a job file; the exit code."""
        print(write_job(self.command, self.sources, self.tables), end="")
        return 0


def given_job(
    command: str,
    kinds: Mapping[str, type[Settings]],
    options: argparse.Namespace,
    sources: Sequence[str] = (),
    presets: Mapping[str, dict[str, Any]] | None = None,
) -> GivenJob:
    """The job of a command.

    Args:
        command: The command.
        kinds: By name of table, the classes of its settings.
        options: What was typed; `config` names the job file.
        sources: What was typed to be read; that of the file if nothing was.
        presets: By name of table, values that win over the file, and give way to what was typed.

    Returns:
        The job; what nobody says has its default.

    Raises:
        WrongUsageError: If the file cannot be read, or a value is not allowed.
    """
    file, presets = JobFile((), {}), presets or {}
    if options.config:
        with as_wrong_usage():
            file = read_job(options.config, command, kinds)
    tables = {
        name: checked(kind, file.tables.get(name, {}), presets.get(name, {}), vars(options))
        for name, kind in kinds.items()
    }
    return GivenJob(command, tuple(sources) or file.sources, tables)
