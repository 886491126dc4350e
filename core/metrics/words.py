"""The words that ROUGE compares, as numbers: equal words, or stems, have equal numbers."""

import re
from collections.abc import Callable
from itertools import count

_WORDS = re.compile("[a-z0-9]+").findall
_MIN_STEMMED = 4  # letters; `rouge_score` leaves shorter words alone


class Words:
    """Numbers words, each text's in its order; a stem is found once for each word.

    Args:
        stem: Whether English words of more than three letters are compared by Porter stem.
    """

    def __init__(self, *, stem: bool = False) -> None:
        self._numbers = _Numbers(_porter() if stem else str)

    def of(self, text: str) -> list[int]:
        """The words of a text: lower case, runs of a–z and 0–9."""
        return list(map(self._numbers.__getitem__, _WORDS(text.lower())))


class _Numbers(dict[str, int]):
    """From word to number; a new word is given one when it is first looked up."""

    def __init__(self, reduced: Callable[[str], str]) -> None:
        self._reduced = reduced
        self._stems: dict[str, int] = {}
        self._next = count()

    def __missing__(self, word: str) -> int:
        # One call that no other thread can come into, so two stems never share a number.
        number = self._stems.setdefault(self._reduced(word), next(self._next))
        self[word] = number
        return number


def _porter() -> Callable[[str], str]:
    from nltk.stem.porter import PorterStemmer  # slow to import, seldom needed

    stem = PorterStemmer().stem

    def stemmed(word: str) -> str:
        return str(stem(word)) if len(word) >= _MIN_STEMMED else word

    return stemmed
