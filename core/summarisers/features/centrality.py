"""What a sentence says, measured against what the whole document says.

Words are weighed by how often they stand in a sentence and in how few sentences of the document
they stand, so the same works in any language.

Letters: E candidates, V different words, K entries of all sentences.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.gsg.bags import bags_of
from core.gsg.tokens import Tokens
from core.summarisers.features.position import Places

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_MOST_FREQUENT = (10, 30, 100)


@dataclass(frozen=True, eq=False)
class Vectors:
    """Sentences as weighted words, each of length 1, flat.

    Args:
        rows: [K] the sentence of each entry, ascending.
        words: [K] the word of each entry.
        values: [K] its weight.
        weights: [K] the same before the sentence was made as long as 1.
        num_rows: E.
        num_words: V.
    """

    rows: Ints
    words: Ints
    values: Floats
    weights: Floats
    num_rows: int
    num_words: int

    def sums(self, values: Floats) -> Floats:
        """[E] the sum of a number for each entry, by sentence."""
        found: Floats = np.bincount(self.rows, values, self.num_rows).astype(np.float64)
        return found

    def likeness_to_groups(self, groups: Ints) -> Floats:
        """How much each sentence is like the rest of its group.

        Args:
            groups: [E] the group of each sentence, from 0.

        Returns:
            [E] the cosines; 0 for a sentence that is alone, or has no words.
        """
        keys, entry = np.unique(
            groups[self.rows] * self.num_words + self.words, return_inverse=True
        )
        sums = np.bincount(entry, self.values, len(keys))
        inner = self.sums(self.values * sums[entry])
        own = self.sums(self.values**2)
        squares = np.bincount(keys // self.num_words, sums**2, int(groups.max(initial=0)) + 1)
        rest = np.sqrt(np.maximum(0, squares[groups] - 2 * inner + own))
        return np.where(rest > 1e-9, (inner - own) / np.maximum(rest, 1e-9), 0.0)

    def likeness_to(self, other: Floats) -> Floats:
        """[E] the cosine of each sentence and a vector [V]."""
        length = np.sqrt((other**2).sum())
        return self.sums(self.values * other[self.words]) / max(1e-9, float(length))

    def likeness_to_next(self) -> Floats:
        """[E] the cosine of each sentence and the one after it; 0 for the last."""
        following = np.zeros(self.num_rows)
        keys = self.rows * self.num_words + self.words
        wanted = keys + self.num_words
        at = np.minimum(keys.searchsorted(wanted), max(0, len(keys) - 1))
        both = keys[at] == wanted if len(keys) else np.zeros(0, bool)
        np.add.at(following, self.rows[both], self.values[both] * self.values[at[both]])
        return following


def vectors_of(tokens: Tokens) -> Vectors:
    """Weighs the words of sentences.

    Args:
        tokens: [E] the sentences' words.

    Returns:
        Their vectors; a word that stands in every sentence weighs nothing.
    """
    bags = bags_of(tokens)
    rows = bags.sentences[bags.owners]
    frequency = np.bincount(bags.words, minlength=tokens.num_words)
    rarity = np.log((1 + len(tokens)) / (1 + frequency))
    weights = (1 + np.log(bags.counts)) * rarity[bags.words]
    lengths = np.sqrt(np.bincount(rows, weights**2, len(tokens)))
    values = weights / np.maximum(1e-9, lengths[rows])
    return Vectors(rows, bags.words, values, weights, len(tokens), tokens.num_words)


def content_signals(
    tokens: Tokens, vectors: Vectors, places: Places, titles: Tokens, headings: Ints
) -> Iterator[tuple[str, Floats]]:
    """The signals of contents, by name.

    Args:
        tokens: [E] the candidates' words.
        vectors: [E] the same, weighed.
        places: [E] where they stand.
        titles: The words of the title, then of each section's heading, numbered as in `tokens`.
        headings: [E] which of these is each candidate's heading.

    Yields:
        A name and [E] numbers.
    """
    everything = np.zeros(len(tokens), np.int64)
    yield "like the document", vectors.likeness_to_groups(everything)
    yield "like its section", vectors.likeness_to_groups(places.sections)
    yield (
        "like its paragraph",
        vectors.likeness_to_groups(
            np.unique(places.paragraphs, return_inverse=True)[1].astype(np.int64)
        ),
    )
    following = vectors.likeness_to_next()
    yield "like the next", following
    yield "like the one before", np.append(0.0, following)[: len(following)]
    for number in (1, 3, 10):
        first = vectors.rows < number
        opening = np.zeros(vectors.num_words)
        np.add.at(opening, vectors.words[first], vectors.values[first])
        yield f"like the first {number}", vectors.likeness_to(opening)
    yield from _weights(vectors)
    yield from _frequent(tokens, vectors)
    yield from _novelty(tokens, vectors)
    yield from _titles(vectors, titles, headings)


def _weights(vectors: Vectors) -> Iterator[tuple[str, Floats]]:
    entries = np.maximum(1, vectors.sums(np.ones(len(vectors.rows))))
    yield "weight", vectors.sums(vectors.weights)
    yield "mean weight", vectors.sums(vectors.weights) / entries
    greatest = np.zeros(vectors.num_rows)
    np.maximum.at(greatest, vectors.rows, vectors.weights)
    yield "greatest weight", greatest


def _frequent(tokens: Tokens, vectors: Vectors) -> Iterator[tuple[str, Floats]]:
    """How much of the document's own words, frequent and yet not everywhere, a sentence holds."""
    total = np.bincount(tokens.words, minlength=tokens.num_words)
    frequency = np.bincount(vectors.words, minlength=tokens.num_words)
    worth = np.log1p(total) * np.log((1 + len(tokens)) / (1 + frequency))
    own = np.where(total > 1, worth, 0.0)
    entries = np.maximum(1, vectors.sums(np.ones(len(vectors.rows))))
    yield "worth", vectors.sums(own[vectors.words])
    yield "mean worth", vectors.sums(own[vectors.words]) / entries
    yield "mean frequency", vectors.sums(np.log1p(total)[vectors.words]) / entries
    by_worth = np.argsort(-own, kind="stable")
    for number in _MOST_FREQUENT:
        is_top = np.zeros(tokens.num_words)
        is_top[by_worth[:number]] = 1
        held = vectors.sums(is_top[vectors.words])
        yield f"of the top {number}", held
        yield f"share in the top {number}", held / entries


def _novelty(tokens: Tokens, vectors: Vectors) -> Iterator[tuple[str, Floats]]:
    """Words that stand here for the first time, and those of them that come again."""
    first = np.full(tokens.num_words, len(tokens))
    np.minimum.at(first, vectors.words, vectors.rows)
    frequency = np.bincount(vectors.words, minlength=tokens.num_words)
    is_first = first[vectors.words] == vectors.rows
    comes_again = is_first & (frequency[vectors.words] > 1)
    entries = np.maximum(1, vectors.sums(np.ones(len(vectors.rows))))
    yield "new words", vectors.sums(is_first.astype(np.float64)) / entries
    yield "words that come again", vectors.sums(comes_again.astype(np.float64))
    lasting = np.where(comes_again, np.log(np.maximum(1, frequency))[vectors.words], 0.0)
    yield "how often they come again", vectors.sums(lasting)
    pairs = bags_of(tokens, 2)
    owners = pairs.sentences[pairs.owners]
    sizes = np.maximum(1, np.bincount(owners, minlength=len(tokens)))
    elsewhere = np.bincount(pairs.words, minlength=pairs.num_words)[pairs.words] > 1
    found = np.bincount(owners, elsewhere, len(tokens)).astype(np.float64)
    yield "pairs that come again", found
    yield "share of pairs that come again", found / sizes


def _titles(vectors: Vectors, titles: Tokens, headings: Ints) -> Iterator[tuple[str, Floats]]:
    of_title = np.zeros(vectors.num_words)
    of_title[titles.words[titles.starts[0] : titles.starts[1]]] = 1
    yield "like the title", vectors.likeness_to(of_title)
    known = np.zeros(vectors.num_words)
    known[titles.words] = 1
    yield "like all headings", vectors.likeness_to(known)
    number = np.repeat(np.arange(len(titles)), titles.lengths)
    pairs = np.unique(number * vectors.num_words + titles.words)
    keys = headings[vectors.rows] * vectors.num_words + vectors.words
    hits = np.isin(keys, pairs)
    sizes = np.bincount(pairs // vectors.num_words, minlength=len(titles))
    length = np.sqrt(np.maximum(1, sizes))[headings]
    yield "like its heading", vectors.sums(np.where(hits, vectors.values, 0.0)) / length


def ranks(values: Floats) -> Floats:
    """[E] the share of the candidates that have less; equal ones have equal ranks."""
    return np.sort(values).searchsorted(values) / max(1, len(values) - 1)
