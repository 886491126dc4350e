"""Which words of a text another one shares, and which are new: spans to be marked.

Words are runs of letters and digits; upper and lower case are the same. Spans are half-open and
count code points.
"""

import re
from collections.abc import Collection, Sequence
from difflib import SequenceMatcher

Span = tuple[int, int]

_WORD = re.compile(r"\w+")


class Words:
    """The words of a text and where they stand."""

    def __init__(self, text: str) -> None:
        found = list(_WORD.finditer(text))
        self.spans: list[Span] = [match.span() for match in found]
        self.forms: list[str] = [match[0].casefold() for match in found]

    def runs(self, size: int) -> list[tuple[str, ...]]:
        """All sequences of so many words."""
        return list(zip(*(self.forms[start:] for start in range(size)), strict=False))

    def span(self, first: int, last: int) -> Span:
        """From the beginning of one word to the end of another."""
        return self.spans[first][0], self.spans[last][1]


def shared_runs(text: Words, known: Collection[tuple[str, ...]], size: int) -> tuple[Span, ...]:
    """The parts of a text whose sequences of `size` words stand in others too.

    Args:
        text: What is marked.
        known: The sequences of the others, as `Words.runs` gives them.
        size: How many words.

    Returns:
        The longest such parts; two that only touch stay two.
    """
    found: list[Span] = []
    first = -1  # word at which the part begins that is being extended
    runs = text.runs(size)
    for at, run in enumerate([*runs, ()]):
        if run in known:
            first = at if first < 0 else first
        elif first >= 0:
            found.append(text.span(first, at + size - 2))
            first = -1
    return tuple(found)


def longest_run(text: Words, other: Words) -> tuple[Span, ...]:
    """The longest sequence of words that two texts share; the first of several, if it has two."""
    match = _matcher(text.forms, other.forms).find_longest_match()
    return (text.span(match.a, match.a + match.size - 1),) if match.size > 1 else ()


def differences(text: Words, other: Words) -> tuple[Span, ...]:
    """The parts of a text that another one lacks when the words of both are aligned."""
    steps = _matcher(text.forms, other.forms).get_opcodes()
    return tuple(text.span(a, b - 1) for tag, a, b, _, _ in steps if tag != "equal" and b > a)


def novel_words(text: Words, source: Words) -> tuple[Span, ...]:
    """The words of a text that its source does not contain."""
    known = set(source.forms)
    words = zip(text.forms, text.spans, strict=True)
    return tuple(span for form, span in words if form not in known)


def _matcher(first: Sequence[str], second: Sequence[str]) -> "SequenceMatcher[str]":
    return SequenceMatcher(None, first, second, autojunk=False)
