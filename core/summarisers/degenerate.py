"""Recognises what a ruined model writes: nothing, no words, or one sign over and over."""

from collections import Counter

_ENOUGH = 8  # signs; a shorter text may be a word with doubled letters
_MOST_OF = 0.8  # of the signs
_LONGEST_UNIT, _TIMES = 24, 6  # signs that are repeated, and how often
_SHOWN = 12  # signs in a message


def fault_of_text(text: str) -> str:
    """Why a text is of no use to anybody.

    Args:
        text: What a model wrote of a document, or of a part of it.

    Returns:
        What it wrote, as the object of a sentence; empty where the text is one.
    """
    signs = "".join(text.split())
    if not signs:
        return "nothing"
    shown = signs[:_SHOWN] + ("…" if len(signs) > _SHOWN else "")
    if not any(map(str.isalnum, signs)):
        return f"no words, only “{shown}”"
    if _is_one_sign(signs) or _is_repeated(signs):
        return f"the same over and over, “{shown}”"
    return ""


def _is_one_sign(signs: str) -> bool:
    """True if nearly all signs are the same."""
    ((_, times),) = Counter(signs).most_common(1)
    return len(signs) >= _ENOUGH and times >= _MOST_OF * len(signs)


def _is_repeated(signs: str) -> bool:
    """True if the text is one short unit, repeated; the last time may be cut."""
    return any(
        len(signs) >= _TIMES * unit and signs[unit:] == signs[:-unit]
        for unit in range(1, _LONGEST_UNIT + 1)
    )
