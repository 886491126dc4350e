"""Text that is drawn over other text of a page: copies of it, and watermarks.

Letters: C characters.
"""

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from core.documents.readers.pdf_layout import native
from core.documents.readers.pdf_layout.glyphs import Glyphs
from core.documents.readers.pdf_layout.painting import Box

_SAME_HEIGHT = 0.2  # of the type size: a copy is no further up or down
_SAME_PLACE = 0.6  # of a letter's width: the next letter is further away
_FARTHEST = 0.2  # of the type size: a copy is no further to the side
_SAME_SIZE = 0.02  # of the type size
_STEPS = 8  # to a point
_PLACE_BITS = 18
_PLACE_MASK = (1 << _PLACE_BITS) - 1
_CELL = 2.0  # points
_MOST_CELLS = 1000  # of a page, each way
_FEWEST_LETTERS = 3  # of a watermark, and of the text that it crosses
_CROSSING = 0.3  # share of a watermark's letters that stand over others
_PALE = 64  # of 255: a watermark is so much lighter than the text that it crosses
_LARGE = 1.6  # times the size of that text, where it has its colour
_MOST_LINES = 200  # that may be watermarks
_CAPITALS = 0.7  # of the type size, from the baseline up
_MIDDLE = 0.25  # of the type size, from the baseline to the middle of small letters
_BAND = np.array((0.0, _MIDDLE, 0.5))  # of the type size, from the baseline up
_COVERED = 0.5  # share of a recognised word's letters
_WHITE = 255.0


def find_copies(
    glyphs: Glyphs, visible: NDArray[np.bool_], recognised: NDArray[np.bool_], box: Box
) -> NDArray[np.bool_]:
    """Finds the letters that repeat others at their place.

    Args:
        glyphs: All characters of the page.
        visible: [C] True for those that are read.
        recognised: [C] True for those of them that were recognised in a picture.
        box: Of the page.

    Returns:
        [C] True for letters that were drawn before, and for recognised words over real ones.
    """
    copies = np.zeros(len(glyphs.codes), bool)
    at = np.flatnonzero(visible & ~recognised)
    copies[at] = _drawn_before(glyphs, at)
    if recognised.any():
        _mark_covered(glyphs, visible & ~recognised, recognised, copies, box)
    return copies


def _drawn_before(glyphs: Glyphs, at: NDArray[np.int64]) -> NDArray[np.bool_]:
    """[at] True for letters that another text object has drawn at the same place before."""
    size = glyphs.size[at]
    across = np.round(glyphs.origins[at, 0] * _STEPS).astype(np.int64) & _PLACE_MASK
    up = glyphs.origins[at, 1] / (_SAME_HEIGHT * np.maximum(size, 0.1))
    codes = glyphs.codes[at].astype(np.int64) << (2 * _PLACE_BITS)
    boxes = glyphs.boxes[at]
    width = np.minimum(np.abs(boxes[:, 2] - boxes[:, 0]), np.abs(boxes[:, 1] - boxes[:, 3]))
    reach = np.minimum(_SAME_PLACE * width, _FARTHEST * size) * _STEPS
    repeated = np.zeros(len(at), bool)
    for shift in (0.0, 0.5):  # near ones share a row of one raster
        rows = np.floor(up + shift).astype(np.int64) & _PLACE_MASK
        keys = codes | rows << _PLACE_BITS | across
        order = np.argsort(keys)
        one, other = order[:-1], order[1:]
        near = keys[other] - keys[one] < reach[one]
        if not near.any():
            continue
        near &= np.abs(size[one] - size[other]) < _SAME_SIZE * size[one]
        starts = np.concatenate(([0], np.flatnonzero(~near) + 1))
        lengths = np.diff(starts, append=len(order))
        first = np.repeat(np.minimum.reduceat(order, starts), lengths)
        repeated[order] |= glyphs.objects[at[order]] != glyphs.objects[at[first]]
    return repeated


def _mark_covered(
    glyphs: Glyphs,
    real: NDArray[np.bool_],
    recognised: NDArray[np.bool_],
    copies: NDArray[np.bool_],
    box: Box,
) -> None:
    """Marks the recognised words that stand over real ones, or over other recognised ones."""
    left, bottom, right, top = box
    cell = max(_CELL, (right - left) / _MOST_CELLS, (top - bottom) / _MOST_CELLS)
    shape = int((right - left) / cell) + 2, int((top - bottom) / cell) + 2
    taken = np.zeros(shape, bool)
    columns = ((glyphs.boxes[:, [0, 2]] - left) / cell).astype(int) + np.array((0, 1))
    columns = np.clip(columns, 0, shape[0])
    heights = glyphs.origins[:, 1:] + _BAND * glyphs.size[:, None]
    rows = np.clip(((heights - bottom) / cell).astype(int), 0, shape[1] - 1)

    def fill(at: NDArray[np.int64]) -> None:
        places = zip(*columns[at].T.tolist(), *rows[at].T.tolist(), strict=True)
        for start, end, low, _, high in places:
            taken[start:end, low : high + 1] = True

    fill(np.flatnonzero(real))
    at = np.flatnonzero(recognised)
    centres = np.clip(columns.sum(axis=1) // 2, 0, shape[0] - 1)
    for word in np.split(at, np.flatnonzero(np.diff(at) > 1) + 1):
        if taken[centres[word], rows[word, 1]].mean() > _COVERED:
            copies[word] = True
        else:
            fill(word)


def find_watermarks(glyphs: Glyphs, visible: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Finds lines that are drawn across other text, paler or much larger than that.

    Args:
        glyphs: All characters of the page.
        visible: [C] True for those that are read.

    Returns:
        [C] True for the letters of watermarks.
    """
    marks = np.zeros(len(glyphs.codes), bool)
    at = np.flatnonzero(visible & (glyphs.angle == 0) & (glyphs.objects > 0))
    if not len(at):
        return marks
    size, objects = glyphs.size[at], glyphs.objects[at]
    firsts = np.flatnonzero(np.diff(objects, prepend=np.uint64(0)))
    shade = np.repeat(_shades(objects[firsts].tolist()), np.diff(firsts, append=len(at)))
    may_be = (shade > np.median(shade) + _PALE) | (size > _LARGE * np.median(size))
    if not may_be.any():
        return marks
    found: set[tuple[str, int, int]] = set()
    by_text: dict[tuple[str, int, int], list[NDArray[np.int64]]] = defaultdict(list)
    for line in _split_by_style(glyphs, at, shade, np.flatnonzero(may_be)):
        text = _decode(glyphs.codes[at[line]])
        key = text, round(float(shade[line[0]])), round(4 * float(size[line[0]]))
        by_text[key].append(at[line])
        is_long = sum(map(str.isalpha, text)) >= _FEWEST_LETTERS
        if is_long and key not in found and _crosses(glyphs, at, shade, line):
            found.add(key)
    for key in found:  # the same words elsewhere on the page may cross nothing
        marks[np.concatenate(by_text[key])] = True
    return marks


def _shades(objects: list[int]) -> NDArray[np.float64]:
    """[objects] how light text objects are on white paper, to 255."""
    colours = native.colours_of(objects).astype(np.float64)
    opacity = colours[:, 3] / _WHITE
    shades: NDArray[np.float64] = _WHITE - (_WHITE - colours[:, :3].mean(axis=1)) * opacity
    return shades


def _split_by_style(
    glyphs: Glyphs,
    at: NDArray[np.int64],
    shade: NDArray[np.float64],
    which: NDArray[np.int64],
) -> list[NDArray[np.int64]]:
    """Places in `at` of the letters of each line in one colour and size; the longest lines."""
    own = at[which]
    style = (np.round(shade[which]), np.round(4 * glyphs.size[own]), glyphs.origins[own, 1].round())
    order = np.lexsort((glyphs.boxes[own, 0], *style))
    changes = np.any([np.diff(values[order]) != 0 for values in style], axis=0)
    lines = np.split(which[order], np.flatnonzero(changes) + 1)
    return sorted(lines, key=len, reverse=True)[:_MOST_LINES]


def _crosses(
    glyphs: Glyphs, at: NDArray[np.int64], shade: NDArray[np.float64], line: NDArray[np.int64]
) -> bool:
    """True if letters stand over those of darker or smaller text."""
    size, own_size = glyphs.size[at], float(glyphs.size[at[line[0]]])
    height = glyphs.origins[at, 1] + _MIDDLE * size - float(glyphs.origins[at[line[0]], 1])
    others = (shade < shade[line[0]] - _PALE) | (size * _LARGE < own_size)
    others &= (height > 0) & (height < _CAPITALS * own_size)
    x = glyphs.boxes[at[others]][:, [0, 2]].mean(axis=1)
    left, right = glyphs.boxes[at[line]][:, [0, 2]].T
    under = np.searchsorted(left, x) - 1
    crossed = (under >= 0) & (x < right[under])
    num_crossing = len(np.unique(under[crossed]))
    return int(crossed.sum()) >= _FEWEST_LETTERS and num_crossing >= _CROSSING * len(line)


def _decode(codes: NDArray[np.uint32]) -> str:
    return "".join(chr(code) if code < 0x110000 else "\ufffd" for code in codes.tolist())
