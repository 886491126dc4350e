"""pdfium's per-character calls, bound so that a page of them costs milliseconds.

A call of pypdfium2's own bindings builds Python objects for each result. These bindings of the
same functions write into numpy arrays instead, and keep the interpreter lock: each call takes
well under a microsecond.
"""

import ctypes
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import repeat
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

_POINTER, _INT = ctypes.c_void_p, ctypes.c_int
_BOX_BYTES, _POINT_BYTES = 16, 16  # four float32; two float64
_COLOUR_BYTES = 16  # four uint32
_NAME_BYTES = 128
_MOST_MARKS = 50  # of an object; they are nested
_LAYER = "OC\0".encode("utf-16-le")  # the mark of optional content


def address_of(handle: Any) -> int:
    """The address behind a pdfium handle or function."""
    return ctypes.cast(handle, ctypes.c_void_p).value or 0


def _bound(function: Any, result: Any, *arguments: Any) -> Any:
    return ctypes.PYFUNCTYPE(result, *arguments)(address_of(function))


_unicode = _bound(pdfium.FPDFText_GetUnicode, ctypes.c_uint, _POINTER, _INT)
_box = _bound(pdfium.FPDFText_GetLooseCharBox, _INT, _POINTER, _INT, _POINTER)
_origin = _bound(pdfium.FPDFText_GetCharOrigin, _INT, _POINTER, _INT, _POINTER, _POINTER)
_object = _bound(pdfium.FPDFText_GetTextObject, ctypes.c_size_t, _POINTER, _INT)
_count_on_page = _bound(pdfium.FPDFPage_CountObjects, _INT, _POINTER)
_on_page = _bound(pdfium.FPDFPage_GetObject, _POINTER, _POINTER, _INT)
_count_in_form = _bound(pdfium.FPDFFormObj_CountObjects, _INT, _POINTER)
_in_form = _bound(pdfium.FPDFFormObj_GetObject, _POINTER, _POINTER, ctypes.c_ulong)
_fill = _bound(pdfium.FPDFPageObj_GetFillColor, _INT, *[_POINTER] * 5)
_stroke = _bound(pdfium.FPDFPageObj_GetStrokeColor, _INT, *[_POINTER] * 5)
_bounds = _bound(pdfium.FPDFPageObj_GetBounds, _INT, *[_POINTER] * 5)
_clip = _bound(pdfium.FPDFPageObj_GetClipPath, _POINTER, _POINTER)
_count_clips = _bound(pdfium.FPDFClipPath_CountPaths, _INT, _POINTER)
_count_clip_segments = _bound(pdfium.FPDFClipPath_CountPathSegments, _INT, _POINTER, _INT)
_clip_segment = _bound(pdfium.FPDFClipPath_GetPathSegment, _POINTER, _POINTER, _INT, _INT)
_segment_point = _bound(pdfium.FPDFPathSegment_GetPoint, _INT, *[_POINTER] * 3)
_count_marks = _bound(pdfium.FPDFPageObj_CountMarks, _INT, _POINTER)
_mark = _bound(pdfium.FPDFPageObj_GetMark, _POINTER, _POINTER, ctypes.c_ulong)
_mark_name = _bound(
    pdfium.FPDFPageObjMark_GetName, _INT, _POINTER, _POINTER, ctypes.c_ulong, _POINTER
)
_mark_text = _bound(
    pdfium.FPDFPageObjMark_GetParamStringValue,
    *(_INT, _POINTER, ctypes.c_char_p, _POINTER, ctypes.c_ulong, _POINTER),
)

type_of_object: Callable[[int], int] = _bound(pdfium.FPDFPageObj_GetType, _INT, _POINTER)
"""The type of the page object at an address."""

render_mode: Callable[[int], int] = _bound(pdfium.FPDFTextObj_GetTextRenderMode, _INT, _POINTER)
"""The text rendering mode of the text object at an address."""

font_of: Callable[[int], int | None] = _bound(pdfium.FPDFTextObj_GetFont, _POINTER, _POINTER)
"""The address of the font of the text object at an address."""

font_size: Callable[[int, int], float] = _bound(
    pdfium.FPDFText_GetFontSize, ctypes.c_double, _POINTER, _INT
)
"""The type size of a character of a text page, before its matrix."""

text_matrix: Callable[[int, int, int], int] = _bound(
    pdfium.FPDFText_GetMatrix, *(_INT, _POINTER, _INT, _POINTER)
)
"""Writes the matrix of a character of a text page to an address: six float32."""


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
    return np.fromiter(map(_object, repeat(text_page), range(count)), np.uint64, count)


def objects_on(holder: int, most: int, *, is_form: bool = False) -> list[int]:
    """The addresses of the first objects of a page, or of a form on one."""
    count, get = (_count_in_form, _in_form) if is_form else (_count_on_page, _on_page)
    found = map(get, repeat(holder), range(min(count(holder), most)))
    return [address for address in found if address]


def bounds_of(address: int) -> tuple[float, float, float, float] | None:
    """Left, bottom, right and top of an object, in the coordinates of what holds it."""
    box = (ctypes.c_float * 4)()
    start = ctypes.addressof(box)
    return tuple(box) if _bounds(address, *_addresses(start, 4, 4)) else None


def colours_of(addresses: list[int], *, stroke: bool = False) -> NDArray[np.uint32]:
    """[count, 4] red, green, blue and opacity, to 255, of what objects are filled with."""
    colours = np.zeros((len(addresses), 4), np.uint32)
    start = colours.ctypes.data
    parts = (_addresses(start + 4 * i, len(addresses), _COLOUR_BYTES) for i in range(4))
    _run(map(_stroke if stroke else _fill, addresses, *parts))
    return colours


def count_clips(address: int) -> int:
    """How many paths clip an object."""
    clip = _clip(address)
    return max(0, _count_clips(clip)) if clip else 0


def clips_of(address: int) -> list[tuple[int, int, int]]:
    """The paths that clip an object: the address of the first point, which objects that were
    clipped at once share, the clip's address, and the place of the path in it."""
    clip = _clip(address)
    paths = range(_count_clips(clip) if clip else 0)
    return [(_clip_segment(clip, place, 0) or 0, clip, place) for place in paths]


def clip_points(clip: int, place: int) -> NDArray[np.float32]:
    """[count, 2] the points of a path that clips."""
    count = max(0, _count_clip_segments(clip, place))
    points = np.zeros((count, 2), np.float32)
    start = points.ctypes.data
    segments = (_clip_segment(clip, place, index) for index in range(count))
    _run(map(_segment_point, segments, *(_addresses(start + i, count, 8) for i in (0, 4))))
    return points


def is_layered(address: int) -> bool:
    """True if an object is marked as part of a layer."""
    count = min(_count_marks(address), _MOST_MARKS)
    if count <= 0:
        return False
    name, size = ctypes.create_string_buffer(_NAME_BYTES), ctypes.c_ulong()
    start, length = ctypes.addressof(name), ctypes.addressof(size)
    for mark in filter(None, map(_mark, repeat(address), range(count))):
        _mark_name(mark, start, _NAME_BYTES, length)
        if size.value == len(_LAYER) and name.raw.startswith(_LAYER):
            return True
    return False


def actual_text_of(address: int) -> str | None:
    """The text that an object is said to stand for; None without one."""
    count = min(_count_marks(address), _MOST_MARKS)
    if count <= 0:
        return None
    marks = map(_mark, repeat(address), range(count))
    return next(filter(lambda text: text is not None, map(actual_text, filter(None, marks))), None)


def actual_text(mark: int) -> str | None:
    """The text of a mark that says what it stands for; None of another."""
    size = ctypes.c_ulong()
    length = ctypes.addressof(size)
    if not _mark_text(mark, b"ActualText", None, 0, length):
        return None
    value = ctypes.create_string_buffer(max(2, size.value))
    _mark_text(mark, b"ActualText", ctypes.addressof(value), size.value, length)
    return value.raw.decode("utf-16-le", "replace").rstrip("\0")


def _addresses(start: int, count: int, stride: int) -> range:
    return range(start, start + count * stride, stride)


def _run(calls: Iterator[Any] | Iterable[Any]) -> None:
    deque(calls, maxlen=0)
