"""What keeps a sentence from standing alone in a summary, by its signs and words.

Signs count in every language. Words count in languages other than English: of these hardly any
documents were judged by reading, so that what is known of their words stands in for what was learnt
of English.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Literal

from core.documents.document import count_words
from core.documents.languages import Language, language_of
from core.summarisers.rules.noise import is_rubble, waste_of

Fault = Literal["fragment", "goes on", "points away", "rubble", "boilerplate"]

FEWEST_WORDS = 3
STOPS = tuple(".!?。！？؟…।")
CLOSING = "\"'”’»)]）」』"
LONGEST_POINTER = 16  # words
_NUMBERED = re.compile(r"[(\[]?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)\]]\s|[-–•*·]\s")
_GOES_ON = tuple(":,;：，；、،؛")
_ASIDE = re.compile(r"[(（\[].*[)）\]][.。]?\Z", re.DOTALL)
_FIRST_WORD = re.compile(r"[^\W\d_]+(?![\w(:/.-]*[A-Z_\d(/])")
_OPENING = "\"'“‘«„(¿¡「『“ "
_NEVER = r"(?!)"
_NUMBER = r"(?:\d{1,2}(?:\.\d{1,2}){0,2}|[IVX]{1,4})"
_PART = r"(?:[Ss]ections?|[Ss]ec\.|[Cc]hapters?)"
_TELLS = (
    "(?:describe|present|introduce|discuss|review|report|conclude|outline|survey|summari[sz]e"
    "|explain|evaluate|compare|examine|analy[sz]e|detail|deal|focus)(?:e?s)?"
)
_WRITING = r"(?:paper|article|report|chapter|thesis|section|document)"
_PARTS = rf"{_PART} {_NUMBER}(?:(?:, {_NUMBER})*,? and {_NUMBER})?"
_SIGNPOST = re.compile(
    r"(?:(?:Then|Next|First|Finally|Lastly), )?"
    rf"(?:[Ii]n {_PART} {_NUMBER}(?:,| )\s?(?:we|I|the authors)"
    rf"|{_PARTS} (?:(?:first|then|also|briefly) )?{_TELLS}"
    rf"|[Tt]he (?:rest|remainder) of (?:this|the) {_WRITING}"
    rf"|(?:This|The) {_WRITING} is (?:organi[sz]ed|structured|laid out))\b"
)


class Checks:
    """How sentences of one language are judged by its words.

    Args:
        language: The language.
    """

    def __init__(self, language: Language) -> None:
        end = r"(?!\w)" if language.script not in ("han", "kana", "thai") else ""
        stands, leans = _any_of(language.stands), _any_of(language.leans)
        things, seeing = _any_of(language.things), _any_of(language.seeing)
        self._leans = re.compile(rf"(?!{stands}{end}){leans}{end}", re.IGNORECASE)
        numbered = rf"\b{things}\.?\s(?:[nN][r°º]?\.?\s)?\d"
        self._points = re.compile(rf"{seeing}\b|(?:\w+\s){{0,2}}{numbered}", re.IGNORECASE)
        self._numbered = re.compile(numbered, re.IGNORECASE)

    def fault_of(self, text: str) -> Fault | None:
        """What is wrong with a sentence, wherever it stands; None where nothing is."""
        if text.endswith(_GOES_ON):
            return "goes on"
        if _is_fragment(text):
            return "fragment"
        return waste_of(text) or ("points away" if self._points_away(text) else None)

    def leans_back(self, text: str) -> bool:
        """Whether a sentence takes up the one before it."""
        return self._leans.match(text.lstrip(_OPENING)) is not None

    def _points_away(self, text: str) -> bool:
        if self._points.match(text.lstrip(_OPENING)):
            return True
        return count_words(text) <= LONGEST_POINTER and bool(self._numbered.search(text))


def is_broken(text: str) -> bool:
    """Whether its signs alone show that an English sentence is no whole one.

    Args:
        text: The sentence, without white space around it.

    Returns:
        Whether it is rubble, an aside in brackets, half of what is quoted, or begins in the middle.
        Of judged sentences with such signs, four of five have a fault. Names of programs begin
        small, too, and items are numbered: these are left to what was learnt.
    """
    half_quoted = text.count("“") != text.count("”") or text.count('"') % 2 == 1
    return half_quoted or text.startswith("(") or _begins_within(text) or is_rubble(text)


def is_signpost(text: str) -> bool:
    """Whether an English sentence tells where in its document something stands, and no more.

    Args:
        text: The sentence, without white space around it.

    Returns:
        Whether it begins as "In Section 3, we" or "The rest of this paper" do.
    """
    return _SIGNPOST.match(text) is not None


def _begins_within(text: str) -> bool:
    first = text.split(maxsplit=1)[0].rstrip(",") if text else ""
    return first in _function_words()


@cache
def _function_words() -> frozenset[str]:
    return frozenset(language_of("en").words)


def _is_fragment(text: str) -> bool:
    if not text.rstrip(CLOSING).endswith(STOPS) or count_words(text) < FEWEST_WORDS:
        return True
    first = _FIRST_WORD.match(text)
    begins_small = first is not None and first[0].islower()
    return begins_small or bool(_ASIDE.fullmatch(text) or _NUMBERED.match(text))


def _any_of(phrases: Iterable[str]) -> str:
    """A pattern for one of some phrases, with any white space and apostrophe in them."""
    spelled = (re.escape(phrase).replace(r"\ ", r"\s").replace("’", "['’]") for phrase in phrases)
    longest_first = sorted(spelled, key=len, reverse=True)
    return f"(?:{'|'.join(longest_first) or _NEVER})"


@cache
def checks_for(code: str) -> Checks | None:
    """The checks for a language.

    Args:
        code: Its code; empty where it is not known, which is judged as English.

    Returns:
        The checks; None for English, where what was learnt from judged documents decides.
    """
    language = language_of(code)
    return Checks(language) if language.is_foreign else None
