"""Rows as sources provide them, not yet read or checked, in blocks that fit into memory."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from core.data.columns import Columns
from core.data.corpus import Split
from core.data.tables import NO_ROW, Fields

_BLOCK_ROWS = 2048
_BLOCK_CHARACTERS = 2_000_000
_MOST_NAMED = 8
_FILE_CHARACTERS = 125_000  # assumed size of a file, whose text is read later


@dataclass(frozen=True)
class SourceRow:
    """A row as its source provides it.

    Args:
        origin: Where it comes from ("news.csv:17").
        id: Its id in the source; the origin if it has none.
        title: Its title, or empty.
        document: Its text; empty for a file that has not been read yet.
        summary: Its summary; None if it has none.
        split: The split it comes from; None if its source has no splits.
        path: The file to read, or empty.
        fault: Why it cannot be used; empty if it can.
        faulty: What it is one of, if it cannot be used, in the plural.
    """

    origin: str
    id: str = ""
    title: str = ""
    document: str = ""
    summary: str | None = None
    split: Split | None = None
    path: str = ""
    fault: str = ""
    faulty: str = "rows that cannot be read"

    @property
    def size(self) -> int:
        """Its approximate number of characters."""
        if self.path:
            return _FILE_CHARACTERS
        return len(self.document) + len(self.summary or "")


@dataclass(frozen=True)
class Block:
    """Rows that are prepared together.

    Args:
        number: The block's number.
        first: The index of its first row among all rows.
        rows: The rows.
    """

    number: int
    first: int
    rows: tuple[SourceRow, ...]

    def without(self, row: int, fault: str) -> "Block":
        """The same block, but that one of its rows cannot be read.

        Args:
            row: Which, from 0.
            fault: Why.

        Returns:
            The block.
        """
        rows = list(self.rows)
        rows[row] = replace(rows[row], fault=fault)
        return replace(self, rows=tuple(rows))


def blocks_of(rows: Iterable[SourceRow]) -> Iterator[Block]:
    """Splits rows into blocks; the same rows always give the same blocks."""
    held: list[SourceRow] = []
    number = first = size = 0
    for row in chain(rows, (None,)):
        full = len(held) == _BLOCK_ROWS or size > _BLOCK_CHARACTERS
        if held and (full or row is None):
            yield Block(number, first, tuple(held))
            number, first = number + 1, first + len(held)
            held, size = [], 0
        if row is not None:
            held.append(row)
            size += row.size


def source_row(fields: Fields, columns: Columns, origin: str, split: Split | None) -> SourceRow:
    """A row of a table.

    Args:
        fields: Its fields, or the reason why it cannot be read.
        columns: The columns to read.
        origin: Where it comes from.
        split: The split it comes from.

    Returns:
        The row.
    """
    if isinstance(fields, str):
        return SourceRow(origin, origin, split=split, fault=fields)
    try:
        return SourceRow(
            origin=origin,
            id=field_to_text(fields.get(columns.id)) or origin,
            title=field_to_text(fields.get(columns.title)),
            document=field_to_text(fields.get(columns.document)),
            summary=field_to_text(fields.get(columns.summary)) if columns.summary else None,
            split=split,
        )
    except ValueError as error:
        return SourceRow(origin, origin, split=split, fault=f"{NO_ROW}{error}")


def field_to_text(value: Any) -> str:
    """Returns a field as text.

    Args:
        value: A text, a number, a list, of which each item becomes a line, or the messages of a
            chat, which become paragraphs under the names of their roles; a missing value is empty.

    Returns:
        The text.

    Raises:
        ValueError: If there is another object in it.
    """
    if value is None:
        return ""
    if isinstance(value, list):
        is_chat = any(isinstance(item, dict) for item in value)
        return ("\n\n" if is_chat else "\n").join(map(field_to_text, value))
    if isinstance(value, dict):
        return _object_to_text(value)
    # JSON can contain half a surrogate pair, which is not a character and cannot be stored.
    return str(value).encode("utf-8", "replace").decode()


def _object_to_text(value: dict[str, Any]) -> str:
    """A message ("user: …"), or a part of one."""
    for role, content in (("role", "content"), ("from", "value")):
        if role in value and content in value:
            return f"{field_to_text(value[role])}: {field_to_text(value[content])}"
    if isinstance(value.get("text"), str) and value.get("type", "text") == "text":
        return field_to_text(value["text"])
    names = ", ".join(f"“{name}”" for name in list(value)[:_MOST_NAMED])
    raise ValueError(f"an object with the fields {names} stands where a text should")
