"""The order in which the columns of a page are read.

A *gutter* is a strip without text, at the left of which and at the right of which lines of text
run beside each other. A region is cut at its longest gutter: what is above it comes first, then
what is left of it, right of it, and below it; each part is cut again in the same way. Titles,
pictures and notes that span columns end a gutter, and so come in their place.

Letters: S segments (words of one line with usual gaps between them).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.documents.readers.pdf_layout.sheet import Shape, Sheet, Words

_STRIP = 0.6  # width of a gutter at least, in type sizes
_FEWEST_LINES = 3  # at each side of a gutter
_ENOUGH_LINES = 7  # at each side of a gutter that is narrow, and not one of another part's
_FEWEST_KNOWN = 4  # at both sides together of a gutter that is known from other pages
_PLAIN_SIZE = 1.3  # in type sizes of the part: larger lines are no column's rest
_FEWEST_WORDS = 12  # in two columns
_MONO_STRIP = 1.3  # where a space is 0.6 wide, and a sentence may end in two
_CLEARANCE = 0.02  # in type sizes: between a gutter and the letters right of it
_BROAD = 1.4  # in type sizes: a gutter so wide is believed with the fewest lines
_ALIGNED = 0.4  # in type sizes: how far the left edges of a column's lines may differ
_FULL = 0.55  # share of a column's width that its lines cover on average, at least
_NARROWEST = 6.0  # column, in type sizes
_MOST_EDGES = 64  # of a part; those at which most lines begin
_CELL_LINES = 1.5  # of the tallest cell of a row, on average
_MOST_CELLS = 0.7  # share of rows that stand as those of a table do
_FIRST_UNSPACED = "\u2e80"
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
    order: NDArray[np.int64]

    def measures(self, which: NDArray[np.bool_]) -> tuple[int, float, float, float, float]:
        """Rows, width, share of it that is filled, words per row and share of digits."""
        rows = len(set(self.row[which].tolist()))
        width = _percentile(self.x1[which], 0.9) - float(self.x0[which].min())
        fill = float((self.x1 - self.x0)[which].sum()) / max(1e-6, rows * width)
        digits = float(self.num_digits[which].sum() / max(1, self.num_chars[which].sum()))
        return rows, width, fill, float(self.num_words[which].sum()) / max(1, rows), digits


def _percentile(values: NDArray[np.float64], share: float) -> float:
    """As `np.percentile`, to the bit, which takes fifty times as long for a few numbers."""
    ordered: list[float] = np.sort(values).tolist()
    place = (len(ordered) - 1) * share
    low, high = ordered[int(place)], ordered[min(int(place) + 1, len(ordered) - 1)]
    rest = place - int(place)
    return low + (high - low) * rest if rest < 0.5 else high - (high - low) * (1 - rest)


@dataclass(frozen=True)
class _Gutter:
    left: float
    right: float
    top: float
    bottom: float
    lines: int = 0
    width: float = 0.0


class Gutters:
    """Remembers where a document's columns begin, for pages on which only a few lines tell."""

    def __init__(self) -> None:
        self._edges: list[float] = []

    def regions_of(self, sheet: Sheet) -> list[Words]:
        """The words of each column or spanning part of a page, in reading order."""
        walls = [shape for shape in sheet.shapes if _is_wall(shape, sheet)]
        found: list[_Gutter] = []
        regions = _cut(sheet.words, walls, tuple(self._edges), found)
        em = float(np.median(sheet.words.size)) if found else 0.0
        for gutter in found:
            is_new = not _is_near(gutter.right, self._edges, 0.5 * em)
            if gutter.lines >= _ENOUGH_LINES and is_new and len(self._edges) < _MOST_EDGES:
                self._edges.append(gutter.right)
        return regions


def _is_near(edge: float, others: Iterable[float], distance: float) -> bool:
    return any(abs(edge - other) < distance for other in others)


def _is_wall(shape: Shape, sheet: Sheet) -> bool:
    """Whether a shape that lies across a gutter ends it."""
    wide = shape.x1 - shape.x0 > 0.1 * sheet.width
    if shape.kind == "rule":
        return wide and shape.y1 - shape.y0 <= 3
    return shape.kind == "picture" and wide and shape.area < 0.5 * sheet.width * sheet.height


def _cut(
    words: Words, walls: list[Shape], known: tuple[float, ...], found: list[_Gutter]
) -> list[Words]:
    """The regions of some words; gutters found in other parts and on other pages are known."""
    gutter = _longest_gutter(words, walls, known) if len(words) >= _FEWEST_WORDS else None
    if gutter is None:
        return [words] if len(words) else []
    found.append(gutter)
    known = (*known, gutter.right)
    middle = 0.5 * (words.top + words.bottom)
    above, below = middle < gutter.top, middle > gutter.bottom
    left = ~above & ~below & (0.5 * (words.x0 + words.x1) < gutter.right)
    parts = [above, left, ~above & ~below & ~left, below]
    return [region for part in parts for region in _cut(words.take(part), walls, known, found)]


def _longest_gutter(words: Words, walls: list[Shape], known: tuple[float, ...]) -> _Gutter | None:
    em = float(np.median(words.size))
    segments = _segments_of(words, em)
    edges = _left_edges(segments, em)
    edges += [edge + _CLEARANCE * em for edge in known if not _is_near(edge, edges, 0.5 * em)]
    gutters = [
        gutter
        for edge in edges
        for gutter in _gutters_at(segments, walls, edge, em, _is_near(edge, known, em))
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
    strip = np.where(words.mono & ~words.hidden, _MONO_STRIP, _STRIP)
    far = words.x0[1:] - words.x1[:-1] > (strip * np.minimum(words.size, 3 * em))[1:]
    starts = np.flatnonzero(np.concatenate(([True], (np.diff(row) > 0) | far)))
    chars = np.array([len(text) for text in words.texts])
    digits = np.array(
        [0 if text.isalpha() else sum(map(str.isdigit, text)) for text in words.texts]
    )
    counts = np.array([1 if text.isascii() else _num_words(text) for text in words.texts])
    return _Segments(
        words.x0[starts],
        np.maximum.reduceat(words.x1, starts),
        np.minimum.reduceat(words.top, starts),
        np.maximum.reduceat(words.bottom, starts),
        row[starts],
        np.add.reduceat(counts, starts),
        np.add.reduceat(chars, starts),
        np.add.reduceat(digits, starts),
        np.minimum.reduceat(words.order, starts),
    )


def _num_words(text: str) -> int:
    """Number of words in a piece without spaces: Chinese and Japanese have none."""
    return max(1, sum(char >= _FIRST_UNSPACED for char in text) // 2)


def _left_edges(segments: _Segments, em: float) -> list[float]:
    """Where at least a few segments begin one under the other."""
    xs = np.sort(segments.x0)
    groups = np.split(xs, np.flatnonzero(np.diff(xs) > _ALIGNED * em) + 1)
    strong = [group for group in groups[1:] if len(group) >= _FEWEST_LINES]
    strongest = sorted(strong, key=len, reverse=True)[:_MOST_EDGES]
    return sorted(float(group[0]) for group in strongest)


def _gutters_at(
    segments: _Segments, walls: list[Shape], edge: float, em: float, is_known: bool
) -> list[_Gutter]:
    """Gutters whose right side is at an edge; a known one needs fewer lines beside it."""
    left, right = edge - _STRIP * em, edge - _CLEARANCE * em
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
            gutter = _measured(_Gutter(left, right, begins, top), segments, em, is_known)
            if is_known or gutter.lines >= _ENOUGH_LINES or gutter.width >= _BROAD * em:
                found.append(gutter)
        upper = max(upper, bottom)
    return [gutter for gutter in found if gutter.lines]


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


def _measured(gutter: _Gutter, segments: _Segments, em: float, is_known: bool) -> _Gutter:
    """A gutter with its width and with how many lines run at both sides of it.

    There are no such lines if what stands there are no columns of text.
    """
    middle = 0.5 * (segments.top + segments.bottom)
    inside = (middle > gutter.top) & (middle < gutter.bottom)
    is_right = 0.5 * (segments.x0 + segments.x1) > gutter.right
    left, right = inside & ~is_right, inside & is_right
    if not left.any() or not right.any() or _are_cells(segments, inside, is_right, em):
        return gutter
    sides = [segments.measures(left), segments.measures(right)]
    lines, most = sorted(side[0] for side in sides)
    if is_known and lines < _FEWEST_LINES:
        at_edge = segments.x0[right].min() < gutter.right + _ALIGNED * em
        wordy = min(side[3] for side in sides) >= 1.5
        plain = (segments.bottom - segments.top)[inside].max() < _PLAIN_SIZE * em
        enough = plain and at_edge and wordy and lines + most >= _FEWEST_KNOWN
        return replace(gutter, lines=lines) if enough else gutter
    lowest_start = max(middle[left].min(), middle[right].min())
    shared = min(middle[left].max(), middle[right].max()) - lowest_start
    if lines < _FEWEST_LINES or shared < 2 * em or not _are_columns(sides, em):
        return gutter
    width = float(gutter.right - segments.x1[left].max())
    return replace(gutter, lines=lines, width=width)


def _are_cells(
    segments: _Segments, inside: NDArray[np.bool_], is_right: NDArray[np.bool_], em: float
) -> bool:
    """Whether a page draws what stands at both sides in turn, as it draws the cells of a table.

    Each turn is at one height on both sides (at its top, middle or foot), stands below the one
    before it, and has several lines.
    """
    drawn = np.flatnonzero(inside)
    drawn = drawn[np.argsort(segments.order[drawn], kind="stable")]
    runs = np.split(drawn, np.flatnonzero(np.diff(is_right[drawn].astype(np.int8))) + 1)
    if is_right[runs[0][0]]:
        runs = runs[1:]
    rows = [(left, right) for left, right in zip(runs[::2], runs[1::2], strict=False)]
    if len(rows) < _FEWEST_LINES or len(runs) > 2 * len(rows) + 1:
        return False
    lines = sum(max(_num_rows(segments, side) for side in row) for row in rows)
    if lines < _CELL_LINES * len(rows):
        return False
    tops = np.array([[segments.top[side].min() for side in row] for row in rows])
    ends = np.array([[segments.bottom[side].max() for side in row] for row in rows])
    level = max(
        float((np.abs(np.diff(heights, axis=1)) < _ALIGNED * em).mean())
        for heights in (tops, tops + ends, ends)
    )
    below = tops.min(axis=1)[1:] > ends.max(axis=1)[:-1] - 0.5 * em
    return level > _MOST_CELLS and bool(below.mean() > _MOST_CELLS)


def _num_rows(segments: _Segments, which: NDArray[np.int64]) -> int:
    return len(np.unique(segments.row[which]))


def _are_columns(sides: list[tuple[int, float, float, float, float]], em: float) -> bool:
    """Whether running text stands at both sides, or at one side beside something broad."""
    if any(width < _NARROWEST * em for _, width, _, _, _ in sides):
        return False
    texts = [fill >= _FULL and words >= 2.5 and digits < 0.3 for _, _, fill, words, digits in sides]
    if all(texts):
        return True
    text, other = (sides[0], sides[1]) if texts[0] else (sides[1], sides[0])
    return any(texts) and text[0] >= 6 and other[1] >= 0.6 * text[1]
