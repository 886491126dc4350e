"""Degenerate text of a diverged model: nothing, no words, or one character or phrase repeated."""

from collections import Counter
from itertools import pairwise

_MIN_LENGTH = 8  # characters; a shorter text may be a word with doubled letters
_SAME_SHARE = 0.8  # of all characters are the same
_MAX_UNIT, _MIN_TIMES = 24, 6  # characters that are repeated, and how often
# Longer texts allow more: 300 characters do not repeat by chance.
_LONG, _MAX_PHRASE, _MIN_PHRASE_TIMES = 300, 200, 4
_TAIL_SHARE = 0.6  # of the characters, at the end, are a repeated unit, whatever came before
_MIN_WORDS, _WORD_SHARE = 12, 0.4  # in a text of at least that many words, the share of one
_PAIR_SHARE = 0.3  # of one pair of adjacent characters among all pairs
_UNREADABLE_SHARE = 0.1  # of the characters are "�", which replaces bytes that are no text
_QUOTED = 12  # characters in a message


def describe_degenerate(text: str) -> str:
    """Describes a degenerate text.

    Args:
        text: The text that a model wrote of a document, or of a part of it.

    Returns:
        The text's fault, as the object of "it wrote"; empty for an ordinary text.
    """
    characters = "".join(text.split())
    if not characters:
        return "nothing"
    shown = characters[:_QUOTED] + ("…" if len(characters) > _QUOTED else "")
    if not any(map(str.isalnum, characters)):
        return f"no words, only “{shown}”"
    if len(characters) >= _LONG and characters.count("�") >= _UNREADABLE_SHARE * len(characters):
        return f"bytes that are no text, “{shown}”"
    is_long_loop = len(characters) >= _LONG and (
        _has_repeated_tail(characters) or _is_of_few_parts(text, characters)
    )
    if _is_one_character(characters) or _is_repeated(characters) or is_long_loop:
        return f"the same over and over, “{shown}”"
    return ""


def _is_one_character(characters: str) -> bool:
    """True if nearly all characters are the same."""
    ((_, times),) = Counter(characters).most_common(1)
    return len(characters) >= _MIN_LENGTH and times >= _SAME_SHARE * len(characters)


def _is_repeated(characters: str) -> bool:
    """True if the text is one short unit, repeated; the last time may be cut."""
    return any(
        len(characters) >= _MIN_TIMES * unit and characters[unit:] == characters[:-unit]
        for unit in range(1, _MAX_UNIT + 1)
    )


def _has_repeated_tail(characters: str) -> bool:
    """True if most of the text, up to its end, is one unit repeated; the last time may be cut."""
    for unit in range(1, min(_MAX_PHRASE, len(characters) // _MIN_PHRASE_TIMES) + 1):
        start = len(characters) - unit
        while start and characters[start - 1] == characters[start - 1 + unit]:
            start -= 1
        repeated = len(characters) - start
        if repeated >= max(_MIN_PHRASE_TIMES * unit, _TAIL_SHARE * len(characters)):
            return True
    return False


def _is_of_few_parts(text: str, characters: str) -> bool:
    """True if one word makes up much of the text, or one pair of characters."""
    words = text.split()
    if len(words) >= _MIN_WORDS:
        ((_, times),) = Counter(words).most_common(1)
        if times >= _WORD_SHARE * len(words):
            return True
    pairs = Counter(map("".join, pairwise(characters)))
    return max(pairs.values()) >= _PAIR_SHARE * (len(characters) - 1)
