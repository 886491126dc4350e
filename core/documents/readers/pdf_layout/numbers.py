"""Numbers printed beside the lines of transcripts, patents and manuscripts, and over columns.

Letters: W words.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.documents.readers.pdf_layout.sheet import Sheet, Words

_TOLERANCE = 3.0  # points between numbers that stand one under the other
_FEWEST = 5  # numbers on a page where every line has one
_FEWEST_FIFTHS = 3  # where every fifth line has one
_MOST_ROWS_SHARE = 0.6  # of the lines of the page
_LEAST_STEP = 2.0  # points between the lines of a page
_UNEVEN = 0.15  # of the space between lines
_SCRAP_CHARS = 3
_SAME_ROW = 4.0  # points
_FEWEST_NUMBERED = 2  # pages with line numbers, for those of a short page to be known
_APART = 0.25  # of the page's width: how far apart the numbers of two columns stand at least


def line_numbers(sheet: Sheet) -> NDArray[np.bool_]:
    """Which words of a page are line numbers.

    Args:
        sheet: The page.

    Returns:
        [W] a mask.
    """
    words = sheet.words
    found = np.zeros(len(words), bool)
    values = np.array([_value(text) for text in words.texts], np.int64)
    numbers = np.flatnonzero(values >= 0)
    for edges in (words.x1, words.x0):
        for group in _aligned(numbers, edges):
            group = group[np.argsort(words.base[group], kind="stable")]
            if _counts_lines(values[group], group, words):
                found[group] = True
            elif _counts_fifths(values[group]) and _in_a_lane(group, words):
                found |= _scraps_beside(values[group], group, words)
    return found


def document_line_numbers(sheets: Sequence[Sheet]) -> list[NDArray[np.bool_]]:
    """Which words of each page are line numbers.

    A page of a few lines has too few numbers to tell by themselves; where other pages have them,
    those of a short page stand at the same place.

    Args:
        sheets: The pages.

    Returns:
        [W] a mask for each.
    """
    masks = [line_numbers(sheet) for sheet in sheets]
    edges = [
        (float(sheet.words.x0[mask].min()), float(sheet.words.x1[mask].max()))
        for sheet, mask in zip(sheets, masks, strict=True)
        if mask.any()
    ]
    if len(edges) < _FEWEST_NUMBERED:
        return masks
    lanes = sorted(set(edges))
    return [
        mask if mask.any() else _few_in_lanes(sheet.words, lanes)
        for sheet, mask in zip(sheets, masks, strict=True)
    ]


def _few_in_lanes(words: Words, lanes: Sequence[tuple[float, float]]) -> NDArray[np.bool_]:
    """[W] numbers from 1 on in one of some strips in which nothing else stands beside the text."""
    found = np.zeros(len(words), bool)
    for left, right in lanes:
        inside = (words.x1 > left) & (words.x0 < right)
        rows = np.flatnonzero(inside & _has_a_row_mate(words, inside))
        rows = rows[np.argsort(words.base[rows], kind="stable")]
        values = [_value(str(text)) for text in words.texts[rows]]
        fits = (words.x0[rows] > left - _TOLERANCE) & (words.x1[rows] < right + _TOLERANCE)
        if len(rows) and values == list(range(1, len(rows) + 1)) and fits.all():
            found[rows] = True
            return found
    return found


def _has_a_row_mate(words: Words, inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """[W] whether a word outside a strip stands on the same row."""
    others = np.sort(words.base[~inside])
    if not len(others):
        return np.zeros(len(words), bool)
    after = np.searchsorted(others, words.base - _SAME_ROW)
    nearest = others[np.minimum(after, len(others) - 1)]
    return np.asarray(np.abs(nearest - words.base) <= _SAME_ROW)


def column_numbers(sheet: Sheet) -> NDArray[np.bool_]:
    """Which words of a page number its two columns: "3" and "4", alone on a row above both.

    Args:
        sheet: The page.

    Returns:
        [W] a mask.
    """
    words = sheet.words
    found = np.zeros(len(words), bool)
    values = np.array([_value(text) for text in words.texts], np.int64)
    ordered = np.sort(words.base)
    in_row = np.searchsorted(ordered, words.base + _SAME_ROW, side="left") - np.searchsorted(
        ordered, words.base - _SAME_ROW, side="right"
    )
    for index in np.flatnonzero((values > 0) & (values % 2 == 1) & (in_row == 2)):
        row = np.flatnonzero(np.abs(words.base - words.base[index]) < _SAME_ROW)
        other = row[row != index][0]
        if values[other] != values[index] + 1:
            continue
        below = words.x0[words.base > words.base[row].max() + _SAME_ROW]
        apart = words.x0[other] - words.x1[index] > _APART * sheet.width
        found[row] = apart and (below < words.x0[index]).any() and (below > words.x0[other]).any()
    return found


def _value(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else -1


def _aligned(numbers: NDArray[np.int64], edges: NDArray[np.float64]) -> list[NDArray[np.int64]]:
    order = numbers[np.argsort(edges[numbers], kind="stable")]
    return np.split(order, np.flatnonzero(np.diff(edges[order]) > _TOLERANCE) + 1)


def _counts_lines(values: NDArray[np.int64], group: NDArray[np.int64], words: Words) -> bool:
    """Whether numbers go up by one and stand alone at one side of most lines of the page."""
    if len(group) < _FEWEST:
        return False
    num_lines = _lines_counted(values, group, words)
    if np.mean(np.diff(values) == 1) >= 0.8:
        num_lines = max(num_lines, len(group))
    num_rows = 1 + int((np.diff(np.sort(words.base)) > _LEAST_STEP).sum())
    others = np.delete(np.arange(len(words)), group)
    before = np.mean(words.x0[others] < words.x1[group].max()) if len(others) else 0.0
    behind = np.mean(words.x1[others] > words.x0[group].min()) if len(others) else 0.0
    return bool(min(before, behind) < 0.02 and num_lines >= _MOST_ROWS_SHARE * num_rows)


def _lines_counted(values: NDArray[np.int64], group: NDArray[np.int64], words: Words) -> int:
    """How many lines numbers count that rise by one a line, though recognition missed some of them;
    0 if they do not."""
    base, rises = words.base[group], np.diff(values)
    if (rises <= 0).any() or _counts_fifths(values):
        return 0
    steps = np.diff(base) / rises
    step = float(np.median(steps))
    if step < float(np.median(words.size)) or (np.abs(steps - step) > _UNEVEN * step).any():
        return 0
    from_one = base[0] - (values[0] - 1) * step > words.base.min() - 0.5 * step
    return int(values[-1] if from_one else np.ptp(values) + 1)


def _counts_fifths(values: NDArray[np.int64]) -> bool:
    rising = bool((np.diff(values) > 0).all())
    return len(values) >= _FEWEST_FIFTHS and rising and bool((values % 5 == 0).all())


def _in_a_lane(group: NDArray[np.int64], words: Words) -> bool:
    """Whether nearly nothing but these numbers stands in their strip of the page."""
    left, right = words.x0[group].min(), words.x1[group].max()
    high, low = words.base[group].min(), words.base[group].max()
    inside = (words.x0 < right) & (words.x1 > left) & (words.base > high) & (words.base < low)
    long = np.array([len(text) > _SCRAP_CHARS for text in words.texts])
    em = float(np.median(words.size))
    return bool((inside & long).sum() <= 0.05 * (low - high) / em) and low - high > 10 * em


def _scraps_beside(
    values: NDArray[np.int64], group: NDArray[np.int64], words: Words
) -> NDArray[np.bool_]:
    """[W] the numbers of a lane, and what recognition made of the others from line 1 on."""
    left, right = words.x0[group].min() - 1.5, words.x1[group].max() + 1.5
    high, low = words.base[group[0]], words.base[group[-1]]
    step = (low - high) / (values[-1] - values[0])
    short = np.array([len(text) <= _SCRAP_CHARS for text in words.texts])
    beside: NDArray[np.bool_] = short & (words.x0 >= left) & (words.x1 <= right)
    beside &= (words.base > high - values[0] * step) & (words.base < low + 5 * step)
    return beside
