"""Removes from a sentence what only connects it to its place in the source.

That is list marks and numbers, labels of abstracts ("Results:"), a leading connective that is not
needed, citations, and references in brackets to figures and parts. Never a word with content.
"""

import re
from functools import cache, lru_cache

from core.documents.languages import language_of
from core.documents.stop_rules import stop_rules
from core.summarisers.presentation.citations import remove_references
from core.summarisers.ranking import NO_CITATIONS, CitationStyle
from core.summarisers.rules.alternatives import match_any

_MIN_WORDS = 4
"""A sentence of which fewer words would be left stays as it is."""
_MARK = re.compile(
    r"(?:\[![A-Z]{2,12}\]|_{3,}|[-–•*·▪◦‣►]|\(?\d{1,3}[.)]|\(?[a-z]\)|\([ivx]{1,4}\)"
    r"|\d{1,2}(?:\.\d{1,2}){1,4}\.|\d{1,2}(?:\.\d{1,2}){2,4}(?=\s[A-ZÀ-Þ])"
    r"|(?:[a-z]|[ivx]{2,5}|[IVX]{2,5})\.(?=\s[A-ZÀ-Þ]\w))\s+(?=[^\W\d_])"
)
_LABEL = re.compile(
    r"(?:Abstract|Summary|Background|Introduction|Objectives?|Purpose|Aims?|Methods?|Results|Findings"
    r"|Conclusions?|Significance|Importance|Interpretation|Overview|Motivation|TL;DR)"
    r"\s?(?:[:.—–]|\s-)\s*(?=[A-Z])"
)
_RUN_IN_TITLES = re.compile(
    r"(?=.{0,300}?\b(?:Sub)?(?:[Tt]itle|[Pp]art|[Dd]ivision|[Cc]hapter)\s[IVXLC\dA-Z]{1,5}:\s)"
    r"[^.;()]{3,400}\s-\s(?:\(Sec\.\s\d+[A-Za-z]?\)\s)?(?=[A-Z])"
)
"""Heads of a law's parts on the line of its text: "Title II: Benefits - Subtitle A: Pay - …"."""
_BEGINS_SMALL = re.compile(r"[α-ω]-|[^\W\d_]+[A-Z\d_]")
"""Names that another first letter would make another name: "mRNA", "p53", "β-catenin"."""
_MAX_CONNECTIVES = 3
_NOTE_NUMBER = re.compile(r"([^\W\d_]{2,40})\.(?:\s?\d{1,3}|\[\d{1,3}\])\Z")


@lru_cache(maxsize=10_000)  # a slider requests the same sentences again and again
def trim_sentence(
    text: str,
    language: str,
    citing: CitationStyle = NO_CITATIONS,
    *,
    keeps_ordinal: bool = False,
) -> str:
    """Removes from a sentence what connects it to its place.

    Args:
        text: The sentence, on one line.
        language: The code of its language; empty if it is not known, which is treated as English.
        citing: The way in which its document cites.
        keeps_ordinal: True if a leading "first" or "second" is to stay.

    Returns:
        The sentence, with a capital at its beginning if it had one, but for names that have none;
        unchanged if hardly anything would be left.
    """
    begun = _MARK.sub("", text, count=1) if _MARK.match(text) else text
    for pattern in (_LABEL, _RUN_IN_TITLES):
        begun = begun[match.end() :] if (match := pattern.match(begun)) else begun
    begun = begun if keeps_ordinal else _remove_connectives(begun, language)
    if "(" in begun or "[" in begun:
        begun = remove_references(begun, language, citing)
    begun = _remove_note_number(begun, language).strip()
    return begun if len(begun.split()) >= _MIN_WORDS else text


def _remove_note_number(text: str, language: str) -> str:
    """Removes the number of a note after the full stop, unless that is part of "No. 12"."""
    match = _NOTE_NUMBER.search(text)
    if not match or stop_rules(language).is_abbreviation(match[1]):
        return text
    return text[: match.end(1) + 1]


def _remove_connectives(text: str, language: str) -> str:
    """Removes a leading "However,", and the "But" or "finally," that follows it."""
    patterns = (_connectives(language), _joints(language))
    for _ in range(_MAX_CONNECTIVES):
        match = next(filter(None, (each.match(text) for each in patterns)), None)
        if not match:
            break
        rest = text[match.end() :]
        text = rest if _BEGINS_SMALL.match(rest) else rest[:1].upper() + rest[1:]
    return text


@cache
def _connectives(code: str) -> re.Pattern[str]:
    """Returns a pattern for connectives and the comma after them."""
    phrases = match_any(language_of(code or "en").spared)
    return re.compile(rf"{phrases},\s+(?=\w)", re.IGNORECASE)


@cache
def _joints(code: str) -> re.Pattern[str]:
    """Returns a pattern for "But" and "And" without a comma, but not in phrases like "but for"."""
    language = language_of(code or "en")
    joints = match_any(map(str.capitalize, language.joints))
    return re.compile(rf"{joints}\s+(?!{match_any(language.joined)}\b)(?=\w)")
