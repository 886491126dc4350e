"""Sentences as bags of words or of word pairs: what ROUGE-1 and ROUGE-2 compare.

Letters: N scorable sentences (those that have words), K entries of all bags, V different words.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.gsg.tokens import Tokens

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Bags:
    """One bag for each scorable sentence, flat.

    Args:
        sentences: [N] int64, the sentence each bag belongs to, ascending.
        starts: [N + 1] int64, where each bag's entries begin; the last is K.
        words: [K] int64, the word (or pair of words) of each entry, ascending in a bag.
        counts: [K] int64, how often it stands there; at least 1.
        num_words: V; word numbers are below it.
    """

    sentences: Ints
    starts: Ints
    words: Ints
    counts: Ints
    num_words: int

    def __len__(self) -> int:
        return len(self.sentences)

    @property
    def owners(self) -> Ints:
        """[K] the bag each entry lies in."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    @property
    def lengths(self) -> Ints:
        """[N] how many words each bag holds, repeats counted."""
        return sums(self.counts, self.starts)

    @property
    def totals(self) -> Ints:
        """[V] how often each word stands in all bags together."""
        return np.bincount(self.words, self.counts, self.num_words).astype(np.int64)


def bags_of(tokens: Tokens, size: int = 1, unique: bool = False) -> Bags:
    """The bags of sentences.

    Args:
        tokens: The sentences' words. Those without words get no bag.
        size: 1 for words, 2 for pairs of neighbouring words of one sentence. A sentence of one
            word has an empty bag of pairs: it is scorable, and like no other.
        unique: Whether repeats in a sentence are counted once.

    Returns:
        The bags.
    """
    sentences = np.flatnonzero(tokens.lengths)
    owners = np.repeat(np.arange(len(sentences)), tokens.lengths[sentences])
    words, num_words = tokens.words.astype(np.int64), tokens.num_words
    if size == 2:
        inside = owners[1:] == owners[:-1]
        pairs = (words[:-1] * num_words + words[1:])[inside]
        pairs, words = numbered(pairs)
        owners, num_words = owners[1:][inside], len(pairs)
    keys = np.sort(owners * max(num_words, 1) + words)
    firsts = np.flatnonzero(np.diff(keys, prepend=-1))
    counts = np.diff(firsts, append=len(keys))
    owners, words = np.divmod(keys[firsts], max(num_words, 1))
    starts = np.searchsorted(owners, np.arange(len(sentences) + 1))
    return Bags(sentences, starts, words, np.ones_like(counts) if unique else counts, num_words)


def sums(values: Ints, starts: Ints) -> Ints:
    """Sums of consecutive pieces, some of them perhaps empty.

    Args:
        values: [K] integers; their running sum may overflow, it cancels.
        starts: [N + 1] where each piece begins; the last is K.

    Returns:
        [N] the sum of each piece.
    """
    running = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=running[1:])
    pieces: Ints = running[starts[1:]] - running[starts[:-1]]
    return pieces


def numbered(values: Ints) -> tuple[Ints, Ints]:
    """The different values, and the number of each value among them.

    `np.unique` does the same, but its first call loads a package for masked arrays.

    Args:
        values: [K] whole numbers.

    Returns:
        The different values, ascending; and [K] the place of each value among them.
    """
    order = np.argsort(values, kind="stable")
    arranged = values[order]
    new = np.ones(len(values), np.bool_)
    np.not_equal(arranged[1:], arranged[:-1], out=new[1:])
    numbers = np.empty_like(order)
    numbers[order] = np.cumsum(new) - 1
    return arranged[new], numbers


def ranges(starts: Ints, ends: Ints) -> Ints:
    """Several ranges of whole numbers, one after the other.

    Args:
        starts: [R] the first number of each.
        ends: [R] one past the last.

    Returns:
        The numbers of all ranges in a row.
    """
    lengths = ends - starts
    before = np.cumsum(lengths) - lengths
    shifts: Ints = np.repeat(starts - before, lengths)
    return np.arange(len(shifts)) + shifts
