"""Columns of numbers on disk, which may be larger than memory: written in order, then mapped.

Letters: N numbers, or rows of numbers, of a column.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from core.data.staging import writing


class DiskColumn:
    """A column in a file of its own.

    Args:
        path: The file; it must not exist.
        dtype: Of its numbers.
        *shape: Of each of its rows; nothing for plain numbers.
    """

    def __init__(self, path: Path, dtype: DTypeLike, *shape: int) -> None:
        self._path, self._dtype, self._shape = path, np.dtype(dtype), shape
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def append(self, values: NDArray[Any]) -> None:
        """Writes more of the column.

        Args:
            values: [n, *shape].

        Raises:
            EpitomeError: If the disk is full, or the file cannot be written.
        """
        with writing(self._path.parent), self._path.open("ab") as file:
            file.write(np.ascontiguousarray(values, self._dtype).data)
        self._count += len(values)

    def mapped(self) -> NDArray[Any]:
        """[N, *shape]: what was written. Changes go to the file; the system keeps little of it in
        memory when memory is short."""
        if not self._count:
            return np.empty((0, *self._shape), self._dtype)
        return np.memmap(self._path, self._dtype, "r+", shape=(self._count, *self._shape))

    def delete(self) -> None:
        """Deletes the file; nothing may be mapped any more."""
        self._path.unlink(missing_ok=True)


def zeros(path: Path, dtype: DTypeLike, count: int, at_once: int) -> NDArray[Any]:
    """A mapped column of zeros.

    They are written, since a mapped file with holes ends the process when the disk is full.

    Args:
        path: The file; it must not exist.
        dtype: Of its numbers.
        count: N.
        at_once: How many are written together.

    Returns:
        [N].

    Raises:
        EpitomeError: If the disk is full, or the file cannot be written.
    """
    column = DiskColumn(path, dtype)
    for piece in pieces(count, at_once):
        column.append(np.zeros(piece.stop - piece.start, dtype))
    return column.mapped()


def pieces(count: int, at_once: int) -> Iterator[slice]:
    """Slices that cover a column one after the other.

    Args:
        count: N.
        at_once: How many numbers a slice has at most.

    Yields:
        The slices.
    """
    for start in range(0, count, at_once):
        yield slice(start, min(start + at_once, count))


def gathered(parts: Iterable[NDArray[Any]], at_least: int) -> Iterator[NDArray[Any]]:
    """Joins arrays to larger ones.

    Args:
        parts: Arrays of any length.
        at_least: How long a joined one is, except for the last.

    Yields:
        The joined arrays; none is empty.
    """
    held: list[NDArray[Any]] = []
    count = 0
    for part in parts:
        if len(part):
            held.append(part)
            count += len(part)
        if count >= at_least:
            yield np.concatenate(held)
            held, count = [], 0
    if held:
        yield np.concatenate(held)
