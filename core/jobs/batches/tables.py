"""What a batch knows of a table of texts: its columns, and which of them are read."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

ColumnRole = Literal["text", "title"]


@dataclass(frozen=True)
class TextColumns:
    """The columns that are read.

    Args:
        text: Holds the texts.
        title: Holds their titles; empty if none does.
    """

    text: str
    title: str = ""


@dataclass(frozen=True)
class BatchTable:
    """A table of texts, each row of which is a document.

    Args:
        path: Its file, absolute.
        columns: The names of its columns, the first of them where there are many.
        rows: Its first rows, a cell for each column, shortened.
        text: The column of the texts; empty while it is not known.
        title: The column of their titles; empty if none is read.
        count: How many rows have a text.
    """

    path: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text: str = ""
    title: str = ""
    count: int = 0

    def to_value(self) -> dict[str, Any]:
        """All of it as plain values."""
        return asdict(self)

    @classmethod
    def from_value(cls, value: dict[str, Any]) -> "BatchTable":
        """Reads what `to_value` gave."""
        rows = tuple(tuple(row) for row in value["rows"])
        return cls(**{**value, "columns": tuple(value["columns"]), "rows": rows})

    def with_column(self, role: ColumnRole, column: str) -> TextColumns:
        """The columns that are read once one is chosen; a column is never both.

        Args:
            role: What it is read as.
            column: Its name; empty for none, which only titles may be.

        Returns:
            The columns.
        """
        if role == "text":
            return TextColumns(column, "" if self.title == column else self.title)
        return TextColumns("" if self.text == column else self.text, column)
