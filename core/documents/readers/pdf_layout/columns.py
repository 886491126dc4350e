"""The order in which the columns of a page are read.

A *gutter* is a strip without text, at the left of which and at the right of which lines of text
run beside each other. A region is cut at its longest gutter: what is above it comes first, then
what is left of it, right of it, and below it; each part is cut again in the same way. Titles,
pictures and notes that span columns end a gutter, and so come in their place.

Letters: S segments (words of one line with usual gaps between them).
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.documents.readers.pdf_layout.sheet import Shape, Sheet, Words

_STRIP = 0.6  # width of a gutter at least, in type sizes
_FEWEST_LINES = 3  # at each side of a gutter
_ENOUGH_LINES = 7  # at each side of a gutter that is narrow, and not one of another part's
_BROAD = 1.4  # in type sizes: a gutter so wide is believed with the fewest lines
_ALIGNED = 0.4  # in type sizes: how far the left edges of a column's lines may differ
_FULL = 0.55  # share of a column's width that its lines cover on average, at least
_NARROWEST = 6.0  # column, in type sizes
_NOISE_CHARS = 3  # a lone scrap this short does not end a gutter


@dataclass(frozen=True)
class _Segments:
    """Runs of words on one line with usual gaps: [S] each."""

    x0: NDArray[np.float64]
    x1: NDArray[np.float64]
    top: NDArray[np.float64]
    bottom: NDArray[np.float64]
    row: NDArray[np.int64]
    num_words: NDArray[np.int64]
    num_chars: NDArray[np.int64]
    num_digits: NDArray[np.int64]

    def measures(self, which: NDArray[np.bool_]) -> tuple[int, float, float, float, float]:
        """Rows, width, share of it that is filled, words per row and share of digits."""
        rows = len(np.unique(self.row[which]))
        width = float(np.percentile(self.x1[which], 90) - self.x0[which].min())
        fill = float((self.x1 - self.x0)[which].sum()) / max(1e-6, rows * width)
        digits = float(self.num_digits[which].sum() / max(1, self.num_chars[which].sum()))
        return rows, width, fill, float(self.num_words[which].sum()) / max(1, rows), digits


@dataclass(frozen=True)
class _Gutter:
    left: float
    right: float
    top: float
    bottom: float
    lines: int = 0
    width: float = 0.0


def regions_of(sheet: Sheet) -> list[Words]:
    """The words of each column or spanning part of a page, in reading order."""
    walls = [shape for shape in sheet.shapes if _is_wall(shape, sheet)]
    return _cut(sheet.words, walls, ())


def _is_wall(shape: Shape, sheet: Sheet) -> bool:
    """Whether a shape that lies across a gutter ends it."""
    wide = shape.x1 - shape.x0 > 0.1 * sheet.width
    if shape.kind == "rule":
        return wide and shape.y1 - shape.y0 <= 3
    return shape.kind == "picture" and wide and shape.area < 0.5 * sheet.width * sheet.height


def _cut(words: Words, walls: list[Shape], known: tuple[float, ...]) -> list[Words]:
    """The regions of some words; gutters found in other parts of the page are known."""
    gutter = _longest_gutter(words, walls, known) if len(words) >= 12 else None
    if gutter is None:
        return [words] if len(words) else []
    known = (*known, gutter.right)
    middle = 0.5 * (words.top + words.bottom)
    above, below = middle < gutter.top, middle > gutter.bottom
    left = ~above & ~below & (0.5 * (words.x0 + words.x1) < gutter.right)
    parts = [above, left, ~above & ~below & ~left, below]
    return [region for part in parts for region in _cut(words.take(part), walls, known)]


def _longest_gutter(words: Words, walls: list[Shape], known: tuple[float, ...]) -> _Gutter | None:
    em = float(np.median(words.size))
    segments = _segments_of(words, em)
    gutters = [
        gutter
        for edge in _left_edges(segments, em)
        for gutter in _gutters_at(segments, walls, edge, em)
        if gutter.lines >= _ENOUGH_LINES
        or gutter.width >= _BROAD * em
        or any(abs(gutter.right - other) < em for other in known)
    ]
    return max(gutters, key=lambda gutter: gutter.lines, default=None)


def _segments_of(words: Words, em: float) -> _Segments:
    main = np.flatnonzero(~(words.glued & (words.size < 0.8 * em)))
    words = words.take(main)
    by_base = np.argsort(words.base, kind="stable")
    steps = np.diff(words.base[by_base], prepend=-1e9) > 0.2 * em
    row = np.empty(len(words), np.int64)
    row[by_base] = np.cumsum(steps)
    order = np.lexsort((words.x0, row))
    words, row = words.take(order), row[order]
    far = words.x0[1:] - words.x1[:-1] > _STRIP * np.minimum(words.size[1:], 1.5 * em)
    starts = np.flatnonzero(np.concatenate(([True], (np.diff(row) > 0) | far)))
    chars = np.array([len(text) for text in words.texts])
    digits = np.array([sum(map(str.isdigit, text)) for text in words.texts])
    return _Segments(
        words.x0[starts],
        np.maximum.reduceat(words.x1, starts),
        np.minimum.reduceat(words.top, starts),
        np.maximum.reduceat(words.bottom, starts),
        row[starts],
        np.diff(starts, append=len(words)),
        np.add.reduceat(chars, starts),
        np.add.reduceat(digits, starts),
    )


def _left_edges(segments: _Segments, em: float) -> list[float]:
    """Where at least a few segments begin one under the other."""
    xs = np.sort(segments.x0)
    groups = np.split(xs, np.flatnonzero(np.diff(xs) > _ALIGNED * em) + 1)
    return [float(group[0]) for group in groups[1:] if len(group) >= _FEWEST_LINES]


def _gutters_at(segments: _Segments, walls: list[Shape], edge: float, em: float) -> list[_Gutter]:
    """Gutters whose right side is at an edge."""
    left, right = edge - _STRIP * em, edge - 0.02 * em
    crosses = (segments.x0 < right) & (segments.x1 > left)
    crosses &= (segments.num_words > 1) | (segments.num_chars > _NOISE_CHARS)
    across = [wall for wall in walls if wall.x0 < left and wall.x1 > right]
    spans = [*zip(segments.top[crosses].tolist(), segments.bottom[crosses].tolist(), strict=True)]
    spans += [(wall.y0, wall.y1) for wall in across]
    found = []
    upper = -1e9
    for top, bottom in [*sorted(spans), (1e9, 1e9)]:
        if top > upper:
            begins = _below_last_line(segments, crosses, upper)
            gutter = _measured(_Gutter(left, right, begins, top), segments, em)
            if gutter.lines:
                found.append(gutter)
        upper = max(upper, bottom)
    return found


def _below_last_line(segments: _Segments, crosses: NDArray[np.bool_], upper: float) -> float:
    """Where columns begin under a spanning paragraph whose last line is too short to span."""
    above = np.flatnonzero(crosses & (np.abs(segments.bottom - upper) < 0.01))
    if not len(above):
        return upper
    edge, height = segments.x0[above].min(), upper - segments.top[above].min()
    next_ones = np.flatnonzero((segments.top >= upper - 0.2 * height) & ~crosses)
    near = next_ones[segments.top[next_ones] < upper + 0.4 * height]
    if len(near) != 1 or abs(segments.x0[near[0]] - edge) > 0.3 * height:
        return upper
    alike = abs(segments.bottom[near[0]] - segments.top[near[0]] - height) < 0.05 * height
    return float(segments.bottom[near[0]]) if alike else upper


def _measured(gutter: _Gutter, segments: _Segments, em: float) -> _Gutter:
    """A gutter with its width and with how many lines run at both sides of it.

    There are no such lines if what stands there are no columns of text.
    """
    middle = 0.5 * (segments.top + segments.bottom)
    inside = (middle > gutter.top) & (middle < gutter.bottom)
    is_right = 0.5 * (segments.x0 + segments.x1) > gutter.right
    left, right = inside & ~is_right, inside & is_right
    if left.sum() < _FEWEST_LINES or right.sum() < _FEWEST_LINES:
        return gutter
    lowest_start = max(middle[left].min(), middle[right].min())
    shared = min(middle[left].max(), middle[right].max()) - lowest_start
    sides = [segments.measures(left), segments.measures(right)]
    lines = min(side[0] for side in sides)
    if lines < _FEWEST_LINES or shared < 2 * em or not _are_columns(sides, em):
        return gutter
    width = float(gutter.right - segments.x1[left].max())
    return replace(gutter, lines=lines, width=width)


def _are_columns(sides: list[tuple[int, float, float, float, float]], em: float) -> bool:
    """Whether running text stands at both sides, or at one side beside something broad."""
    if any(width < _NARROWEST * em for _, width, _, _, _ in sides):
        return False
    texts = [fill >= _FULL and words >= 2.5 and digits < 0.3 for _, _, fill, words, digits in sides]
    if all(texts):
        return True
    text, other = (sides[0], sides[1]) if texts[0] else (sides[1], sides[0])
    return any(texts) and text[0] >= 6 and other[1] >= 0.6 * text[1]
