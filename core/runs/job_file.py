"""A whole job as TOML: what a run freezes, ``--print-config`` prints and ``--config`` reads."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import EpitomeError, check_not_newer, explained
from core.settings import Settings, SettingsKind, chosen_class
from core.storage.atomic_files import write_whole
from core.storage.parsing import is_utf8, parse_edited_toml
from core.storage.regular_files import read_given, read_regular
from core.storage.schema import KEY, SCHEMA_VERSION, migrated

_MOST_BYTES = 8_000_000
"""Of a job file: it may hold the configuration of a model."""


@dataclass(frozen=True)
class JobFile:
    """What a job file says.

    Args:
        sources: What it reads: files, folders or "-".
        tables: By name of table, the values of its settings.
    """

    sources: tuple[str, ...]
    tables: dict[str, dict[str, Any]]


def write_job(command: str, sources: tuple[str, ...], tables: Mapping[str, Settings]) -> str:
    """A job as TOML, each setting under its line of help; a password is never in it.

    Args:
        command: The command that does the job.
        sources: What it reads.
        tables: By name, its settings.

    Returns:
        The file's text.
    """
    import tomlkit  # as in `core.settings`

    document = tomlkit.document()
    document.add(KEY, tomlkit.item(SCHEMA_VERSION))
    document.add("command", tomlkit.item(command))
    document.add("sources", tomlkit.item(list(sources)))
    text = tomlkit.dumps(document)
    for name, settings in tables.items():
        body = settings.to_toml().partition("\n")[2]  # without its own schema version
        text += f"\n[{name}]\n{body.rstrip()}\n"
    return text


def save_job(
    path: Path, command: str, sources: tuple[str, ...], tables: Mapping[str, Settings]
) -> None:
    """Writes a job file into a folder of the program.

    A source whose name is not UTF-8 stands there byte for byte, which `read_job` takes.

    Args:
        path: The file.
        command: As `write_job` has it.
        sources: As `write_job` has them.
        tables: As `write_job` has them.

    Raises:
        EpitomeError: If it cannot be written, or a setting cannot be kept.
    """
    data = write_job(command, sources, tables).encode("utf-8", "surrogateescape")
    write_whole(path, data, "Make Epitome's folder writable.", replace=True)


def read_job(
    path: Path, command: str, tables: Mapping[str, SettingsKind], *, may_be_pipe: bool = False
) -> JobFile:
    """Reads a job file.

    Args:
        path: The file.
        command: The command that is to do it.
        tables: By name, the classes of its settings.
        may_be_pipe: Whether a pipe is waited for, as a person means who names one.

    Returns:
        What it says; what it leaves out is missing here too.

    Raises:
        EpitomeError: If it cannot be read, is for another command, is of a newer program, or holds
            what is unknown.
    """
    with explained(f"The job file {path} cannot be read", "Check the file."):
        data = (read_given if may_be_pipe else read_regular)(path, _MOST_BYTES)
    try:
        values: dict[str, Any] = parse_edited_toml(data.decode("utf-8", "surrogateescape"))
    except ValueError as error:
        raise EpitomeError(
            f"The job file {path} cannot be read ({error}).", "Correct the file."
        ) from error
    check_not_newer(f"The job file {path}", values.get(KEY), SCHEMA_VERSION)
    try:
        values = migrated(values)
    except ValueError as error:
        _refuse(path, str(error))
    _refuse(path, _fault(values, command, tables))
    named = {name: values.get(name, {}) for name in tables}
    return JobFile(tuple(values.get("sources", [])), named)


def _fault(values: dict[str, Any], command: str, tables: Mapping[str, SettingsKind]) -> str:
    """What is wrong with a job file; empty when nothing is."""
    if values.get("command", command) != command:
        return f"is for the command “{values['command']}”, not for “{command}”"
    sources = values.get("sources", [])
    if not isinstance(sources, list) or not all(isinstance(item, str) for item in sources):
        return "has “sources” that are no list of names"
    for name in values.keys() - {"command", "sources"}:
        if name not in tables or not isinstance(values[name], dict):
            return f"holds “{name}”, which is no part of such a job"
    for name, kind in tables.items():
        try:
            settings = chosen_class(kind, values.get(name, {}))
        except EpitomeError as error:
            return f"has a [{name}] that cannot be meant: {error.message.rstrip('.')}"
        if not is_utf8(values.get(name)):
            return f"has a [{name}] that is not UTF-8"
        unknown = values.get(name, {}).keys() - settings.model_fields.keys()
        if unknown:
            return f"holds “{min(unknown)}” in [{name}], which is not a setting"
    return ""


def _refuse(path: Path, fault: str) -> None:
    if fault:
        raise EpitomeError(
            f"The job file {path} {fault}.", "See --print-config for what a job file looks like."
        )
