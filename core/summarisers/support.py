"""Which sentences of a document a written sentence rests on, by the words they share.

Letters: S sentences of the document.
"""

import math
from collections import Counter

from core.documents.document import Document
from core.documents.sentences import Sentences
from core.gsg.tokens import unicode_words
from core.summarisers.choice import evidence_at
from core.summary import Evidence

_LEAST = 0.3
_MOST = 3


class Support:
    """Finds evidence in one document.

    Args:
        document: The document.
        sentences: Its sentences.
    """

    def __init__(self, document: Document, sentences: Sentences) -> None:
        self._document, self._sentences = document, sentences
        self._words = [frozenset(unicode_words(text)) for text in sentences.texts(document.text)]
        self._in = Counter(word for words in self._words for word in words)

    def of(self, text: str) -> tuple[Evidence, ...]:
        """The sentences that together hold most of a text's words, rare words counting more.

        Args:
            text: A written sentence.

        Returns:
            Up to three, in the order of the document; none if no sentence shares enough with it.
        """
        left = {word: self._weight(word) for word in unicode_words(text)}
        total, found = sum(left.values()), set[int]()
        while left and len(found) < _MOST:
            gains = [sum(left[word] for word in left if word in words) for words in self._words]
            best = max(range(len(gains)), key=gains.__getitem__, default=None)
            if best is None or gains[best] < _LEAST * total:
                break
            found.add(best)
            left = {word: weight for word, weight in left.items() if word not in self._words[best]}
        return tuple(self._evidence(index) for index in sorted(found))

    def _weight(self, word: str) -> float:
        return math.log((len(self._words) + 1) / (self._in[word] + 0.5))

    def _evidence(self, index: int) -> Evidence:
        start, end = int(self._sentences.starts[index]), int(self._sentences.ends[index])
        return evidence_at(self._document, index, start, end)
