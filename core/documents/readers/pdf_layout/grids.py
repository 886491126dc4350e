"""Ruled tables: cells between lines that are drawn, read cell by cell.

Letters: W words.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.documents.readers.pdf_layout.lines import Line, lines_of
from core.documents.readers.pdf_layout.sheet import Shape, Sheet, Words
from core.documents.readers.prose_tables import MOST_WORDS_CELL

_SAME = 2.0  # points: edges nearer than this are one
_THIN = 3.0  # points: a shape as thin as this is a rule
_SMALLEST = 6.0  # points: of a cell, both ways
_LARGEST_SHARE = 0.4  # of the page, of a cell
_MOST_EDGES = 12_000  # of a page; more are a drawing
_FEWEST = 2  # rows, and columns
_MOST_ROWS = 300
_MOST_COLUMNS = 40
_FILLED = 0.5  # share of rows that hold words in two cells at least
_SHORT_TAIL = 3  # letters
_SMALL_WORDS = frozenset(
    "a an as at be by de do el en et go he if in is it la le no of on or so to un up us we y o e"
    " and are but can der die for das the und".split()
)
_COVERED = 0.9  # share of a table's side that its outermost edges cover, at least
_COVERED_ACROSS = 0.5  # share that each edge between two rows covers
_COVERED_DOWN = 0.3  # share that each edge between two columns covers

_Edge = tuple[float, float, float]  # its place, and where it begins and ends


@dataclass(frozen=True)
class Grid:
    """A ruled table.

    Args:
        x0: Its left edge, as all lengths in points.
        y0: Its upper edge, y downwards.
        x1: Its right edge.
        y1: Its lower edge.
        regions: The lines of what is read one after the other: all rows of the table, or the
            lines of each of its cells where these hold running text.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    regions: list[list[Line]]


def part_grids(sheet: Sheet, vocabulary: frozenset[str]) -> tuple[Sheet, list[Grid]]:
    """Takes ruled tables out of a page.

    Args:
        sheet: The page.
        vocabulary: The words of the document in small letters, to know those that a narrow cell
            broke.

    Returns:
        The page without their words and rules, and the tables.
    """
    grids: list[Grid] = []
    for with_cells in (False, True):  # shaded cells may be smaller than the rules round them
        for across, down in _clusters(*_edges(sheet, with_cells=with_cells)):
            found = _grid_of(sheet, across, down, vocabulary)
            if found is None:
                continue
            grid, inside = found
            grids.append(grid)
            shapes = tuple(shape for shape in sheet.shapes if not _lies_in(shape, grid))
            sheet = replace(sheet, words=sheet.words.take(~inside), shapes=shapes)
    return sheet, grids


def with_grids(columns: list[list[Line]], grids: list[Grid]) -> list[list[Line]]:
    """The lines of each column, those of ruled tables where they stand."""
    for grid in sorted(grids, key=lambda each: each.y0):
        at, above, below = _place(columns, grid)
        if len(grid.regions) == 1:
            parts = [[*above, *grid.regions[0], *below]]
        else:
            parts = [above, *grid.regions, below]
        columns[at : at + 1] = [part for part in parts if part]
    return columns


def _place(columns: list[list[Line]], grid: Grid) -> tuple[int, list[Line], list[Line]]:
    """Which column a table stands in, and the lines of it above and below."""
    for at, column in reversed([*enumerate(columns)]):
        beside = any(line.x0 < grid.x1 and line.x1 > grid.x0 for line in column)
        above = [line for line in column if line.base <= grid.y0 + _SAME]
        if beside and above:
            return at, above, column[len(above) :]
    return 0, [], columns[0] if columns else []


def _lies_in(shape: Shape, grid: Grid) -> bool:
    across = shape.x0 > grid.x0 - _SAME and shape.x1 < grid.x1 + _SAME
    return across and shape.y0 > grid.y0 - _SAME and shape.y1 < grid.y1 + _SAME


def _edges(sheet: Sheet, *, with_cells: bool) -> tuple[list[_Edge], list[_Edge]]:
    """Edges across the page and down it: rules, and the sides of cells."""
    across: list[_Edge] = []
    down: list[_Edge] = []
    page = sheet.width * sheet.height
    for shape in sheet.shapes:
        width, height = shape.x1 - shape.x0, shape.y1 - shape.y0
        if shape.kind not in ("rule", "drawing"):
            continue
        if min(width, height) <= _THIN:
            middle = 0.5 * (shape.y0 + shape.y1), 0.5 * (shape.x0 + shape.x1)
            if width >= height:
                across.append((middle[0], shape.x0, shape.x1))
            else:
                down.append((middle[1], shape.y0, shape.y1))
        elif with_cells and min(width, height) > _SMALLEST and shape.area < _LARGEST_SHARE * page:
            across += [(shape.y0, shape.x0, shape.x1), (shape.y1, shape.x0, shape.x1)]
            down += [(shape.x0, shape.y0, shape.y1), (shape.x1, shape.y0, shape.y1)]
    return (across, down) if len(across) + len(down) <= _MOST_EDGES else ([], [])


def _clusters(across: list[_Edge], down: list[_Edge]) -> Iterable[tuple[list[_Edge], list[_Edge]]]:
    """Edges that hang together, those across and those down."""
    groups: list[tuple[float, list[_Edge], list[_Edge]]] = []  # with the lowest point
    pieces = [(y, y, edge, True) for edge in across for y in edge[:1]]
    pieces += [(edge[1], edge[2], edge, False) for edge in down]
    for top, bottom, edge, is_across in sorted(pieces, key=lambda piece: piece[0]):
        if not groups or top > groups[-1][0] + _SAME:
            groups.append((bottom, [], []))
        lowest, lines, posts = groups[-1]
        (lines if is_across else posts).append(edge)
        groups[-1] = max(lowest, bottom), lines, posts
    for _, lines, posts in groups:
        if len(lines) > _FEWEST and len(posts) > _FEWEST:
            yield lines, posts


def _places(edges: list[_Edge]) -> list[float]:
    """Where edges are, near ones taken together."""
    places: list[float] = []
    for place, _, _ in sorted(edges):
        if not places or place > places[-1] + _SMALLEST:
            places.append(place)
    return places


def _grid_of(
    sheet: Sheet, across: list[_Edge], down: list[_Edge], vocabulary: frozenset[str]
) -> tuple[Grid, NDArray[np.bool_]] | None:
    """A table and which words [W] are in it; None if its edges make none."""
    ys, xs = _places(across), _places(down)
    if not (_FEWEST < len(ys) <= _MOST_ROWS and _FEWEST < len(xs) <= _MOST_COLUMNS):
        return None
    if not _are_drawn(ys, across, xs[0], xs[-1], _COVERED_ACROSS) or not _are_drawn(
        xs, down, ys[0], ys[-1], _COVERED_DOWN
    ):
        return None
    words = sheet.words
    x, y = 0.5 * (words.x0 + words.x1), 0.5 * (words.top + words.bottom)
    inside: NDArray[np.bool_] = (x > xs[0]) & (x < xs[-1]) & (y > ys[0]) & (y < ys[-1])
    posts = [(x, [(a, b) for at, a, b in down if abs(at - x) <= _SMALLEST]) for x in xs]
    rows = [_row(words, inside, (x, y), band, posts) for band in pairwise(ys)]
    rows = [row for row in rows if row]
    several = sum(len(row) > 1 for row in rows)
    if len(rows) < _FEWEST or several < max(_FEWEST, _FILLED * len(rows)):
        return None
    if _crosses(words, inside, down):
        return None
    return Grid(xs[0], ys[0], xs[-1], ys[-1], _regions(rows, sheet.page, vocabulary)), inside


def _are_drawn(
    places: list[float], edges: list[_Edge], start: float, end: float, share: float
) -> bool:
    """Whether edges cover their share of a table's side at each place; nearly all at its ends."""
    for number, place in enumerate(places):
        wanted = _COVERED if number in (0, len(places) - 1) else share
        near = sorted((a, b) for at, a, b in edges if abs(at - place) <= _SMALLEST)
        covered, reached = 0.0, start
        for a, b in near:
            covered += max(0.0, min(b, end) - max(a, reached))
            reached = max(reached, b)
        if covered < wanted * (end - start):
            return False
    return True


_Cell = tuple[float, float, Words]


def _row(
    words: Words,
    inside: NDArray[np.bool_],
    middles: tuple[NDArray[np.float64], NDArray[np.float64]],
    band: tuple[float, float],
    posts: list[tuple[float, list[tuple[float, float]]]],
) -> list[_Cell]:
    """The cells of a row that hold words: left edge, right edge, words."""
    top, bottom = band
    at, (x, y) = 0.5 * (top + bottom), middles
    drawn = [
        place
        for place, spans in posts
        if any(start - _SAME <= at <= end + _SAME for start, end in spans)
    ]
    bounds = sorted({posts[0][0], *drawn, posts[-1][0]})  # a cell may span columns
    own = np.flatnonzero(inside & (y > top) & (y < bottom))
    cells = [
        (left, right, own[(x[own] > left) & (x[own] < right)]) for left, right in pairwise(bounds)
    ]
    return [(left, right, words.take(which)) for left, right, which in cells if len(which)]


def _crosses(words: Words, inside: NDArray[np.bool_], down: list[_Edge]) -> bool:
    """Whether many words run over the edges of cells, as over the lines of a chart."""
    if not inside.any():
        return True
    own = words.take(inside)
    y = 0.5 * (own.top + own.bottom)
    over = np.zeros(len(own), bool)
    for place, top, bottom in down:
        across = (own.x0 + _SAME < place) & (own.x1 - _SAME > place)
        over |= across & (y > top) & (y < bottom)
    return bool(over.mean() > 0.05)


def _regions(rows: list[list[_Cell]], page: int, vocabulary: frozenset[str]) -> list[list[Line]]:
    longest = max(len(cell[2]) for row in rows for cell in row)
    if longest > MOST_WORDS_CELL:
        cells = (lines_of(words, page) for row in rows for _, _, words in row)
        return [[replace(line, boxed=True) for line in lines] for lines in cells]
    return [[_as_row(row, page, vocabulary) for row in rows]]


def _as_row(row: list[_Cell], page: int, vocabulary: frozenset[str]) -> Line:
    """One line for a row of a table, whatever the number of lines in its cells."""
    cells: list[tuple[float, float, str]] = []
    first: Line | None = None
    for left, right, words in row:
        lines = lines_of(words, page)
        first = first or lines[0]
        cells.append((left, right, _joined(lines, right, left, vocabulary)))
    assert first is not None
    text = " ".join(cell[2].replace("\n", " ") for cell in cells)
    edges = row[0][0], row[-1][1]
    return replace(
        first, text=text, x0=edges[0], x1=edges[1], cells=tuple(cells), even=False, in_table=True
    )


def _joined(lines: list[Line], right: float, left: float, vocabulary: frozenset[str]) -> str:
    """The lines of a cell; a word that its edge cut is put together."""
    text = lines[0].text
    for before, line in pairwise(lines):
        full = before.x1 > right - (before.x0 - left) - 0.7 * before.size
        cut = full and " " not in before.text and _is_rest(before.text, line.text, vocabulary)
        text += line.text if cut else f"\n{line.text}"
    return text


def _is_rest(before: str, after: str, vocabulary: frozenset[str]) -> bool:
    tail = after.split(" ", 1)[0]
    if not tail[:1].islower() or not before[-1:].isalpha():
        return False
    letters = tail.rstrip(".,;:)").casefold()
    if f"{before}{letters}".casefold() in vocabulary:
        return True
    return len(letters) <= _SHORT_TAIL and letters not in _SMALL_WORDS
