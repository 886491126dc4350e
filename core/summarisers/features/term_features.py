"""What is seen of the words of a document, and of its pairs of neighbouring words.

Letters: E candidates, U terms, K entries (a term of a candidate, once).
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from core.gsg.bags import numbered
from core.summarisers.features.extraction import Signals
from core.summarisers.features.position import HEADINGS
from core.summarisers.features.terms import Terms, keys_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_MEANS = (
    "words", "weight", "like the document", "like its section", "order of gain",
    "heading: summary", "heading: opening", "heading: closing",
)  # fmt: skip
_GREATEST = ("like the document", "like the title", "gain", "gain of pairs")
_OPENINGS = (1, 3, 10)


def term_signals(terms: Terms, seen: Signals, size: int) -> Iterator[tuple[str, Floats]]:
    """The signals of words or of pairs, by name.

    Args:
        terms: The words or pairs of the candidates.
        seen: What is seen of these.
        size: 1 for words, 2 for pairs.

    Yields:
        A name and [U] numbers.
    """
    spots = _Spots(terms)
    held = spots.number
    candidates = max(1, len(seen.values))
    yield "count", np.log(terms.counts)
    yield "share of the words", terms.counts / max(1, int(terms.counts.sum()))
    yield "candidates", np.log(held)
    yield "share of the candidates", held / candidates
    yield "terms of more candidates", np.log1p(np.sort(-held).searchsorted(-held))
    yield "first", spots.first / candidates
    yield "candidates before", np.log1p(spots.first)
    yield "last", spots.last / candidates
    for name, groups in (("sections", seen.places.sections), ("paragraphs", seen.places.order)):
        number = spots.different(groups)
        yield name, np.log(number)
        yield f"share of the {name}", number / (1 + int(groups.max(initial=0)))
    for name in ("section", "paragraph"):
        opens = seen.column(f"{name}: before") == 0
        yield f"share of openings of a {name}", spots.mean(opens.astype(np.float64))
    yield "in the title", _inside(terms, seen, size, 0, 1)
    yield "in headings", _inside(terms, seen, size, 1, len(seen.titles))
    for opening in _OPENINGS:
        yield f"in the first {opening}", spots.before(opening)
    for name in _MEANS:
        yield f"mean: {name}", spots.mean(seen.column(name))
    for name in _GREATEST:
        yield f"greatest: {name}", spots.greatest(seen.column(name))
    for name in HEADINGS:
        of_document = seen.column(f"document: {name}")[:1]  # the same for all candidates
        yield f"document: {name}", np.full(len(terms), of_document.sum())
    yield "document: candidates", np.full(len(terms), np.log1p(candidates))
    yield "document: words", np.full(len(terms), np.log1p(len(seen.tokens.words)))


def pair_signals(terms: Terms, words: Terms, expected: Floats) -> Iterator[tuple[str, Floats]]:
    """The signals that a pair has from its two words, by name.

    Args:
        terms: The pairs.
        words: The words.
        expected: How probable each word is in a summary, between 0 and 1.

    Yields:
        A name and one number for each pair.
    """
    first, second = (
        words.keys.searchsorted(keys) for keys in np.divmod(terms.keys, max(1, terms.num_words))
    )
    one, other = expected[first], expected[second]
    yield "expected: first", one
    yield "expected: second", other
    yield "expected: both", one * other
    yield "expected: less", np.minimum(one, other)
    counts = words.counts[first], words.counts[second]
    yield "share of the rarer word", terms.counts / np.minimum(*counts)
    yield "share of the commoner word", terms.counts / np.maximum(*counts)


class _Spots:
    """Where terms stand: entries arranged by term."""

    def __init__(self, terms: Terms) -> None:
        order = np.argsort(terms.numbers, kind="stable")
        self._numbers = terms.numbers[order]
        self._rows = terms.rows[order]
        self.number = np.bincount(self._numbers, minlength=len(terms))
        ends = np.cumsum(self.number)
        self._starts = ends - self.number
        self.first, self.last = self._rows[self._starts], self._rows[ends - 1]

    def mean(self, values: Floats) -> Floats:
        """[U] the mean of a number for each candidate."""
        sums = np.bincount(self._numbers, values[self._rows], len(self.number))
        found: Floats = (sums / np.maximum(1, self.number)).astype(np.float64)
        return found

    def greatest(self, values: Floats) -> Floats:
        """[U] the greatest of a number for each candidate."""
        if not len(self._rows):
            return np.zeros(0)
        found: Floats = np.maximum.reduceat(values[self._rows], self._starts)
        return found

    def different(self, groups: Ints) -> Ints:
        """[U] in how many groups of candidates each stands."""
        number = 1 + int(groups.max(initial=0))
        keys, _ = numbered(self._numbers * number + groups[self._rows])
        return np.bincount(keys // number, minlength=len(self.number))

    def before(self, row: int) -> Floats:
        """[U] in how many of the candidates before one each stands."""
        found = np.bincount(self._numbers[self._rows < row], minlength=len(self.number))
        return found.astype(np.float64)


def _inside(terms: Terms, seen: Signals, size: int, first: int, end: int) -> Floats:
    """[U] how often each term stands in some of the titles."""
    starts, words = seen.titles.starts, seen.titles.words
    found = np.zeros(len(terms))
    for at in range(first, end):
        keys = keys_of(words[starts[at] : starts[at + 1]], terms.num_words, size)
        spots = np.minimum(terms.keys.searchsorted(keys), max(0, len(terms) - 1))
        np.add.at(found, spots[terms.keys[spots] == keys] if len(terms) else [], 1.0)
    return found
