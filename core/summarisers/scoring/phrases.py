"""A linear model of the words and short phrases of a sentence, above all those it begins with.

A phrase is known by a number made of its words and its place, so that no list of words is kept.

Letters: E sentences, K words of all, P phrases of all, H phrases that are known, T what is told.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from core.gsg.tokens import Tokens

Floats = NDArray[np.float64]
Keys = NDArray[np.uint64]

BEGINNING = 4
"""So many words at the beginning count by their place."""
_PRIMES = (
    np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0x165667B19E3779F9)
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Phrases:
    """What phrases tell of a sentence.

    Args:
        keys: [H] their numbers, ascending.
        weights: [H, T] float32, what each adds.
        base: [T] float32, what is told of a sentence without known phrases.
    """

    keys: Keys
    weights: NDArray[np.float32]
    base: NDArray[np.float32]

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Those that stand among other arrays; the inverse of `arrays`."""
        found = (arrays[f"phrases {name}"] for name in ("keys", "weights", "base"))
        keys, weights, base = found
        return cls(keys, weights.astype(np.float32), base)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The model as plain arrays."""
        return {
            "phrases keys": self.keys,
            "phrases weights": self.weights.astype(np.float16),
            "phrases base": self.base,
        }

    def predict(self, tokens: Tokens) -> Floats:
        """What the phrases of sentences tell.

        Args:
            tokens: [E] the words of the sentences in small letters.

        Returns:
            [E, T] the sums over the known phrases, divided by the root of the number of all.
        """
        owners, keys = phrases_of(tokens)
        spots = np.minimum(self.keys.searchsorted(keys), max(0, len(self.keys) - 1))
        known = self.keys[spots] == keys if len(self.keys) else np.zeros(len(keys), bool)
        number = np.sqrt(np.maximum(1, np.bincount(owners, minlength=len(tokens))))
        columns = [
            np.bincount(owners[known], column[spots[known]], len(tokens)) / number
            for column in self.weights.T.astype(np.float64)
        ]
        return np.column_stack(columns) + self.base


def phrases_of(tokens: Tokens) -> tuple[NDArray[np.int64], Keys]:
    """The phrases of sentences.

    Args:
        tokens: [E] their words in small letters.

    Returns:
        [P] the sentence of each, and [P] its number: every word, every two words in a row, each of
        the first four words with its place, the first two and three together, the last two words.
    """
    spelled = np.array([crc32(word.encode()) for word in tokens.spellings], np.uint64)
    words = spelled[tokens.words] if len(spelled) else np.zeros(0, np.uint64)
    owners = np.repeat(np.arange(len(tokens)), tokens.lengths)
    places = np.arange(len(words)) - tokens.starts[owners]
    left = tokens.lengths[owners] - 1 - places
    found = list(_phrases(words, owners, places, left))
    keys = np.concatenate([key for _, key in found])
    whose = np.concatenate([owner for owner, _ in found])
    return whose, keys


def _phrases(
    words: Keys, owners: NDArray[np.int64], places: NDArray[np.int64], left: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.int64], Keys]]:
    def mixed(kind: int, *parts: Keys) -> Keys:
        number = np.full(len(parts[0]), kind + 1, np.uint64)
        for part, prime in zip(parts, _PRIMES, strict=False):
            number = (number ^ part) * prime  # wraps around, as wanted
            number ^= number >> np.uint64(29)
        return number

    yield owners, mixed(0, words)
    two = left >= 1
    at = np.flatnonzero(two)
    yield owners[at], mixed(1, words[at], words[at + 1])
    for place in range(BEGINNING):
        at = np.flatnonzero(places == place)
        yield owners[at], mixed(2 + place, words[at])
    at = np.flatnonzero((places == 0) & two)
    yield owners[at], mixed(10, words[at], words[at + 1])
    at = np.flatnonzero((places == 0) & (left >= 2))
    yield owners[at], mixed(11, words[at], words[at + 1], words[at + 2])
    at = np.flatnonzero(left <= 1)
    yield owners[at], mixed(12, words[at])
