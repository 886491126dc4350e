"""A document's sentences, ranked once; every length is then chosen from the ranking.

This is the door of the built-in summariser: whatever comes to rank sentences better gives a
`Ranking`, and nothing behind it changes.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from core.summaries.summary import LengthUnit
from core.summarisers.presentation.citations import NO_CITING, Citing


@dataclass(frozen=True, eq=False)
class Order:
    """Sentences, best first.

    Args:
        indices: [R] int64, which they are.
        scores: [R] float64, the score each had when it was picked.
        good: So many of the first are good enough for a summary; the others follow for who wants
            most of the text, or something else for a sentence that was dropped.
        eligible: How many sentences could be ranked; R may be smaller in a very long document.
        sound: So many of the good ones matter and are clear alone; the others are the best of the
            rest. None if all do.
    """

    indices: NDArray[np.int64]
    scores: NDArray[np.float64]
    good: int
    eligible: int
    sound: int | None = None

    def best(self, number: int) -> Self:
        """The first so many of them."""
        return replace(self, indices=self.indices[:number], scores=self.scores[:number])


@dataclass(frozen=True, eq=False)
class Ranking:
    """The sentences of a document, ranked for each way to count a length.

    Letters: S sentences of the document, R ranked ones.

    Args:
        starts: [S] int64, first code point of each sentence.
        ends: [S] int64, one past its last.
        words: [S] int32, words in each.
        by_words: Their order where words are counted: each for what it brings for its length.
        by_number: Their order where sentences are counted: longer ones may bring more.
        leans_on: [S] int64, the sentence that has to be in a summary for this one to be understood,
            -1 for none; it comes before it in both orders.
        num_candidates: How many sentences can be picked at all.
        best: The quality of its best sentences on average: importance, 0 to 3, less faults.
        doubt: Why a summary of picked sentences may mislead here, as one sentence; else empty.
        short_forms: What the abbreviations stand for that the document explains.
        citing: How the document cites.
        questions: From a sentence that answers a question to the one that asks it.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    words: NDArray[np.int32]
    by_words: Order
    by_number: Order
    leans_on: NDArray[np.int64]
    num_candidates: int = 0
    best: float = math.inf
    doubt: str = ""
    short_forms: Mapping[str, str] = field(default_factory=dict)
    citing: Citing = NO_CITING
    questions: Mapping[int, int] = field(default_factory=dict)

    @property
    def half(self) -> int:
        """So many sentences are half of those that can be picked."""
        return -(-self.num_candidates // 2)

    def order_for(self, unit: LengthUnit) -> Order:
        """The order for lengths in a unit."""
        return self.by_number if unit == "sentences" else self.by_words
