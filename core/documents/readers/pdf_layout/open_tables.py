"""Tables without rules: found by their cells, and put together row by row."""

import re
from collections.abc import Iterator
from dataclasses import replace

from core.documents.readers.pdf_layout.lines import Line
from core.documents.readers.pdf_layout.table_lines import overlap, rows_of
from core.documents.readers.pdf_layout.tables import (
    Edges,
    columns_of,
    hangs,
    is_marker,
    places_of,
    table_rows,
)
from core.documents.readers.prose_tables import is_prose, is_prose_table

_ALIGNED = 0.5  # in type sizes: how far the edges of a column's cells may differ
_NEAR = 3.5  # in type sizes, from line to line of a table at most
_SAME_SIZE = 0.15  # share by which type sizes of one table differ at most
_FEWEST_ROWS = 3
_HEADS = 8  # lines above one that hangs from the last row, in which its column is looked for
_NAMED = 0.6  # share of rows whose first cell is a name
_NAME = re.compile(r"[^\W\d_]{3}")
_SHORT = 3  # words of a cell that may be aligned by its right edge or its middle


def with_tables(lines: list[Line]) -> list[list[Line]]:
    """Puts the tables of a column together.

    Args:
        lines: The lines of the column from top to bottom.

    Returns:
        The lines of what is read one after the other: the whole column, in which each row of a
        table is one line; or, where cells of a table hold sentences, what is above the table, the
        lines of each cell, and what is below.
    """
    regions: list[list[Line]] = [[]]
    levelled = [*_parts(_levelled(lines))]
    has_tables = any(is_table for _, is_table in levelled)
    for part, is_table in levelled if has_tables else [(lines, False)]:
        if not is_table:
            regions[-1] += part
            continue
        columns = columns_of(part)
        rows = rows_of(part, columns)
        cells = [_cells_of(row, columns) for row in rows]
        if is_prose_table([[_joined(cell) for cell in row] for row in cells]):
            regions += [_as_text(cell) for row in cells for cell in row if cell]
            regions.append([])
        else:
            regions[-1] += [_as_row(row, own) for row, own in zip(rows, cells, strict=True)]
    return [region for region in regions if region]


def _levelled(lines: list[Line]) -> list[Line]:
    """The lines; cells set in the middle of a row, which stand between two lines, on one of them.

    A single one is a piece of a formula, and stays where it is.
    """
    result: list[Line] = []
    count = 0
    for line in lines:
        before = result[-1] if result else None
        if before and _stands_beside(before, line):
            result[-1] = _side_by_side(before, line)
            count += 1
        else:
            result.append(line)
    return result if count > 1 else lines


def _stands_beside(before: Line, line: Line) -> bool:
    has_cells = len(line.drawn) == len(line.cells) and len(before.drawn) == len(before.cells)
    if not has_cells or not overlap(line.base - before.base, line) or not _is_like(line, before):
        return False
    gaps = [max(left - b, a - right) for left, right, _ in line.cells for a, b, _ in before.cells]
    return min(gaps) > line.size


def _side_by_side(before: Line, line: Line) -> Line:
    """Two lines as one, at the height of the upper one."""
    drawn = [
        *zip(before.cells, before.drawn, strict=True),
        *zip(line.cells, line.drawn, strict=True),
    ]
    drawn.sort(key=lambda cell: cell[0][0])
    cells = tuple(cell for cell, _ in drawn)
    return replace(
        before,
        text=" ".join(text for _, _, text in cells),
        x0=min(before.x0, line.x0),
        x1=max(before.x1, line.x1),
        cells=cells,
        drawn=tuple(place for _, place in drawn),
        even=False,
        lead=0,
    )


def _parts(lines: list[Line]) -> Iterator[tuple[list[Line], bool]]:
    """The lines in stretches, and whether each is a table."""
    marked = table_rows(lines)
    for start, end in _runs(lines):
        marked.update(range(start, end))
    for start, end in _stretches(marked):
        marked.update(_hanging_above(lines, start))
        marked.update(_hanging_below(lines, start, end))
    at = 0
    for start, end in [*_stretches(marked), (len(lines), len(lines))]:
        if start > at:
            yield lines[at:start], False
        if end > start:
            yield lines[start:end], True
        at = end


def _stretches(numbers: set[int]) -> list[tuple[int, int]]:
    """The stretches of numbers without a gap: the first, and one past the last."""
    firsts = sorted(number for number in numbers if number - 1 not in numbers)
    lasts = sorted(number for number in numbers if number + 1 not in numbers)
    return [(first, last + 1) for first, last in zip(firsts, lasts, strict=True)]


def _hanging_above(lines: list[Line], index: int) -> Iterator[int]:
    """Lines above a table whose words were drawn after its first cell: heads of two lines."""
    while index > 0 and lines[index].drawn and lines[index - 1].drawn:
        before, line = lines[index - 1], lines[index]
        near = line.base - before.base < 2 * line.size
        if not near or min(before.drawn) < min(line.drawn) or before.x0 < line.cells[0][1]:
            return
        index -= 1
        yield index


def _hanging_below(lines: list[Line], start: int, end: int) -> range:
    """Lines below a table that go on with cells of its last row."""
    heads = lines[max(start, end - _HEADS) : end]
    below = end
    while (
        below < len(lines) and _is_like(lines[below], lines[end - 1]) and hangs(lines[below], heads)
    ):
        below += 1
    table = lines[start:below]
    last = end - start - 1
    for row in rows_of(table, columns_of(table)) if below > end else ():
        last -= len(row)
        if last < 0:
            return range(end, end - last - 1)
    return range(0)


def _is_like(line: Line, before: Line) -> bool:
    """Whether a line stands near another one, in type of its size."""
    near = line.base - before.base < _NEAR * line.size
    return near and abs(line.size - before.size) < _SAME_SIZE * before.size


def _runs(lines: list[Line]) -> Iterator[tuple[int, int]]:
    """Stretches of lines whose cells all stand under those of the first, in rows of names."""
    at = 0
    while at < len(lines):
        end = _run_end(lines, at) if len(lines[at].cells) > 1 else at + 1
        if end - at > _FEWEST_ROWS and _has_named_rows(lines[at:end]):
            yield at, end
        at = end


def _run_end(lines: list[Line], start: int) -> int:
    first = lines[start]
    end = start + 1
    while end < len(lines):
        if not _is_like(lines[end], lines[end - 1]) or not _is_under(lines[end], first):
            break
        end += 1
    return end


def _is_under(line: Line, first: Line) -> bool:
    """Whether each cell of a line stands under one of the first line, and over no other's edge."""
    near = _ALIGNED * line.size
    rights = [*(left for left, _, _ in first.cells[1:]), float("inf")]
    for left, right, text in line.cells:
        fits = [
            abs(left - a) < near
            or (
                len(text.split()) <= _SHORT
                and (abs(right - b) < near or abs(left + right - a - b) < 2 * near)
            )
            for a, b, _ in first.cells
        ]
        if not any(fits) or right > rights[fits.index(True)] - 0.3 * line.size:
            return False
    return True


def _has_named_rows(lines: list[Line]) -> bool:
    """Whether some lines are rows of several cells and lines, of which the first is a name."""
    columns = columns_of(lines)
    rows = rows_of(lines, columns)
    if all(len(row) == 1 for row in rows) or any(line.even for line in lines):
        return False
    cells = [_cells_of(row, columns) for row in rows]
    names = [_joined(row[0]) for row in cells if row[0] and sum(map(bool, row)) > 1]
    real = [
        name
        for name in names
        if _NAME.search(name) and not name.endswith(":") and not is_marker(name)
    ]
    return len(names) >= _FEWEST_ROWS and len(real) >= _NAMED * len(names)


def _cells_of(row: list[Line], columns: list[Edges]) -> list[list[Line]]:
    """The lines of each cell of a row; of none where a cell is empty."""
    cells: list[list[Line]] = [[] for _ in columns]
    for line in row:
        for place, (left, right, text) in zip(places_of(line, columns), line.cells, strict=True):
            cells[place].append(
                replace(line, text=text, x0=left, x1=right, cells=((left, right, text),), lead=0)
            )
    return cells


def _joined(cell: list[Line]) -> str:
    return " ".join(line.text for line in cell)


def _as_row(row: list[Line], cells: list[list[Line]]) -> Line:
    """One line for a row of a table; where a cell has several, they are parted by line breaks."""
    filled = tuple(
        (min(line.x0 for line in cell), max(line.x1 for line in cell), "\n".join(_texts(cell)))
        for cell in cells
        if cell
    )
    text = " ".join(_joined(cell) for cell in cells if cell)
    edges = min(cell[0] for cell in filled), max(cell[1] for cell in filled)
    return replace(row[0], text=text, x0=edges[0], x1=edges[1], cells=filled, in_table=True)


def _texts(cell: list[Line]) -> list[str]:
    return [line.text for line in cell]


def _as_text(cell: list[Line]) -> list[Line]:
    """The lines of a cell as text of their own; a short one stands beside the text."""
    aside = not is_prose(_joined(cell))
    return [replace(line, boxed=True, aside=aside, even=False) for line in cell]
