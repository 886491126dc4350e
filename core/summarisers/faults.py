"""Signs of damage and of boilerplate in a sentence, in any language."""

import re
from collections.abc import Sequence
from typing import Literal
from unicodedata import category

Waste = Literal["rubble", "boilerplate"]


def _patterns(*texts: str) -> tuple[re.Pattern[str], ...]:
    """One by one: a search for many at once cannot skip to where one of them may begin."""
    return tuple(map(re.compile, texts))


_RUBBLE = _patterns(
    r"(?<!\w)\(\s*[,;.]?\s*\)",
    r"(?<!\w)\[\s*[,;.]?\s*\]",
    r"[,;]\s*[,;]",
    r"[^.]\s\.\s*\.\s",
    "\ufffd",
    r"reference to (?:shown|illustrated|is|are|there)\b",
    r"referring to (?:shown|illustrated|is|are|there)\b",
    r"\b[AaIi][tn] (?:block|step|operation|box) (?:in|the|an?|is)\b",
    r"FIGS?\.? (?:is|are|shows)\b",
    r"\(\s*(?:see|e\.g\.)\s*\)",
    r"\\[a-z]+\{",
    r"\|\s*\|",
    r"==",
    r"\b(?:shown|illustrated|depicted|described) (?:in|by)\.\Z",
    r"\b(?:shown|illustrated|depicted) (?:in|at|by)"
    r" (?:on|is|are|and|or|when|while|with|to|which)\b",
    r"\b(?:the|an?|of|and|or|(?:reference|returns?|proceeds?|according) to)\.\Z",
    r"\b(?!approx|resp|incl|spec|orig)[a-z]{4,}\. [a-z]{3,} ",
    r"___",
    r"\.\.\.\.",
    r"<\w+>.*</",
    r"[a-z]\. https?://",
    r"\w ?\{[^}]*(?://|;)",
)
_FEWEST_LETTERS = 0.6
# In small letters.
_BOILERPLATE = _patterns(
    r"all rights reserved",
    r"©",
    r"copyright (?:\(c\)|\d{4})",
    r"creative commons",
    r"licen[sc]ed under",
    r"click here",
    r"subscribe to our\b",
    r"cookies?\b.{0,40}\b(?:site|browser)",
    r"correspondence (?:to|should)\b",
    r"corresponding author",
    r"authors? (?:declare|contributed)",
    r"competing interests",
    r"https?://\S+\W*\Z",
    r"doi: ?10\.",
)


def waste_of(text: str) -> Waste | None:
    """What is wrong with a sentence by its signs alone.

    Args:
        text: The sentence, without white space around it.

    Returns:
        "rubble" for what was lost in reading; "boilerplate" for rights, addresses and the like;
        None where nothing is wrong.
    """
    if _has(text, _RUBBLE) or text.count("(") > text.count(")") or _has_few_letters(text):
        return "rubble"
    return "boilerplate" if _has(text.lower(), _BOILERPLATE) else None


def _has(text: str, patterns: Sequence[re.Pattern[str]]) -> bool:
    return any(pattern.search(text) for pattern in patterns)


def _has_few_letters(text: str) -> bool:
    if _letters(text) >= _FEWEST_LETTERS:
        return False
    # Signs for vowels, as in Hindi, are no letters by themselves.
    return _letters("".join(sign for sign in text if category(sign)[0] != "M")) < _FEWEST_LETTERS


def _letters(text: str) -> float:
    """The share of letters among what is no white space."""
    return sum(map(str.isalpha, text)) / max(1, len("".join(text.split())))
