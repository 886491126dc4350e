"""The words that ROUGE compares, as ids: equal words, or stems, have equal ids."""

import re
from collections.abc import Callable
from itertools import count

_WORDS = re.compile("[a-z0-9]+").findall
_MIN_STEMMED = 4  # letters; `rouge_score` leaves shorter words alone


class Words:
    """Maps words to ids; each word is stemmed only once.

    Args:
        stem: Whether English words of more than three letters are compared by Porter stem.
    """

    def __init__(self, *, stem: bool = False) -> None:
        self._numbers = _Numbers(_porter() if stem else str)

    def of(self, text: str) -> list[int]:
        """The ids of the words of a text."""
        return list(map(self._numbers.__getitem__, self.found(text)))

    @staticmethod
    def found(text: str) -> list[str]:
        """The words of a text: lower case, sequences of a–z and 0–9."""
        return _WORDS(text.lower())


class _Numbers(dict[str, int]):
    """From word to id; a new word gets its id when it is first looked up."""

    def __init__(self, reduced: Callable[[str], str]) -> None:
        self._reduced = reduced
        self._stems: dict[str, int] = {}
        self._next = count()

    def __missing__(self, word: str) -> int:
        # A single atomic call, so two stems never share an id.
        number = self._stems.setdefault(self._reduced(word), next(self._next))
        self[word] = number
        return number


def _porter() -> Callable[[str], str]:
    from nltk.stem.porter import PorterStemmer  # slow to import, seldom needed

    stem = PorterStemmer().stem

    def stemmed(word: str) -> str:
        return str(stem(word)) if len(word) >= _MIN_STEMMED else word

    return stemmed
