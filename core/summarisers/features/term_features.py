"""Features of the words of a document, and of its pairs of neighbouring words.

Letters: E candidates, U terms (words, or pairs), K entries (a term of a candidate, once).
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from core.gsg.bags import numbered
from core.summarisers.features.extraction import Features
from core.summarisers.features.position import HEADINGS
from core.summarisers.features.terms import Terms, term_keys

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_MEANS = (
    "words", "tf-idf: sum", "cosine: document", "cosine: section", "order of gain",
    "heading: summary", "heading: opening", "heading: closing",
)  # fmt: skip
_MAXIMA = ("cosine: document", "cosine: title", "gain", "gain of pairs")
_OPENINGS = (1, 3, 10)


def term_features(terms: Terms, features: Features, size: int) -> Iterator[tuple[str, Floats]]:
    """Describes words or pairs by the candidates that contain them.

    Args:
        terms: The words or pairs of the candidates.
        features: [E] the features of the candidates.
        size: 1 for words, 2 for pairs.

    Yields:
        A name and [U] numbers.
    """
    occurrences, table = _Occurrences(terms), features.table
    held = occurrences.number
    candidates = max(1, len(features.stems))
    yield "count", np.log(terms.counts)
    yield "share of the words", terms.counts / max(1, int(terms.counts.sum()))
    yield "candidates", np.log(held)
    yield "share of the candidates", held / candidates
    yield "terms of more candidates", np.log1p(np.sort(-held).searchsorted(-held))
    yield "first", occurrences.first / candidates
    yield "candidates before", np.log1p(occurrences.first)
    yield "last", occurrences.last / candidates
    positions = features.positions
    for name, groups in (("sections", positions.sections), ("paragraphs", positions.order)):
        number = occurrences.count_groups(groups)
        yield name, np.log(number)
        yield f"share of the {name}", number / (1 + int(groups.max(initial=0)))
    for name in ("section", "paragraph"):
        opens = table[f"{name}: before"] == 0
        yield f"share of openings of a {name}", occurrences.mean(opens.astype(np.float64))
    yield "in the title", _count_in_titles(terms, features, size, 0, 1)
    yield "in headings", _count_in_titles(terms, features, size, 1, len(features.titles))
    for opening in _OPENINGS:
        yield f"in the first {opening}", occurrences.count_before(opening)
    for name in _MEANS:
        yield f"mean: {name}", occurrences.mean(table[name])
    for name in _MAXIMA:
        yield f"maximum: {name}", occurrences.maximum(table[name])
    for name in HEADINGS:
        of_document = table[f"document: {name}"][:1]  # the same for all candidates
        yield f"document: {name}", np.full(len(terms), of_document.sum())
    yield "document: candidates", np.full(len(terms), np.log1p(candidates))
    yield "document: words", np.full(len(terms), np.log1p(len(features.stems.words)))


def pair_features(terms: Terms, words: Terms, word_probs: Floats) -> Iterator[tuple[str, Floats]]:
    """Describes pairs by their two words.

    Args:
        terms: The pairs.
        words: The words.
        word_probs: [W] probability of each word in a summary.

    Yields:
        A name and [U] numbers.
    """
    first, second = (
        words.keys.searchsorted(keys) for keys in np.divmod(terms.keys, max(1, terms.num_words))
    )
    one, other = word_probs[first], word_probs[second]
    yield "expected: first", one
    yield "expected: second", other
    yield "expected: both", one * other
    yield "expected: less", np.minimum(one, other)
    counts = words.counts[first], words.counts[second]
    yield "share of the rarer word", terms.counts / np.minimum(*counts)
    yield "share of the commoner word", terms.counts / np.maximum(*counts)


class _Occurrences:
    """Entries arranged by term.

    Args:
        terms: [U] the terms, with the candidates that contain them.

    Attributes:
        number: [U] number of candidates that contain each term.
        first: [U] the first of them.
        last: [U] the last of them.
    """

    def __init__(self, terms: Terms) -> None:
        order = np.argsort(terms.numbers, kind="stable")
        self._numbers = terms.numbers[order]
        self._rows = terms.rows[order]
        self.number = np.bincount(self._numbers, minlength=len(terms))
        ends = np.cumsum(self.number)
        self._starts = ends - self.number
        self.first, self.last = self._rows[self._starts], self._rows[ends - 1]

    def mean(self, values: Floats) -> Floats:
        """[U] mean of a value of each candidate [E]."""
        sums = np.bincount(self._numbers, values[self._rows], len(self.number))
        means: Floats = (sums / np.maximum(1, self.number)).astype(np.float64)
        return means

    def maximum(self, values: Floats) -> Floats:
        """[U] maximum of a value of each candidate [E]."""
        if not len(self._rows):
            return np.zeros(0)
        maxima: Floats = np.maximum.reduceat(values[self._rows], self._starts)
        return maxima

    def count_groups(self, groups: Ints) -> Ints:
        """[U] number of groups of candidates [E] that contain each term."""
        number = 1 + int(groups.max(initial=0))
        keys, _ = numbered(self._numbers * number + groups[self._rows])
        return np.bincount(keys // number, minlength=len(self.number))

    def count_before(self, row: int) -> Floats:
        """[U] number of candidates before one that contain each term."""
        counts = np.bincount(self._numbers[self._rows < row], minlength=len(self.number))
        return counts.astype(np.float64)


def _count_in_titles(terms: Terms, features: Features, size: int, first: int, end: int) -> Floats:
    """[U] number of occurrences of each term in some of the titles."""
    starts, words = features.titles.starts, features.titles.words
    counts = np.zeros(len(terms))
    for at in range(first, end):
        keys = term_keys(words[starts[at] : starts[at + 1]], terms.num_words, size)
        rows = np.minimum(terms.keys.searchsorted(keys), max(0, len(terms) - 1))
        np.add.at(counts, rows[terms.keys[rows] == keys] if len(terms) else [], 1.0)
    return counts
