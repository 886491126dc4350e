"""Finds the source sentences that support a generated sentence, and claims without support.

Evidence. The score of a source sentence is the sum of the weights of the stems it shares with the
generated sentence, divided by ((its words + 12) / 32) ^ 0.4, so that long sentences are not
preferred. The weight of a stem is log((S + 1) / (n + 1/2)), where n of the document's S sentences
contain it (an inverse document frequency), so a stem that the document lacks weighs most. Function
words do not count. The best sentence is shown if its score is at least a fifth of the total weight
of the generated sentence; otherwise the sentence has no support. Stems already found keep 0.15 of
their weight; further sentences are shown while their score is at least a quarter of the total
weight and 0.55 of the first score, up to three. Headings and references are never evidence.

Doubts. A number, unit, date or name is doubtful if the document does not contain it. It is also
doubtful if the document contains it only elsewhere: in no paragraph of the evidence, not in the
title, not only in headings, and in no sentence that shares a tenth of the weight of the generated
sentence's other stems. A negation is doubtful if no evidence contains one, although the best
evidence has half of the weight of the sentence.

The thresholds were chosen on the development part of the labelled set in `tests/reference/evidence`
and on the ranker's training documents and summaries.

Letters: S candidate sentences, Q distinct stems of the generated sentence.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.documents.document import Document, Kind
from core.documents.languages import language_of
from core.documents.sentences import Sentences
from core.evidence.claims import CheckableFacts, Claim
from core.evidence.stems import Stems
from core.summaries.summary import Doubt, Evidence, SummarySentence

_NO_EVIDENCE = (Kind.HEADING, Kind.REFERENCE)
_MOST = 3
_LENGTH, _USUAL_LENGTH, _POWER = 12, 32, 0.4
_LEAST_OF_FIRST, _LEAST_OF_NEXT = 0.2, 0.25
_SHARE_OF_FIRST = 0.55
_KEPT = 0.15
_ELSEWHERE = 0.1
_SAME = 0.5
# NO, in capitals, is nitric oxide.
_DENIAL = re.compile(
    r"\b(?:[Nn](?:ot|o|ever|one|either|or|othing|obody)|[Ww]ithout|[Cc]annot)\b|n[’']t\b"
)


class EvidenceFinder:
    """Finds evidence in a document.

    Args:
        document: The document.
        sentences: Its sentences.
    """

    def __init__(self, document: Document, sentences: Sentences) -> None:
        self._document, self._sentences = document, sentences
        kinds = document.kinds[sentences.paragraphs]
        self._indices = np.flatnonzero(~np.isin(kinds, _NO_EVIDENCE))
        self._paragraphs = sentences.paragraphs[self._indices]
        texts = [self._text(column) for column in range(len(self._indices))]
        self._stems = Stems(texts, language_of(document.reading.language))
        self._scale = ((self._stems.sizes + _LENGTH) / _USUAL_LENGTH) ** _POWER
        # The title at the end, so that places in the text stay what they are.
        self._facts = CheckableFacts(f"{document.text}\n{document.title}")

    def checked(self, text: str) -> SummarySentence:
        """A generated sentence with its evidence and its doubtful claims.

        Args:
            text: The sentence.

        Returns:
            The sentence, on one line.
        """
        text = " ".join(text.split())
        written = self._compared(text)
        best = written.best(self._scale)
        doubts = [*self._doubtful_claims(written, best), *self._doubtful_denials(written, best)]
        return SummarySentence(
            text,
            tuple(self._evidence(column) for column in sorted(best)),
            doubts=tuple(sorted(doubts, key=lambda doubt: doubt.start)),
        )

    def _compared(self, text: str) -> "_Written":
        stems = list(dict.fromkeys(self._stems.of(text)))
        weights = np.array([self._stems.weight(stem) for stem in stems])
        return _Written(text, stems, weights, self._stems.shared(stems))

    def _doubtful_claims(self, written: "_Written", best: list[int]) -> Iterator[Doubt]:
        for claim in self._facts.claims(written.text):
            if not claim.places:
                yield Doubt(claim.start, claim.end, claim.kind)
            elif best and self._is_elsewhere(claim, written, best):
                yield Doubt(claim.start, claim.end, claim.kind, elsewhere=True)

    def _is_elsewhere(self, claim: Claim, written: "_Written", best: list[int]) -> bool:
        """Whether the document has a claim in another context only."""
        if claim.places[-1] >= len(self._document.text):
            return False
        holders = self._sentences.starts.searchsorted(claim.places, side="right") - 1
        columns = np.flatnonzero(np.isin(self._indices, holders))
        near = self._paragraphs[best]
        if not len(columns) or np.isin(self._paragraphs[columns], near).any():
            return False
        rest = written.without(self._stems.of(written.text[claim.start : claim.end]))
        likeness = rest @ written.shared[:, columns]
        return bool(likeness.max() < _ELSEWHERE * rest.sum())

    def _doubtful_denials(self, written: "_Written", best: list[int]) -> Iterator[Doubt]:
        found = list(_DENIAL.finditer(written.text))
        if not found or not best or any(_DENIAL.search(self._text(column)) for column in best):
            return
        weights = written.without(self._stems.of(" ".join(match[0] for match in found)))
        if (weights @ written.shared[:, best]).max() >= _SAME * weights.sum():
            for match in found:
                yield Doubt(match.start(), match.end(), "negation")

    def _text(self, column: int) -> str:
        index = self._indices[column]
        return self._document.text[self._sentences.starts[index] : self._sentences.ends[index]]

    def _evidence(self, column: int) -> Evidence:
        index = int(self._indices[column])
        start, end = int(self._sentences.starts[index]), int(self._sentences.ends[index])
        return Evidence.at(self._document, index, start, end)


@dataclass(frozen=True, eq=False)
class _Written:
    """A generated sentence and the stems it shares with the document.

    Args:
        text: The sentence.
        stems: [Q] its stems.
        weights: [Q] their weights.
        shared: [Q, S] which sentences of the document contain which stem.
    """

    text: str
    stems: list[str]
    weights: NDArray[np.float64]
    shared: NDArray[np.bool_]

    def best(self, scale: NDArray[np.float64]) -> list[int]:
        """The sentences that support it, the best one first.

        Args:
            scale: [S] the length normalisation of each sentence.

        Returns:
            Up to three of S.
        """
        weights, whole = self.weights, self.weights.sum()
        least = _LEAST_OF_FIRST * whole
        found: list[int] = []
        while least > 0 and len(found) < min(_MOST, len(scale)):
            worth = weights @ self.shared / scale
            worth[found] = 0.0
            best = int(worth.argmax())
            if worth[best] < least:
                break
            if not found:
                least = max(_LEAST_OF_NEXT * whole, _SHARE_OF_FIRST * worth[best])
            found.append(best)
            weights = np.where(self.shared[:, best], _KEPT * weights, weights)
        return found

    def without(self, stems: Sequence[str]) -> NDArray[np.float64]:
        """[Q] the weights, with those of some stems set to 0."""
        return np.where(np.isin(self.stems, stems), 0.0, self.weights)
