"""Text in a frame beside the running text, which would cut through its lines.

Letters: W words.
"""

import numpy as np
from numpy.typing import NDArray

from core.documents.readers.pdf_layout.sheet import Shape, Sheet, Words

_SMALLEST = 30.0  # points wide
_LARGEST_SHARE = 0.4  # of the page
_MOST_FRAMES = 100  # more of them are a drawing
_SAME = 3.0  # points: edges nearer than this are one frame's, or neighbouring cells'


def part_boxes(sheet: Sheet) -> tuple[Sheet, list[Words]]:
    """Takes the words in frames out of a page.

    Args:
        sheet: The page.

    Returns:
        The page without them, and the words of each frame. A frame counts only if text runs
        beside it: others part nothing, and frames that touch are cells of a table.
    """
    inside = [_inside(frame, sheet.words) for frame in _frames(sheet)]
    boxes = [mask for mask in inside if mask.any() and _has_neighbours(mask, sheet.words)]
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
    """[W] whether a word stands wholly in a frame."""
    across: NDArray[np.bool_] = (words.x0 > frame.x0) & (words.x1 < frame.x1)
    return across & (words.top > frame.y0 - 1) & (words.bottom < frame.y1 + 1)


def _has_neighbours(mask: NDArray[np.bool_], words: Words) -> bool:
    """Whether other words stand on the rows of those in a frame."""
    high, low = words.top[mask].min(), words.bottom[mask].max()
    middle = 0.5 * (words.top + words.bottom)
    return bool((~mask & (middle > high) & (middle < low)).any())
