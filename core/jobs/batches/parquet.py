"""Reads texts of Parquet, a few rows at a time; it needs the training part."""

import os
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any

from core.errors import EpitomeError, needs_training, of_system
from core.storage.regular_files import check_regular

_ROWS = 64
_SAMPLE_ROWS = 200


def is_parquet(path: Path) -> bool:
    """Whether the name of a file is that of Parquet."""
    return path.suffix.lower() == ".parquet"


def first_parquet_rows(path: Path) -> tuple[tuple[str, ...], list[Mapping[str, str]]]:
    """The columns of a file that hold plain values, and its first rows.

    Args:
        path: The file.

    Returns:
        The names of the columns, and the rows as texts.

    Raises:
        EpitomeError: If it cannot be read, or the training part is missing.
    """
    file = _opened(path)
    names = tuple(field.name for field in file.schema_arrow if not _is_nested(field.type))
    first = [row for _, row in _rows(file, path, names, 0, _SAMPLE_ROWS)]
    return names, first


def parquet_rows(
    path: Path, columns: Sequence[str], start: int = 0
) -> Iterator[tuple[int, Mapping[str, str]]]:
    """The rows of a file from one on; of the file, some rows are in memory at a time.

    Args:
        path: The file.
        columns: The columns that are read.
        start: The first row, from 0.

    Yields:
        The number of a row, and its values as texts.

    Raises:
        EpitomeError: If it cannot be read, or the training part is missing.
    """
    yield from _rows(_opened(path), path, columns, start)


def _opened(path: Path) -> Any:
    with needs_training("Parquet is read"):
        import pyarrow as pa
        import pyarrow.parquet as pq
    try:
        check_regular(path)
        return pq.ParquetFile(pa.memory_map(os.fsencode(path)))  # a text would have to be UTF-8
    except (OSError, pa.ArrowException) as error:
        raise _unreadable(path, error) from error


def _rows(
    file: Any, path: Path, columns: Sequence[str], start: int, most: int | None = None
) -> Iterator[tuple[int, Mapping[str, str]]]:
    import pyarrow as pa

    group, number = 0, 0
    while group < file.num_row_groups - 1:
        size = file.metadata.row_group(group).num_rows
        if number + size > start:
            break
        number, group = number + size, group + 1
    last = inf if most is None else start + most
    groups = range(group, file.num_row_groups)
    with file:
        try:
            for batch in file.iter_batches(_ROWS, row_groups=groups, columns=list(columns)):
                for row in batch.to_pylist():
                    if number >= last:
                        return
                    if number >= start:
                        yield number, {name: _text(value) for name, value in row.items()}
                    number += 1
        except (OSError, pa.ArrowException) as error:
            raise _unreadable(path, error) from error


def _is_nested(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_nested(kind) or pa.types.is_binary(kind))


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _unreadable(path: Path, error: Exception) -> EpitomeError:
    what = f"The table {path} cannot be read"
    if isinstance(error, OSError):
        return of_system(error, what, "Repair it, or leave it out.")
    return EpitomeError(f"{what} ({error}).", "Repair it, or leave it out.")
