"""Defects of a sentence without its context, recognised by its punctuation and its words.

Punctuation counts in every language. Words count in languages other than English: hardly any
documents of these were judged, so their lists in `resources/languages` replace what was learnt
from English ones.
"""

import re
from functools import cache
from typing import Literal

from core.documents.document import count_words
from core.documents.languages import Language, language_of
from core.summarisers.rules.alternatives import match_any
from core.summarisers.rules.noise import Noise, classify_noise, is_damaged

Defect = Literal["fragment", "continues", "refers elsewhere"] | Noise

MIN_WORDS = 3
"""Fewer words are no sentence, in scripts that have words to count."""
CONTINUES = tuple(":,;：，；、،؛")
"""Ends of a sentence that continues in the next one."""
_STOPS = tuple(".!?。！？؟…।")
_CLOSING = "\"'”’»)]）」』"
_OPENING = "\"'“‘«„(¿¡「『“ "
_MAX_REFERENCE_WORDS = 16
"""A longer sentence with a numbered figure in it says something besides."""
_NUMBERED = re.compile(r"[(\[]?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)\]]\s|[-–•*·]\s")
_ASIDE = re.compile(r"[(（\[].*[)）\]][.。]?\Z", re.DOTALL)
_FIRST_WORD = re.compile(r"[^\W\d_]+(?![\w(:/.-]*[A-Z_\d(/])")
_NUMBER = r"(?:\d{1,2}(?:\.\d{1,2}){0,2}|[IVX]{1,4})"
_PART = r"(?:[Ss]ections?|[Ss]ec\.|[Cc]hapters?)"
_VERBS = (
    "(?:describe|present|introduce|discuss|review|report|conclude|outline|survey|summari[sz]e"
    "|explain|evaluate|compare|examine|analy[sz]e|detail|deal|focus)(?:e?s)?"
)
_WRITING = r"(?:paper|article|report|chapter|thesis|section|document)"
_PARTS = rf"{_PART} {_NUMBER}(?:(?:, {_NUMBER})*,? and {_NUMBER})?"
_SIGNPOST = re.compile(
    r"(?:(?:Then|Next|First|Finally|Lastly), )?"
    rf"(?:[Ii]n {_PART} {_NUMBER}(?:,| )\s?(?:we|I|the authors)"
    rf"|{_PARTS} (?:(?:first|then|also|briefly) )?{_VERBS}"
    rf"|[Tt]he (?:rest|remainder) of (?:this|the) {_WRITING}"
    rf"|(?:This|The) {_WRITING} is (?:organi[sz]ed|structured|laid out))\b"
)


class DefectRules:
    """The rules for sentences of one language, made of its lists of words.

    Args:
        language: The language.
    """

    def __init__(self, language: Language) -> None:
        end = r"(?!\w)" if language.script not in ("han", "kana", "thai") else ""
        stands, leans = match_any(language.stands), match_any(language.leans)
        things, seeing = match_any(language.things), match_any(language.seeing)
        self._dependent = re.compile(rf"(?!{stands}{end}){leans}{end}", re.IGNORECASE)
        numbered = rf"\b{things}\.?\s(?:[nN][r°º]?\.?\s)?\d"
        self._refers = re.compile(rf"{seeing}\b|(?:\w+\s){{0,2}}{numbered}", re.IGNORECASE)
        self._numbered = re.compile(numbered, re.IGNORECASE)

    def find_defect(self, text: str) -> Defect | None:
        """Returns the defect that a sentence has in any context; None for most."""
        if text.endswith(CONTINUES):
            return "continues"
        if _is_fragment(text):
            return "fragment"
        return classify_noise(text) or (
            "refers elsewhere" if self._refers_elsewhere(text) else None
        )

    def is_dependent(self, text: str) -> bool:
        """True if a sentence takes up the one before it."""
        return self._dependent.match(text.lstrip(_OPENING)) is not None

    def _refers_elsewhere(self, text: str) -> bool:
        if self._refers.match(text.lstrip(_OPENING)):
            return True
        return count_words(text) <= _MAX_REFERENCE_WORDS and bool(self._numbered.search(text))


@cache
def rules_for(code: str) -> DefectRules | None:
    """Returns the rules for a language.

    Args:
        code: Its code; empty if it is not known, which is treated as English.

    Returns:
        The rules; None for English, where the learnt model decides.
    """
    language = language_of(code)
    return DefectRules(language) if language.is_foreign else None


def is_incomplete(text: str) -> bool:
    """True if punctuation shows that an English sentence is not whole.

    It is damaged, an aside in brackets, half of a quotation, or begins in the middle. Of judged
    sentences of this kind four in five have a defect (`resources/ranker/README.md`). Names of
    programs begin with a small letter, too, and items are numbered: these are left to the learnt
    model.

    Args:
        text: The sentence, without white space around it.

    Returns:
        False for a sentence that may be whole.
    """
    half_quoted = text.count("“") != text.count("”") or text.count('"') % 2 == 1
    return half_quoted or text.startswith("(") or _begins_within(text) or is_damaged(text)


def is_signpost(text: str) -> bool:
    """True if an English sentence only announces a part of its document.

    It begins like "In Section 3, we" or "The rest of this paper".

    Args:
        text: The sentence, without white space around it.

    Returns:
        False for a sentence with content.
    """
    return _SIGNPOST.match(text) is not None


def _begins_within(text: str) -> bool:
    first = text.split(maxsplit=1)[0].rstrip(",") if text else ""
    return first in _function_words()


@cache
def _function_words() -> frozenset[str]:
    return frozenset(language_of("en").words)


def _is_fragment(text: str) -> bool:
    if not text.rstrip(_CLOSING).endswith(_STOPS) or count_words(text) < MIN_WORDS:
        return True
    first = _FIRST_WORD.match(text)
    begins_small = first is not None and first[0].islower()
    return begins_small or bool(_ASIDE.fullmatch(text) or _NUMBERED.match(text))
