"""Looks into the sources of a corpus before it is prepared: columns, first rows, what is wrong."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from core.data.settings import CorpusSettings
from core.errors import EpitomeError
from core.events import Event, Finished, Progress, Started
from core.stop import StopToken

if TYPE_CHECKING:
    from core.data.sources import RowSource

SourceKind = Literal["files", "table", "corpus", "hub", "none"]

_ROWS = 3
_CELL_CHARACTERS = 160


@dataclass(frozen=True)
class SourcePreview:
    """What is known of a source that is not read yet.

    Args:
        name: Its own name.
        kind: What it is; "none" where it could not be found out.
        told: What will be read of it, a sentence.
        columns: The columns of a table.
        document: The column its documents are read from.
        summary: The column its summaries are read from; empty for none.
        rows: The first rows of a table, a cell for each column, shortened.
        count: How many rows it has; None where that is not known in advance.
        fault: Why it cannot be read as it is; empty if it can.
        remedy: What to do then.
        asked: The name by which a person asked for it: of the folder it was found in.
    """

    name: str
    kind: SourceKind
    told: str = ""
    columns: tuple[str, ...] = ()
    document: str = ""
    summary: str = ""
    rows: tuple[tuple[str, ...], ...] = ()
    count: int | None = None
    fault: str = ""
    remedy: str = ""
    asked: str = ""

    @property
    def has_summaries(self) -> bool:
        """Whether pairs can be made of it."""
        return bool(self.summary)


@dataclass(frozen=True)
class PreviewSourcesJob:
    """Looks into sources; a fault of one never hides the others.

    Args:
        names: Files, folders, corpora, data sets as ``hf:name``.
        settings: Which columns and files are read.
    """

    names: tuple[str, ...]
    settings: CorpusSettings

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with a tuple of `SourcePreview`, at least one for each name."""
        yield Started("Looking into the sources")
        found: list[SourcePreview] = []
        for done, name in enumerate(self.names):
            stop.raise_if_set()
            yield Progress(done, len(self.names), "sources", "Looking into the sources")
            found += [replace(each, asked=name) for each in _previews(name, self.settings)]
        yield Finished(tuple(found))


def _previews(name: str, settings: CorpusSettings) -> list[SourcePreview]:
    from core.data.hub import is_of_hub
    from core.data.sources import find_row_sources

    if is_of_hub(name):  # looking there would need the network
        return [SourcePreview(name, "hub", "Read from the Hugging Face hub when it is prepared.")]
    try:
        return [_preview(source, settings) for source in find_row_sources((name,), settings)]
    except EpitomeError as error:
        tables = _tables_of(name, settings)
        return tables or [SourcePreview(name, "none", fault=error.message, remedy=error.remedy)]


def _preview(source: "RowSource", settings: CorpusSettings) -> SourcePreview:
    from core.data.corpus_source import CorpusSource
    from core.data.sources import TableSource

    make = settings.make or ("pairs" if source.has_summaries else "text")
    told = source.describe(make)
    match source:
        case TableSource(path, columns):
            names, rows = _first_rows(path)
            summary = columns.summary
            return SourcePreview(
                str(path), "table", told, names, columns.document, summary, rows, source.count
            )
        case CorpusSource():
            summary = "summary" if source.has_summaries else ""
            return SourcePreview(
                source.name, "corpus", told, (), "document", summary, (), source.count
            )
        case _:
            return SourcePreview(source.name, "files", told, count=source.count)


def _tables_of(name: str, settings: CorpusSettings) -> list[SourcePreview]:
    """The tables among what a name stands for, where the columns of one could not be found."""
    from core.data.columns import find_columns
    from core.data.sources import tables_named

    found = []
    for path in tables_named(name, settings):
        try:
            names, rows = _first_rows(path)
        except EpitomeError as error:
            found.append(SourcePreview(str(path), "none", fault=error.message, remedy=error.remedy))
            continue
        try:
            columns = find_columns(
                names, path.name, settings.document_column, settings.summary_column
            )
        except EpitomeError as error:
            fault, remedy = error.message, "Choose the column of the documents."
            found.append(
                SourcePreview(str(path), "table", "", names, rows=rows, fault=fault, remedy=remedy)
            )
            continue
        found.append(
            SourcePreview(str(path), "table", "", names, columns.document, columns.summary, rows)
        )
    return found if any(each.fault for each in found) else []


def _first_rows(path: Path) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The columns of a table and some of its rows."""
    from core.data.tables import open_table

    names, rows = open_table(path)
    whole = (row for row in rows if isinstance(row, dict))
    shown = tuple(tuple(_cell(row.get(name)) for name in names) for row in islice(whole, _ROWS))
    rows.close()  # type: ignore[attr-defined] # all are generators, which hold the file open
    return tuple(names), shown


def _cell(value: Any) -> str:
    from core.data.source_rows import field_to_text

    try:
        text = field_to_text(value)
    except ValueError:
        text = str(value)
    text = " ".join(text[: 4 * _CELL_CHARACTERS].split())
    whole = text.encode("utf-8", "replace").decode()
    return whole if len(whole) <= _CELL_CHARACTERS else f"{whole[: _CELL_CHARACTERS - 1]}…"
