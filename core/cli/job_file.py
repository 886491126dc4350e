"""The job that a command is given: a job file, if one is named, and what is typed, which wins."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from core.cli.options import WrongUsageError, as_wrong_usage, checked
from core.runs.job_file import JobFile, read_job, write_job
from core.settings import Settings, SettingsChoice, SettingsKind
from core.storage.parsing import is_utf8

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
        """Prints it as a job file.

        Returns:
            The exit code.

        Raises:
            WrongUsageError: If it names a file in a way that no such file can.
        """
        if not is_utf8(self.sources):
            raise WrongUsageError(
                "A source's name is not UTF-8, which a job file that is printed must be.",
                "Leave the source out, and name it beside --config.",
            )
        print(write_job(self.command, self.sources, self.tables), end="")
        return 0


def given_job(
    command: str,
    kinds: Mapping[str, SettingsKind],
    options: argparse.Namespace,
    sources: Sequence[str] = (),
    presets: Mapping[str, dict[str, Any]] | None = None,
) -> GivenJob:
    """The job of a command.

    Args:
        command: The command.
        kinds: By name of table, the class of its settings, or the choice among several.
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
            file = read_job(options.config, command, kinds, may_be_pipe=True)
    tables = {}
    for name, kind in kinds.items():
        given = (file.tables.get(name, {}), presets.get(name, {}), vars(options))
        if isinstance(kind, SettingsChoice):
            kind = _chosen(kind, given, kinds)
        tables[name] = checked(kind, *given)
    return GivenJob(command, tuple(sources) or file.sources, tables)


def _ways_to(owners: Sequence[str], choice: SettingsChoice) -> Iterator[str]:
    """What to type to have one of some classes of settings."""
    if typed := [owner for owner in owners if owner not in choice.elsewhere]:
        yield f"choose --{choice.key} {' or '.join(typed)}"
    yield from (choice.elsewhere[owner] for owner in owners if owner in choice.elsewhere)


def _chosen(
    choice: SettingsChoice, given: Sequence[Mapping[str, Any]], kinds: Mapping[str, SettingsKind]
) -> type[Settings]:
    """The class that is meant; refuses what is given for another one."""
    said = {name: value for values in given for name, value in values.items()}
    with as_wrong_usage():
        meant = choice.of(said)
    others = {
        field for kind in kinds.values() if isinstance(kind, type) for field in kind.model_fields
    }
    for name in said:
        owners = choice.owners(name)
        if owners and name not in meant.model_fields and name not in others:
            raise WrongUsageError(
                f"“{name}” is a setting of the {choice.key} {' or '.join(owners)}, but the "
                f"{choice.key} is {said.get(choice.key, choice.default)}.",
                f"Leave it out, or {' or '.join(_ways_to(owners, choice))}.",
            )
    return meant
