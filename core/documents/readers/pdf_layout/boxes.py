"""Text in a frame beside the running text, which would cut through its lines.

Letters: W words.
"""

import numpy as np
from numpy.typing import NDArray

from core.documents.readers.pdf_layout.sheet import Shape, Sheet, Words

_SMALLEST = 30.0  # points wide
_LARGEST_SHARE = 0.4  # of the page
_MOST_FRAMES = 100  # more of them are a drawing
_SLACK = 1.0  # points by which words may stand out of their frame
_NEXT_WORD = 0.8  # in type sizes, from word to word of a line at most
_ROW = 0.2  # in type sizes, from baseline to baseline of one line at most
_SAME = 3.0  # points: edges nearer than this are one frame's, or neighbouring cells'


def part_boxes(sheet: Sheet) -> tuple[Sheet, list[Words]]:
    """Takes the words in frames out of a page.

    Args:
        sheet: The page.

    Returns:
        The page without them, and the words of each frame. A frame counts only if text runs
        beside it: others part nothing, and frames that touch are cells of a table. One through
        whose edge a line runs is only the ground of its text.
    """
    inside = [_inside(frame, sheet.words) for frame in _frames(sheet)]
    boxes = [
        mask
        for mask in inside
        if mask.any() and _has_neighbours(mask, sheet.words) and not _cuts_a_line(mask, sheet.words)
    ]
    if not boxes:
        return sheet, []
    rest = ~np.logical_or.reduce(boxes)
    return sheet.with_words(sheet.words.take(rest)), [sheet.words.take(mask) for mask in boxes]


def _frames(sheet: Sheet) -> list[Shape]:
    """Closed shapes as large as a few words, that touch no other; of double ones the first."""
    page = sheet.width * sheet.height
    shapes = [
        shape
        for shape in sheet.shapes
        if shape.kind == "drawing"
        and shape.x1 - shape.x0 > _SMALLEST
        and shape.area < _LARGEST_SHARE * page
    ]
    if len(shapes) > _MOST_FRAMES:
        return []
    single = [
        shape for i, shape in enumerate(shapes) if not any(_is_same(shape, b) for b in shapes[:i])
    ]
    return [
        shape
        for shape in single
        if not any(_touches(shape, other) for other in single if other is not shape)
    ]


def _edges(shape: Shape) -> tuple[float, float, float, float]:
    return shape.x0, shape.y0, shape.x1, shape.y1


def _is_same(a: Shape, b: Shape) -> bool:
    return all(abs(x - y) < _SAME for x, y in zip(_edges(a), _edges(b), strict=True))


def _touches(a: Shape, b: Shape) -> bool:
    across = a.x0 - _SAME < b.x1 and b.x0 < a.x1 + _SAME
    return across and a.y0 - _SAME < b.y1 and b.y0 < a.y1 + _SAME


def _inside(frame: Shape, words: Words) -> NDArray[np.bool_]:
    """[W] whether a word stands wholly in a frame, or at its very edge."""
    across: NDArray[np.bool_] = (words.x0 > frame.x0 - _SLACK) & (words.x1 < frame.x1 + _SLACK)
    return across & (words.top > frame.y0 - _SLACK) & (words.bottom < frame.y1 + _SLACK)


def _has_neighbours(mask: NDArray[np.bool_], words: Words) -> bool:
    """Whether other words stand on the rows of those in a frame."""
    high, low = words.top[mask].min(), words.bottom[mask].max()
    middle = 0.5 * (words.top + words.bottom)
    return bool((~mask & (middle > high) & (middle < low)).any())


def _cuts_a_line(mask: NDArray[np.bool_], words: Words) -> bool:
    """Whether a word outside of a frame is the next one to a word inside."""
    by_base = np.argsort(words.base, kind="stable")
    row = np.empty(len(words), np.int64)
    row[by_base] = np.cumsum(
        np.diff(words.base[by_base], prepend=-1e9) > _ROW * words.size[by_base]
    )
    order = np.lexsort((words.x0, row))
    before, after = order[:-1], order[1:]
    parted = (row[before] == row[after]) & (mask[before] != mask[after])
    near = words.x0[after] - words.x1[before] < _NEXT_WORD * words.size[after]
    return bool((parted & near).any())
