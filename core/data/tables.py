"""Reads tables row by row: Parquet, JSON Lines, CSV; only the current rows are in memory.

Of JSON that is one list of objects, all rows are.
"""

import bz2
import csv
import gzip
import io
import lzma
import math
import os
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import IO, Any, BinaryIO

from core.documents.readers.encodings import Decoded, decode
from core.documents.readers.failures import json_too_large
from core.documents.readers.separated import (
    column_names,
    find_dialect,
    join_unquoted,
    read_records,
)
from core.documents.readers.table_rows import MAX_JSON_CHARACTERS
from core.errors import EpitomeError, needs_training, of_system
from core.numbers import format_count, format_size
from core.storage.parsing import parse_json
from core.storage.regular_files import check_regular, open_regular

PARQUET = (".parquet",)
LINES = (".jsonl", ".ndjson")
SEPARATED = (".csv", ".tsv")
LIST = (".json",)
_COMPRESSED: dict[str, Callable[[BinaryIO], Any]] = {
    ".gz": gzip.open,
    ".bz2": bz2.open,
    ".xz": lzma.open,
}
SUFFIXES = (*PARQUET, *LINES, *SEPARATED)

_DAMAGES = (OSError, EOFError, zlib.error, lzma.LZMAError)
_ROWS = 64
_HEAD_BYTES = 1_000_000  # from which encoding and dialect are found
# What no line can be decoded by once it was taken for UTF-8: lines end otherwise there, or letters
# pass for it by chance. Other encodings may be mixed with UTF-8 in one file, line by line.
_WHOLE = ("utf-16", "utf-32", "utf_16", "utf_32", "iso2022", "hz", "gb", "big5", "euc", "shift",
          "cp932", "cp949", "cp950", "johab")  # fmt: skip
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
_NO_UNICODE = f"{NO_ROW}not valid UTF-8"

Fields = dict[str, Any] | str
"""The fields of a row, or the reason why it cannot be read."""


def has_table_name(path: Path) -> bool:
    """True if a file name is that of a readable table, compressed or not."""
    return _suffix(path) in SUFFIXES


def is_table(path: Path) -> bool:
    """True if a file is a table by its name, or JSON whose beginning is that of rows."""
    if has_table_name(path):
        return True
    try:
        return _suffix(path) in LIST and _json_kind(_head(path)) != ""
    except _DAMAGES:
        return False


def table_notes(path: Path) -> tuple[str, ...]:
    """Notes on what was guessed of a table: its encoding, and the signs of a CSV file."""
    if _suffix(path) in PARQUET:
        return ()
    try:
        decoded = _decoded_head(_head(path))
    except _DAMAGES:
        return ()  # the error is reported where the table is read
    notes = [decoded.note] if decoded.note else []
    if _suffix(path) in SEPARATED:
        notes += find_dialect(decoded.text, _suffix(path)).notes(_suffix(path))
    return tuple(notes)


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


@contextmanager
def _unpacked(path: Path) -> Iterator[tuple[BinaryIO, float]]:
    """Opens a file, compressed or not.

    Args:
        path: The file.

    Yields:
        The file, and how many bytes may be read of it.
    """
    unpack = _COMPRESSED.get(path.suffix.lower())
    with open_regular(path, "rb") as packed, unpack(packed) if unpack else packed as file:
        size = os.fstat(packed.fileno()).st_size
        yield file, max(MOST_FREE_BYTES, MOST_RATIO * size) if unpack else math.inf


def _head(path: Path) -> bytes:
    with _unpacked(path) as (file, _):
        return _read_head(file)


def _read_head(file: BinaryIO) -> bytes:
    """The beginning of a file; where it is damaged, what is before that: the rest may be whole."""
    head = bytearray()
    with suppress(*_DAMAGES):
        while len(head) < _HEAD_BYTES and (chunk := file.read(_HEAD_BYTES // 16)):
            head += chunk
    return bytes(head)


def _decoded_head(head: bytes) -> Decoded:
    """The text of the beginning of a file, up to its last whole line."""
    whole = head[: head.rfind(b"\n") + 1] if len(head) >= _HEAD_BYTES else head
    decoded = decode(whole or head)
    if decoded is not None and not decoded.encoding.startswith("utf"):
        # Of lines in UTF-8 among others, the others show what these are in.
        lines = whole.splitlines(keepends=True)
        others = [line for line in lines if line.isascii() or not _is_utf8(line)]
        decoded = decode(b"".join(others)) if len(others) < len(lines) else decoded
    if decoded is None:
        raise OSError("it is no text")
    return decoded


def _lines(path: Path) -> Generator[Fields, None, None]:
    """The rows of a text table, compressed or not."""
    suffix = _suffix(path)
    try:
        with _unpacked(path) as (file, most):
            head = _read_head(file)
            file.seek(0)
            if suffix in LIST and _json_kind(head) == "list":
                yield from _json_list(file, path.name)
            elif suffix in SEPARATED:
                yield from _separated(file, suffix, most, head)
            else:
                yield from _json_lines(file, most, head)
    except _DAMAGES as error:
        raise unreadable(path, error) from error


def _json_kind(head: bytes) -> str:
    """The form of rows in JSON by its beginning: a "list" of objects, or objects in "lines"."""
    text = head.decode("utf-8-sig", "replace").lstrip()
    if text.startswith("["):
        return "list" if text[1:].lstrip().startswith("{") else ""
    first, _, rest = text.partition("\n")
    is_row = isinstance(_json_row(first), dict)
    return "lines" if is_row and rest.lstrip().startswith("{") else ""


def _json_list(file: BinaryIO, name: str) -> Iterator[Fields]:
    data = file.read(4 * MAX_JSON_CHARACTERS + 1)
    decoded = decode(data)
    if decoded is None:
        raise OSError("it is no text")
    if len(decoded.text) > MAX_JSON_CHARACTERS:
        raise json_too_large(name, len(data), MAX_JSON_CHARACTERS)
    try:
        rows = parse_json(decoded.text)
    except (ValueError, RecursionError) as error:
        raise OSError(f"it is no JSON: {error}") from error
    for row in rows:
        yield row if isinstance(row, dict) else f"{NO_ROW}not an object"


def _json_lines(file: BinaryIO, most: float, head: bytes) -> Iterator[Fields]:
    for line in _text_lines(file, most, _decoded_head(head).encoding, newline="\n"):
        if line.strip():
            yield _json_row(line)


def _text_lines(file: BinaryIO, most: float, encoding: str, newline: str) -> Iterator[str]:
    """The lines of a file; one that is neither UTF-8 nor in its encoding has surrogates."""
    is_whole = encoding.startswith(_WHOLE)
    name, errors = (encoding, "replace") if is_whole else ("utf-8-sig", "surrogateescape")
    with io.TextIOWrapper(file, name, errors, newline) as text:
        for line in _lines_of(text, most):
            if line.isascii() or is_whole or encoding.startswith("utf") or _is_unicode(line):
                yield line
            else:
                yield line.encode("utf-8", "surrogateescape").decode(encoding, "replace")


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_unicode(text: str) -> bool:
    """True if a text can be encoded."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _lines_of(file: IO[str], most: float) -> Iterator[str]:
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


def _json_row(line: str) -> Fields:
    if not _is_unicode(line):
        return _NO_UNICODE
    try:
        row = parse_json(line)
    except (ValueError, RecursionError) as error:
        return f"{NO_ROW}{error}"
    return row if isinstance(row, dict) else f"{NO_ROW}not an object"


def _separated(file: BinaryIO, suffix: str, most: float, head: bytes) -> Iterator[Fields]:
    decoded = _decoded_head(head)
    dialect = find_dialect(decoded.text, suffix)
    records = read_records(_text_lines(file, most, decoded.encoding, newline=""), dialect)
    names: list[str] = []
    for record in records:
        if isinstance(record, csv.Error):
            yield f"{NO_ROW}{record}"
            continue
        if not names and record:
            names = column_names(record)
            if names:
                continue
            names = [f"column {number}" for number in range(1, len(record) + 1)]
        yield _separated_row(names, record, dialect.separator)


def _separated_row(names: list[str], fields: list[str], separator: str) -> Fields:
    if len(fields) > len(names):
        fields = join_unquoted(fields, len(names), separator) or fields
    if len(fields) != len(names):
        return f"{NO_ROW}{len(fields)} fields instead of {len(names)}"
    return dict(zip(names, fields, strict=True)) if _is_unicode("".join(fields)) else _NO_UNICODE


def _suffix(path: Path) -> str:
    """The suffix of the format, without that of the compression."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in _COMPRESSED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""
