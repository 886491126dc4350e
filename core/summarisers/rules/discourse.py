"""Sentences that need an earlier one by their own words: "second" needs "first", an exception its
rule.

Letters: E candidates.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.documents.document import Document, Kind
from core.documents.languages import Language, language_of

if TYPE_CHECKING:
    from core.summarisers.built_in import Candidates

FARTHEST = 40
"""So many candidates back, at most, stands the "first" of a "second"."""
_LONGEST_GAP = 4  # words
_OPENING = "\"'“‘«„(¿¡"


@dataclass(frozen=True)
class Count:
    """The place in an enumeration at which a sentence puts itself.

    Args:
        series: The enumeration: its words, and the noun that is counted where there is one.
        place: 0 for "first", 1 for "second" and so on.
    """

    series: tuple[int, str]
    place: int


class Partners:
    """The words of one language with which a sentence asks for another.

    Args:
        language: The language.
    """

    def __init__(self, language: Language) -> None:
        joint = rf"(?:{_any_of([*language.connectives, *language.spared])},?\s)?"
        self._counts = [
            (series, place, re.compile(rf"{joint}{_any_of(phrases)}", re.IGNORECASE))
            for series, places in enumerate(language.counts)
            for place, phrases in enumerate(places)
        ]
        self._with_noun = {
            series for series, places in enumerate(language.counts) if places[0][0].endswith("*")
        }
        every = [phrase for places in language.counts for own in places for phrase in own]
        self._any_count = re.compile(rf"{joint}{_any_of(every)}", re.IGNORECASE)
        excepting = rf"{_any_of(language.excepting)}[^,]*\Z"
        rule = rf"{joint}(?:{_any_of(language.exceptions)}|{excepting})"
        self._exception = re.compile(rule, re.IGNORECASE)

    def count_of(self, text: str) -> Count | None:
        """At which place of an enumeration a sentence puts itself; None for most."""
        line = text.lstrip(_OPENING)
        if not self._any_count.match(line):
            return None
        for series, place, pattern in self._counts:
            if found := pattern.match(line):
                noun = found[0].split()[-1].lower() if series in self._with_noun else ""
                return Count((series, noun), place)
        return None

    def is_exception(self, text: str) -> bool:
        """Whether a sentence limits the one before it."""
        return self._exception.match(text.lstrip(_OPENING)) is not None


@cache
def partners_for(code: str) -> Partners:
    """The words of a language by its code; those of English where it is not known."""
    return Partners(language_of(code or "en"))


def partners_of(document: Document, found: "Candidates") -> NDArray[np.int64]:
    """Which earlier sentence each needs by its own words.

    Args:
        document: The document.
        found: [E] its candidates.

    Returns:
        [E] the row of that candidate, -1 for none: "third" needs "second", which needs "first",
        all below one heading; an exception needs the sentence right before it.
    """
    words = partners_for(document.reading.language)
    sections = np.cumsum(document.kinds == Kind.HEADING)[found.sentences.paragraphs[found.indices]]
    needed = np.full(len(found.texts), -1, np.int64)
    counted: dict[tuple[int, Count], int] = {}
    for row, text in enumerate(found.texts):
        section = int(sections[row])
        if count := words.count_of(text):
            if count.place:
                before = counted.get((section, Count(count.series, count.place - 1)), -FARTHEST)
                needed[row] = before if row - before < FARTHEST else -1
            counted[section, count] = row
        elif row and words.is_exception(text):
            follows = found.indices[row] - found.indices[row - 1] == 1
            needed[row] = row - 1 if follows and section == sections[row - 1] else -1
    return needed


def told_in_order(texts: Mapping[int, str], leans_on: NDArray[np.int64], code: str) -> set[int]:
    """Which sentences of a summary keep "first" and "second".

    Args:
        texts: The sentences by their indices in the document.
        leans_on: [S] which sentence each of the document needs, -1 for none.
        code: The code of their language.

    Returns:
        The indices of those that count and whose partner is there, too.
    """
    words = partners_for(code)
    counting = {index for index, text in texts.items() if words.count_of(text)}
    pairs = [(index, int(leans_on[index])) for index in counting]
    return {index for pair in pairs if counting.issuperset(pair) for index in pair}


def _any_of(phrases: Iterable[str]) -> str:
    """A pattern for one of some phrases: "…" is a few words, "*" the noun that is counted."""
    spelled = sorted((_spelled(phrase) for phrase in phrases), key=len, reverse=True)
    return f"(?:{'|'.join(spelled) or '(?!)'})"


def _spelled(phrase: str) -> str:
    pattern = re.escape(phrase).replace("’", "['’]")
    pattern = pattern.replace(r"\ …", rf"(?:\s[\w.()]+){{0,{_LONGEST_GAP}}}")
    pattern = pattern.replace(r"\*", r"[^\W\d_]+").replace(r"\ ", r"\s")
    return pattern if phrase.endswith(",") else rf"{pattern}(?!\w)"
