"""What each sentence's F1 with all others adds up to, without looking at pairs.

F1 of two sentences is 2 · shared / (a + b) for their lengths a and b. Summed over many sentences
that is, for a sentence of length a, a sum over its own features of *prices*: the price of a
feature for length a is the sum of 2 / (a + b) over the sentences that hold it. A table of prices
(feature × length) therefore scores a sentence by as many look-ups as it has words, and takes a
picked sentence out by lowering one row for each of its words. Features that fewer sentences hold
than there are lengths would need more room in the table than they have holders: their part is
kept with the holders themselves.

Prices are integers in units of 2^-scale, so no sum depends on its order; each pair and feature is
rounded once, which bounds the error of every sum (`tolerance`). Sums closer than that are compared
as true fractions (`ranks`). Where a great many are close at once, as in a list of lines all made
alike, that would take too long: then a *fingerprint* runs beside each sum, the same sum with a
random 64-bit number in place of each 2 / (a + b). Sums with one fingerprint are compared by their
*terms*, how often each 2 / (a + b) stands in them: equal terms make equal sums, and where terms
differ the true fractions are compared again. So fingerprints save time, and decide nothing.

Letters: C kinds, A lengths, F features, K entries; R is 1, or 2 with fingerprints.
"""

import math
import random
from collections import Counter
from collections.abc import Iterable
from typing import cast

import numpy as np

from core.gsg.bags import Ints, numbered, ranges, sums
from core.gsg.kinds import Kinds

_MAX_SCALE = 44  # bits after the point: finer would gain nothing
_CELLS_A_CHUNK = 1 << 21
_KINDS_A_CHUNK = 1024
_FEW = 64  # holders that plain Python counts sooner than numpy
MANY = 16  # more close sums than this are told apart by fingerprints
_FINGERPRINT_SEED = 20201


class PairSums:
    """For each kind: the F1 of one sentence with all others, picked ones counted negative.

    The mean over (picked, rest) pairs changes by exactly this when the sentence is picked: it
    gains its pairs with the rest and loses those that the picked had with it.

    Args:
        kinds: The kinds of sentences.
    """

    def __init__(self, kinds: Kinds) -> None:
        self.kinds = kinds
        num_sentences = int(kinds.sizes.sum())
        self.scale = min(_MAX_SCALE, 60 - num_sentences.bit_length())
        both = np.maximum(kinds.lengths[:, None] + kinds.lengths, 1)
        # [R, A, A] the price that a sentence of one length sets for another, to the nearest unit.
        self.rates: Ints = (((4 << self.scale) + both) // (2 * both))[None]
        self.weights = kinds.sizes.copy()
        held = np.diff(kinds.holder_starts)
        self._tabled = held > len(kinds.lengths)
        self._rows = np.cumsum(self._tabled) - 1
        entries = np.flatnonzero(self._tabled[kinds.features])
        self._cell_starts = np.searchsorted(entries, kinds.starts)
        self._cells = self._cells_of(entries)
        self.tolerance = self._bound()
        self._sum_up()

    def add_fingerprints(self) -> None:
        """Lets a fingerprint run beside each sum; `pick` must know of all that `mark` knows."""
        if len(self.rates) == 1:
            both = self.kinds.lengths[:, None] + self.kinds.lengths
            numbers = _random_numbers(int(both.max(initial=0)) + 1)
            self.rates = np.concatenate([self.rates, numbers[both][None]])
            self._sum_up()

    @property
    def has_fingerprints(self) -> bool:
        """Whether `ranks` may be asked about more than `MANY` sums."""
        return len(self.rates) == 2

    def _sum_up(self) -> None:
        self._counts = self._full_counts()
        self._prices = self._counts @ self.rates
        own = self.rates.diagonal(axis1=1, axis2=2)[:, self.kinds.length_ids]
        self._base = self._held_sums() - own * self.kinds.widths

    def values(self) -> Ints:
        """[R, C] the sums, in units of 2^-scale, and perhaps their fingerprints."""
        prices = self._prices.reshape(len(self.rates), -1)
        return np.stack(
            [
                base + sums(row[self._cells], self._cell_starts)
                for base, row in zip(self._base, prices, strict=True)
            ]
        )

    def value(self, kind: int) -> int:
        """The sum of one kind."""
        cells = self._cells[self._cell_starts[kind] : self._cell_starts[kind + 1]]
        return int(self._base[0, kind] + self._prices[0].ravel()[cells].sum())

    def pick(self, picks: Ints) -> None:
        """Counts one sentence for each named kind as picked; a kind may be named again."""
        kinds = self.kinds
        entries = kinds.entries(picks)
        features = kinds.features[entries]
        lengths = np.repeat(kinds.length_ids[picks], kinds.widths[picks])
        tabled = self._tabled[features]
        self._lower_prices(self._rows[features[tabled]], lengths[tabled])
        self._lower_holders(features[~tabled], lengths[~tabled])

    def mark(self, kind: int) -> None:
        """Tells the exact sums of a pick at once; `pick` tells the table, perhaps later."""
        self.weights[kind] -= 2

    def terms(self, kinds: Ints) -> Ints:
        """What the sums of some kinds are made of; `pick` must know of all that `mark` knows.

        Args:
            kinds: [n] their numbers.

        Returns:
            [n, A] how many of its features each kind shares with sentences of each length, the
            picked ones counted negative.
        """
        out = np.zeros((len(kinds), len(self.kinds.lengths)), np.int64)
        for begin in range(0, len(kinds), _KINDS_A_CHUNK):
            self._add_terms(kinds[begin : begin + _KINDS_A_CHUNK], out[begin:])
        return out

    def _add_terms(self, kinds: Ints, out: Ints) -> None:
        everything = self.kinds
        features = everything.features[everything.entries(kinds)]
        owners = np.repeat(np.arange(len(kinds)), everything.widths[kinds])
        tabled = self._tabled[features]
        np.add.at(out, owners[tabled], self._counts[self._rows[features[tabled]]])
        starts = everything.holder_starts[features[~tabled]]
        ends = everything.holder_starts[features[~tabled] + 1]
        holders = everything.holders[ranges(starts, ends)]
        cells = np.repeat(owners[~tabled], ends - starts), everything.length_ids[holders]
        np.add.at(out, cells, self.weights[holders])
        # The sentence itself is one of the holders.
        own = np.arange(len(kinds)), everything.length_ids[kinds]
        np.subtract.at(out, own, everything.widths[kinds])

    def ranks(self, kinds: Ints, fingerprints: Ints | None, terms: Ints | None = None) -> Ints:
        """The order of the true sums of some kinds.

        Args:
            kinds: Their numbers.
            fingerprints: Those of their sums; None for `MANY` kinds at most.
            terms: As `terms` gives them, in the state that the fingerprints are of; None where
                there are none.

        Returns:
            0 for the highest sum, 1 for the next one, and so on; equal sums share a number.
        """
        if fingerprints is None or terms is None or len(kinds) <= MANY:
            return _descending(self._numerators(kinds))
        firsts, same = self._equals(kinds, fingerprints, terms)
        if len(firsts) == 1:
            return np.zeros(len(kinds), np.int64)
        ranks: Ints = _descending(self._numerators(kinds[firsts]))[same]
        return ranks

    def _equals(self, kinds: Ints, fingerprints: Ints, terms: Ints) -> tuple[Ints, Ints]:
        """Kinds with surely equal sums: one of each such group, and the group of each kind."""
        different, same = numbered(fingerprints)
        firsts = np.empty(len(different), np.int64)
        firsts[same] = np.arange(len(kinds))  # one of each is as good as another
        lengths = self.kinds.length_ids[kinds]
        alike = (terms == terms[firsts[same]]).all(1) & (lengths == lengths[firsts[same]])
        if alike.all():
            return firsts, same
        # One fingerprint of different terms: those are groups of their own.
        known: dict[tuple[int, bytes], int] = {}
        rows = zip(lengths.tolist(), terms, strict=True)
        groups = [known.setdefault((each, row.tobytes()), len(known)) for each, row in rows]
        same = np.array(groups, np.int64)
        firsts = np.empty(len(known), np.int64)
        firsts[same] = np.arange(len(kinds))
        return firsts, same

    def _numerators(self, kinds: Ints) -> list[int]:
        """The true sums on one denominator, less what all of them have."""
        numbers = kinds.tolist()
        features = [set(self._features(kind)) for kind in numbers]
        if len({self.kinds.length_ids[kind] for kind in numbers}) == 1:
            common = set.intersection(*features)  # the same words count the same at one length
            features = [each - common for each in features]
        rows = [self._shared(kind, own) for kind, own in zip(numbers, features, strict=True)]
        denominator = math.lcm(*set().union(*rows))
        return [sum(shared * (denominator // both) for both, shared in row.items()) for row in rows]

    def _features(self, kind: int) -> list[int]:
        features = self.kinds.features[self.kinds.starts[kind] : self.kinds.starts[kind + 1]]
        return cast(list[int], features.tolist())

    def _shared(self, kind: int, features: Iterable[int]) -> dict[int, int]:
        """How many of some features are shared with others, by the length of both together."""
        kinds = self.kinds
        starts, own = kinds.holder_starts, int(kinds.length_ids[kind])
        lengths: Counter[int] = Counter()
        for feature in features:
            holders = kinds.holders[starts[feature] : starts[feature + 1]]
            ids, weights = kinds.length_ids[holders], self.weights[holders]
            if len(holders) > _FEW:
                lengths.update(dict(enumerate(np.bincount(ids, weights).astype(int).tolist())))
            else:
                for length, weight in zip(ids.tolist(), weights.tolist(), strict=True):
                    lengths[length] += weight
            lengths[own] -= 1  # the sentence itself is one of the holders
        a, all_lengths = int(kinds.lengths[own]), kinds.lengths
        return {a + int(all_lengths[other]): n for other, n in lengths.items() if n}

    def _full_counts(self) -> Ints:
        """[rows, A] how many sentences of each length hold a feature, the picked ones negative."""
        kinds, num_lengths = self.kinds, len(self.kinds.lengths)
        features = np.repeat(np.arange(len(self._tabled)), np.diff(kinds.holder_starts))
        tabled = self._tabled[features]
        holders = kinds.holders[tabled]
        cells = self._rows[features[tabled]] * num_lengths + kinds.length_ids[holders]
        num_rows = int(self._tabled.sum())
        counts = np.bincount(cells, self.weights[holders], num_rows * num_lengths)
        return counts.astype(np.int64).reshape(num_rows, num_lengths)

    def _held_sums(self) -> Ints:
        """[R, C] the part of the sums that comes from features outside the table."""
        kinds, held = self.kinds, np.diff(self.kinds.holder_starts)
        out = np.zeros((len(self.rates), len(kinds)), np.int64)
        outside = ~self._tabled
        for number in sorted(set(held[outside].tolist())):
            features = np.flatnonzero(outside & (held == number))
            step = max(_CELLS_A_CHUNK // number**2, 1)
            for begin in range(0, len(features), step):
                starts = kinds.holder_starts[features[begin : begin + step]]
                holders = kinds.holders[starts[:, None] + np.arange(number)]  # [step, number]
                lengths = kinds.length_ids[holders]
                weights = self.weights[holders][:, None, :]
                for row, rates in zip(out, self.rates, strict=True):
                    cells = rates[lengths[:, :, None], lengths[:, None, :]] * weights
                    np.add.at(row, holders, cells.sum(2))
        return out

    def _cells_of(self, entries: Ints) -> Ints:
        lengths = np.repeat(self.kinds.length_ids, np.diff(self._cell_starts))
        rows = self._rows[self.kinds.features[entries]]
        return rows * len(self.kinds.lengths) + lengths

    def _lower_prices(self, rows: Ints, lengths: Ints) -> None:
        order = np.argsort(rows, kind="stable")
        rows, lengths = rows[order], lengths[order]
        firsts = np.flatnonzero(np.diff(rows, prepend=-1))
        np.subtract.at(self._counts, (rows, lengths), 2)
        if len(firsts):
            for prices, rates in zip(self._prices, self.rates, strict=True):
                prices[rows[firsts]] -= 2 * np.add.reduceat(rates[lengths], firsts)

    def _lower_holders(self, features: Ints, lengths: Ints) -> None:
        starts, ends = self.kinds.holder_starts[features], self.kinds.holder_starts[features + 1]
        holders = self.kinds.holders[ranges(starts, ends)]
        cells = np.repeat(lengths, ends - starts), self.kinds.length_ids[holders]
        for base, rates in zip(self._base, self.rates, strict=True):
            np.subtract.at(base, holders, 2 * rates[cells])

    def _bound(self) -> int:
        """The largest difference of two sums that rounding can hide or make up."""
        kinds = self.kinds
        owners = np.repeat(np.arange(len(self._tabled)), np.diff(kinds.holder_starts))
        held = np.bincount(owners, kinds.sizes[kinds.holders], len(self._tabled))
        terms = sums(held.astype(np.int64)[kinds.features], kinds.starts)
        return int(terms.max(initial=0)) + 2


def _descending(values: list[int]) -> Ints:
    """The place of each value from the highest down; equal values share one."""
    places = {value: place for place, value in enumerate(sorted(set(values), reverse=True))}
    return np.array([places[value] for value in values], np.int64)


def _random_numbers(count: int) -> Ints:
    generator = random.Random(_FINGERPRINT_SEED)
    numbers = [generator.getrandbits(64) - (1 << 63) for _ in range(count)]
    return np.array(numbers, np.int64)
