"""Chinese and Japanese that is set from top to bottom, its columns from right to left.

Such a page is read as one that is turned by a quarter, since its columns are lines then.

Letters: C characters.
"""

from dataclasses import fields, replace

import numpy as np
from numpy.typing import NDArray

from core.documents.readers.pdf_layout.glyphs import Glyphs
from core.documents.readers.pdf_layout.sheet import Words

_FIRST, _LAST = 0x2E80, 0x9FFF
_MORE = ((0xF900, 0xFAFF), (0xFE10, 0xFE4F), (0xFF00, 0xFFEF), (0x20000, 0x3FFFF))
_ASIDE = 0.3  # of the type size: letters of a column are no further to the side
_STEPS = (0.5, 2.0)  # of the type size, from letter to letter
_DOWN = 270  # degrees: the direction of a column
_FEWEST = 4  # letters one below the other


def turn_columns(glyphs: Glyphs, drawn: NDArray[np.bool_]) -> Glyphs:
    """Turns the columns of a page that is set from top to bottom.

    Args:
        glyphs: All characters of the page.
        drawn: [C] True for those that are no white space.

    Returns:
        The characters; those of columns are written downwards. All are as they were where fewer
        letters follow each other downwards than to the right.
    """
    is_script = drawn & (glyphs.angle == 0) & _is_script(glyphs.codes)
    if np.count_nonzero(is_script) < _FEWEST:
        return glyphs
    at = np.flatnonzero(drawn & (glyphs.angle == 0))
    size, (x, y) = glyphs.size[at], glyphs.origins[at].T.copy()
    both = is_script[at[:-1]] & is_script[at[1:]]
    step = (y[:-1] - y[1:]) / size[:-1]
    is_below = both & (np.abs(np.diff(x)) < _ASIDE * size[:-1])
    is_below &= (step > _STEPS[0]) & (step < _STEPS[1])
    is_beside = both & (np.abs(step) < _ASIDE) & (np.diff(x) > 0)
    if is_below.sum() < max(_FEWEST - 1, is_beside.sum() + 1):
        return glyphs
    in_column = np.zeros(len(at), bool)
    in_column[:-1] |= is_below
    in_column[1:] |= is_below
    origins = glyphs.origins.copy()
    _take_in_numbers(x, y, size, in_column)
    origins[at, 0] = x
    angle = glyphs.angle.copy()
    angle[at[in_column]] = _DOWN
    return replace(glyphs, angle=angle, origins=origins)


def set_above_and_below(
    columns: Words, rows: Words, height: float
) -> tuple[Words, float, NDArray[np.bool_]]:
    """Sets lines from left to right above or below the columns of a page turned by a quarter.

    Args:
        columns: The words of the columns, as lines.
        rows: The words of the lines, their baselines measured as the columns' edges are.
        height: Of the turned page.

    Returns:
        All words; how far the columns moved down; and a mask of the rows that are among them:
        single letters between columns are not.
    """
    first, last = columns.x0.min(initial=np.inf), columns.x1.max(initial=0.0)
    is_above = rows.base < first + 0.5 * rows.size
    is_outside = is_above | (rows.top > last - 0.5 * rows.size)
    is_line = is_outside | np.array([len(text) >= _FEWEST for text in rows.texts], bool)
    above, below = rows.take(is_line & is_above), rows.take(is_line & ~is_above)
    drop = float((above.bottom + above.size).max(initial=0.0))
    columns = replace(columns, base=columns.base + drop)
    base = below.base - below.top.min(initial=np.inf) + drop + height if len(below) else below.base
    parts = (above, columns, replace(below, base=base))
    words = Words(
        *(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(Words))
    )
    return replace(words, order=np.arange(len(words))), drop, is_line


def _is_script(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    found = (codes >= _FIRST) & (codes <= _LAST)
    for first, last in _MORE:
        found |= (codes >= first) & (codes <= last)
    return found


def _take_in_numbers(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    size: NDArray[np.float64],
    in_column: NDArray[np.bool_],
) -> None:
    """Adds to a column the numbers that are set across it, and single letters between others."""
    columns = np.flatnonzero(in_column)
    others = np.flatnonzero(~in_column)
    after = np.searchsorted(columns, others)
    inside = (after > 0) & (after < len(columns))
    others, after = others[inside], after[inside]
    before, behind = columns[after - 1], columns[after]
    is_one = np.abs(x[before] - x[behind]) < _ASIDE * size[before]
    is_one &= (y[others] < y[before]) & (y[others] > y[behind] - 0.5 * size[before])
    is_one &= np.abs(x[others] - x[before]) < size[before]
    x[others[is_one]] = x[before[is_one]]
    in_column[others[is_one]] = True
