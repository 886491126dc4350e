"""Takes off a sentence what only joins it to its place in the source.

What is taken off: list marks and numbers, labels of abstracts ("Results:"), a leading connective
that can be spared, citations, and references to figures in brackets. Never a word that carries what
is said.
"""

import re
from functools import cache, lru_cache

from core.documents.languages import language_of

FEWEST_WORDS = 4
"""A sentence of which fewer words would be left stays as it is."""
_MARK = re.compile(
    r"(?:\[![A-Z]{2,12}\]|_{3,}|[-–•*·▪◦‣►]|\(?\d{1,3}[.)]|\(?[a-z]\)|\([ivx]{1,4}\))\s+(?=[^\W\d_])"
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
_PLACE = (
    r"(?:[Ff]igs?\.?|[Ff]igures?|[Tt]ables?|[Ss]ections?|[Ss]ecs?\.?|[Cc]hapters?|[Bb]ox|[Ee]qs?\.?"
    r"|[Aa]ppendix)"
)
_INSIDE = (
    re.compile(rf"\s?[(\[](?:see\s|cf\.?\s)?(?:also\s)?(?:the\s)?{_PLACE}\b[^()\[\]]{{0,60}}[)\]]"),
    re.compile(r"\s?\[\^?\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,12}\]"),
    re.compile(r"\s?\((?:see\s|e\.g\.,?\s)?[^\W\d_][^()]{0,160}?,\s(?:19|20)\d\d[a-z]?\)"),
    re.compile(r"\s?\((?:see\s)?(?:above|below)\)"),
)
_GLUED_NUMBER = re.compile(r"(?<=[^\W\d_]{2}\.)\s?\d{1,3}\Z|(?<=[^\W\d_]{2}\.)\[\d{1,3}\]\Z")
_SPACE_BEFORE = re.compile(r"\s+(?=[.,;:!?](?:\s|\Z))")


@lru_cache(maxsize=10_000)  # a slider asks for the same sentences again and again
def trimmed(text: str, language: str, *, counts: bool = False) -> str:
    """Takes off what joins a sentence to its place.

    Args:
        text: The sentence, on one line.
        language: The code of its language; empty where it is not known, which is taken as English.
        counts: Whether it begins with "first" or "second", which is to stay.

    Returns:
        The sentence, which begins with a capital where it did; the same where hardly anything would
        be left.
    """
    begun = _MARK.sub("", text, count=1) if _MARK.match(text) else text
    for pattern in (_LABEL, _RUN_IN_TITLES):
        begun = begun[match.end() :] if (match := pattern.match(begun)) else begun
    begun = begun if counts else _without_connective(begun, language)
    if "(" in begun or "[" in begun:
        for pattern in _INSIDE:
            begun = pattern.sub("", begun)
    begun = _SPACE_BEFORE.sub("", _GLUED_NUMBER.sub("", begun)).strip()
    return begun if len(begun.split()) >= FEWEST_WORDS else text


def _without_connective(text: str, language: str) -> str:
    patterns = (_connectives(language), _joints(language))
    match = next((found for each in patterns if each and (found := each.match(text))), None)
    if not match:
        return text
    rest = text[match.end() :]
    return rest[:1].upper() + rest[1:]


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
