"""Lines joined to running text: which hyphens at their ends belong to the word."""

import re
from collections import Counter
from functools import cached_property
from itertools import pairwise

from core.documents.readers.pdf_layout.sheet import LINE_END_HYPHEN

HYPHENS = ("-", "\u2010", "\xad", LINE_END_HYPHEN)
_DASHES = ("—", "–")
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010'’][^\W\d_]+)*")
_LAST = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*$")
_ADDRESS = re.compile(r"(?:://|www\.)\S*$")
_CUT_ADDRESS = re.compile(r"(?:https?:|(?:://|www\.)\S*[/.:%=&?_#~])$")
_REST_OF_ADDRESS = re.compile(r"//|[a-z\d%?=&#_~-]")
_ENDING = re.compile(
    r"(?:tions?|sions?|ments?|ings?|ed|ers?|ly|al|ous|[ai]ble|ity|ties|ive|ture|tric|ance|ence|ate)$"
)
_FIRST = re.compile(r"[^\W\d_]+")
_HYPHEN = re.compile(r"[-\u2010]")
# Scripts written without spaces: Thai to Khmer, Chinese, Japanese.
_NO_SPACE = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u303f]"
)
# What begins compounds, when the document itself does not tell: always, or before a known word.
_SURE_HEADS = frozenset(("self", "well", "non", "half", "quasi", "pseudo"))
_HEADS = frozenset(
    (
        *("all", "cross", "double", "ex", "far", "first", "four", "full", "hand", "high", "ill"),
        *("large", "left", "long", "low", "multi", "one", "open", "part", "post", "pre", "real"),
        *("right", "second", "semi", "short", "single", "small", "so", "state", "third", "three"),
        *("time", "two", "user", "wide", "world", "zero"),
    )
)


class Hyphenation:
    """Joins lines by the words of the document itself.

    Args:
        lines: All lines of the document.
        is_typeset: False where an editor broke the lines, which parts words at their own hyphens
            only.
    """

    def __init__(self, lines: list[str], *, is_typeset: bool = True) -> None:
        self._lines = lines
        self._is_typeset = is_typeset

    @cached_property
    def _words(self) -> Counter[str]:
        """All words, but for the parts of those that are cut at the end of a line."""
        words = Counter(_WORD.findall("\n".join(self._lines).lower()))
        for before, line in pairwise(self._lines):
            if ends_in_hyphen(before):
                words.subtract(_WORD.findall(before.lower())[-1:])
                words.subtract(_WORD.findall(line.lower())[:1])
        return +words

    @cached_property
    def _inner(self) -> Counter[str]:
        """Words that are neither first nor last of their line."""
        return Counter(word.lower() for line in self._lines for word in _WORD.findall(line)[1:-1])

    def seam(self, before: str, line: str, *, recognised: bool = False) -> tuple[str, str]:
        """How a line is joined to the one before it.

        Args:
            before: The line before.
            line: The next line.
            recognised: Whether the text comes from a recognition layer, which drops hyphens.

        Returns:
            The line before as it is to be, and what comes between: a space, a hyphen or nothing.
        """
        if _CUT_ADDRESS.search(before) and _REST_OF_ADDRESS.match(line):
            return before, ""
        if _is_cut_name(before, line):
            return before, ""
        if before.endswith("--"):
            return before, " " if before[-3:-2].isspace() else ""
        if ends_in_hyphen(before):
            return before[:-1], "-" if self._keeps_hyphen(before[:-1], line) else ""
        if len(before) > 1 and before.endswith(_DASHES) and not before[-2].isspace():
            return before, ""
        if _NO_SPACE.match(before[-1:]) and _NO_SPACE.match(line[:1]):
            return before, ""
        return before, "" if recognised and self._was_broken(before, line) else " "

    def _keeps_hyphen(self, before: str, line: str) -> bool:
        left, right = _LAST.search(before), _FIRST.match(line)
        if not left or not right:
            return True
        first, second = left[0].lower(), right[0].lower()
        last = _HYPHEN.split(first)[-1]
        whole = self._words[last + second]
        parted = self._words[f"{last}-{second}"] + self._words[f"{first}-{second}"]
        if whole != parted:
            return parted > whole
        if not self._is_typeset:
            return True
        soft = right[0].islower() or (right[0].isupper() and left[0].isupper())
        if not soft or last != first or _ADDRESS.search(before):
            return True
        return last in _SURE_HEADS or (last in _HEADS and self._words[second] > 0)

    def _was_broken(self, before: str, line: str) -> bool:
        """Whether a recognition layer lost the hyphen between two lines."""
        left, right = _LAST.search(before), _FIRST.match(line)
        if not left or not right or not line[0].islower() or len(left[0]) < 2:
            return False
        first, second = left[0].lower(), right[0].lower()
        if self._inner[first] and self._inner[second]:
            return False
        if self._words[first + second]:
            return True
        unknown = not self._inner[first] and not self._inner[second]
        return unknown and (len(first) < 5 or bool(_ENDING.search(second)))


def ends_in_hyphen(text: str) -> bool:
    """Whether text ends in a hyphen that follows a letter or sign: no dash, no lone mark."""
    return len(text) > 1 and text.endswith(HYPHENS) and text[-2] not in " -\u2010"


def _is_cut_name(before: str, line: str) -> bool:
    """Whether a line ends within a name or a pair of words: "max_" or "and/" before "or"."""
    if before[-1:] not in ("_", "/") or not (before[-2:-1].isalnum() and line[:1].isalnum()):
        return False
    word = before.split()[-1]
    if word.endswith("/") and ("." in word or "//" in word or word == "w/"):
        return False  # an address, which may end here; "with"
    return not word.startswith("_")  # stressed as in Markdown


def tidy(text: str) -> str:
    """A joined text without left-over marks: a hyphen is a hyphen."""
    return text.replace(LINE_END_HYPHEN, "-")
