"""Sentences that no pairwise score can tell apart, and which of them hold which words.

The j-th copy of a word in a sentence is a feature of its own, so the words two bags share are the
features they share, each once. A feature that only one sentence holds is never shared and is left
out; what is left, and the length, decide every pairwise score. Sentences equal in both are one
kind: repeated lines cost what one of them costs.

Letters: N scorable sentences, C kinds, F features, K entries (pairs of kind and feature).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.gsg.bags import Bags, Ints, numbered, ranges, sums


@dataclass(frozen=True, eq=False)
class Kinds:
    """The kinds of a document's sentences.

    Args:
        of_sentence: [N] the kind of each sentence; kinds are numbered as they first appear.
        sizes: [C] how many sentences are of each.
        lengths: [A] the different lengths, ascending.
        length_ids: [C] which of these is each kind's.
        starts: [C + 1] where each kind's features begin.
        features: [K] the features, ascending in a kind.
        holder_starts: [F + 1] where each feature's holders begin.
        holders: [K] the kinds that hold a feature, ascending.
    """

    of_sentence: Ints
    sizes: Ints
    lengths: Ints
    length_ids: Ints
    starts: Ints
    features: Ints
    holder_starts: Ints
    holders: Ints

    def __len__(self) -> int:
        return len(self.sizes)

    @property
    def widths(self) -> Ints:
        """[C] how many features each kind has."""
        return np.diff(self.starts)

    @property
    def owners(self) -> Ints:
        """[K] the kind of each entry."""
        return np.repeat(np.arange(len(self)), self.widths)

    def entries(self, kinds: Ints) -> Ints:
        """Where the features of some kinds lie, one kind after the other."""
        return ranges(self.starts[kinds], self.starts[kinds + 1])


def kinds_of(bags: Bags) -> Kinds:
    """Finds the kinds of sentences.

    Args:
        bags: The scorable sentences.

    Returns:
        Their kinds.
    """
    features, starts = _shared_features(bags)
    of_sentence, firsts = _kinds(features, starts, bags.lengths)
    lengths, length_ids = numbered(bags.lengths[firsts])
    kept = features[ranges(starts[firsts], starts[firsts + 1])].astype(np.int64)
    widths = np.diff(starts)[firsts]
    num_features = int(kept.max(initial=-1)) + 1
    owners = np.repeat(np.arange(len(firsts)), widths)
    order = np.argsort(kept, kind="stable")
    return Kinds(
        of_sentence=of_sentence,
        sizes=np.bincount(of_sentence, minlength=len(firsts)),
        lengths=lengths,
        length_ids=length_ids,
        starts=np.concatenate([[0], np.cumsum(widths)]),
        features=kept,
        holder_starts=np.searchsorted(kept[order], np.arange(num_features + 1)),
        holders=owners[order],
    )


def _shared_features(bags: Bags) -> tuple[NDArray[np.int32], Ints]:
    """The features that more than one sentence holds, [K] by sentence, and where each begins."""
    repeats = np.repeat(np.arange(len(bags.words)), bags.counts)
    copy = np.arange(len(repeats)) - np.repeat(np.cumsum(bags.counts) - bags.counts, bags.counts)
    features = bags.words[repeats]
    again = np.flatnonzero(copy)
    # Further copies are few, so only they are sorted to be numbered.
    keys, numbers = numbered(copy[again] * max(bags.num_words, 1) + features[again])
    features[again] = bags.num_words + numbers
    held = np.bincount(features, minlength=bags.num_words + len(keys))
    shared = held > 1
    kept = shared[features]
    new_numbers = np.cumsum(shared, dtype=np.int32) - 1
    widths = sums(kept.astype(np.int64), np.concatenate([[0], np.cumsum(bags.lengths)]))
    return new_numbers[features[kept]], np.concatenate([[0], np.cumsum(widths)])


def _kinds(features: NDArray[np.int32], starts: Ints, lengths: Ints) -> tuple[Ints, Ints]:
    """[N] the kind of each sentence, and [C] the first sentence of each kind."""
    data, known = features.tobytes(), dict[tuple[int, bytes], int]()
    places = (starts * features.itemsize).tolist()
    of_sentence = [
        known.setdefault((length, data[places[index] : places[index + 1]]), len(known))
        for index, length in enumerate(lengths.tolist())
    ]
    kinds = np.array(of_sentence, np.int64)
    return kinds, np.flatnonzero(np.diff(np.maximum.accumulate(kinds), prepend=-1))
