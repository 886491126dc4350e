"""Verse whose lines go on in small letters, known by where its lines end."""

import re
from collections.abc import Sequence

from core.documents.readers.lines import MARKER, TURN

WIDEST_VERSE = 50
"""Columns of a line; wider verse takes more to be known by."""

_FEWEST_BREAKS = 3
_CLAUSE_END = re.compile(r"[.,!?:;…—–،؛؟۔。，；、！？।॥][\"'”’»)\]」』）]*$")
_ENDED = 0.4  # of the lines end a clause; one in six lines of broken prose does
_ENDED_WIDE = 0.75
_LONGEST_END = 4  # characters at the end of a line that are looked at
_LAST_FULL = 0.7  # of its stanza's width; the last line of broken prose is of any length
_MOSTLY = 0.7  # of the stanzas
_NEARLY_WIDEST = 0.9  # of the lines are as wide or narrower
_MOST_LINES = 8  # of a stanza without a full stop
_FEWEST_STANZAS = 2  # without a full stop
_FULL_STOP = re.compile(r"[.!?…。！？।॥؟۔][\"'”’»)\]」』）]*$")


def verse_width(groups: Sequence[Sequence[str]]) -> int:
    """The width of the lines of a text, or of a part of it, that is verse.

    A line of verse mostly ends where a clause does, and the last one of a stanza is about as long
    as the others. Lines without any stop are verse in short groups whose last line is long.

    Args:
        groups: Lines without blank ones between them, and without white space at their ends.

    Returns:
        The columns of its wide lines; 0 if it is no verse.
    """
    stanzas = [lines for lines in groups if len(lines) > 1 and not is_list_or_dialogue(lines)]
    num_breaks = sum(map(len, stanzas)) - len(stanzas)
    if num_breaks < _FEWEST_BREAKS:
        return 0
    full = [len(lines[-1]) >= _LAST_FULL * max(map(len, lines)) for lines in stanzas]
    if sum(full) < _MOSTLY * len(stanzas):
        return 0
    widths = sorted(len(line) for lines in stanzas for line in lines)
    width = widths[int(_NEARLY_WIDEST * len(widths))]
    ended = sum(
        bool(_CLAUSE_END.search(line[-_LONGEST_END:])) for lines in stanzas for line in lines[:-1]
    )
    if ended >= (_ENDED if width <= WIDEST_VERSE else _ENDED_WIDE) * num_breaks:
        return width
    is_short = width <= WIDEST_VERSE and max(map(len, stanzas)) <= _MOST_LINES
    stops = any(_FULL_STOP.search(lines[-1]) for lines in stanzas)
    return width if is_short and len(stanzas) >= _FEWEST_STANZAS and not stops else 0


def is_list_or_dialogue(lines: Sequence[str]) -> bool:
    """True if a line begins with the mark of an item or the label of a speaker."""
    return any(MARKER.match(line) or TURN.match(line) for line in lines)
