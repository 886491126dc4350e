"""Words selected with the mouse: by letters, by words, by paragraphs."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

Span = tuple[int, int]
_WORD_OR_SPACE = re.compile(r"\w+|\s+|.")


class Grain(IntEnum):
    """How much one step of a selection takes; the number of clicks that ask for it."""

    LETTER = 1
    WORD = 2
    PARAGRAPH = 3


@dataclass
class Selection:
    """A selection with an end that stays and one that follows the pointer, as code points.

    Args:
        paragraph_at: Gives the start and the text of the paragraph that holds a code point.
        grain: What is taken as a whole.
        fixed: What was taken first.
        moving: What was taken last.
    """

    paragraph_at: Callable[[int], tuple[int, str]]
    grain: Grain = Grain.LETTER
    fixed: Span = (0, 0)
    moving: Span = (0, 0)

    @property
    def span(self) -> Span:
        """Start and end of what is selected; equal when nothing is."""
        return min(self.fixed[0], self.moving[0]), max(self.fixed[1], self.moving[1])

    def __bool__(self) -> bool:
        return self.span[0] < self.span[1]

    def begin(self, offset: int, grain: Grain) -> None:
        """Takes what lies at a code point and forgets what was selected."""
        self.grain = grain
        self.fixed = self.moving = self._grain_at(offset)

    def extend(self, offset: int) -> None:
        """Selects up to a code point."""
        self.moving = self._grain_at(offset)

    def take(self, start: int, end: int) -> None:
        """Selects a span."""
        self.grain, self.fixed, self.moving = Grain.LETTER, (start, start), (end, end)

    def clear(self) -> None:
        """Selects nothing."""
        self.fixed = self.moving = (self.moving[1], self.moving[1])

    def _grain_at(self, offset: int) -> Span:
        if self.grain == Grain.LETTER:
            return offset, offset
        start, text = self.paragraph_at(offset)
        if self.grain == Grain.PARAGRAPH:
            return start, start + len(text)
        return _word_at(text, offset - start, start)


_NEAR = 200  # a word longer than this is not taken whole


def _word_at(text: str, at: int, start: int) -> Span:
    first = max(0, at - _NEAR)
    for match in _WORD_OR_SPACE.finditer(text, first, at + _NEAR):
        if match.start() <= at < match.end():
            return start + match.start(), start + match.end()
    return start + at, start + at
