"""A document drawn small: one grey line for as many lines of text as it takes to fit it all.

Letters: P paragraphs, R lines of the miniature.
"""

import numpy as np
from numpy.typing import NDArray

from core.documents.document import Document, Kind

LINE_PX = 3
_LETTERS_PER_LINE = 70.0
_GAP_LINES = 1.0
_SHORTEST = 0.2
_MIN_RUN = 3  # rows between two gaps, at least
_HEADING_WIDTH = 0.62
_HEADINGS_PER_LINE = 1 / 8  # with more, headings would be all one sees


class Miniature:
    """The lines of a miniature for one height.

    Attributes:
        widths: [R] float64, 0 (nothing) to 1 (a full line).
        is_heading: [R] bool.
    """

    def __init__(self, document: Document, height: int) -> None:
        """Fits a document into a height, at most one line of it to a line of the miniature.

        Args:
            document: The text.
            height: Logical px there are.
        """
        self._document = document
        lengths = document.ends - document.starts
        self._lines = np.maximum(1.0, np.ceil(lengths / _LETTERS_PER_LINE))
        self._tops = np.zeros(len(lengths) + 1)
        np.cumsum(self._lines + _GAP_LINES, out=self._tops[1:])
        room = max(1, height // LINE_PX)
        self._scale = max(1.0, float(self._tops[-1]) / room)
        num_rows = min(room, int(np.ceil(self._tops[-1] / self._scale)))
        self.widths, self.is_heading = self._rows(lengths, num_rows)

    def _rows(
        self, lengths: NDArray[np.int64], num_rows: int
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        rest = np.maximum(_SHORTEST, (lengths / _LETTERS_PER_LINE) % 1.0)
        widths = self._grouped(rest, num_rows) if self._scale > 1 else self._true(rest, num_rows)
        is_heading = np.zeros(num_rows, bool)
        headings = np.flatnonzero(self._document.kinds == Kind.HEADING)
        if 0 < len(headings) <= max(1.0, num_rows * _HEADINGS_PER_LINE):
            rows = (self._tops[headings] / self._scale).astype(np.int64)
            widths[np.maximum(rows - 1, 0)] = 0.0
            widths[rows] = _HEADING_WIDTH
            is_heading[rows] = True
        return widths, is_heading

    def _true(self, rest: NDArray[np.float64], num_rows: int) -> NDArray[np.float64]:
        """[R] each row a line of the text."""
        middles = np.arange(num_rows) + 0.5
        at = np.minimum(np.searchsorted(self._tops, middles, side="right") - 1, len(rest) - 1)
        line = np.floor(middles - self._tops[at])
        widths = np.where(line == self._lines[at] - 1, rest[at], 1.0)
        widths[line >= self._lines[at]] = 0.0
        return widths

    def _grouped(self, rest: NDArray[np.float64], num_rows: int) -> NDArray[np.float64]:
        """[R] rows stand for many lines; gaps only at ends of paragraphs, a few rows apart."""
        borders = np.arange(num_rows + 1) * self._scale
        at = np.minimum(np.searchsorted(self._tops, borders, side="right") - 1, len(rest) - 1)
        widths = np.ones(num_rows)
        run = 0
        for row in range(num_rows - 1):
            run += 1
            ended = int(at[row + 1]) - 1
            shortest = _MIN_RUN + int(self._lines[ended]) % _MIN_RUN
            if at[row] <= ended and run >= shortest:
                widths[row] = rest[ended]
                widths[row + 1] = 0.0
                run = -1
        return widths

    @property
    def height(self) -> int:
        """Logical px from the first line to the last."""
        return len(self.widths) * LINE_PX

    def y_of(self, offset: int) -> float:
        """How far down a code point is, in logical px."""
        return float(self.heights_of(np.array([offset]))[0])

    def heights_of(self, offsets: NDArray[np.int64]) -> NDArray[np.float64]:
        """The same for many code points at once."""
        if not len(self._lines):
            return np.zeros(len(offsets))
        document = self._document
        at = np.searchsorted(document.starts, offsets, side="right") - 1
        at = np.maximum(at, 0)
        lengths = np.maximum(1, document.ends[at] - document.starts[at])
        share = np.clip((offsets - document.starts[at]) / lengths, 0.0, 1.0)
        lines: NDArray[np.float64] = self._tops[at] + share * self._lines[at]
        return lines / self._scale * LINE_PX

    def offset_at(self, y: float) -> int:
        """The code point that is so far down; the first or last one beyond the ends."""
        if not len(self._lines):
            return 0
        line = max(0.0, y / LINE_PX * self._scale)
        index = int(np.searchsorted(self._tops, line, side="right")) - 1
        index = min(index, len(self._lines) - 1)
        share = min(1.0, (line - float(self._tops[index])) / float(self._lines[index]))
        start, end = int(self._document.starts[index]), int(self._document.ends[index])
        return start + int(share * (end - start))
