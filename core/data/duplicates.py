"""Finds exact and near duplicates: hashed word 5-grams, MinHash with banding.

Source: Broder (1997), On the resemblance and containment of documents.

Letters: N documents, W words, H = 64 hashes of a document, in 16 bands of 4.
"""

from collections.abc import Iterator
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

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
_PAIRS = 65_536  # compared at once


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


def find_duplicates(contents: _Hashes, signatures: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Pairs of documents that are exact or near duplicates.

    In a group of duplicates, each document is paired with the first one only.

    Args:
        contents: [N] `content_hash` of each.
        signatures: [N, H] `signature` of each; may be mapped from a file.

    Returns:
        [P, 2] the indices of each pair, the lower first; pairs are sorted and unique.
    """
    number = len(contents)
    found = _keys(_same(contents), number)
    for band in range(BANDS):
        part = np.ascontiguousarray(signatures[:, band * ROWS : (band + 1) * ROWS])
        keys = np.zeros(len(part), np.uint64)
        for row in range(ROWS):
            keys = mixed(keys * _GRAM_FACTOR + part[:, row])
        alike = [_keys(pairs, number) for pairs in _alike(_same(keys), signatures)]
        found = np.unique(np.concatenate([found, *alike]))
    return np.stack(np.divmod(found, number), 1)


def _keys(pairs: NDArray[np.int64], number: int) -> NDArray[np.int64]:
    """[P] each pair as one number, which sorts faster than rows."""
    return pairs[:, 0] * number + pairs[:, 1]


def _same(keys: _Hashes) -> NDArray[np.int64]:
    """[P, 2] each document with the key of an earlier one, after the first with that key."""
    order = np.argsort(keys, kind="stable")
    arranged = keys[order]
    again = np.append(False, arranged[1:] == arranged[:-1])
    firsts = np.maximum.accumulate(np.where(again, 0, np.arange(len(keys))))
    return np.stack([order[firsts[again]], order[again]], 1)


def _alike(pairs: NDArray[np.int64], signatures: NDArray[np.uint32]) -> Iterator[NDArray[np.int64]]:
    for start in range(0, len(pairs), _PAIRS):
        some = pairs[start : start + _PAIRS]
        agree = (signatures[some[:, 0]] == signatures[some[:, 1]]).mean(1)
        yield some[agree >= NEARLY_SAME]


def groups(pairs: NDArray[np.int64], number: int) -> NDArray[np.int64]:
    """For each document, the lowest index in its connected component.

    Args:
        pairs: [P, 2].
        number: N.

    Returns:
        [N].
    """
    links = list(range(number))
    for first, second in pairs.tolist():
        a, b = _root(links, first), _root(links, second)
        links[max(a, b)] = min(a, b)
    lowest = np.array(links, np.int64)
    while not np.array_equal(lowest, lowest[lowest]):
        lowest = lowest[lowest]
    return lowest


def _root(links: list[int], document: int) -> int:
    while links[document] != document:
        links[document] = links[links[document]]
        document = links[document]
    return document
