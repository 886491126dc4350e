"""pdfium's per-character calls, bound so that a page of them costs milliseconds.

A call of pypdfium2's own bindings builds Python objects for each result. These bindings of the
same functions write into numpy arrays instead, and keep the interpreter lock: each call takes
well under a microsecond.
"""

import ctypes
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

_POINTER, _INT = ctypes.c_void_p, ctypes.c_int
_BOX_BYTES, _POINT_BYTES = 16, 16  # four float32; two float64


def address_of(handle: Any) -> int:
    """The address behind a pdfium handle or function."""
    return ctypes.cast(handle, ctypes.c_void_p).value or 0


def _bound(function: Any, result: Any, *arguments: Any) -> Any:
    return ctypes.PYFUNCTYPE(result, *arguments)(address_of(function))


_unicode = _bound(pdfium.FPDFText_GetUnicode, ctypes.c_uint, _POINTER, _INT)
_box = _bound(pdfium.FPDFText_GetLooseCharBox, _INT, _POINTER, _INT, _POINTER)
_origin = _bound(pdfium.FPDFText_GetCharOrigin, _INT, _POINTER, _INT, _POINTER, _POINTER)
_object = _bound(pdfium.FPDFText_GetTextObject, _POINTER, _POINTER, _INT)


def codes_of(text_page: int, count: int) -> NDArray[np.uint32]:
    """[count] the code point of each character; 2 stands for a hyphen at the end of a line."""
    return np.fromiter(map(_unicode, repeat(text_page), range(count)), np.uint32, count)


def boxes_of(text_page: int, count: int) -> NDArray[np.float32]:
    """[count, 4] left, top, right, bottom of each character with its font's full height."""
    boxes = np.zeros((count, 4), np.float32)
    start = boxes.ctypes.data
    _run(map(_box, repeat(text_page), range(count), _addresses(start, count, _BOX_BYTES)))
    return boxes


def origins_of(text_page: int, count: int) -> NDArray[np.float64]:
    """[count, 2] where on its baseline each character begins."""
    origins = np.zeros((count, 2), np.float64)
    start = origins.ctypes.data
    xs, ys = (_addresses(start + offset, count, _POINT_BYTES) for offset in (0, 8))
    _run(map(_origin, repeat(text_page), range(count), xs, ys))
    return origins


def objects_of(text_page: int, count: int) -> NDArray[np.uint64]:
    """[count] the address of the text object each character was drawn by; 0 for none."""
    found = map(_object, repeat(text_page), range(count))
    return np.fromiter((address or 0 for address in found), np.uint64, count)


def _addresses(start: int, count: int, stride: int) -> range:
    return range(start, start + count * stride, stride)


def _run(calls: Iterator[Any] | Iterable[Any]) -> None:
    deque(calls, maxlen=0)
