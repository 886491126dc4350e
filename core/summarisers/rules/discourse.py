"""Discourse markers: words by which a sentence shows that it belongs to an earlier one.

"Second" needs "first", an exception needs its rule.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from core.documents.languages import Language, language_of
from core.summarisers.rules.alternatives import join_alternatives

_LONGEST_GAP = 4  # words
_OPENING = "\"'“‘«„(¿¡"


@dataclass(frozen=True)
class Ordinal:
    """The place that a sentence takes in an enumeration.

    Args:
        series: The enumeration: its words, and the noun that is counted where there is one.
        place: 0 for "first", 1 for "second" and so on.
    """

    series: tuple[int, str]
    place: int


class DiscourseMarkers:
    """The discourse markers of one language.

    Args:
        language: The language.
    """

    def __init__(self, language: Language) -> None:
        joint = rf"(?:{_any_of([*language.connectives, *language.spared])},?\s)?"
        self._ordinals = [
            (series, place, re.compile(rf"{joint}{_any_of(phrases)}", re.IGNORECASE))
            for series, places in enumerate(language.counts)
            for place, phrases in enumerate(places)
        ]
        self._with_noun = {
            series for series, places in enumerate(language.counts) if places[0][0].endswith("*")
        }
        every = [phrase for places in language.counts for own in places for phrase in own]
        self._any_ordinal = re.compile(rf"{joint}{_any_of(every)}", re.IGNORECASE)
        excepting = rf"{_any_of(language.excepting)}[^,]*\Z"
        rule = rf"{joint}(?:{_any_of(language.exceptions)}|{excepting})"
        self._exception = re.compile(rule, re.IGNORECASE)

    def parse_ordinal(self, text: str) -> Ordinal | None:
        """Returns the place that a sentence takes in an enumeration; None for most."""
        line = text.lstrip(_OPENING)
        if not self._any_ordinal.match(line):
            return None
        for series, place, pattern in self._ordinals:
            if match := pattern.match(line):
                noun = match[0].split()[-1].lower() if series in self._with_noun else ""
                return Ordinal((series, noun), place)
        return None

    def is_exception(self, text: str) -> bool:
        """True if a sentence limits the one before it."""
        return self._exception.match(text.lstrip(_OPENING)) is not None


@cache
def markers_for(code: str) -> DiscourseMarkers:
    """Returns the markers of a language by its code; those of English if it is not known."""
    return DiscourseMarkers(language_of(code or "en"))


def find_enumerations(texts: dict[int, str], antecedents: NDArray[np.int64], code: str) -> set[int]:
    """Finds the sentences of a summary that keep their "first" and "second".

    Args:
        texts: The sentences by their indices in the document.
        antecedents: [S] the sentence that each of the document needs, -1 for none.
        code: The code of their language.

    Returns:
        Indices of ordinals whose neighbour in the enumeration is there, too.
    """
    markers = markers_for(code)
    ordinals = {index for index, text in texts.items() if markers.parse_ordinal(text)}
    pairs = [(index, int(antecedents[index])) for index in ordinals]
    return {index for pair in pairs if ordinals.issuperset(pair) for index in pair}


def _any_of(phrases: Iterable[str]) -> str:
    """Returns a pattern for one of some phrases: "…" is a few words, "*" the counted noun."""
    return join_alternatives(map(_to_pattern, phrases))


def _to_pattern(phrase: str) -> str:
    pattern = re.escape(phrase).replace("’", "['’]")
    pattern = pattern.replace(r"\ …", rf"(?:\s[\w.()]+){{0,{_LONGEST_GAP}}}")
    pattern = pattern.replace(r"\*", r"[^\W\d_]+").replace(r"\ ", r"\s")
    return pattern if phrase.endswith(",") else rf"{pattern}(?!\w)"
