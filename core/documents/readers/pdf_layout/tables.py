"""Tables: rows of short cells that stand one under the other."""

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from core.documents.readers.pdf_layout.hyphens import Hyphenation, tidy
from core.documents.readers.pdf_layout.lines import Line

_FEWEST_ROWS = 3
_FLUSH = 1.0  # points
_FLUSH_RECOGNISED = 0.7  # in type sizes: edges are rough, and hyphens at their ends are lost
_ALIGNED = 0.8  # in type sizes
_LONGEST_CELL = 6  # words, on average
_BROAD_GAP = 8.0  # in type sizes: between the columns of a table of two rows and two columns
_MOST_BETWEEN = 2  # short lines between rows, wherever they stand
_CLOSE = 1.6  # in type sizes, from line to line of a cell at most
_MARKER = re.compile(r"[•▪◦‣·●○*–—-]|\(?\w{1,3}[.)]|\[\w{1,6}\]|\w{1,4}\.?")
FIGURE = re.compile(r"[-–+(<>≤≥~$€£]*\d[\d.,%)*†‡:/–-]*|[-–—]|n/?a", re.IGNORECASE)
_CATEGORY = re.compile(r"\[[A-Z][a-z]+(?: [\w-]+){0,3}\]")
_LEADER = re.compile(r"[.·…_]{4,}|(?:\s[.·]){4,}")

Edges = tuple[float, float]
"""Left and right edge of a column, in points."""


def table_rows(lines: list[Line]) -> set[int]:
    """Which lines of a column are rows of tables.

    Args:
        lines: The lines from top to bottom.

    Returns:
        Their indices.
    """
    rows = [i for i, line in enumerate(lines) if _has_cells(line)]
    if not rows:
        return set()
    justified = _justified(lines)
    found: set[int] = set()
    for group in _grouped(rows, lines):
        even = sum(lines[i].even or i in justified for i in group)
        if _is_table([lines[i] for i in group], even):
            found.update(range(group[0], group[-1] + 1))
    return found | _heads(found, lines)


def table_text(rows: list[Line], hyphenation: Hyphenation) -> str:
    """A line for each row of a table, its cells parted by tabs; a cell left open stays empty."""
    columns = columns_of(rows)
    return "\n".join(_row_text(row, columns, hyphenation) for row in rows).strip()


def _row_text(row: Line, columns: list[Edges], hyphenation: Hyphenation) -> str:
    texts = [""] * len(columns)
    for place, (_, _, text) in zip(places_of(row, columns), row.cells, strict=True):
        texts[place] = f"{texts[place]} {_cell_text(text, hyphenation)}".strip()
    return "\t".join(texts).rstrip()


def _cell_text(text: str, hyphenation: Hyphenation) -> str:
    """The text of a cell on one line."""
    whole, *lines = text.split("\n")
    for line in lines:
        whole = "".join((*hyphenation.seam(whole, line), line))
    return tidy(whole)


def columns_of(lines: Sequence[Line]) -> list[Edges]:
    """The edges of the columns of a table: those of the cells of its line with most."""
    return [(left, right) for left, right, _ in max(lines, key=lambda row: len(row.cells)).cells]


def places_of(row: Line, columns: list[Edges]) -> list[int]:
    """The column of each cell of a row: the nearest one that is right of the cell before."""
    places: list[int] = []
    at = -1
    for left, right, _ in row.cells:
        gaps = [max(a - right, left - b, 0.0) for a, b in columns]
        nearest = min(range(len(columns)), key=gaps.__getitem__)
        at = min(max(at + 1, nearest), len(columns) - 1)
        places.append(at)
    return places


def is_marker(text: str) -> bool:
    """Whether a text is what lists put before their items."""
    return bool(_MARKER.fullmatch(text))


def is_contents_row(line: Line) -> bool:
    """Whether a line is an entry of a list of contents: leaders, or a page number far right."""
    return bool(_LEADER.search(line.text)) and line.text.rstrip()[-1:].isdigit()


def is_definition(line: Line) -> bool:
    """Whether a line of a manual names what is described below it: "f (x)   [Function]"."""
    return len(line.cells) > 1 and bool(_CATEGORY.fullmatch(line.cells[-1][2]))


def _has_cells(line: Line) -> bool:
    """Whether gaps of a line are wider than justified text has, and more than a marker's."""
    cells = line.cells
    if len(cells) < 2 or is_contents_row(line) or (len(cells) == 2 and is_definition(line)):
        return False
    if len(cells) == 2 and is_marker(cells[0][2]) and len(cells[1][2].split()) > 3:
        return False
    longest = max(len(cell[2].split()) for cell in cells)
    return longest <= 12 and (_widest_gap(line) > 1.4 * line.size or len(cells) > 2)


def _widest_gap(line: Line) -> float:
    return max((b[0] - a[1] for a, b in pairwise(line.cells)), default=0.0)


def _grouped(rows: list[int], lines: list[Line]) -> list[list[int]]:
    """Rows with at most a few other lines between them, and no wide space."""
    groups: list[list[int]] = []
    for index in rows:
        if groups and _continues(lines, groups[-1][-1], index):
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups


def _continues(lines: list[Line], before: int, index: int) -> bool:
    steps = [b.base - a.base for a, b in pairwise(lines[before : index + 1])]
    if max(steps) > 3.5 * lines[index].size:
        return False
    between = lines[before + 1 : index]
    rows = [lines[before], lines[index]]
    if all(hangs(line, rows) for line in between) and max(steps[:-1], default=0.0) < _CLOSE * (
        lines[before].size
    ):
        return True  # lines of one cell
    return len(between) <= _MOST_BETWEEN and all(len(line.text.split()) <= 8 for line in between)


def hangs(line: Line, rows: list[Line]) -> bool:
    """Whether a line stands under cells of rows, but under the first of none."""
    near = _ALIGNED * line.size
    first = min(row.x0 for row in rows) + near
    lefts = [left for row in rows for left, _, _ in row.cells if left > first]
    return all(any(abs(left - edge) < near for edge in lefts) for left, _, _ in line.cells)


def _justified(lines: list[Line]) -> set[int]:
    """Lines that reach both edges of a column in which most lines do; else none."""
    few = len(lines) // 20  # scraps beside the column
    left, right = sorted(line.x0 for line in lines)[few], sorted(line.x1 for line in lines)[~few]
    flush = {
        index
        for index, line in enumerate(lines)
        if max(line.x0 - left, right - line.x1) < _flush(line)
    }
    return flush if len(flush) >= max(4, 0.5 * len(lines)) else set()


def _flush(line: Line) -> float:
    """How far from its column's edge a line may end and still reach it, in points."""
    return _FLUSH_RECOGNISED * line.size if line.hidden else _FLUSH


def _is_table(rows: list[Line], num_even: int) -> bool:
    cells = [cell for row in rows for cell in row.cells]
    words = sum(len(cell[2].split()) for cell in cells) / len(cells)
    figures = sum(bool(FIGURE.fullmatch(cell[2].strip())) for cell in cells) / len(cells)
    columns = sum(len(row.cells) for row in rows) / len(rows)
    if num_even > 0.4 * len(rows) and figures < 0.4:
        return False
    if words > _LONGEST_CELL or _share_aligned(rows) < 0.6:
        return False
    if len(rows) < _FEWEST_ROWS:
        broad = columns == 2 and min(map(_widest_gap, rows)) > _BROAD_GAP * rows[0].size
        return len(rows) == 2 and (columns >= 3 or broad) and words <= 4
    return columns >= 2.5 or figures >= 0.3 or len(rows) >= 5


def _share_aligned(rows: list[Line]) -> float:
    """Share of cells that stand under a cell of another row: by an edge or the middle."""
    cells = [(left, right) for row in rows for left, right, _ in row.cells]
    near = np.repeat([_ALIGNED * row.size for row in rows], [len(row.cells) for row in rows])
    is_first = np.concatenate([np.arange(len(row.cells)) == 0 for row in rows])
    left, right = np.array(cells).T
    aligned = np.zeros(len(cells), bool)
    for places in (left, right, 0.5 * (left + right)):
        # Cells of one row stand further apart than this, so that a second one is another row's.
        ordered = np.sort(places)
        up_to = np.searchsorted(ordered, places + near, side="left")
        aligned |= up_to - np.searchsorted(ordered, places - near, side="right") > 1
    return float(aligned[~is_first].sum() / max(1, (~is_first).sum()))


def _heads(found: set[int], lines: list[Line]) -> set[int]:
    """Rows right above or below a table that have cells too, if only two."""
    more = set()
    for index in found:
        for near in (index - 1, index + 1):
            if 0 <= near < len(lines) and near not in found and len(lines[near].cells) > 1:
                distance = abs(lines[near].base - lines[index].base)
                if distance < 2 * lines[index].size and _has_cells(lines[near]):
                    more.add(near)
    return more
