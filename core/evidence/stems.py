"""The stems of a document's sentences, and those shared with another text.

Letters: S sentences, Q distinct stems of the other text.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.documents.languages import Language
from core.documents.stems import stemmer_of
from core.documents.words import unicode_words

_FUNCTION_WORDS = frozenset(
    "a an the this that these those it its he she they them their his her our we us you your i my "
    "and or but nor so as if than then of in on at by for to from with into onto within over under "
    "about between among through during is are was were be been being am has have had having do "
    "does did done can could may might must shall should will would which who whom whose what when "
    "where while how there here also such other another some any each both more most very s t "
    "however thus therefore because since although though use used using".split()
)


class Stems:
    """The stems of sentences.

    Args:
        texts: [S] the sentences.
        language: Their language.
    """

    def __init__(self, texts: Sequence[str], language: Language) -> None:
        self._stem = stemmer_of(language)
        self._skipped = language.function_words if language.is_foreign else _FUNCTION_WORDS
        self._places: dict[str, list[int]] = {}
        sizes = []
        for index, text in enumerate(texts):
            stems = self.of(text)
            sizes.append(len(stems))
            for stem in set(stems):
                self._places.setdefault(stem, []).append(index)
        self.sizes = np.array(sizes, np.float64)
        """[S] the number of content words of each sentence."""

    def of(self, text: str) -> list[str]:
        """The stems of a text's content words, in order."""
        return [self._stem(word) for word in unicode_words(text) if word not in self._skipped]

    def weight(self, stem: str) -> float:
        """The inverse document frequency of a stem over sentences."""
        return math.log((len(self.sizes) + 1) / (len(self._places.get(stem, ())) + 0.5))

    def shared(self, stems: Sequence[str]) -> NDArray[np.bool_]:
        """[Q, S] which sentences contain which stem."""
        found = np.zeros((len(stems), len(self.sizes)), np.bool_)
        for row, stem in enumerate(stems):
            found[row, self._places.get(stem, [])] = True
        return found
