"""The different words of a document, and the pairs of neighbouring words, and where each stands.

Letters: E sentences, U terms (words, or pairs), K entries (a term of a sentence, once).
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
    """Words, or pairs of neighbouring words of one sentence.

    Args:
        keys: [U] what each is, ascending: a word's number, or that of the first of two times the
            number of different words, plus that of the second.
        counts: [U] how often it stands in the document.
        starts: [E + 1] where each sentence's entries begin.
        numbers: [K] the term of each entry, ascending in a sentence.
        num_words: How many different words there are.
    """

    keys: Ints
    counts: Ints
    starts: Ints
    numbers: Ints
    num_words: int

    @classmethod
    def of(cls, tokens: Tokens, size: int, likely: Flags | None = None) -> Self:
        """The words (size 1) or pairs (size 2) of sentences.

        Args:
            tokens: The words of the sentences.
            size: 1 or 2.
            likely: For each word whether pairs of it are wanted; None for all.

        Returns:
            The terms.
        """
        owners = np.repeat(np.arange(len(tokens)), tokens.lengths)
        keys = keys_of(tokens.words, tokens.num_words, size)
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
        """[K] the sentence of each entry."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def held(self, values: Floats) -> Floats:
        """[E] the sum over the terms of each sentence of a value for each term."""
        running: Floats = np.append(0.0, np.cumsum(values[self.numbers]))
        found: Floats = running[self.starts[1:]] - running[self.starts[:-1]]
        return found

    def of_sentence(self, index: int) -> Ints:
        """The terms of one sentence."""
        return self.numbers[self.starts[index] : self.starts[index + 1]]


def keys_of(words: NDArray[np.integer], num_words: int, size: int) -> Ints:
    """The keys of words in a row, or of the pairs of them.

    Args:
        words: [K] their numbers.
        num_words: How many different words there are.
        size: 1 or 2.

    Returns:
        [K], or [K - 1], keys.
    """
    keys = words.astype(np.int64)
    return keys if size == 1 else keys[:-1] * num_words + keys[1:]
