"""Reads tables row by row: Parquet, JSON lines, CSV. Nothing is held but the rows at hand."""

import bz2
import csv
import gzip
import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from core.data.needs import needs_training
from core.errors import EpitomeError

PARQUET = (".parquet",)
LINES = (".jsonl", ".ndjson")
SEPARATED = {".csv": ",", ".tsv": "\t"}
_PACKED = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
SUFFIXES = (*PARQUET, *LINES, *SEPARATED)

_ROWS = 64
_LONGEST_FIELD = 2**31 - 1  # what a C long holds everywhere
NO_ROW = "it is no row: "
"""Begins what stands in place of a line that cannot be read."""

Fields = dict[str, Any] | str
"""The fields of a row; or, of a row that cannot be read, why not."""


def is_table(path: Path) -> bool:
    """Whether a file's name is that of a table that can be read, packed or not."""
    return _suffix(path) in SUFFIXES


def open_table(path: Path) -> tuple[list[str], Iterator[Fields]]:
    """Begins to read a table.

    Args:
        path: A file for which `is_table`.

    Returns:
        The names of its columns (of JSON lines: those of the first row), and its rows.

    Raises:
        EpitomeError: If it cannot be opened or is no such table.
    """
    try:
        if _suffix(path) in PARQUET:
            return _parquet(path)
        rows = _json_lines(path) if _suffix(path) in LINES else _separated(path)
        first = next((row for row in rows if isinstance(row, dict)), None)
    except OSError as error:
        raise unreadable(path, error.strerror or str(error)) from error
    if first is None:
        raise unreadable(path, "it holds no row")
    # Read from the beginning again, so that rows before the first good one keep their numbers.
    again = _json_lines(path) if _suffix(path) in LINES else _separated(path)
    return list(first), again


def num_rows(path: Path) -> int | None:
    """How many rows a table has, where its format tells without reading it; else None."""
    if _suffix(path) not in PARQUET:
        return None
    from pyarrow.parquet import read_metadata

    return int(read_metadata(path).num_rows)


def unreadable(path: Path, why: str) -> EpitomeError:
    """The error for a table that cannot be read."""
    return EpitomeError(f"The table {path} cannot be read ({why}).", "Mend it, or leave it out.")


def _parquet(path: Path) -> tuple[list[str], Iterator[Fields]]:
    with needs_training("Parquet is read"):
        import pyarrow as pa
        import pyarrow.parquet as pq
    try:
        file = pq.ParquetFile(path, memory_map=True)
    except pa.ArrowException as error:
        raise unreadable(path, str(error)) from error

    def rows() -> Iterator[Fields]:
        with file:
            try:
                for batch in file.iter_batches(_ROWS):
                    yield from batch.to_pylist()
            except (OSError, pa.ArrowException) as error:
                raise unreadable(path, str(error)) from error

    return list(file.schema_arrow.names), rows()


def _json_lines(path: Path) -> Iterator[Fields]:
    with _opened(path) as file:
        for line in file:
            if line.strip():
                yield _json_row(line)


def _json_row(line: str) -> Fields:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        return f"{NO_ROW}{error}"
    return row if isinstance(row, dict) else f"{NO_ROW}no object"


def _separated(path: Path) -> Iterator[Fields]:
    csv.field_size_limit(_LONGEST_FIELD)
    with _opened(path) as file:
        lines = csv.reader(file, delimiter=SEPARATED[_suffix(path)])
        names = [name.removeprefix("\ufeff") for name in next(lines, [])]
        while True:
            try:
                fields = next(lines)
            except StopIteration:
                return
            except csv.Error as error:
                yield f"{NO_ROW}{error}"
                continue
            if len(fields) != len(names):
                yield f"{NO_ROW}{len(fields)} fields instead of {len(names)}"
            else:
                yield dict(zip(names, fields, strict=True))


def _opened(path: Path) -> IO[str]:
    """The lines of a file; bytes that are no UTF-8 become "�"."""
    unpack = _PACKED.get(path.suffix.lower(), open)
    return unpack(path, "rt", encoding="utf-8", errors="replace", newline="")  # type: ignore[operator,no-any-return]


def _suffix(path: Path) -> str:
    """The suffix that tells the format, that of the packing taken off."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in _PACKED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""
