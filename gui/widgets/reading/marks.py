"""Marks in a text, and fast ways to find them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.summaries.summary import Summary

MarkKind = Literal[
    "evidence", "shared", "unsupported", "gap", "target", "mask", "sentence", "novel", "doubtful"
]  # fmt: skip


@dataclass(frozen=True)
class Mark:
    """A marked span of a text.

    Args:
        start: First code point.
        end: One past the last.
        number: The summary sentence they belong to, from 1; 0 when they belong to none.
        kind: What they mean.
        shade: Of a sentence that may become a gap: how high its score is, 0 to 5.
        rank: Of one that is chosen as a gap: its number, from 1; else 0.
    """

    start: int
    end: int
    number: int = 0
    kind: MarkKind = "evidence"
    shade: int = 0
    rank: int = 0


def evidence_marks(summary: Summary) -> list[Mark]:
    """The evidence of a summary as marks in its source, numbered as its sentences are."""
    return [
        Mark(evidence.start, evidence.end, number)
        for number, sentence in enumerate(summary.sentences, 1)
        for evidence in sentence.evidence
    ]


class Marks(Sequence[Mark]):
    """Marks in the order of the text."""

    def __init__(self, marks: Iterable[Mark] = ()) -> None:
        self._marks = sorted(marks, key=lambda mark: (mark.start, mark.number))
        self._starts = np.array([mark.start for mark in self._marks], np.int64)
        # The furthest end so far: with it, overlapping marks are found by bisection too.
        ends = np.array([mark.end for mark in self._marks], np.int64)
        self._reach = np.maximum.accumulate(ends) if len(ends) else ends

    def __len__(self) -> int:
        return len(self._marks)

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        return self._marks[index]

    @property
    def starts(self) -> NDArray[np.int64]:
        """[M] the start of each mark."""
        return self._starts

    def between(self, start: int, end: int) -> list[Mark]:
        """The marks that overlap a span."""
        first = int(np.searchsorted(self._reach, start, side="right"))
        last = int(np.searchsorted(self._starts, end, side="left"))
        return [mark for mark in self._marks[first:last] if mark.end > start]

    def at(self, offset: int) -> Mark | None:
        """The first mark with a number that covers a code point."""
        return next((mark for mark in self.between(offset, offset + 1) if mark.number), None)

    @cached_property
    def _by_number(self) -> dict[int, list[Mark]]:
        found: dict[int, list[Mark]] = {}
        for mark in self._marks:
            found.setdefault(mark.number, []).append(mark)
        return found

    def of(self, number: int | None) -> list[Mark]:
        """The marks of one summary sentence, in the order of the text."""
        return self._by_number.get(number, []) if number else []

    def next_after(self, offset: int) -> Mark | None:
        """The first mark with a number that begins after a code point."""
        index = int(np.searchsorted(self._starts, offset, side="right"))
        return next((mark for mark in self._marks[index:] if mark.number), None)

    def last_before(self, offset: int) -> Mark | None:
        """The last mark with a number that begins before a code point."""
        index = int(np.searchsorted(self._starts, offset, side="left"))
        return next((mark for mark in reversed(self._marks[:index]) if mark.number), None)
