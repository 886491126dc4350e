"""ROUGE-L: the longest common subsequence of words, for scores of single sentences.

Letters: N scorable sentences, A different lengths.
"""

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.events import Progress, Steps
from core.gsg.bags import Ints, numbered
from core.gsg.settings import GapSentenceSettings
from core.gsg.tokens import Tokens
from core.stop import StopToken

_WORD_BITS = 63  # longer patterns are worked in Python's own integers
_SENTENCES_A_STEP = 64


def word_lists(tokens: Tokens) -> list[list[int]]:
    """[N] the words of each scorable sentence, in order."""
    words, bounds = tokens.words.tolist(), tokens.starts.tolist()
    return [words[a:b] for a, b in pairwise(bounds) if a < b]


def ranked(
    tokens: Tokens, settings: GapSentenceSettings, stop: StopToken
) -> Steps[tuple[list[int], NDArray[np.float64]]]:
    """All scorable sentences, the best first.

    Args:
        tokens: The words of all sentences.
        settings: The strategy (an independent one) and the aggregate.
        stop: Read now and then.

    Yields:
        How many sentences are done.

    Returns:
        Their numbers in order, and [N] the score of each sentence, by number.
    """
    sentences = word_lists(tokens)
    if not settings.pairwise:
        shared = yield from shared_with_rest(sentences, stop)
        order = np.argsort(-shared, kind="stable")
        return order.tolist(), 2 * shared / max(len(tokens.words), 1)
    rows, lengths = yield from shared_by_length(sentences, settings.aggregate, stop)
    own = np.array([len(sentence) for sentence in sentences])
    both = own[:, None] + lengths
    if settings.aggregate == "max":
        scores = (2 * rows / both).max(axis=1)  # floats keep quotients of small numbers apart
        return np.argsort(-scores, kind="stable").tolist(), scores
    denominator = math.lcm(*set(both.ravel().tolist()))
    shares = {length: denominator // length for length in set(both.ravel().tolist())}
    sums = [
        sum(2 * n * shares[length] for n, length in zip(*pair, strict=True) if n)
        for pair in zip(rows.tolist(), both.tolist(), strict=True)
    ]
    places = sorted(range(len(sums)), key=lambda index: -sums[index])
    others = denominator * max(len(sums) - 1, 1)
    return places, np.array([float(Fraction(total, others)) for total in sums])


def shared_with_rest(sentences: Sequence[Sequence[int]], stop: StopToken) -> Steps[Ints]:
    """The longest common subsequence of each sentence with all others in a row.

    Args:
        sentences: [N] their words.
        stop: Read now and then.

    Yields:
        How many sentences are done.

    Returns:
        [N] lengths in words.
    """
    places: defaultdict[int, list[int]] = defaultdict(list)
    for place, word in enumerate(word for sentence in sentences for word in sentence):
        places[word].append(place)
    lengths, begin = np.zeros(len(sentences), np.int64), 0
    for index, sentence in enumerate(sentences):
        if index % _SENTENCES_A_STEP == 0:
            stop.raise_if_set()
            yield Progress(index, len(sentences), "sentences", "Scoring")
        end = begin + len(sentence)
        lengths[index] = _shared_outside([places[word] for word in sentence], begin, end)
        begin = end
    return lengths


def _shared_outside(places: list[list[int]], begin: int, end: int) -> int:
    """Longest common subsequence of a text's words [begin, end) with the text without them.

    `earliest[k]` is where the first k + 1 shared words can end soonest.
    """
    earliest: list[int] = []
    for where in places:
        for known in range(len(earliest), -1, -1):
            after = earliest[known - 1] if known else -1
            at = bisect_left(where, after + 1)
            if at < len(where) and begin <= where[at] < end:
                at = bisect_left(where, end)
            if at == len(where):
                continue
            if known == len(earliest):
                earliest.append(where[at])
            else:
                earliest[known] = min(earliest[known], where[at])
    return len(earliest)


def shared_by_length(
    sentences: Sequence[Sequence[int]], aggregate: str, stop: StopToken
) -> Steps[tuple[Ints, Ints]]:
    """What each sentence shares with the others of each length; all pairs are looked at.

    Args:
        sentences: [N] their words.
        aggregate: "mean" to add the longest common subsequences up, "max" for the longest.
        stop: Read now and then.

    Yields:
        How many sentences are done.

    Returns:
        [N, A] words shared, and [A] the different lengths.
    """
    lengths, ids = numbered(np.array([len(sentence) for sentence in sentences]))
    table = np.full((len(sentences), int(lengths[-1])), -1, np.int64)
    for index, sentence in enumerate(sentences):
        table[index, : len(sentence)] = sentence
    num_words = int(table.max()) + 1
    rows = np.zeros((len(sentences), len(lengths)), np.int64)
    for index, sentence in enumerate(sentences):
        if index % _SENTENCES_A_STEP == 0:
            stop.raise_if_set()
            yield Progress(index, len(sentences), "sentences", "Scoring")
        shared = shared_with_each(sentence, table, num_words)
        shared[index] = 0
        if aggregate == "mean":
            rows[index] = np.bincount(ids, shared, len(lengths))
        else:
            np.maximum.at(rows[index], ids, shared)
    return rows, lengths


def shared_with_each(pattern: Sequence[int], table: Ints, num_words: int) -> Ints:
    """Longest common subsequences of one sentence with many, a bit for each of its words.

    Args:
        pattern: Its words.
        table: [N, longest] the words of the others, -1 behind their ends.
        num_words: Word numbers are below it.

    Returns:
        [N] lengths in words.

    Source: Hyyrö, "Bit-parallel LCS-length computation revisited", 2004.
    """
    long = len(pattern) > _WORD_BITS
    whole: Any = (1 << len(pattern)) - 1 if long else np.uint64((1 << len(pattern)) - 1)
    masks = [0] * (num_words + 1)  # the last, for -1, stays 0
    for bit, word in enumerate(pattern):
        masks[word] |= 1 << bit
    table_masks = np.array(masks, object if long else np.uint64)
    free = np.full(len(table), whole, table_masks.dtype)
    for column in table.T:
        used = free & table_masks[column]
        free = ((free + used) | (free - used)) & whole
    ones = [value.bit_count() for value in free] if long else np.bitwise_count(free)
    return len(pattern) - np.array(ones, np.int64)


def shared_in_order(first: Sequence[int], second: Sequence[int]) -> int:
    """Length in words of the longest common subsequence of two sentences."""
    row = [0] * (len(second) + 1)
    for word in first:
        before = 0
        for place, other in enumerate(second, 1):
            kept = row[place]
            row[place] = before + 1 if word == other else max(kept, row[place - 1])
            before = kept
    return row[-1]
