"""Layers of a document (optional content) that are switched off, and the text on them.

pdfium knows which layers are off when it draws a page, and says it of no object. So the text that
may be on one is drawn alone, each piece in a colour of its own, and what is missing is off.
"""

import ctypes
import re
import zlib
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from core.documents.readers.pdf_layout import native
from core.documents.readers.pdf_layout.painting import Painting

_LAYERS = b"/OCProperties"
_UNIT = re.compile(rb"/UserUnit\s{0,9}(\d{1,6}(?:\.\d{0,9})?)")
_PACKED_OBJECTS = re.compile(rb"/ObjStm\b[^>]{0,500}>>\s{0,9}stream\r?\n")
_MOST_UNPACKED = 5_000_000  # bytes of a stream of objects
_SCALE = 3.0  # pixels a point: small letters have a pixel of their full colour
_MOST_PIXELS = 6_000_000
_MOST_PIECES = 50_000
_MOST_OBJECTS = 100_000
_DEEPEST = 20
_SHARP = (
    pdfium.FPDF_RENDER_NO_SMOOTHTEXT
    | pdfium.FPDF_RENDER_NO_SMOOTHPATH
    | pdfium.FPDF_RENDER_NO_SMOOTHIMAGE
)


class Layers:
    """The layers of one document, and the units of its pages.

    Args:
        data: The file.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data

    @cached_property
    def _are_used(self) -> bool:
        """True if the document may have layers; True where that cannot be known."""
        if _LAYERS in self._data or b"/Encrypt" in self._data:
            return True
        return any(_LAYERS in objects for objects in _unpacked_objects(self._data))

    @cached_property
    def largest_unit(self) -> float:
        """Points to a unit of a page, of the page where they are most."""
        parts = (self._data, *_unpacked_objects(self._data))
        units = (float(match[1]) for part in parts for match in _UNIT.finditer(part))
        return max(1.0, max(units, default=1.0))

    def find_switched_off(
        self, page: Any, addresses: list[int], painting: Painting
    ) -> NDArray[np.bool_]:
        """Finds the text objects of a page that are on a layer that is switched off.

        Args:
            page: pdfium's handle of the page, which looks differently afterwards.
            addresses: Of text objects.
            painting: The objects of the page.

        Returns:
            [count] True for those that are off; also where one may be off or on, False.
        """
        off = np.zeros(len(addresses), bool)
        if not self._are_used or painting.is_cut:  # what is left would be drawn over it
            return off
        pieces = {
            address: index
            for index, address in enumerate(addresses)
            if _may_be_off(address, painting)
            and not pdfium.FPDFPageObj_HasTransparency(_handle(address))
            and not is_drawn_by_procedures(address)
        }
        if pieces and len(pieces) <= _MOST_PIECES:
            drawn = _draw(page, list(pieces))
            for number, index in enumerate(pieces.values(), 1):
                off[index] = number not in drawn
        return off


def _may_be_off(address: int, painting: Painting) -> bool:
    """True if the layer of a text object can be told by drawing it."""
    if address not in painting.order:
        return False
    holder = painting.holders.get(address)
    if holder is None:
        return native.is_layered(address)
    return not holder.is_transparent


def is_drawn_by_procedures(address: int) -> bool:
    """True for a text object whose font is of type 3: its letters may have their own colours."""
    size = ctypes.c_size_t()
    font = pdfium.FPDFTextObj_GetFont(_handle(address))
    return not pdfium.FPDFFont_GetFontData(font, None, 0, size) or not size.value


def _handle(address: int) -> Any:
    return ctypes.cast(address, pdfium.FPDF_PAGEOBJECT)


def _unpacked_objects(data: bytes) -> Iterator[bytes]:
    for match in _PACKED_OBJECTS.finditer(data):
        try:
            yield zlib.decompressobj().decompress(memoryview(data)[match.end() :], _MOST_UNPACKED)
        except zlib.error:
            yield data[match.end() : match.end() + _MOST_UNPACKED]


def _draw(page: Any, pieces: list[int]) -> set[int]:
    """Draws some text objects of a page alone; the numbers, from 1, of those that are seen."""
    numbers = {address: number for number, address in enumerate(pieces, 1)}
    for address in islice(_objects(native.address_of(page), 0), _MOST_OBJECTS):
        handle = _handle(address)
        number = numbers.get(address)
        if number is None:
            pdfium.FPDFPageObj_SetIsActive(handle, False)
            continue
        colour = number >> 16, number >> 8 & 255, number & 255, 255
        pdfium.FPDFPageObj_SetFillColor(handle, *colour)
        pdfium.FPDFTextObj_SetTextRenderMode(handle, pdfium.FPDF_TEXTRENDERMODE_FILL)
    width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    scale = min(_SCALE, (_MOST_PIXELS / max(1.0, width * height)) ** 0.5)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    bitmap = pdfium.FPDFBitmap_CreateEx(*size, pdfium.FPDFBitmap_BGRx, None, 0)
    if not bitmap:
        return set(numbers.values())
    try:
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, *size, 0xFFFFFFFF)
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, *size, 0, _SHARP)
        stride = pdfium.FPDFBitmap_GetStride(bitmap)
        buffer = ctypes.string_at(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * size[1])
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)
    return set(np.unique(np.frombuffer(buffer, "<u4") & 0xFFFFFF).tolist())


def _objects(container: int, depth: int) -> Iterator[int]:
    """All objects of a page or form, those in forms instead of the forms.

    Forms that are mixed with what is below them are among the objects: their masks may take for
    ever to draw.
    """
    for address in native.objects_on(container, _MOST_OBJECTS, is_form=depth > 0):
        is_form = native.type_of_object(address) == pdfium.FPDF_PAGEOBJ_FORM
        if not is_form or pdfium.FPDFPageObj_HasTransparency(_handle(address)):
            yield address
        elif depth < _DEEPEST:
            yield from _objects(address, depth + 1)
