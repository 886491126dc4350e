"""Words that a page strikes out, by a thin line through their middle or by an annotation.

Underlines, rules of tables, fraction bars and lines that go on beside the words strike nothing out.

Letters: C characters, S thin shapes.
"""

import ctypes
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from core.documents.readers.pdf_layout import native
from core.documents.readers.pdf_layout.fields import NOT_SEEN
from core.documents.readers.pdf_layout.glyphs import Glyphs
from core.documents.readers.pdf_layout.painting import Box, Painting

_LOWEST, _HIGHEST = 0.15, 0.45  # of the type size, from the baseline up
_THICKEST = 0.25  # of the type size
_SLACK = 0.6  # of the type size: how far a line may reach beyond the words that it strikes out
_LETTER_SLACK = 0.25  # the same of a single letter: marks in charts are longer than a digit
_SHORT = 0.1  # of the type size: a line that is shorter than its words is one only within a text
_PALEST = 215  # of 255: lighter lines are hardly seen
_STEPS, _MOST_STEPS = 10, 9999  # to a point; of the type size
_FEWEST_POINTS = 2.0  # of a line
_MOST_LINES = 5_000  # of a page
_MOST_TESTS = 20_000_000  # of a page: lines times the letters in their rows
_MOST_NOTES = 2000  # annotations of a page


def find_struck(
    glyphs: Glyphs, visible: NDArray[np.bool_], painting: Painting, page: Any
) -> NDArray[np.bool_]:
    """Finds the letters that are struck out.

    Args:
        glyphs: All characters of the page.
        visible: [C] True for those that are read.
        painting: The objects of the page.
        page: pdfium's handle of it.

    Returns:
        [C] True for letters that are struck out.
    """
    struck = np.zeros(len(glyphs.codes), bool)
    if not painting.strips and pdfium.FPDFPage_GetAnnotCount(page) <= 0:
        return struck
    at = np.flatnonzero(visible & (glyphs.angle == 0) & (glyphs.size > 0))
    if not len(at):
        return struck
    middle = 0.5 * (glyphs.boxes[:, 0] + glyphs.boxes[:, 2])
    for box in _find_annotations(page):
        height = glyphs.origins[at, 1] + _LOWEST * glyphs.size[at]
        inside = (middle[at] > box[0]) & (middle[at] < box[2])
        struck[at[inside & (height > box[1]) & (height < box[3])]] = True
    at = at[np.argsort(glyphs.origins[at, 1], kind="stable")]
    bases, sizes = glyphs.origins[at, 1], glyphs.size[at]
    tallest, num_tests = float(sizes.max()), 0
    for left, right, height, thickness in _thin_lines(glyphs, at, painting):
        near = slice(*np.searchsorted(bases, (height - tallest, height + tallest)).tolist())
        num_tests += near.stop - near.start
        if num_tests > _MOST_TESTS:
            break
        rows, rise, size = at[near], height - bases[near], sizes[near]
        through = np.sort(
            rows[
                (rise > _LOWEST * size)
                & (rise < _HIGHEST * size)
                & (thickness < _THICKEST * size)
                & (middle[rows] > left)
                & (middle[rows] < right)
            ]
        )
        if not len(through):
            continue
        begin, end = float(glyphs.boxes[through, 0].min()), float(glyphs.boxes[through, 2].max())
        largest = float(glyphs.size[through].max())
        beyond = max(0.0, begin - left) + max(0.0, right - end)
        if beyond > (_SLACK if len(through) > 1 else _LETTER_SLACK) * largest:
            continue
        is_whole = max(left - begin, end - right) < _SHORT * largest
        if is_whole or _has_words_beside(glyphs, rows[np.abs(rise) < largest], through):
            struck[through] = True
    return struck


def _has_words_beside(glyphs: Glyphs, at: NDArray[np.int64], through: NDArray[np.int64]) -> bool:
    """True if letters stand before or after some characters, on their line."""
    begin, end = glyphs.boxes[through, 0].min(), glyphs.boxes[through, 2].max()
    size, base = glyphs.size[through].max(), glyphs.origins[through[0], 1]
    beside = at[np.abs(glyphs.origins[at, 1] - base) < 0.1 * size]
    gap = np.maximum(begin - glyphs.boxes[beside, 2], glyphs.boxes[beside, 0] - end)
    codes = glyphs.codes[beside[(gap > -0.1 * size) & (gap < 1.5 * size)]].tolist()
    return any(chr(code).isalpha() for code in codes if code < 0x110000)


def _thin_lines(
    glyphs: Glyphs, at: NDArray[np.int64], painting: Painting
) -> list[tuple[float, float, float, float]]:
    """Left, right, height and thickness of the visible lines that run through the text."""
    if not painting.strips:
        return []
    boxes = np.array([strip.box for strip in painting.strips])
    left, bottom, right, top = boxes.T
    heights = 0.5 * (bottom + top)
    size, base = glyphs.size[at], glyphs.origins[at, 1]
    low = np.round((base + _LOWEST * size) * _STEPS).astype(np.int64)
    reach = np.minimum(np.round((_HIGHEST - _LOWEST) * size * _STEPS).astype(np.int64), _MOST_STEPS)
    bands = np.unique(low * (_MOST_STEPS + 1) + reach)  # few: those of a line are one
    low, reach = bands // (_MOST_STEPS + 1) / _STEPS, bands % (_MOST_STEPS + 1) / _STEPS
    first = np.searchsorted(low, heights - reach.max())
    end = np.searchsorted(low, heights)
    is_flat = (right - left > _FEWEST_POINTS) & (right - left > 2 * (top - bottom)) & (end > first)
    lines: list[tuple[float, float, float, float]] = []
    for index in np.flatnonzero(is_flat).tolist():
        near = slice(first[index], end[index])
        if not (low[near] + reach[near] > heights[index]).any():
            continue
        if len(lines) >= _MOST_LINES:
            break
        if _is_seen(painting.strips[index].address):
            thickness = float(top[index] - bottom[index])
            lines.append(
                (float(left[index]), float(right[index]), float(heights[index]), thickness)
            )
    return lines


def _is_seen(address: int) -> bool:
    """True if a thin shape is dark enough."""
    if native.type_of_object(address) != pdfium.FPDF_PAGEOBJ_PATH:
        return False
    mode, stroke = ctypes.c_int(), ctypes.c_int()
    path = ctypes.cast(address, pdfium.FPDF_PAGEOBJECT)
    pdfium.FPDFPath_GetDrawMode(path, mode, stroke)
    colours = [native.colours_of([address])[0]] if mode.value else []
    colours += [native.colours_of([address], stroke=True)[0]] if stroke.value else []
    return any(colour[3] > 0 and colour[:3].min() <= _PALEST for colour in colours)


def _find_annotations(page: Any) -> list[Box]:
    """The boxes that annotations strike out."""
    boxes = []
    points = pdfium.FS_QUADPOINTSF()
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MOST_NOTES)):
        note = pdfium.FPDFPage_GetAnnot(page, index)
        is_seen = not pdfium.FPDFAnnot_GetFlags(note) & NOT_SEEN
        if is_seen and pdfium.FPDFAnnot_GetSubtype(note) == pdfium.FPDF_ANNOT_STRIKEOUT:
            for place in range(min(pdfium.FPDFAnnot_CountAttachmentPoints(note), _MOST_NOTES)):
                if pdfium.FPDFAnnot_GetAttachmentPoints(note, place, points):
                    xs = points.x1, points.x2, points.x3, points.x4
                    ys = points.y1, points.y2, points.y3, points.y4
                    boxes.append((min(xs), min(ys), max(xs), max(ys)))
        pdfium.FPDFPage_CloseAnnot(note)
    return boxes[:_MOST_NOTES]
