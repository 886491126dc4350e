"""The rows of tables of texts as sources of their own."""

from pathlib import Path

from core.documents.readers.columns import listed
from core.errors import EpitomeError
from core.events import Failed
from core.jobs.batches.table_texts import OpenedTable, is_table, open_table, row_name
from core.jobs.run import failed
from core.jobs.sources.source_files import NamedSource
from core.settings import Settings, option


class TableOptions(Settings):
    """What a table of texts is."""

    rows: bool = option(
        False,
        "Rows",
        "Take each row of a table of texts (CSV, JSON, Parquet) as a document of its own.",
    )


def names_table(argument: str) -> bool:
    """Whether a source is a table of texts, as far as its name tells."""
    return is_table(Path(argument))


def rows_of(named: NamedSource, column: str = "") -> tuple[NamedSource, ...]:
    """The rows of a table, each a source; what is no table is given back as it is.

    Args:
        named: A source.
        column: The column of the texts, in whatever case; empty to find it.

    Returns:
        A source for each row with a text; where there is none, one that says why.
    """
    source = named.source
    if isinstance(source, Failed) or source.path is None or not is_table(source.path):
        return (named,)
    try:
        table = open_table(source.path, column=column)
        if table.may_be_document:
            return (named,)
        found = tuple(
            NamedSource(
                row_name(named.name, text.record, text.title), source, text.record, text.title
            )
            for text in table.texts(0)
        )
    except Exception as error:  # whatever it is, the other sources go on
        return (NamedSource(named.name, failed(error)),)
    return found or (NamedSource(named.name, failed(_without_texts(table))),)


def _without_texts(table: OpenedTable) -> EpitomeError:
    name = table.path.name
    if table.found is not None:
        return EpitomeError(
            f"The column “{table.found.text}” of “{name}” is empty.",
            "Name another with --column.",
        )
    return EpitomeError(
        f"No column of “{name}” clearly holds texts; it has {listed(table.columns)}.",
        "Name one of these with --column.",
    )
