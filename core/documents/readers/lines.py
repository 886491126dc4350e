"""Paragraphs from lines: which line breaks an editor made, and which were meant.

A break is *soft* where the next word would not have fitted on the line; soft breaks are joined.
All others begin a paragraph: short lines of verse, addresses and lists stay apart.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

_WIDEST_WRAP = 132  # columns; no editor breaks wider lines
_NARROWEST_WRAP = 30
_NEARLY_FULL = 0.75
MARKER = re.compile(
    r"(?P<bullet>[-*+•‣◦▪▫●○·➢✓])\s+(?=\S)"
    r"|(?:\(?[a-z]\)|\(?[ivx]{1,5}\)|\(\d{1,3}\)|\[\d{1,3}\]|\d{1,3}[.)]|[A-Z]\))\s+(?=\S)"
)
_SENTENCE_END = re.compile(r"[.!?:;…。！？][\"'”’»)\]]*$")


@dataclass(slots=True)
class Line:
    """A line without white space at its ends, and how many columns it was indented."""

    text: str
    indent: int

    @property
    def width(self) -> int:
        """Columns up to its end."""
        return self.indent + len(self.text)


def as_lines(raw: list[str]) -> list[Line]:
    """The lines of one group, tabs taken as up to eight columns."""
    lines = []
    for line in raw:
        text = line.lstrip()
        lead = line[: len(line) - len(text)]
        lines.append(Line(text.rstrip(), len(lead.expandtabs(8))))
    return lines


def groups(raw: list[str]) -> Iterator[tuple[int, int]]:
    """Where each run of lines that are not blank begins and ends."""
    start = -1
    for index, line in enumerate(raw):
        if line and not line.isspace():
            if start < 0:
                start = index
        elif start >= 0:
            yield start, index
            start = -1
    if start >= 0:
        yield start, len(raw)


def wrap_width(raw: list[str]) -> int:
    """The column at which an editor broke the lines of a text; 0 if none did."""
    inner = [a for a, b in pairwise(raw) if a.strip() and b.strip()]
    if not inner:
        return 0
    width = int(np.percentile([len(line.expandtabs(8).rstrip()) for line in inner], 97))
    if not _NARROWEST_WRAP <= width <= _WIDEST_WRAP:
        return 0
    return width


def is_wrapped(lines: list[Line], wrap: int) -> bool:
    """Whether most breaks between the lines of a group are soft."""
    breaks = len(lines) - 1
    if breaks > 2 and sum(line.text[0].isupper() for line in lines[1:]) > 0.8 * breaks:
        return False  # verse: each line begins with a capital
    full = sum(_is_full(a, b, wrap) for a, b in pairwise(lines))
    if 2 * full >= breaks:
        return True
    return _is_narrow_block(lines)


def _is_narrow_block(lines: list[Line]) -> bool:
    """A quotation set narrower than the text round it: even lines that go on in small letters."""
    widths = [line.width for line in lines[:-1]]
    small = sum(line.text[0].islower() for line in lines[1:])
    even = min(widths) >= 0.8 * max(widths) and max(widths) >= _NARROWEST_WRAP
    return len(lines) >= 3 and even and 2 * small >= len(lines) - 1


def paragraphs(lines: list[Line], wrap: int) -> Iterator[list[Line]]:
    """Splits a group of lines at the breaks that were meant.

    Args:
        lines: Lines without a blank one between them.
        wrap: As `wrap_width` gave it.

    Yields:
        The lines of each paragraph or list item.
    """
    if wrap and len(lines) > 2 and not is_wrapped(lines, wrap):
        wrap = 0
    elif wrap and len(lines) > 2:
        wrap = min(wrap, max(line.width for line in lines))
    base = min(line.indent for line in lines)
    current = [lines[0]]
    for line in lines[1:]:
        if _goes_on(current, line, wrap, base):
            current.append(line)
        else:
            yield current
            current = [line]
    yield current


def _goes_on(current: list[Line], line: Line, wrap: int, base: int) -> bool:
    before = current[-1]
    in_item = bool(MARKER.match(current[0].text))
    ended = bool(_SENTENCE_END.search(before.text))
    if MARKER.match(line.text) and (in_item or ended or not _is_full(before, line, wrap)):
        return False
    if in_item and line.indent > current[0].indent:
        return True
    if not wrap:
        return False
    if line.indent > base + 1 and before.indent <= base and len(current) > 1:
        return False  # the first line of a paragraph, indented as on a typewriter
    if _is_full(before, line, wrap):
        return True
    if line.text[0].islower():
        return before.text[-1] in "-‐" or before.width > 0.5 * wrap
    return not ended and before.width >= _NEARLY_FULL * wrap


def _is_full(line: Line, following: Line, wrap: int) -> bool:
    first_word = following.text.split(None, 1)[0]
    return line.width + 1 + len(first_word) > wrap
