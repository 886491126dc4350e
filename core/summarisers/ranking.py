"""A document's sentences, ranked once; every length is then chosen from the ranking.

This is the door of the built-in summariser: whatever comes to rank sentences better gives a
`Ranking`, and nothing behind it changes.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Ranking:
    """The sentences of a document, best first.

    Letters: S sentences of the document, R ranked ones.

    Args:
        starts: [S] int64, first code point of each sentence.
        ends: [S] int64, one past its last.
        words: [S] int32, words in each.
        order: [R] int64, indices of sentences, best first.
        scores: [R] float64, the score each had when it was picked.
        leans_on: [S] int64, the sentence that has to be in a summary for this one to be understood,
            -1 for none; it comes before it in the order.
        eligible: How many sentences could have been ranked (running text; no headings, captions,
            tables, references or boilerplate); R may be smaller in a very long document.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    words: NDArray[np.int32]
    order: NDArray[np.int64]
    scores: NDArray[np.float64]
    leans_on: NDArray[np.int64]
    eligible: int
