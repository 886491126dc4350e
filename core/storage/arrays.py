"""Arrays in files: written whole, and read only where they are what is expected there."""

import io
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import DTypeLike, NDArray

from core.storage.files import write_bytes
from core.storage.regular_files import open_regular, read_regular

_MOST_HEADER_BYTES = 10_000


def write_array(path: Path, array: NDArray[Any]) -> None:
    """Writes an array; a reader sees all of it, or what was there before.

    Args:
        path: The file, in numpy's format.
        array: Of any shape and of a dtype without objects.

    Raises:
        EpitomeError: If it cannot be written.
    """
    data = io.BytesIO()
    np.save(data, array, allow_pickle=False)
    write_bytes(path, data.getvalue())


def read_array(path: Path, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """Reads an array; a file that is larger than it is not read at all.

    Args:
        path: The file, in numpy's format.
        shape: The shape that it has.
        dtype: The dtype that it has.

    Returns:
        The array.

    Raises:
        OSError: If it cannot be read, or is no regular file.
        ValueError: If it holds something else.
    """
    num_bytes = math.prod(shape) * np.dtype(dtype).itemsize
    data = io.BytesIO(read_regular(path, num_bytes + _MOST_HEADER_BYTES))
    if _header(data) != (shape, False, np.dtype(dtype)):
        raise ValueError(f"{path} holds another array")
    found = np.frombuffer(data.getvalue(), dtype, math.prod(shape), data.tell())
    return found.reshape(shape).copy()


def read_span(path: Path, start: int, count: int, dtype: DTypeLike) -> NDArray[Any]:
    """Reads some numbers from the middle of an array of one dimension, however long it is.

    Args:
        path: The file, in numpy's format.
        start: The place of the first, from 0.
        count: How many.
        dtype: The dtype that it has.

    Returns:
        [count] numbers.

    Raises:
        OSError: If it cannot be read, or is no regular file.
        ValueError: If it holds something else, or not so many.
    """
    with open_regular(path, "rb") as file:
        _, _, found = _header(file)
        size = found.itemsize
        if found != np.dtype(dtype):
            raise ValueError(f"{path} holds another array")
        file.seek(start * size, io.SEEK_CUR)
        return np.frombuffer(file.read(count * size), dtype, count)


def _header(file: Any) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Shape, order and dtype; the stream stands at the first number then."""
    if npy.read_magic(file) != (1, 0):
        raise ValueError("an array in another version of the format")
    found: tuple[tuple[int, ...], bool, np.dtype[Any]] = npy.read_array_header_1_0(file)
    return found
