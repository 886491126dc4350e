"""From what was typed to the sources that are read."""

import sys
from dataclasses import replace
from pathlib import Path

from core.cli.console import Console
from core.cli.options import WrongUsageError
from core.jobs.sources.source_files import FolderOptions, NamedSource, files_named, is_folder
from core.jobs.sources.sources import SourceRef
from core.jobs.sources.table_sources import TableOptions, names_table, rows_of

STANDARD_INPUT = "-"


def find_sources(
    arguments: tuple[str, ...],
    options: FolderOptions,
    console: Console,
    tables: TableOptions | None = None,
    column: str = "",
) -> tuple[NamedSource, ...]:
    """All sources, those of a folder in the order of their paths.

    Args:
        arguments: Files, folders and "-".
        options: Which files of a folder.
        console: Is told what was passed over.
        tables: What a table of texts is; one document if None.
        column: The column of the texts of a table; empty to find it.

    Returns:
        At least one for each argument.

    Raises:
        WrongUsageError: If standard input is named twice.
    """
    if "" in arguments:
        raise WrongUsageError("A source has an empty name.", "Name a file, a folder, or -.")
    if arguments.count(STANDARD_INPUT) > 1:
        raise WrongUsageError("Standard input (-) was named twice.", "Name it once.")
    sources: list[NamedSource] = []
    for argument in arguments:
        if argument == STANDARD_INPUT:
            # Read when its turn has come: the pipe may still be filling.
            sources.append(NamedSource("standard input", named_source(argument)))
            continue
        found, skipped = files_named(argument, options)
        sources += found
        for each in skipped:
            console.say(f"{each.name}: {each.why}.")
    if tables is None or not tables.rows:
        return tuple(sources)
    return tuple(row for named in sources for row in rows_of(named, column))


def has_many(arguments: tuple[str, ...], tables: TableOptions | None = None) -> bool:
    """Whether the result is a list, however much is in it: of several arguments, of a folder, or
    of the rows of a table."""
    by_rows = tables is not None and tables.rows and any(map(names_table, arguments))
    return len(arguments) > 1 or by_rows or any(map(is_folder, arguments))


def with_input(source: SourceRef) -> SourceRef:
    """The source, with the bytes of standard input if it is no file."""
    return source if source.path else replace(source, data=read_standard_input())


def read_standard_input() -> bytes:
    """All bytes of standard input; fails as `core.documents.readers.streams.read_stream` does."""
    from core.documents.readers.streams import read_stream

    return read_stream(sys.stdin.buffer, "Standard input")


def named_source(argument: str) -> SourceRef:
    """The source for one argument, a file or "-"; standard input is not read yet."""
    if argument == STANDARD_INPUT:
        return SourceRef(name="Standard input")
    return SourceRef(path=Path(argument))
