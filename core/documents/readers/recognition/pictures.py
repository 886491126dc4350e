"""Pages of an open PDF as grey pictures, of bounded size."""

import ctypes
from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from core.documents.readers.pdf_layout.opening import PDFIUM

DPI = 200
"""Tesseract reads type of 6 points and more well at this; 300 takes longer and reads no better."""
MOST_PIXELS = 20_000_000
_LONGEST = 30_000  # pixels; Tesseract takes no side of 32,768
_POINTS = 72  # an inch


@dataclass(frozen=True)
class Picture:
    """A page as it is seen.

    Args:
        pixels: [height, width] from black (0) to white (255).
        scale: Pixels a point.
    """

    pixels: NDArray[np.uint8]
    scale: float

    @property
    def dpi(self) -> int:
        """Pixels an inch."""
        return round(self.scale * _POINTS)

    def turned(self, quarters: int) -> "Picture":
        """The picture turned anticlockwise."""
        return Picture(np.ascontiguousarray(np.rot90(self.pixels, quarters)), self.scale)


def render_page(document: Any, index: int) -> Picture | None:
    """Draws a page.

    Args:
        document: pdfium's handle.
        index: The page's place, from 0.

    Returns:
        The picture, with fewer pixels an inch where the page is large; None if it has no size.
    """
    with PDFIUM:
        page = pdfium.FPDF_LoadPage(document, index)
        if not page:
            return None
        try:
            return _drawn(page)
        finally:
            pdfium.FPDF_ClosePage(page)


def _drawn(page: Any) -> Picture | None:
    size = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    if not all(isfinite(side) and side > 0 for side in size):
        return None
    scale = scale_for(*size)
    width, height = (max(1, int(side * scale)) for side in size)
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_Gray, None, 0)
    if not bitmap:
        return None
    try:
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        pdfium.FPDF_RenderPageBitmap(
            bitmap, page, 0, 0, width, height, 0, pdfium.FPDF_ANNOT | pdfium.FPDF_GRAYSCALE
        )
        return Picture(smoothed(_pixels(bitmap, width, height)), scale)
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)


def scale_for(width: float, height: float) -> float:
    """Pixels a point for a page of a size in points."""
    return min(DPI / _POINTS, sqrt(MOST_PIXELS / (width * height)), _LONGEST / max(width, height))


def smoothed(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Each pixel as the mean of the nine around it: noise would hide the text from Tesseract."""
    height, width = pixels.shape
    wide = np.pad(pixels, 1, mode="edge").astype(np.uint16)
    rows = wide[:height] + wide[1 : height + 1] + wide[2:]
    means = (rows[:, :width] + rows[:, 1 : width + 1] + rows[:, 2:]) // 9
    return np.asarray(means, np.uint8)


def _pixels(bitmap: Any, width: int, height: int) -> NDArray[np.uint8]:
    stride = pdfium.FPDFBitmap_GetStride(bitmap)
    buffer = ctypes.string_at(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * height)
    rows = np.frombuffer(buffer, np.uint8).reshape(height, stride)
    return np.ascontiguousarray(rows[:, :width])
