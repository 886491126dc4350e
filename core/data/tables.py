"""Reads tables row by row: Parquet, JSON Lines, CSV; only the current rows are in memory."""

import bz2
import csv
import gzip
import io
import lzma
import math
import os
import zlib
from collections.abc import Callable, Generator, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any, AnyStr, BinaryIO

from core.errors import EpitomeError, needs_training, of_system
from core.numbers import format_count, format_size
from core.parsing import parse_json
from core.regular_files import check_regular, open_regular

PARQUET = (".parquet",)
LINES = (".jsonl", ".ndjson")
SEPARATED = {".csv": ",", ".tsv": "\t"}
_COMPRESSED: dict[str, Callable[[BinaryIO], Any]] = {
    ".gz": gzip.open,
    ".bz2": bz2.open,
    ".xz": lzma.open,
}
SUFFIXES = (*PARQUET, *LINES, *SEPARATED)

_ROWS = 64
_REMEDY = "Repair it, or leave it out."
MOST_LINE_BYTES = 50_000_000
"""Of a line; a kilobyte can unpack to one without end."""
MOST_EMPTY_LINES = 1_000_000
"""One after the other."""
MOST_BEFORE_ROWS = 100_000
"""So many lines that are no rows may stand before the first row."""
MOST_RATIO, MOST_FREE_BYTES = 200, 1_000_000_000
"""A compressed table may unpack to the second, or to so many times its size: text packs about 10 to
1."""

NO_ROW = "not a row: "
"""Prefix of the reason given for a line that cannot be read."""

Fields = dict[str, Any] | str
"""The fields of a row, or the reason why it cannot be read."""


def is_table(path: Path) -> bool:
    """Whether a file name is that of a readable table, compressed or not."""
    return _suffix(path) in SUFFIXES


def open_table(path: Path) -> tuple[list[str], Iterator[Fields]]:
    """Opens a table.

    Args:
        path: A file for which `is_table`.

    Returns:
        The names of its columns (for JSON Lines, those of the first row), and its rows.

    Raises:
        EpitomeError: If it cannot be opened or is not such a table.
    """
    if _suffix(path) in PARQUET:
        return _parquet(path)
    rows = _lines(path)
    begun = islice(rows, MOST_BEFORE_ROWS)
    first = next((row for row in begun if isinstance(row, dict)), None)
    goes_on = first is None and next(rows, None) is not None
    rows.close()
    if first is None:
        first_lines = f"none of its first {format_count(MOST_BEFORE_ROWS)} lines is a row"
        raise unreadable(path, first_lines if goes_on else "it has no rows")
    # Read again from the beginning, so that rows before the first valid one keep their numbers.
    return list(first), _lines(path)


def num_rows(path: Path) -> int | None:
    """The number of rows, if the format stores it; otherwise None."""
    if _suffix(path) not in PARQUET:
        return None
    from pyarrow.parquet import read_metadata

    return int(read_metadata(path).num_rows)


def unreadable(path: Path, why: Exception | str) -> EpitomeError:
    """The error for a table that cannot be read."""
    what = f"The table {path} cannot be read"
    if isinstance(why, OSError):
        return of_system(why, what, _REMEDY)
    return EpitomeError(f"{what} ({why}).", _REMEDY)


def _parquet(path: Path) -> tuple[list[str], Iterator[Fields]]:
    with needs_training("Parquet is read"):
        import pyarrow as pa
        import pyarrow.parquet as pq
    try:
        check_regular(path)
        file = pq.ParquetFile(pa.memory_map(os.fsencode(path)))  # a text would have to be UTF-8
    except (OSError, pa.ArrowException) as error:
        raise unreadable(path, error) from error

    def rows() -> Iterator[Fields]:
        with file:
            try:
                for batch in file.iter_batches(_ROWS):
                    yield from batch.to_pylist()
            except (OSError, pa.ArrowException) as error:
                raise unreadable(path, error) from error

    return list(file.schema_arrow.names), rows()


def _lines(path: Path) -> Generator[Fields, None, None]:
    """The rows of a text table, compressed or not."""
    unpack = _COMPRESSED.get(path.suffix.lower())
    try:
        with open_regular(path, "rb") as packed, unpack(packed) if unpack else packed as file:
            most = math.inf
            if unpack:
                most = max(MOST_FREE_BYTES, MOST_RATIO * os.fstat(packed.fileno()).st_size)
            yield from (
                _json_lines(file, most)
                if _suffix(path) in LINES
                else _separated(file, SEPARATED[_suffix(path)], most)
            )
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        raise unreadable(path, error) from error


def _json_lines(file: BinaryIO, most: float) -> Iterator[Fields]:
    for line in _lines_of(file, most):
        if line.strip():
            yield _json_row(line)


def _lines_of(file: IO[AnyStr], most: float) -> Iterator[AnyStr]:
    """The lines of a file, none of which may fill the memory, nor all of them take for ever."""
    taken = empty = 0
    while line := file.readline(MOST_LINE_BYTES):
        if len(line) == MOST_LINE_BYTES:
            raise OSError(f"a line is longer than {format_size(MOST_LINE_BYTES)}")
        taken += len(line)
        empty = 0 if line.strip() else empty + 1
        if empty > MOST_EMPTY_LINES:
            raise OSError(f"{format_count(MOST_EMPTY_LINES)} empty lines follow one another")
        if taken > most:
            raise OSError(f"it unpacks to more than {format_size(int(most))}")
        yield line


def _json_row(line: bytes) -> Fields:
    try:
        row = parse_json(line)
    except (ValueError, RecursionError) as error:
        return f"{NO_ROW}{error}"
    return row if isinstance(row, dict) else f"{NO_ROW}not an object"


def _separated(file: BinaryIO, sign: str, most: float) -> Iterator[Fields]:
    csv.field_size_limit(MOST_LINE_BYTES)
    with io.TextIOWrapper(file, "utf-8-sig", errors="surrogateescape", newline="") as text:
        lines = csv.reader(_lines_of(text, most), delimiter=sign)
        names = next(lines, [])
        while True:
            try:
                yield _separated_row(names, next(lines))
            except StopIteration:
                return
            except csv.Error as error:
                yield f"{NO_ROW}{error}"


def _separated_row(names: list[str], fields: list[str]) -> Fields:
    if len(fields) != len(names):
        return f"{NO_ROW}{len(fields)} fields instead of {len(names)}"
    try:
        "".join(fields).encode()
    except UnicodeEncodeError:
        return f"{NO_ROW}not valid UTF-8"
    return dict(zip(names, fields, strict=True))


def _suffix(path: Path) -> str:
    """The suffix of the format, without that of the compression."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in _COMPRESSED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""
