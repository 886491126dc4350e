"""The order in which sentences come into a summary: each for its own worth and for what is new.

Letters: E sentences.
"""

import heapq
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from core.gsg.bags import Bags, bags_of
from core.gsg.tokens import Tokens

Floats = NDArray[np.float64]

_SHARPNESS = 0.3
_FEWEST_WORDS = 4
OWN = 0.5
"""The share of a sentence's own worth; the rest is that of the words, and pairs, it brings in."""
LENGTH_POWER = 0.6
"""What a sentence is worth is divided by its words to this power."""
FADING = 0.3
"""Its own worth is multiplied by the share of its words and pairs that are new, to this power."""


def covering_order(
    worth: Floats,
    words: NDArray[np.int32],
    tokens: Tokens,
    limit: int | None = None,
) -> tuple[list[int], list[float]]:
    """Orders sentences so that any beginning of the order is a good summary.

    Words and pairs count as much as the sentences that hold them are worth, and once: the gain of
    a sentence only shrinks as others are taken, so that only the best few are looked at again.

    Args:
        worth: [E] what each sentence alone is worth; below 0 counts as 0.
        words: [E] how many words each has.
        tokens: [E] these words.
        limit: How many to order; all if None.

    Returns:
        Indices, best first, and the gain each had when it was taken; of equals the earlier one.
    """
    if not len(worth):
        return [], []
    worth = np.maximum(0.0, worth)  # so that every gain shrinks
    expected = np.exp((worth - worth.max()) / _SHARPNESS)
    parts = [_Parts.of(bags_of(tokens, size), expected) for size in (1, 2)]
    fresh: Floats = np.sum([part.all_new() for part in parts], axis=0)
    scale = (1 - OWN) / max(1e-9, float(np.max(fresh)))
    own = OWN * worth / max(1e-9, float(worth.max()))
    lengths = np.maximum(_FEWEST_WORDS, words) ** LENGTH_POWER

    def gain(index: int) -> float:
        new = sum(part.new(index) for part in parts)
        share = min(1.0, new / max(1e-9, float(fresh[index])))
        return float((own[index] * share**FADING + scale * new) / lengths[index])

    first = (own + scale * fresh) / lengths
    waiting = [(-worth_now, index) for index, worth_now in enumerate(first.tolist())]
    heapq.heapify(waiting)
    order: list[int] = []
    scores: list[float] = []
    while waiting and (limit is None or len(order) < limit):
        _, index = heapq.heappop(waiting)
        now = -gain(index)
        if waiting and (now, index) > waiting[0]:
            heapq.heappush(waiting, (now, index))
            continue
        order.append(index)
        scores.append(-now)
        for part in parts:
            part.cover(index)
    return order, scores


@dataclass(frozen=True, eq=False)
class _Parts:
    """The words, or the pairs, of all sentences, and what each is worth while it is not covered.

    Letters: K entries of all sentences, V different words or pairs.

    Args:
        starts: [E + 1] where the entries of each sentence begin.
        numbers: [K] the word or pair of each.
        values: [V] what it is worth; 0 once it is covered.
    """

    starts: NDArray[np.int64]
    numbers: NDArray[np.int64]
    values: Floats

    @classmethod
    def of(cls, bags: Bags, expected: Floats) -> Self:
        owners = bags.sentences[bags.owners]
        sizes = np.bincount(owners, minlength=len(expected))
        different, numbers = np.unique(bags.words, return_inverse=True)
        values = np.bincount(numbers, expected[owners], len(different)) / expected.sum()
        return cls(np.append(0, np.cumsum(sizes)), numbers.astype(np.int64), values)

    def all_new(self) -> Floats:
        """[E] what each sentence would bring in anew."""
        sums: Floats = np.append(0.0, np.cumsum(self.values[self.numbers]))
        found: Floats = sums[self.starts[1:]] - sums[self.starts[:-1]]
        return found

    def new(self, index: int) -> float:
        return float(self.values[self._of(index)].sum())

    def cover(self, index: int) -> None:
        self.values[self._of(index)] = 0.0

    def _of(self, index: int) -> NDArray[np.int64]:
        return self.numbers[self.starts[index] : self.starts[index + 1]]
