"""Finds exact and near duplicates: hashed word 5-grams, MinHash with banding.

Source: Broder (1997), On the resemblance and containment of documents.

Letters: N documents, W words, H = 64 hashes of a document, in 16 bands of 4.
"""

from collections.abc import Iterable, Iterator
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from core.data.disk_columns import pieces
from core.data.sorted_runs import Rows

GRAM = 5
BANDS, ROWS = 16, 4
HASHES = BANDS * ROWS
NEARLY_SAME = 0.6
"""Share of common 5-grams from which two documents count as duplicates."""

_Hashes = NDArray[np.uint64]
_GENERATOR = np.random.Generator(np.random.PCG64(0))
_FACTORS: _Hashes = _GENERATOR.bit_generator.random_raw(HASHES) | np.uint64(1)
_SHIFTS: _Hashes = _GENERATOR.bit_generator.random_raw(HASHES)
_HIGH = np.uint64(32)
_GRAM_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_CHUNK = 4096  # so that all passes over a chunk of n-grams stay in the cache
_PAIRS = 16_384  # compared at once


def word_hashes(text: str) -> _Hashes:
    """[W] a hash of each word, in lower case."""
    words = text.lower().encode("utf-8", "replace").split()
    return np.fromiter(map(crc32, words), np.uint64, len(words))


def content_hash(words: _Hashes) -> int:
    """A hash of a document that depends on its words only, not on white space."""
    places = np.arange(1, len(words) + 1, dtype=np.uint64)
    return int(mixed(mixed(words) + places * _GRAM_FACTOR).sum(dtype=np.uint64))


def signature(words: _Hashes) -> NDArray[np.uint32]:
    """The MinHash of a document.

    Args:
        words: [W] hashes of its words.

    Returns:
        [H] the share of equal values in two signatures estimates the share of common 5-grams.
    """
    grams = _grams(words)
    least = np.full(HASHES, np.iinfo(np.uint64).max)
    for first in range(0, len(grams), _CHUNK):
        part = grams[first : first + _CHUNK]
        for number in range(HASHES):
            lowest = (part * _FACTORS[number] + _SHIFTS[number]).min()
            least[number] = min(least[number], lowest)
    return (least >> _HIGH).astype(np.uint32)


def _grams(words: _Hashes) -> _Hashes:
    """A hash of each word 5-gram; of all words together if there are fewer."""
    count = max(len(words) - GRAM + 1, 1)
    grams = np.zeros(count, np.uint64)
    for place in range(min(GRAM, len(words))):
        grams = grams * _GRAM_FACTOR + words[place : place + count]
    return mixed(grams)


def mixed(values: _Hashes) -> _Hashes:
    """Values in which every bit depends on all input bits (the finaliser of splitmix64)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def band_keys(signatures: NDArray[np.uint32], band: int) -> _Hashes:
    """Keys of a band, equal where the band is.

    Args:
        signatures: [N, H].
        band: From 0.

    Returns:
        [N].
    """
    part = np.ascontiguousarray(signatures[:, band * ROWS : (band + 1) * ROWS])
    keys = np.zeros(len(part), np.uint64)
    for row in range(ROWS):
        keys = mixed(keys * _GRAM_FACTOR + part[:, row])
    return keys


def same_keys(merged: Iterable[tuple[_Hashes, Rows]]) -> Iterator[tuple[Rows, Rows]]:
    """Pairs each document with the first one that has the same key.

    Args:
        merged: Keys in ascending order and the documents that have them, equal keys in the order of
            documents.

    Yields:
        [P] first documents and [P] those with the same key.
    """
    last_key, first_of_last = np.empty(0, np.uint64), np.empty(0, np.uint32)
    for keys, documents in merged:
        keys = np.concatenate([last_key, keys])
        documents = np.concatenate([first_of_last, documents])
        again = np.append(False, keys[1:] == keys[:-1])
        places = np.maximum.accumulate(np.where(again, 0, np.arange(len(keys))))
        yield documents[places[again]], documents[again]
        last_key, first_of_last = keys[-1:], documents[places[-1:]]


def nearly_same(signatures: NDArray[np.uint32], firsts: Rows, others: Rows) -> NDArray[np.bool_]:
    """Whether the documents of each pair are near duplicates.

    Args:
        signatures: [N, H] `signature` of each document; may be mapped from a file.
        firsts: [P] a document of each pair.
        others: [P] the other one.

    Returns:
        [P].
    """
    alike = np.empty(len(firsts), np.bool_)
    for some in pieces(len(firsts), _PAIRS):
        agree = signatures[firsts[some]] == signatures[others[some]]
        alike[some] = agree.mean(1) >= NEARLY_SAME
    return alike


def link(links: Rows, firsts: Rows, others: Rows) -> None:
    """Joins the groups of the documents of each pair.

    Args:
        links: [N] uint32, in which each document points to itself or a lower one of its group;
            changed.
        firsts: [P] a document of each pair.
        others: [P] the other one.
    """
    view = links.data  # quicker than an array, number by number
    for first, second in zip(firsts.tolist(), others.tolist(), strict=True):
        a, b = _root(view, first), _root(view, second)
        view[max(a, b)] = min(a, b)


def _root(links: memoryview, document: int) -> int:
    while links[document] != document:
        links[document] = links[links[document]]
        document = links[document]
    return document


def settle(links: Rows, at_once: int) -> None:
    """Lets each document point to the lowest one of its group.

    Args:
        links: [N] as `link` leaves it; changed.
        at_once: How many are changed together.
    """
    for some in pieces(len(links), at_once):  # what is lower than these is settled
        lowest = links[links[some]]
        while not np.array_equal(lowest, further := links[lowest]):
            links[some] = lowest = further
        links[some] = lowest
