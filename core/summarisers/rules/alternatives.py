"""Patterns for lists of phrases."""

import re
from collections.abc import Iterable

_NEVER = r"(?!)"


def match_any(phrases: Iterable[str]) -> str:
    """Returns a pattern for one of some phrases, with any white space and apostrophe in them.

    Args:
        phrases: The phrases; without any, the pattern never matches.

    Returns:
        A group that prefers longer phrases.
    """
    escaped = (re.escape(phrase).replace(r"\ ", r"\s").replace("’", "['’]") for phrase in phrases)
    return join_alternatives(escaped)


def join_alternatives(patterns: Iterable[str]) -> str:
    """Returns a group of some patterns that prefers longer ones; without any, it never matches."""
    return f"(?:{'|'.join(sorted(patterns, key=len, reverse=True)) or _NEVER})"
