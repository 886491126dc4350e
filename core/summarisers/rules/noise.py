"""Signs of damage and of boilerplate in a sentence, in any language."""

import re
import string
from dataclasses import dataclass
from typing import Literal
from unicodedata import category

Waste = Literal["rubble", "boilerplate"]


@dataclass(frozen=True)
class _Sign:
    """A pattern, and what a text has to have at least one of: most texts need no search then."""

    pattern: re.Pattern[str]
    parts: tuple[str, ...]

    def is_in(self, text: str) -> bool:
        return any(part in text for part in self.parts) and bool(self.pattern.search(text))


def _signs(*rows: tuple[str, ...]) -> tuple[_Sign, ...]:
    """Of each a pattern, then the parts."""
    patterns = map(re.compile, [row[0] for row in rows])
    return tuple(_Sign(pattern, row[1:]) for pattern, row in zip(patterns, rows, strict=True))


_SHOWN = ("shown", "illustrated", "depicted")
_RUBBLE = _signs(
    (r"(?<!\w)\(\s*[,;.]?\s*\)", ")"),
    (r"(?<!\w)\[\s*[,;.]?\s*\]", "]"),
    (r"[,;]\s*[,;]", ",", ";"),
    (r"[^.]\s\.\s*\.\s", ". ", ".\n"),
    ("\ufffd", "\ufffd"),
    (r"(?:reference|referring) to (?:shown|illustrated|is|are|there)\b", "refer"),
    (
        r"\b[AaIi][tn] (?:block|step|operation|box) (?:in|the|an?|is)\b",
        *("n block", "n step", "n operation", "n box", "t block", "t step", "t operation", "t box"),
    ),
    (r"FIGS?\.? (?:is|are|shows)\b", "FIG"),
    (r"\(\s*(?:see|e\.g\.)\s*\)", "("),
    (r"\|\s*\|", "|"),
    (r"==", "=="),
    (r"\b(?:shown|illustrated|depicted|described) (?:in|by)\.\Z", *_SHOWN, "described"),
    (
        r"\b(?:shown|illustrated|depicted) (?:in|at|by)"
        r" (?:on|is|are|and|or|when|while|with|to|which)\b",
        *_SHOWN,
    ),
    (
        r"\b(?:the|an?|of|and|or|(?:reference|returns?|proceeds?|according) to)\.\Z",
        *("the.", "a.", "an.", "of.", "and.", "or.", "to."),
    ),
    (r"\b(?:e\.g|i\.e|eg|ie|Figs?|cf)\.\Z", "e.g.", "i.e.", "eg.", "ie.", "Fig", "cf."),
    (r"\b(?!approx|resp|incl|spec|orig)[a-z]{4,}\. [a-z]{3,} ", ". "),
    (r"___", "___"),
    (r"\.\.\.\.", "...."),
    (r"<\w+>.*</", "</"),
    (r"[a-z]\. https?://", "://"),
    (r"\w ?\{[^}]*(?://|;)", "{"),
)
_FORMULA = re.compile(r"\\[a-z]+\{")  # of TeX; papers in Markdown are full of them
_FEWEST_LETTERS = 0.6
_SPACES, _LETTERS = string.whitespace.encode(), string.ascii_letters.encode()
# In small letters.
_BOILERPLATE = tuple(
    map(
        re.compile,
        (
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
        ),
    )
)


def waste_of(text: str) -> Waste | None:
    """What is wrong with a sentence by its signs alone.

    Args:
        text: The sentence, without white space around it.

    Returns:
        "rubble" for what was lost in reading; "boilerplate" for rights, addresses and the like;
        None where nothing is wrong.
    """
    if is_rubble(text) or _FORMULA.search(text):
        return "rubble"
    lower = text.lower()
    return "boilerplate" if any(each.search(lower) for each in _BOILERPLATE) else None


def is_rubble(text: str) -> bool:
    """Whether something of a sentence was lost in reading; formulas are no loss."""
    unclosed = text.count("(") > text.count(")")
    return unclosed or _has_few_letters(text) or any(sign.is_in(text) for sign in _RUBBLE)


def _has_few_letters(text: str) -> bool:
    if _letters(text) >= _FEWEST_LETTERS:
        return False
    # Signs for vowels, as in Hindi, are no letters by themselves.
    return _letters("".join(sign for sign in text if category(sign)[0] != "M")) < _FEWEST_LETTERS


def _letters(text: str) -> float:
    """The share of letters among what is no white space."""
    if text.isascii():  # ten times as fast
        dense = text.encode().translate(None, _SPACES)
        return (len(dense) - len(dense.translate(None, _LETTERS))) / max(1, len(dense))
    return sum(map(str.isalpha, text)) / max(1, len("".join(text.split())))
