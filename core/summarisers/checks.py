"""What keeps a sentence from standing alone in a summary, in the language of its document."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from core.documents.document import Kind, count_words
from core.documents.languages import Language, language_of
from core.summarisers.faults import (
    CLOSING,
    FEWEST_WORDS,
    LONGEST_POINTER,
    NUMBERED,
    STOPS,
    Fault,
    fault_of,
    leans_back,
    waste_of,
)

_GOES_ON = tuple(":,;：，；、،؛")
_ASIDE = re.compile(r"[(（\[].*[)）\]][.。]?\Z", re.DOTALL)
_FIRST_WORD = re.compile(r"[^\W\d_]+(?![\w(:/.-]*[A-Z_\d(/])")
_OPENING = "\"'“‘«„(¿¡「『“ "
_NEVER = r"(?!)"


@dataclass(frozen=True)
class Checks:
    """How sentences of one language are judged.

    Args:
        fault_of: As `core.summarisers.faults.fault_of`.
        leans_back: As `core.summarisers.faults.leans_back`.
    """

    fault_of: Callable[[str, Kind], Fault | None] = fault_of
    leans_back: Callable[[str], bool] = leans_back


@cache
def checks_for(code: str) -> Checks:
    """The checks for a language.

    Args:
        code: Its code; empty where it is not known, which is judged as English.

    Returns:
        The checks. In other languages than English they know fewer words: how a sentence begins
        that takes up the one before it, and what figures, tables and chapters are called.
    """
    language = language_of(code)
    if not language.is_foreign:
        return Checks()
    words = _Words(language)
    return Checks(words.fault_of, words.leans_back)


class _Words:
    """The checks by the words of a language."""

    def __init__(self, language: Language) -> None:
        end = r"(?!\w)" if language.script not in ("han", "kana", "thai") else ""
        stands, leans = _any_of(language.stands), _any_of(language.leans)
        things, seeing = _any_of(language.things), _any_of(language.seeing)
        self._leans = re.compile(rf"(?!{stands}{end}){leans}{end}", re.IGNORECASE)
        numbered = rf"\b{things}\.?\s(?:[nN][r°º]?\.?\s)?\d"
        self._points = re.compile(rf"{seeing}\b|(?:\w+\s){{0,2}}{numbered}", re.IGNORECASE)
        self._numbered = re.compile(numbered, re.IGNORECASE)

    def fault_of(self, text: str, kind: Kind) -> Fault | None:
        if text.endswith(_GOES_ON):
            return "goes on"
        if _is_fragment(text):
            return "fragment"
        return waste_of(text) or ("points away" if self._points_away(text) else None)

    def leans_back(self, text: str) -> bool:
        return self._leans.match(text.lstrip(_OPENING)) is not None

    def _points_away(self, text: str) -> bool:
        if self._points.match(text.lstrip(_OPENING)):
            return True
        return count_words(text) <= LONGEST_POINTER and bool(self._numbered.search(text))


def _is_fragment(text: str) -> bool:
    if not text.rstrip(CLOSING).endswith(tuple(STOPS)) or count_words(text) < FEWEST_WORDS:
        return True
    first = _FIRST_WORD.match(text)
    begins_small = first is not None and first[0].islower()
    return begins_small or bool(_ASIDE.fullmatch(text) or NUMBERED.match(text))


def _any_of(phrases: Iterable[str]) -> str:
    """A pattern for one of some phrases, with any white space and apostrophe in them."""
    spelled = (re.escape(phrase).replace(r"\ ", r"\s").replace("’", "['’]") for phrase in phrases)
    longest_first = sorted(spelled, key=len, reverse=True)
    return f"(?:{'|'.join(longest_first) or _NEVER})"
