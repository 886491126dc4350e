"""Damaged text and boilerplate, recognised by marks that are the same in all languages."""

import re
import string
from dataclasses import dataclass
from typing import Literal
from unicodedata import category

Noise = Literal["damaged", "boilerplate"]


@dataclass(frozen=True)
class _Sign:
    """A pattern, and strings of which a match contains at least one: most texts need no search."""

    pattern: re.Pattern[str]
    parts: tuple[str, ...]

    def is_in(self, text: str) -> bool:
        return any(part in text for part in self.parts) and bool(self.pattern.search(text))


def _signs(*rows: tuple[str, ...]) -> tuple[_Sign, ...]:
    """Compiles rows of a pattern and its strings."""
    patterns = map(re.compile, [row[0] for row in rows])
    return tuple(_Sign(pattern, row[1:]) for pattern, row in zip(patterns, rows, strict=True))


_SHOWN = ("shown", "illustrated", "depicted")
_DAMAGE = _signs(
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
_FORMULA = re.compile(r"\\[a-z]+\{")  # TeX, of which papers in Markdown are full
_MIN_LETTERS = 0.6  # share of the characters; whole sentences with fewer are formulas or tables
_SPACES, _LETTERS = string.whitespace.encode(), string.ascii_letters.encode()
# Matched against the lower-case text.
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


def classify_noise(text: str) -> Noise | None:
    """Returns the kind of noise that a sentence is.

    Args:
        text: The sentence, without white space around it.

    Returns:
        "damaged" if something was lost in extraction, or it is a formula; "boilerplate" for rights,
        addresses and the like; None for ordinary sentences.
    """
    if is_damaged(text) or _FORMULA.search(text):
        return "damaged"
    lower = text.lower()
    return "boilerplate" if any(each.search(lower) for each in _BOILERPLATE) else None


def is_damaged(text: str) -> bool:
    """True if a part of a sentence was lost in extraction; a formula is no loss."""
    unclosed = text.count("(") > text.count(")")
    return unclosed or _has_few_letters(text) or any(sign.is_in(text) for sign in _DAMAGE)


def _has_few_letters(text: str) -> bool:
    if _letter_share(text) >= _MIN_LETTERS:
        return False
    # Vowel signs, as in Hindi, are no letters by themselves.
    bare = "".join(sign for sign in text if category(sign)[0] != "M")
    return _letter_share(bare) < _MIN_LETTERS


def _letter_share(text: str) -> float:
    """Share of letters among the characters that are not white space."""
    if text.isascii():  # ten times as fast
        dense = text.encode().translate(None, _SPACES)
        return (len(dense) - len(dense.translate(None, _LETTERS))) / max(1, len(dense))
    return sum(map(str.isalpha, text)) / max(1, len("".join(text.split())))
