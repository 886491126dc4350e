"""The vocabulary of a document: its words and pairs of neighbouring words, and their occurrences.

Letters: E candidates, U terms (words, or pairs), K entries (a term of a candidate, once).
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from core.gsg.bags import numbered
from core.gsg.tokens import Tokens

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Terms:
    """The different words of candidates, or the different pairs of neighbouring words.

    Args:
        keys: [U] identifiers, ascending: a word's number, or that of a pair's first word times
            `num_words`, plus that of its second.
        counts: [U] occurrences in the document.
        starts: [E + 1] beginning of each candidate's entries.
        numbers: [K] the term of each entry, ascending in a candidate.
        num_words: Number of different words.
    """

    keys: Ints
    counts: Ints
    starts: Ints
    numbers: Ints
    num_words: int

    @classmethod
    def from_tokens(cls, tokens: Tokens, size: int, likely: Flags | None = None) -> Self:
        """Collects the words or pairs of candidates.

        Args:
            tokens: [E] their words.
            size: 1 for words, 2 for pairs.
            likely: [V] True for words of which pairs are made; None for all.

        Returns:
            The terms.
        """
        owners = tokens.owners
        keys = term_keys(tokens.words, tokens.num_words, size)
        if size == 2:
            inside = owners[1:] == owners[:-1]
            if likely is not None:
                inside &= likely[tokens.words[1:]] & likely[tokens.words[:-1]]
            keys, owners = keys[inside], owners[1:][inside]
        different, numbers = numbered(keys)
        counts = np.bincount(numbers, minlength=len(different))
        entries, _ = numbered(owners * len(different) + numbers)
        rows, numbers = np.divmod(entries, max(1, len(different)))
        starts = rows.searchsorted(np.arange(len(tokens) + 1))
        return cls(different, counts, starts, numbers, tokens.num_words)

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def rows(self) -> Ints:
        """[K] the candidate of each entry."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def sum_by_candidate(self, values: Floats) -> Floats:
        """Sums a value of each term [U] over the terms of each candidate [E]."""
        running: Floats = np.append(0.0, np.cumsum(values[self.numbers]))
        sums: Floats = running[self.starts[1:]] - running[self.starts[:-1]]
        return sums

    def in_candidate(self, index: int) -> Ints:
        """Returns the terms of one candidate."""
        return self.numbers[self.starts[index] : self.starts[index + 1]]


def term_keys(words: NDArray[np.integer], num_words: int, size: int) -> Ints:
    """Returns the keys of words in a row, or of the pairs of them.

    Args:
        words: [K] their numbers.
        num_words: Number of different words.
        size: 1 or 2.

    Returns:
        [K], or [K - 1], keys.
    """
    keys = words.astype(np.int64)
    return keys if size == 1 else keys[:-1] * num_words + keys[1:]
