"""Runs of words that two texts share, as spans to be lit."""

import re
from collections.abc import Iterator

_WORD = re.compile(r"\w+")
LEAST_WORDS = 3


def shared_spans(text: str, other: str, least: int = LEAST_WORDS) -> list[tuple[int, int]]:
    """Where runs of at least so many words stand that another text has too.

    Args:
        text: The text whose spans are wanted.
        other: The other text.
        least: Words of the shortest run.

    Returns:
        Spans of code points, rising and apart; case does not count.
    """
    words = list(_WORD.finditer(text))
    theirs = set(_runs([match[0].casefold() for match in _WORD.finditer(other)], least))
    shared = [False] * len(words)
    for at, run in enumerate(_runs([match[0].casefold() for match in words], least)):
        if run in theirs:
            shared[at : at + least] = [True] * least
    spans: list[tuple[int, int]] = []
    for at, match in enumerate(words):
        if not shared[at]:
            continue
        if at and shared[at - 1] and spans:
            spans[-1] = (spans[-1][0], match.end())
        else:
            spans.append((match.start(), match.end()))
    return spans


def _runs(words: list[str], size: int) -> Iterator[tuple[str, ...]]:
    for at in range(len(words) - size + 1):
        yield tuple(words[at : at + size])
