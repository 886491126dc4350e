"""Rows as CSV, for every export: no cell of it is taken for a formula by a spreadsheet.

A cell that begins with `=`, `+`, `-`, `@` or a tab can run a program when the file is opened in a
spreadsheet, and most texts in our tables are somebody else's: titles, names of files, summaries.
"""

import csv
import io
import re
from collections.abc import Iterable

from core.display_names import storable_text

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
# Where a spreadsheet parts cells at another sign than we do, a cell begins in the middle of ours.
# Signs without width may stand before the formula.
_INNER = re.compile(r"(?<=[;|\t])(?=[\u200b\ufeff]*[=+\-@])|(?<=[\r\n])(?=[\u200b\ufeff]*[=@])")


def csv_text(rows: Iterable[Iterable[object]], delimiter: str = ",", end: str = "\n") -> str:
    """Rows as CSV.

    Args:
        rows: The rows; the first may be the names of the columns.
        delimiter: What parts the cells.
        end: What ends a row.

    Returns:
        The text; "?" stands for bytes in the name of a file that are not UTF-8.
    """
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator=end)
    writer.writerows([harmless(cell) for cell in row] for row in rows)
    return storable_text(text.getvalue())


def harmless(cell: object) -> object:
    """The cell, with an apostrophe before a text that would be taken for a formula."""
    if not isinstance(cell, str):
        return cell
    text = _INNER.sub(" ", cell)
    begun = text.lstrip(" \n\v\f\xa0\u200b\ufeff")
    return f"'{text}" if begun.startswith(_FORMULA) and not _is_number(begun) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
