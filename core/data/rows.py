"""What a source gives: rows still to be read and checked, in blocks small enough to hold."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from core.data.columns import Columns
from core.data.corpus import Split
from core.data.tables import Fields

_BLOCK_ROWS = 2048
_BLOCK_CHARACTERS = 2_000_000
_FILE_CHARACTERS = 125_000  # what a file counts for, whose text is read later


@dataclass(frozen=True)
class Raw:
    """A row as its source gives it.

    Args:
        origin: Where it comes from ("news.csv:17").
        id: Its name in its source; the origin if it has none.
        title: Its title, or empty.
        document: Its text; empty for a file that is still to be read.
        summary: Its summary; None if it has none.
        split: The split it comes from; None if its source is not split.
        path: The file that is to be read, or empty.
        fault: Why it cannot be a row; empty if it can.
    """

    origin: str
    id: str = ""
    title: str = ""
    document: str = ""
    summary: str | None = None
    split: Split | None = None
    path: str = ""
    fault: str = ""

    @property
    def size(self) -> int:
        """About how many characters it is."""
        if self.path:
            return _FILE_CHARACTERS
        return len(self.document) + len(self.summary or "")


@dataclass(frozen=True)
class Block:
    """Rows that are made ready together.

    Args:
        number: The block's number.
        first: The number of its first row among all rows.
        rows: The rows.
    """

    number: int
    first: int
    rows: tuple[Raw, ...]

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


def blocks_of(rows: Iterable[Raw]) -> Iterator[Block]:
    """Cuts rows into blocks; the same rows give the same blocks."""
    held: list[Raw] = []
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


def raw_row(fields: Fields, columns: Columns, origin: str, split: Split | None) -> Raw:
    """A row of a table.

    Args:
        fields: Its fields, or why it cannot be read.
        columns: Which of them are meant.
        origin: Where it comes from.
        split: The split it comes from.

    Returns:
        The row.
    """
    if isinstance(fields, str):
        return Raw(origin, origin, split=split, fault=fields)
    return Raw(
        origin=origin,
        id=_text(fields.get(columns.id)) or origin,
        title=_text(fields.get(columns.title)),
        document=_text(fields.get(columns.document)),
        summary=_text(fields.get(columns.summary)) if columns.summary else None,
        split=split,
    )


def _text(value: Any) -> str:
    """A field as text: a list is its parts on lines, what is missing is empty."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "\n".join(map(_text, value))
    # Half a surrogate pair, which JSON can spell, is no character and cannot be kept.
    return str(value).encode("utf-8", "replace").decode()
