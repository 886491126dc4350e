"""Searches a long text, a bounded slice per turn of the event loop."""

import re

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

_LONGEST_HIT = 5_000
SLICE = 50_000
"""Code points searched in one turn (1 to 5 ms)."""
_SPACE = r"(?:[^\S\n]|\n(?!\n))+"  # not the blank line between paragraphs


class Finder(QObject):
    """Case-insensitive search; any white space matches a space.

    Hits are spans of code points in the order of the text.
    """

    progressed = Signal()
    """There are more hits, or the search has ended."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._pattern: re.Pattern[str] | None = None
        self._searched = 0
        self._starts = np.zeros(0, np.int64)
        self._ends = np.zeros(0, np.int64)
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self.search_slice)

    def start(self, text: str, words: str) -> None:
        """Starts a search; empty words find nothing."""
        self._text, self._searched = text, 0
        self._starts = self._ends = np.zeros(0, np.int64)
        parts = [re.escape(part) for part in words.split()]
        self._pattern = re.compile(_SPACE.join(parts), re.IGNORECASE) if parts else None
        if self._pattern is None:
            self.stop()
        else:
            self._timer.start()
        self.progressed.emit()

    def stop(self) -> None:
        """Stops the search and keeps the hits."""
        self._timer.stop()

    @property
    def is_running(self) -> bool:
        """Whether the search is still running."""
        return self._timer.isActive()

    @property
    def count(self) -> int:
        """The number of hits so far."""
        return len(self._starts)

    def hit(self, index: int) -> tuple[int, int]:
        """The span of one hit."""
        return int(self._starts[index]), int(self._ends[index])

    def first_from(self, offset: int) -> int:
        """Index of the first hit at or after a code point; the first of all if there is none."""
        index = int(np.searchsorted(self._starts, offset))
        return index if index < self.count else 0

    def between(self, start: int, end: int) -> list[tuple[int, int, int]]:
        """Index, start and end of the hits that overlap a span."""
        first = int(np.searchsorted(self._ends, start, side="right"))
        last = int(np.searchsorted(self._starts, end, side="left"))
        return [(index, *self.hit(index)) for index in range(first, last)]

    def search_slice(self) -> None:
        """Searches the next slice; a hit that begins in it may end beyond it."""
        if self._pattern is None:
            return
        limit = self._searched + SLICE
        found: list[int] = []  # starts and ends in turn
        for match in self._pattern.finditer(self._text, self._searched, limit + _LONGEST_HIT):
            if match.start() >= limit:
                break
            found += match.span()
        self._keep(found)
        self._searched = max(limit, int(self._ends[-1]) if found else 0)
        if self._searched >= len(self._text):
            self.stop()
        self.progressed.emit()

    def _keep(self, found: list[int]) -> None:
        if found:
            spans = np.array(found, np.int64)
            self._starts = np.concatenate([self._starts, spans[::2]])
            self._ends = np.concatenate([self._ends, spans[1::2]])
