"""Words broken at a line's end: whether the hyphen belongs to the word."""

import re
from functools import cached_property
from itertools import pairwise

_AT_END = re.compile(r"([^\W\d_]+)[-‐]$")
_AT_START = re.compile(r"[^\W\d_]+")
_WORDS = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
_LONGEST_WORD = 80


class Hyphens:
    """Joins lines, and decides about a hyphen at the end of one by the words of the text.

    Args:
        text: The whole text; it is searched only when a line ends in a hyphen.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(_WORDS.findall(self._text.lower()))

    def join(self, lines: list[str]) -> str:
        """One line from several, each without white space at its ends."""
        parts = [lines[0]]
        for before, line in pairwise(lines):
            if before.endswith(("-", "‐", "—")):
                parts[-1] = parts[-1].removesuffix(self._dropped(before, line))
                parts.append(self._between(before, line))
            else:
                parts.append(" ")
            parts.append(line)
        return "".join(parts)

    def _dropped(self, before: str, line: str) -> str:
        """The hyphen, if the text has the word elsewhere without it and never with it."""
        left, right = _AT_END.search(before[-_LONGEST_WORD:]), _AT_START.match(line)
        if not left or not right or not right[0][0].islower():
            return ""
        first, second = left[1].lower(), right[0].lower()
        known = first + second in self._words and f"{first}-{second}" not in self._words
        return before[-1] if known else ""

    def _between(self, before: str, line: str) -> str:
        """What stands between two lines, the first of which ends in a hyphen or dash."""
        if before.endswith(("--", "—")):
            return " " if before.endswith((" --", " —")) else ""
        return "" if _AT_END.search(before[-_LONGEST_WORD:]) and line[0].isalnum() else " "
