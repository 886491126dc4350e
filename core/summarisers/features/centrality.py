"""Centrality of candidates: similarity to the document, its sections, its title and its beginning.

Words have tf-idf weights within the document: the more, the more often they occur in a sentence and
the fewer sentences contain them. So the same works in any language.

Letters: E candidates, V different words, K entries (a word of a candidate, once).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.gsg.bags import bags_of
from core.gsg.tokens import Tokens
from core.summarisers.features.position import Positions

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_TOP_WORDS = (10, 30, 100)


@dataclass(frozen=True, eq=False)
class Vectors:
    """Sparse tf-idf vectors of candidates, normalised to length 1.

    Args:
        rows: [K] the candidate of each entry, ascending.
        words: [K] the word of each entry.
        values: [K] its weight, normalised.
        weights: [K] the same before normalisation.
        num_rows: E.
        num_words: V.
    """

    rows: Ints
    words: Ints
    values: Floats
    weights: Floats
    num_rows: int
    num_words: int

    def sum_rows(self, values: Floats) -> Floats:
        """Sums a value of each entry [K] over the entries of each candidate [E]."""
        sums: Floats = np.bincount(self.rows, values, self.num_rows).astype(np.float64)
        return sums

    def cosine_to_groups(self, groups: Ints) -> Floats:
        """Compares each candidate with the sum of the others in its group.

        Args:
            groups: [E] the group of each candidate, from 0.

        Returns:
            [E] cosines; 0 for a candidate without others or without words.
        """
        keys, entry = np.unique(
            groups[self.rows] * self.num_words + self.words, return_inverse=True
        )
        sums = np.bincount(entry, self.values, len(keys))
        inner = self.sum_rows(self.values * sums[entry])
        own = self.sum_rows(self.values**2)
        squares = np.bincount(keys // self.num_words, sums**2, int(groups.max(initial=0)) + 1)
        rest = np.sqrt(np.maximum(0, squares[groups] - 2 * inner + own))
        return np.where(rest > 1e-9, (inner - own) / np.maximum(rest, 1e-9), 0.0)

    def cosine_to(self, other: Floats) -> Floats:
        """[E] cosine of each candidate and a vector [V]."""
        length = np.sqrt((other**2).sum())
        return self.sum_rows(self.values * other[self.words]) / max(1e-9, float(length))

    def cosine_to_next(self) -> Floats:
        """[E] cosine of each candidate and the next; 0 for the last."""
        following = np.zeros(self.num_rows)
        keys = self.rows * self.num_words + self.words
        targets = keys + self.num_words
        at = np.minimum(keys.searchsorted(targets), max(0, len(keys) - 1))
        both = keys[at] == targets if len(keys) else np.zeros(0, bool)
        np.add.at(following, self.rows[both], self.values[both] * self.values[at[both]])
        return following


def vectorise(tokens: Tokens) -> Vectors:
    """Computes the tf-idf vectors of candidates.

    Args:
        tokens: [E] their words.

    Returns:
        The vectors; a word that all candidates contain has no weight.
    """
    bags = bags_of(tokens)
    rows = bags.sentences[bags.owners]
    frequency = np.bincount(bags.words, minlength=tokens.num_words)
    idf = np.log((1 + len(tokens)) / (1 + frequency))
    weights = (1 + np.log(bags.counts)) * idf[bags.words]
    lengths = np.sqrt(np.bincount(rows, weights**2, len(tokens)))
    values = weights / np.maximum(1e-9, lengths[rows])
    return Vectors(rows, bags.words, values, weights, len(tokens), tokens.num_words)


def centrality_features(
    tokens: Tokens, positions: Positions, titles: Tokens
) -> Iterator[tuple[str, Floats]]:
    """Measures how central candidates are.

    Args:
        tokens: [E] their words.
        positions: [E] their positions.
        titles: [1 + H] the words of the title, then of each section's heading, numbered as in
            `tokens`.

    Yields:
        A name and [E] numbers.
    """
    vectors = vectorise(tokens)
    everything = np.zeros(len(tokens), np.int64)
    yield "cosine: document", vectors.cosine_to_groups(everything)
    yield "cosine: section", vectors.cosine_to_groups(positions.sections)
    yield "cosine: paragraph", vectors.cosine_to_groups(positions.order.astype(np.int64))
    following = vectors.cosine_to_next()
    yield "cosine: next", following
    yield "cosine: previous", np.append(0.0, following)[: len(following)]
    for number in (1, 3, 10):
        first = vectors.rows < number
        opening = np.zeros(vectors.num_words)
        np.add.at(opening, vectors.words[first], vectors.values[first])
        yield f"cosine: first {number}", vectors.cosine_to(opening)
    yield from _weights(vectors)
    yield from _frequent(tokens, vectors)
    yield from _novelty(tokens, vectors)
    yield from _titles(vectors, titles, positions.sections + 1)


def _weights(vectors: Vectors) -> Iterator[tuple[str, Floats]]:
    entries = np.maximum(1, vectors.sum_rows(np.ones(len(vectors.rows))))
    yield "tf-idf: sum", vectors.sum_rows(vectors.weights)
    yield "tf-idf: mean", vectors.sum_rows(vectors.weights) / entries
    maxima = np.zeros(vectors.num_rows)
    np.maximum.at(maxima, vectors.rows, vectors.weights)
    yield "tf-idf: maximum", maxima


def _frequent(tokens: Tokens, vectors: Vectors) -> Iterator[tuple[str, Floats]]:
    """Counts words that are frequent in the document, and yet not in all of its sentences."""
    total = np.bincount(tokens.words, minlength=tokens.num_words)
    frequency = np.bincount(vectors.words, minlength=tokens.num_words)
    weight = np.log1p(total) * np.log((1 + len(tokens)) / (1 + frequency))
    own = np.where(total > 1, weight, 0.0)
    entries = np.maximum(1, vectors.sum_rows(np.ones(len(vectors.rows))))
    yield "keywords: sum", vectors.sum_rows(own[vectors.words])
    yield "keywords: mean", vectors.sum_rows(own[vectors.words]) / entries
    yield "frequency: mean", vectors.sum_rows(np.log1p(total)[vectors.words]) / entries
    by_weight = np.argsort(-own, kind="stable")
    for number in _TOP_WORDS:
        is_top = np.zeros(tokens.num_words)
        is_top[by_weight[:number]] = 1
        held = vectors.sum_rows(is_top[vectors.words])
        yield f"top {number} words: number", held
        yield f"top {number} words: share", held / entries


def _novelty(tokens: Tokens, vectors: Vectors) -> Iterator[tuple[str, Floats]]:
    """Counts words that are new here, and those of them that are repeated later."""
    first = np.full(tokens.num_words, len(tokens))
    np.minimum.at(first, vectors.words, vectors.rows)
    frequency = np.bincount(vectors.words, minlength=tokens.num_words)
    is_first = first[vectors.words] == vectors.rows
    is_repeated = is_first & (frequency[vectors.words] > 1)
    entries = np.maximum(1, vectors.sum_rows(np.ones(len(vectors.rows))))
    yield "new words: share", vectors.sum_rows(is_first.astype(np.float64)) / entries
    yield "new words: repeated", vectors.sum_rows(is_repeated.astype(np.float64))
    repetitions = np.where(is_repeated, np.log(np.maximum(1, frequency))[vectors.words], 0.0)
    yield "new words: repetitions", vectors.sum_rows(repetitions)
    pairs = bags_of(tokens, 2)
    owners = pairs.sentences[pairs.owners]
    sizes = np.maximum(1, np.bincount(owners, minlength=len(tokens)))
    elsewhere = np.bincount(pairs.words, minlength=pairs.num_words)[pairs.words] > 1
    repeated = np.bincount(owners, elsewhere, len(tokens)).astype(np.float64)
    yield "repeated pairs: number", repeated
    yield "repeated pairs: share", repeated / sizes


def _titles(vectors: Vectors, titles: Tokens, headings: Ints) -> Iterator[tuple[str, Floats]]:
    of_title = np.zeros(vectors.num_words)
    of_title[titles.words[titles.starts[0] : titles.starts[1]]] = 1
    yield "cosine: title", vectors.cosine_to(of_title)
    any_title = np.zeros(vectors.num_words)
    any_title[titles.words] = 1
    yield "cosine: all headings", vectors.cosine_to(any_title)
    number = np.repeat(np.arange(len(titles)), titles.lengths)
    pairs = np.unique(number * vectors.num_words + titles.words)
    keys = headings[vectors.rows] * vectors.num_words + vectors.words
    hits = np.isin(keys, pairs)
    sizes = np.bincount(pairs // vectors.num_words, minlength=len(titles))
    length = np.sqrt(np.maximum(1, sizes))[headings]
    yield "cosine: heading", vectors.sum_rows(np.where(hits, vectors.values, 0.0)) / length
