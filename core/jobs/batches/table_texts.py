"""The texts of a table (CSV, JSON Lines, JSON, Parquet), a document each."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from core.documents.readers.formats import CSV, JSON, MAX_BYTES, format_by_suffix
from core.errors import EpitomeError, explained
from core.jobs.batches.parquet import first_parquet_rows, is_parquet, parquet_rows
from core.jobs.batches.tables import BatchTable, TextColumns
from core.storage.regular_files import read_regular

_LONGEST_TITLE = 120
_PREVIEW_ROWS, _PREVIEW_COLUMNS, _PREVIEW_CHARACTERS = 3, 24, 160


@dataclass(frozen=True)
class TableText:
    """A text of a table.

    Args:
        record: Its row, from 0.
        title: Its title; empty if the table has none.
        text: The text.
    """

    record: int
    title: str
    text: str


@dataclass(frozen=True)
class OpenedTable:
    """A table of texts.

    Args:
        path: Its file.
        columns: The names of its columns.
        first: Its first rows.
        found: The columns that are read; None if no column is clearly one of texts.
        texts: Gives the texts from a row on, counted from 0.
    """

    path: Path
    columns: tuple[str, ...]
    first: tuple[Mapping[str, str], ...]
    found: TextColumns | None
    texts: Callable[[int], Iterator[TableText]] = field(repr=False)

    @property
    def may_be_document(self) -> bool:
        """Whether it is perhaps no table: without columns, or JSON, which may be anything."""
        return self.found is None and (not self.columns or self.path.suffix.lower() == ".json")

    def told(self, count: int) -> BatchTable:
        """What a batch keeps of it.

        Args:
            count: How many rows have a text.

        Returns:
            The columns, and the first rows, shortened.
        """
        shown = self.columns[:_PREVIEW_COLUMNS]
        rows = tuple(tuple(_cell(row.get(name, "")) for name in shown) for row in self.first)
        read = self.found or TextColumns("")
        return BatchTable(str(self.path.absolute()), shown, rows, read.text, read.title, count)


def is_table(path: Path) -> bool:
    """Whether the name of a file is that of a table of texts."""
    return is_parquet(path) or format_by_suffix(path.suffix.lower()) in (CSV, JSON)


def row_name(table: str, record: int, title: str) -> str:
    """What a row is called: "papers.csv: On quays", or "papers.csv: row 7" without a title."""
    return f"{table}: {title or f'row {record + 1}'}"


def lost_row(path: Path, record: int, remedy: str) -> EpitomeError:
    """The error of a table that has changed since its rows were listed."""
    return EpitomeError(f"{path.name} has no text in row {record + 1} any more.", remedy)


def open_table(path: Path, columns: TextColumns | None = None, column: str = "") -> OpenedTable:
    """Opens a table.

    Args:
        path: The file.
        columns: The columns that are read; None to find them.
        column: The column of the texts, where it is named for all tables; else empty.

    Returns:
        The table.

    Raises:
        EpitomeError: If the file cannot be read, or has no such column.
    """
    if is_parquet(path):
        names, first = first_parquet_rows(path)
        found = columns or _found(path.name, first, names, column)
        read = [name for name in (found.text, found.title) if name] if found else []
        return OpenedTable(
            path, names, tuple(first[:_PREVIEW_ROWS]), found,
            lambda start: _texts(parquet_rows(path, read, start), found),
        )  # fmt: skip
    rows, names = _rows_in_memory(path)
    found = columns or _found(path.name, rows, names, column)
    return OpenedTable(
        path, names, tuple(rows[:_PREVIEW_ROWS]), found,
        lambda start: _texts(islice(enumerate(rows), start, None), found),
    )  # fmt: skip


def _rows_in_memory(path: Path) -> tuple[Sequence[Mapping[str, str]], tuple[str, ...]]:
    # Imported here: the window, which imports this too, reads no documents.
    from core.documents.readers.encodings import decode
    from core.documents.readers.table_rows import rows_of_csv, rows_of_json

    with explained(f"{path} cannot be read", "Check the file."):
        decoded = decode(read_regular(path, MAX_BYTES))
    if decoded is None:
        return (), ()
    suffix = path.suffix.lower()
    is_csv = format_by_suffix(suffix) == CSV
    table = rows_of_csv(decoded.text, suffix) if is_csv else rows_of_json(decoded.text)
    return (table.rows, tuple(table.names)) if table is not None else ((), ())


def _found(
    file: str, rows: Sequence[Mapping[str, str]], names: Sequence[str], column: str
) -> TextColumns | None:
    """The columns that hold texts and titles; None if no column clearly holds texts."""
    from core.documents.readers.columns import column_named, find_text_columns

    if not names:
        return None
    found = find_text_columns(rows, names, column_named(column, names, file))
    return TextColumns(found.text, found.title) if found.text else None


def _texts(
    rows: Iterable[tuple[int, Mapping[str, str]]], columns: TextColumns | None
) -> Iterator[TableText]:
    from core.documents.readers.cleaning import clean, one_line

    if columns is None:
        return
    for record, row in rows:
        if text := row.get(columns.text, "").strip():
            title = one_line(clean(row.get(columns.title, "")))[:_LONGEST_TITLE]
            yield TableText(record, title, text)


def _cell(text: str) -> str:
    whole = " ".join(text[: 4 * _PREVIEW_CHARACTERS].split())
    whole = whole.encode("utf-8", "replace").decode()
    return whole if len(whole) <= _PREVIEW_CHARACTERS else f"{whole[: _PREVIEW_CHARACTERS - 1]}…"


class TableReader:
    """Gives texts by file and row; quick where they are asked for in their order.

    Args:
        columns: Gives the columns of a table that are read, by its path; None to find them.
    """

    def __init__(self, columns: Callable[[str], TextColumns | None]) -> None:
        self._columns = columns
        self._key: tuple[Path, TextColumns | None, str] | None = None
        self._table: OpenedTable | None = None
        self._texts: Iterator[TableText] = iter(())
        self._next = 0

    def text(self, path: Path, record: int, column: str = "") -> TableText | None:
        """The text of a row; None if the table has none there any more.

        Args:
            path: The table.
            record: The row, from 0.
            column: As `open_table` takes it.

        Returns:
            The text.

        Raises:
            EpitomeError: If the table cannot be read.
        """
        key = (path, self._columns(str(path)), column)
        if key != self._key or self._table is None:
            self._key, self._table = key, open_table(path, key[1], column)
            self._next = -1
        if not 0 <= self._next <= record:
            self._texts, self._next = self._table.texts(record), record
        for found in self._texts:
            self._next = found.record + 1
            if found.record >= record:
                return found if found.record == record else None
        self._next = -1
        return None
