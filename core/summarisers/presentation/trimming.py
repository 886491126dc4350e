"""Takes off a sentence what only joins it to its place in the source.

What is taken off: list marks and numbers, labels of abstracts ("Results:"), a leading connective
that can be spared, citations, and references to figures and parts in brackets. Never a word that
carries what is said.
"""

import re
from functools import cache, lru_cache

from core.documents.languages import language_of
from core.documents.stop_rules import stop_rules
from core.summarisers.presentation.citations import NO_CITING, Citing, without_references

FEWEST_WORDS = 4
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
_MOST_CONNECTIVES = 3
_NOTE_NUMBER = re.compile(r"([^\W\d_]{2,40})\.(?:\s?\d{1,3}|\[\d{1,3}\])\Z")


@lru_cache(maxsize=10_000)  # a slider asks for the same sentences again and again
def trimmed(text: str, language: str, citing: Citing = NO_CITING, *, counts: bool = False) -> str:
    """Takes off what joins a sentence to its place.

    Args:
        text: The sentence, on one line.
        language: The code of its language; empty where it is not known, which is taken as English.
        citing: How its document cites.
        counts: Whether it begins with "first" or "second", which is to stay.

    Returns:
        The sentence, which begins with a capital where it did, but for a name that has none; the
        same where hardly anything would be left.
    """
    begun = _MARK.sub("", text, count=1) if _MARK.match(text) else text
    for pattern in (_LABEL, _RUN_IN_TITLES):
        begun = begun[match.end() :] if (match := pattern.match(begun)) else begun
    begun = begun if counts else _without_connectives(begun, language)
    if "(" in begun or "[" in begun:
        begun = without_references(begun, language, citing)
    begun = _without_note_number(begun, language).strip()
    return begun if len(begun.split()) >= FEWEST_WORDS else text


def _without_note_number(text: str, language: str) -> str:
    """A sentence without the number of a note behind its full stop, unless that is "No. 12"."""
    match = _NOTE_NUMBER.search(text)
    if not match or stop_rules(language).is_abbreviation(match[1]):
        return text
    return text[: match.end(1) + 1]


def _without_connectives(text: str, language: str) -> str:
    """A sentence without a leading "However,", nor the "But" or "finally," that comes after it."""
    patterns = [each for each in (_connectives(language), _joints(language)) if each]
    for _ in range(_MOST_CONNECTIVES):
        match = next((found for each in patterns if (found := each.match(text))), None)
        if not match:
            break
        rest = text[match.end() :]
        text = rest if _BEGINS_SMALL.match(rest) else rest[:1].upper() + rest[1:]
    return text


@cache
def _connectives(code: str) -> re.Pattern[str] | None:
    language = language_of(code or "en")
    if not language.spared:
        return None
    phrases = "|".join(
        re.escape(phrase).replace(r"\ ", r"\s").replace("’", "['’]")
        for phrase in sorted(language.spared, key=len, reverse=True)
    )
    return re.compile(rf"(?:{phrases}),\s+(?=\w)", re.IGNORECASE)


@cache
def _joints(code: str) -> re.Pattern[str] | None:
    """ "But" and "and" without a comma, unless they are part of another phrase ("but for")."""
    language = language_of(code or "en")
    if not language.joints:
        return None
    joints = "|".join(word.capitalize() for word in language.joints)
    followers = "|".join(language.joined)
    return re.compile(rf"(?:{joints})\s+(?!(?:{followers})\b)(?=\w)")
