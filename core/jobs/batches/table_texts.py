"""The texts of a table (CSV, JSON), a document each."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.documents.readers.formats import CSV, JSON, format_by_suffix
from core.errors import explained

_LONGEST_TITLE = 120


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


def is_table(path: Path) -> bool:
    """Whether the name of a file is that of a table of texts."""
    return format_by_suffix(path.suffix.lower()) in (CSV, JSON)


def table_texts(path: Path, column: str = "") -> Sequence[TableText]:
    """The texts of a table.

    Args:
        path: The file.
        column: The column of the texts; empty to find it.

    Returns:
        A text for each row that has one; nothing if no column holds texts.

    Raises:
        EpitomeError: If the file cannot be read.
    """
    # Imported here: the window, which imports this too, reads no documents.
    from core.documents.readers.cleaning import clean, one_line
    from core.documents.readers.columns import find_text_columns, first_named
    from core.documents.readers.encodings import decode
    from core.documents.readers.table_rows import rows_of_csv, rows_of_json

    with explained(f"{path} cannot be read", "Check the file."):
        decoded = decode(path.read_bytes())
    if decoded is None:
        return ()
    is_csv = format_by_suffix(path.suffix.lower()) == CSV
    table = rows_of_csv(decoded.text) if is_csv else rows_of_json(decoded.text)
    if table is None:
        return ()
    known = first_named([column.lower().strip()], table.names) if column else ""
    columns = find_text_columns(table.rows, table.names, known)
    if not columns.text:
        return ()
    return [
        TableText(record, one_line(clean(row.get(columns.title, "")))[:_LONGEST_TITLE], text)
        for record, row in enumerate(table.rows)
        if (text := row.get(columns.text, "").strip())
    ]


class TableReader:
    """Gives texts by file and row; keeps one table at a time."""

    def __init__(self) -> None:
        self._path = Path()
        self._column = ""
        self._texts: dict[int, TableText] = {}

    def text(self, path: Path, record: int, column: str = "") -> TableText | None:
        """The text of a row; None if the table has none there any more."""
        if (path, column) != (self._path, self._column):
            self._texts = {each.record: each for each in table_texts(path, column)}
            self._path, self._column = path, column
        return self._texts.get(record)
