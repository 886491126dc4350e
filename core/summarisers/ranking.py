"""A document's sentences, ranked once; every length is then selected from the ranking.

This is the interface between the two halves of the built-in summariser: whatever ranks sentences
better returns a `Ranking`, and nothing after it changes. The window, which selects in its own
process, loads these types without anything that splits or ranks a text.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from core.summaries.summary import LengthUnit


@dataclass(frozen=True, slots=True)
class CitationStyle:
    """The ways in which a document cites.

    Args:
        numbers: True if by numbers in square brackets.
        names: True if by names and years in round ones.
        glued: True if such numbers directly follow a word, as those of an index do.
    """

    numbers: bool = False
    names: bool = False
    glued: bool = False


NO_CITATIONS = CitationStyle()
"""The style of a document that does not cite, or of which nothing is known."""


@dataclass(frozen=True, eq=False)
class Order:
    """Sentences, best first.

    Letters: R ranked sentences.

    Args:
        indices: [R] int64, sentences of the document.
        scores: [R] float64, the gain of each when it was selected.
        num_offered: Number of sentences at the beginning that a summary may contain; the others
            follow for summaries of most of the text, and as replacements of dropped sentences.
        num_rankable: Number of sentences that could be ranked; R may be smaller in a very long
            document.
        num_eligible: Number of offered sentences that are important and clear by themselves; the
            others are the best of the rest. None if all are.
    """

    indices: NDArray[np.int64]
    scores: NDArray[np.float64]
    num_offered: int
    num_rankable: int
    num_eligible: int | None = None

    def best(self, number: int) -> Self:
        """Returns the order of its first sentences."""
        return replace(self, indices=self.indices[:number], scores=self.scores[:number])


@dataclass(frozen=True, eq=False)
class Ranking:
    """The sentences of a document, ranked for each unit of length.

    Letters: S sentences of the document, R ranked ones.

    Args:
        starts: [S] int64, first code point of each sentence.
        ends: [S] int64, one past its last.
        words: [S] int32, words in each.
        by_words: Their order under a budget of words: gain per length.
        by_number: Their order under a budget of sentences, in which length costs nothing.
        antecedents: [S] int64, the sentence without which this one is not understood, -1 for none;
            it comes first in both orders.
        num_candidates: Number of sentences that may be selected.
        best: Mean quality of the best sentences: importance, 0 to 3, less defects; infinite where
            there are too few to say.
        doubt: The reason why an extractive summary of this text may mislead, as one sentence; else
            empty.
        short_forms: The abbreviations that the document explains, with their long forms.
        citing: The ways in which the document cites.
        questions: From a sentence that answers a question to the one that asks it.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    words: NDArray[np.int32]
    by_words: Order
    by_number: Order
    antecedents: NDArray[np.int64]
    num_candidates: int = 0
    best: float = math.inf
    doubt: str = ""
    short_forms: Mapping[str, str] = field(default_factory=dict)
    citing: CitationStyle = NO_CITATIONS
    questions: Mapping[int, int] = field(default_factory=dict)

    @property
    def half(self) -> int:
        """Half of the candidates, rounded up."""
        return -(-self.num_candidates // 2)

    def order_for(self, unit: LengthUnit) -> Order:
        """Returns the order for lengths in a unit."""
        return self.by_number if unit == "sentences" else self.by_words
