"""The rows of tables, each of which counts: one that cannot be read is an error, not left out."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from core.data.tables import SUFFIXES, is_table, open_table
from core.errors import EpitomeError, explained
from core.numbers import format_count
from core.storage.regular_files import read_regular

Row = dict[str, Any]

PLAIN = ".txt"
"""How files end that hold one text in each line, and nothing else."""


def open_rows(path: Path) -> tuple[list[str], Iterator[Row]]:
    """Begins to read a table.

    Args:
        path: A Parquet, JSON Lines or CSV file.

    Returns:
        The names of its columns, and its rows; these raise `EpitomeError` where one cannot be
        read.

    Raises:
        EpitomeError: If it is no such file, cannot be read, or needs what is not installed.
    """
    if not is_table(path):
        raise EpitomeError(
            f"“{path.name}” is no table: {', '.join(SUFFIXES)} are.", "Name a file of these kinds."
        )
    names, fields = open_table(path)
    return names, _rows(fields, path)


def find_column(names: Sequence[str], wished: str, usual: Sequence[str], option: str) -> str | None:
    """The column that holds what is looked for.

    Args:
        names: The columns there are.
        wished: The one that the person named; empty for none.
        usual: What such columns are called in small letters, the likeliest first.
        option: How the person names it ("--summary-column").

    Returns:
        Its name; None where none was named and none is called so.

    Raises:
        EpitomeError: If the one that was named is not there.
    """
    if wished and wished not in names:
        raise EpitomeError(
            f"There is no column “{wished}”; there are {', '.join(names)}.",
            f"Name one of these with {option}.",
        )
    known = {name.lower(): name for name in reversed(names)}
    return wished or next((known[name] for name in usual if name in known), None)


def text_in(row: Row, column: str, number: int, path: Path) -> str:
    """The text of a cell; the parts of a list are its lines.

    Args:
        row: The row.
        column: The name of the column.
        number: Which row it is, from 1.
        path: The file, for the error.

    Returns:
        The text.

    Raises:
        EpitomeError: If there is none.
    """
    value = row.get(column)
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return "\n".join(value)
    if isinstance(value, str):
        return value
    raise EpitomeError(
        f"Row {format_count(number)} of “{path.name}” has no text in its column “{column}”.",
        "Correct the row, or take it out.",
    )


def plain_rows(path: Path) -> tuple[list[str], Iterator[Row]]:
    """The lines of a plain text as rows with the one column "text".

    Args:
        path: A file in UTF-8; an empty line is an empty text.

    Returns:
        As `open_rows` gives them.

    Raises:
        EpitomeError: If it cannot be read, or is not UTF-8.
    """
    with explained(f"“{path.name}” cannot be read", "Name another file."):
        data = read_regular(path, None)
    try:
        text = data.decode("utf-8-sig")
    except ValueError as error:
        raise EpitomeError(
            f"“{path.name}” is not UTF-8 text.", "Save it as UTF-8, or name another file."
        ) from error
    lines = text.removesuffix("\n").replace("\r", "").split("\n") if text else []
    return ["text"], ({"text": line} for line in lines)


def _rows(fields: Iterator[Row | str], path: Path) -> Iterator[Row]:
    for number, row in enumerate(fields, 1):
        if isinstance(row, str):
            raise EpitomeError(
                f"Row {format_count(number)} of “{path.name}” cannot be read ({row}).",
                "Correct the row, or take it out.",
            )
        yield row
