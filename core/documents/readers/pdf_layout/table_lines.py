"""Which lines of a table are one row.

Three things tell that a line goes on with the row above it. A page draws its tables cell by cell,
so that a cell's second line comes before the next cell's first. Lines of one row stand closer
than rows. And the first word of a line would not have fitted at the end of the line above.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

import numpy as np

from core.documents.readers.pdf_layout.hyphens import ends_in_hyphen
from core.documents.readers.pdf_layout.lines import Line
from core.documents.readers.pdf_layout.tables import FIGURE, Edges, places_of

_OVERLAPS = 0.8  # in type sizes: lines nearer than this stand beside each other
_TIGHT = 1.1  # of the smallest step: lines of one cell
_LOOSE = 1.25  # of the smallest step: rows stand further apart, if by anything
_LONG = 4  # words of a line of running text in a cell, at least
_END = re.compile(r"[.!?:;。！？][\"'”’»)\]]*$")


def rows_of(lines: Sequence[Line], columns: list[Edges]) -> list[list[Line]]:
    """The lines of each row of a table.

    Args:
        lines: All lines of the table from top to bottom.
        columns: Left and right edge of each column.

    Returns:
        The lines of each row, rows from top to bottom.
    """
    table = _Table(lines, columns)
    rows: list[_Row] = []
    for index in range(len(lines)):
        if not rows or not table.goes_on(rows[-1], index):
            rows.append(_Row())
        rows[-1].add(lines[index], table.places[index])
    return [row.lines for row in rows]


@dataclass
class _Row:
    """The lines of a row so far.

    Args:
        lines: From top to bottom.
        lowest: The lowest cell in each column: left edge, right edge, text.
        drawn: Place in the drawing order of the cell that was drawn last.
    """

    lines: list[Line] = field(default_factory=list)
    lowest: dict[int, tuple[float, float, str]] = field(default_factory=dict)
    drawn: int = -1

    def add(self, line: Line, places: list[int]) -> None:
        """Puts a line below."""
        self.lines.append(line)
        self.lowest.update(zip(places, line.cells, strict=True))
        self.drawn = max((self.drawn, *line.drawn))


class _Table:
    """What is known of a table as a whole.

    Args:
        lines: Its lines.
        columns: Edges of its columns.
    """

    def __init__(self, lines: Sequence[Line], columns: list[Edges]) -> None:
        self.lines = lines
        self.places = [places_of(line, columns) for line in lines]
        """The column of each cell of each line."""
        self._rights = [right for _, right in columns]
        for line, places in zip(lines, self.places, strict=True):
            for place, (_, right, _) in zip(places, line.cells, strict=True):
                self._rights[place] = max(self._rights[place], right)
        self._is_drawn_by_rows = all(line.drawn for line in lines) and (
            max(lines[0].drawn) < min(lines[-1].drawn)
        )
        drawn = [min(line.drawn, default=0) for line in lines]
        self._drawn_below = [*accumulate(reversed(drawn), min)][::-1]
        steps = [after.base - before.base for before, after in pairwise(lines)]
        apart = [step for step, line in zip(steps, lines, strict=False) if not overlap(step, line)]
        self._tight = min(apart, default=0.0)
        first = [
            after.base - before.base
            for (before, after), own in zip(pairwise(lines), self.places[1:], strict=True)
            if 0 in own and not self._is_drawn_before(after, before)
        ]
        self._has_loose_rows = bool(first) and float(np.median(first)) > _LOOSE * self._tight

    def goes_on(self, row: _Row, index: int) -> bool:
        """Whether a line belongs to the row that the lines above it make so far."""
        line = self.lines[index]
        step = line.base - row.lines[-1].base
        pairs = [
            (row.lowest.get(place), cell)
            for place, cell in zip(self.places[index], line.cells, strict=True)
        ]
        if any(above and _are_figures(above[2], cell[2]) for above, cell in pairs):
            return False
        if overlap(step, line):
            return True
        if self._is_drawn_by_rows:
            if self._drawn_below[index] < row.drawn:
                return True  # it, or a line below it, was drawn before the end of the row
            if self._drawn_below[index] < min(line.drawn):
                return False  # what was drawn in between stands further down: the next row's
        wrapped = [
            (above[2], cell[2])
            for (above, cell), place in zip(pairs, self.places[index], strict=True)
            if above and self._is_full(above, cell, place)
        ]
        all_wrapped, has_first = len(wrapped) == len(pairs), 0 in self.places[index]
        if self._has_loose_rows and step < _TIGHT * self._tight:
            return all_wrapped or not has_first
        if step > _LOOSE * self._tight or not all_wrapped:
            return False
        if any(_is_cut(*pair) for pair in wrapped):
            return True
        return not has_first and all(_reads_on(*pair) for pair in wrapped)

    def _is_drawn_before(self, line: Line, above: Line) -> bool:
        return self._is_drawn_by_rows and min(line.drawn) < max(above.drawn)

    def _is_full(
        self, above: tuple[float, float, str], cell: tuple[float, float, str], place: int
    ) -> bool:
        """Whether the first word of a cell would not have fitted at the end of the one above."""
        left, right, text = cell
        letter = (right - left) / len(text)
        room = self._rights[place] - above[1]
        return room < letter * (len(text.split(" ", 1)[0]) + 1)


def overlap(step: float, line: Line) -> bool:
    """Whether a line is so near to the one above it that it can only stand beside it."""
    return step < _OVERLAPS * line.size


def _are_figures(above: str, below: str) -> bool:
    """Whether both are figures, of which the lower one is not in brackets below the other."""
    bracketed = below.startswith("(") and not above.startswith("(")
    return all(FIGURE.fullmatch(text.strip()) for text in (above, below)) and not bracketed


def _is_cut(above: str, below: str) -> bool:
    """Whether a long line of text can only go on with the one below it."""
    unfinished = ends_in_hyphen(above) or not _END.search(above)
    return unfinished and below[:1].islower() and len(above.split()) >= _LONG


def _reads_on(above: str, below: str) -> bool:
    """Whether a line may go on with the one below it: neither is a name in a list of names."""
    fewest = 2 if below[:1].islower() else _LONG
    return len(above.split()) >= fewest or ends_in_hyphen(above)
