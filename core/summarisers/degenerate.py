"""Recognises what a ruined model writes: nothing, no words, or one sign or phrase over and over."""

from collections import Counter
from itertools import pairwise

_ENOUGH = 8  # signs; a shorter text may be a word with doubled letters
_MOST_OF = 0.8  # of the signs
_LONGEST_UNIT, _TIMES = 24, 6  # signs that are repeated, and how often
# Of longer texts more can be said: chance does not make 300 signs alike.
_LONG, _LONGEST_PHRASE, _OFTEN = 300, 200, 4
_TAIL = 0.6  # of the signs: so much at the end is one unit, repeated, whatever came before
_MANY_WORDS, _ONE_WORD = 12, 0.4  # from so many words on, the share of one word
_ONE_PAIR = 0.3  # of two neighbouring signs among all pairs
_UNREADABLE = 0.1  # of the signs are "�", which stands for bytes that are no text
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
    if len(signs) >= _LONG and signs.count("�") >= _UNREADABLE * len(signs):
        return f"bytes that are no text, “{shown}”"
    is_long_loop = len(signs) >= _LONG and (
        _has_repeated_tail(signs) or _is_of_few_parts(text, signs)
    )
    if _is_one_sign(signs) or _is_repeated(signs) or is_long_loop:
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


def _has_repeated_tail(signs: str) -> bool:
    """True if most of the text, up to its end, is one unit repeated; the last time may be cut."""
    for unit in range(1, min(_LONGEST_PHRASE, len(signs) // _OFTEN) + 1):
        start = len(signs) - unit
        while start and signs[start - 1] == signs[start - 1 + unit]:
            start -= 1
        repeated = len(signs) - start
        if repeated >= max(_OFTEN * unit, _TAIL * len(signs)):
            return True
    return False


def _is_of_few_parts(text: str, signs: str) -> bool:
    """True if one word makes up much of the text, or one pair of signs."""
    words = text.split()
    if len(words) >= _MANY_WORDS:
        ((_, times),) = Counter(words).most_common(1)
        if times >= _ONE_WORD * len(words):
            return True
    pairs = Counter(map("".join, pairwise(signs)))
    return max(pairs.values()) >= _ONE_PAIR * (len(signs) - 1)
