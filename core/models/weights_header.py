"""The head of a safetensors file: names and shapes, without the weights and without torch."""

import math
import struct
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.errors import EpitomeError, explained
from core.storage.parsing import parse_json
from core.storage.regular_files import open_regular

_LENGTH = struct.Struct("<Q")
_LONGEST_HEAD = 20_000_000  # bytes; a hundred thousand tensors take no more
_MOST_DIMENSIONS, _LARGEST_DIMENSION = 16, 2**48
_WIDTHS = {
    "BOOL": 1, "U8": 1, "I8": 1, "F8_E5M2": 1, "F8_E4M3": 1, "I16": 2, "U16": 2, "F16": 2,
    "BF16": 2, "I32": 4, "U32": 4, "F32": 4, "I64": 8, "U64": 8, "F64": 8,
}  # fmt: skip
_REMEDY = "Use a checkpoint that this program made."


FLOATS: Final = {"F16", "BF16", "F32", "F64"}
"""Kinds of numbers that weights are read from; smaller ones come with scales of their own."""


class StoredTensor(NamedTuple):
    """The entry of a tensor in the head of a file.

    Args:
        dtype: As safetensors writes it: "F32", "I64" …
        shape: Its dimensions.
    """

    dtype: str
    shape: tuple[int, ...]


def count_parameters(path: Path) -> int:
    """How many numbers a file of weights holds.

    Args:
        path: The file.

    Returns:
        The sum over its tensors.

    Raises:
        EpitomeError: If it cannot be read, or is no whole file of tensors.
    """
    return sum(math.prod(tensor.shape) for tensor in read_head(path).values())


def read_head(path: Path) -> dict[str, StoredTensor]:
    """Reads which tensors a file of weights holds.

    Args:
        path: The file.

    Returns:
        By name.

    Raises:
        EpitomeError: If it cannot be read, or is no whole file of tensors.
    """
    with explained(f"{path} cannot be read", _REMEDY), open_regular(path, "rb") as file:
        size = file.seek(0, 2)
        file.seek(0)
        try:
            (length,) = _LENGTH.unpack(file.read(_LENGTH.size))
            if length > size - _LENGTH.size:
                raise ValueError("its head is cut short")
            if length > _LONGEST_HEAD:
                raise ValueError(f"its head has {length} bytes; at most {_LONGEST_HEAD} are read")
            tensors = parse_json(file.read(length))
            tensors.pop("__metadata__", None)
            _check_filled(tensors, size - _LENGTH.size - length)
            return {
                name: StoredTensor(tensor["dtype"], tuple(tensor["shape"]))
                for name, tensor in tensors.items()
            }
        except (ValueError, KeyError, TypeError, AttributeError, struct.error) as e:
            raise EpitomeError(f"{path} holds no tensors ({e}).", _REMEDY) from e


def _product(shape: list[int]) -> int:
    """The numbers of a tensor; a shape that only means to keep the processor busy is refused."""
    if len(shape) > _MOST_DIMENSIONS or not all(0 <= each < _LARGEST_DIMENSION for each in shape):
        raise ValueError("a tensor has an impossible shape")
    return math.prod(shape)


def _check_filled(tensors: dict[str, dict[str, Any]], num_bytes: int) -> None:
    """Refuses, as a `ValueError`, tensors that do not fill the file, one after the other."""
    reached = 0
    for tensor in sorted(tensors.values(), key=lambda each: each["data_offsets"]):
        start, end = tensor["data_offsets"]
        size = _product(tensor["shape"])
        if start != reached or end - start != size * _WIDTHS[tensor["dtype"]]:
            raise ValueError("its tensors do not fill it")
        reached = end
    if reached != num_bytes:
        raise ValueError("its tensors do not fill it")
