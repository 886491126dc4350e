"""The rows of CSV and JSON, each as texts by the names of their columns."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.documents.readers.separated import (
    column_names,
    find_dialect,
    join_unquoted,
    read_records,
)

MAX_JSON_CHARACTERS = 20_000_000
"""Of JSON that is not a row a line: its tree takes twenty times its text."""

MAX_COLUMNS = 2_000
MAX_ROWS = 1_000_000
MAX_FIELDS = 5_000_000
"""Of all rows; each takes a hundred bytes beside its text."""

_SAMPLE_ROWS = 50


@dataclass
class Table:
    """What was found in a file of rows.

    Args:
        rows: The rows.
        names: The columns, in the order they were met.
        broken: How many lines are no rows.
        beyond: How many rows come after the most that are read.
        ragged: How many rows have more or fewer fields than there are names.
        joined: How many rows had pieces of one text in several fields.
        named: Whether the file names its columns.
        notes: What was guessed, one sentence each.
    """

    rows: list[Mapping[str, str]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    broken: int = 0
    beyond: int = 0
    ragged: int = 0
    joined: int = 0
    named: bool = True
    notes: tuple[str, ...] = ()
    _fields: int = 0

    def add(self, row: Mapping[str, str]) -> None:
        """Adds a row, if there are not too many."""
        if len(self.rows) >= MAX_ROWS or self._fields + len(row) > MAX_FIELDS:
            self.beyond += 1
            return
        self._fields += len(row)
        self.rows.append(row)


def rows_of_csv(text: str, suffix: str = ".csv") -> Table:
    """Reads a table whose fields are separated by commas, semicolons, tabs or bars.

    Args:
        text: The decoded file.
        suffix: That of the file's name.

    Returns:
        Its rows.
    """
    text = text.replace("\0", "")
    dialect = find_dialect(text, suffix)
    table = Table(notes=tuple(dialect.notes(suffix)))
    for record in read_records(io.StringIO(text, newline=""), dialect):
        if isinstance(record, csv.Error):
            table.broken += 1
        elif not table.names:
            table.names = column_names(record[:MAX_COLUMNS])
            table.named = bool(table.names)
            if not table.named:
                width = min(len(record), MAX_COLUMNS)
                table.names = [f"column {number}" for number in range(1, width + 1)]
                _add_record(table, record, dialect.separator)
        elif record:
            _add_record(table, record, dialect.separator)
    return table


def rows_of_json(text: str) -> Table | None:
    """Reads JSON lines, a list of objects, or one object with a list in it.

    Args:
        text: The decoded file.

    Returns:
        Its rows; None if it is no JSON, or too much that is not a row a line.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    if _are_rows(lines):
        values: Iterable[Any] = map(_parsed, lines)
    elif len(text) <= MAX_JSON_CHARACTERS and (whole := _parsed(text)) is not None:
        values = _largest_list(whole)
    else:
        return None
    table = Table()
    columns: dict[str, None] = {}
    for value in values:
        if not isinstance(value, dict):
            table.broken += 1
            continue
        row = _flat(value)
        columns.update(dict.fromkeys(list(row)[: MAX_COLUMNS - len(columns)]))
        table.add(row)
    table.names = list(columns)
    return table


def _add_record(table: Table, record: list[str], separator: str) -> None:
    """Adds a record as a row; what is more than the columns belongs to the last one."""
    num_columns = len(table.names)
    if len(record) > num_columns and (joined := join_unquoted(record, num_columns, separator)):
        table.joined += 1
        record = joined
    if len(record) != num_columns:
        table.ragged += 1
        record = [*record[: num_columns - 1], separator.join(record[num_columns - 1 :])]
    table.add(dict(zip(table.names, record, strict=False)))


def _parsed(text: str) -> Any:
    """A JSON value; None if it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _are_rows(lines: list[str]) -> bool:
    """Whether each line is a row: the first one, or, if it is damaged, most of those behind it."""
    if lines and isinstance(_parsed(lines[0]), dict):
        return len(lines) > 1 or _is_row(lines[0])
    some = lines[1:_SAMPLE_ROWS]
    return sum(isinstance(_parsed(line), dict) for line in some) > len(some) / 2


def _is_row(line: str) -> bool:
    """Whether the only line of a file is a row, not an object that holds rows."""
    return not any(isinstance(value, list) for value in _parsed(line).values())


def _largest_list(value: Any) -> list[Any]:
    """The longest list of objects in a value or in the fields of it; else the value alone."""
    if isinstance(value, list):
        return value
    fields = value.values() if isinstance(value, dict) else ()
    lists = [one for one in fields if isinstance(one, list) and one and isinstance(one[0], dict)]
    return max(lists, key=len) if lists else [value]


def _flat(row: dict[str, Any]) -> dict[str, str]:
    """An object's texts by dotted names ("message.text"); of lists, all texts of one name."""
    found: dict[str, list[str]] = {}
    waiting: list[tuple[str, Any]] = [("", row)]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, dict):
            inner = [(f"{name}.{key}" if name else str(key), one) for key, one in value.items()]
            waiting += reversed(inner)
        elif isinstance(value, list):
            waiting += [(name, one) for one in reversed(value)]
        elif value is not None and (name in found or len(found) < MAX_COLUMNS):
            text = value if isinstance(value, str) else str(value)
            found.setdefault(name, []).append(text)
    return {name: "\n\n".join(texts) for name, texts in found.items()}
