"""A linear model of the words and short phrases of a sentence, above all of those at its beginning.

A phrase is identified by a hash of its words and its place, so that no list of words is stored.

Letters: E candidates, K words of all, P phrases of all, H known phrases, T targets.
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

_NUM_PLACES = 4
"""Number of words at the beginning that count by their place."""
_PRIMES = (
    np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0x165667B19E3779F9)
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class PhraseModel:
    """Weights of phrases.

    Args:
        keys: [H] hashes of the known phrases, ascending.
        weights: [H, T] float32, their weights.
        base: [T] float32, the prediction for a sentence without known phrases.
    """

    keys: Keys
    weights: NDArray[np.float32]
    base: NDArray[np.float32]

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Takes the model out of the arrays of a larger one; the inverse of `to_arrays`."""
        keys, weights, base = (arrays[f"phrases {name}"] for name in ("keys", "weights", "base"))
        return cls(keys, weights.astype(np.float32), base)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Returns the model as plain arrays."""
        return {
            "phrases keys": self.keys,
            "phrases weights": self.weights.astype(np.float16),
            "phrases base": self.base,
        }

    def predict(self, tokens: Tokens) -> Floats:
        """Predicts the targets from the phrases of candidates.

        Args:
            tokens: [E] their words in small letters.

        Returns:
            [E, T] sums over the known phrases, divided by the square root of the number of all.
        """
        owners, keys = hash_phrases(tokens)
        rows = np.minimum(self.keys.searchsorted(keys), max(0, len(self.keys) - 1))
        known = self.keys[rows] == keys if len(self.keys) else np.zeros(len(keys), bool)
        number = np.sqrt(np.maximum(1, np.bincount(owners, minlength=len(tokens))))
        columns = [
            np.bincount(owners[known], column[rows[known]], len(tokens)) / number
            for column in self.weights.T.astype(np.float64)
        ]
        return np.column_stack(columns) + self.base


def hash_phrases(tokens: Tokens) -> tuple[NDArray[np.int64], Keys]:
    """Hashes the phrases of candidates.

    Args:
        tokens: [E] their words in small letters.

    Returns:
        [P] the candidate of each phrase, and [P] its hash: every word, every two adjacent words,
        each of the first four words with its place, the first two and three together, and each of
        the last two words.
    """
    hashes = np.array([crc32(word.encode()) for word in tokens.spellings], np.uint64)
    words = hashes[tokens.words] if len(hashes) else np.zeros(0, np.uint64)
    left = tokens.lengths[tokens.owners] - 1 - tokens.places
    phrases = list(_phrases(words, tokens.owners, tokens.places, left))
    keys = np.concatenate([key for _, key in phrases])
    owners = np.concatenate([owner for owner, _ in phrases])
    return owners, keys


def _phrases(
    words: Keys, owners: NDArray[np.int64], places: NDArray[np.int64], left: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.int64], Keys]]:
    """Hashes one kind of phrase after the other.

    Args:
        words: [K] hashes of the words.
        owners: [K] the candidate of each.
        places: [K] its place in the candidate.
        left: [K] number of words after it in the candidate.

    Yields:
        The candidates of the phrases of a kind, and their hashes.
    """

    def mix(kind: int, *parts: Keys) -> Keys:
        number = np.full(len(parts[0]), kind + 1, np.uint64)
        for part, prime in zip(parts, _PRIMES, strict=False):
            number = (number ^ part) * prime  # wraps around on purpose
            number ^= number >> np.uint64(29)
        return number

    yield owners, mix(0, words)
    two = left >= 1
    at = np.flatnonzero(two)
    yield owners[at], mix(1, words[at], words[at + 1])
    for place in range(_NUM_PLACES):
        at = np.flatnonzero(places == place)
        yield owners[at], mix(2 + place, words[at])
    at = np.flatnonzero((places == 0) & two)
    yield owners[at], mix(10, words[at], words[at + 1])
    at = np.flatnonzero((places == 0) & (left >= 2))
    yield owners[at], mix(11, words[at], words[at + 1], words[at + 2])
    at = np.flatnonzero(left <= 1)
    yield owners[at], mix(12, words[at])
