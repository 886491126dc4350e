"""Sentences shaded by their scores, those chosen as gap sentences numbered: marks from arrays.

A book has ten thousand sentences; only the marks of those on screen are ever made.
"""

from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gui.widgets.reading.marks import Mark, MarkKind, Marks


class GapMarks(Marks):
    """The sentences of a document, in the order of the text; a mark's number is its place from 1.

    Args:
        starts: [S] where each begins, ascending.
        ends: [S] where each ends.
        shades: [S] from 0 (no score) to 5.
        ranks: [S] the number of a chosen one, from 1; 0 for the others.
        kind: "gap" in the text they are taken from, "target" where they stand on their own.
    """

    def __init__(
        self,
        starts: ArrayLike,
        ends: ArrayLike,
        shades: ArrayLike,
        ranks: ArrayLike,
        kind: MarkKind = "gap",
    ) -> None:
        self._kind: MarkKind = kind
        self._starts: NDArray[np.int64] = np.asarray(starts, np.int64)
        self._ends: NDArray[np.int64] = np.asarray(ends, np.int64)
        self._shades: NDArray[np.int8] = np.asarray(shades, np.int8)
        self._ranks: NDArray[np.int32] = np.asarray(ranks, np.int32)
        self._chosen = self._starts[self._ranks > 0]

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, index: int) -> Mark: ...
    @overload
    def __getitem__(self, index: slice) -> list[Mark]: ...
    def __getitem__(self, index: int | slice) -> Mark | list[Mark]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        start, end = int(self._starts[index]), int(self._ends[index])
        shade, rank = int(self._shades[index]), int(self._ranks[index])
        return Mark(start, end, index + 1, self._kind, shade, rank)

    def between(self, start: int, end: int) -> list[Mark]:
        """The sentences that overlap a span."""
        first = int(np.searchsorted(self._ends, start, side="right"))
        last = int(np.searchsorted(self._starts, end, side="left"))
        return self[first:last]

    def of(self, number: int | None) -> list[Mark]:
        """The one sentence of a number."""
        return [self[number - 1]] if number and number <= len(self) else []

    def next_after(self, offset: int) -> Mark | None:
        """The first chosen sentence that begins after a code point."""
        at = int(np.searchsorted(self._chosen, offset, side="right"))
        return self._chosen_at(at)

    def last_before(self, offset: int) -> Mark | None:
        """The last chosen sentence that begins before a code point."""
        at = int(np.searchsorted(self._chosen, offset, side="left")) - 1
        return self._chosen_at(at) if at >= 0 else None

    def _chosen_at(self, at: int) -> Mark | None:
        if at >= len(self._chosen):
            return None
        return self[int(np.searchsorted(self._starts, self._chosen[at]))]
