"""Which rows each step reads: a pure function of the seed and the number of the step.

Nothing is remembered between steps, so a run that is resumed needs the number of its step only.

Letters: N rows.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.errors import EpitomeError

_POOL_BATCHES = 64  # how many batches draw together from what is of similar length


class EpochPlan:
    """The batches of every epoch: each row once an epoch, the last batch perhaps smaller.

    With `by_length` the rows of an epoch are shuffled, cut into pools of 64 batches, sorted by
    length inside each pool and cut into batches; then the batches are shuffled.

    Args:
        lengths: [N] or [N, K] int64, tokens of each row; those of K columns are added.
        batch: Rows of a batch.
        seed: The same seed gives the same batches.
        by_length: Whether rows of similar length stand together.

    Raises:
        EpitomeError: If there are no rows, or a batch has none.
    """

    def __init__(self, lengths: NDArray[np.int64], batch: int, seed: int, by_length: bool) -> None:
        if not len(lengths):
            raise EpitomeError("There is no row to train on.", "Use another corpus or split.")
        if batch < 1:
            raise EpitomeError(f"A batch had {batch} rows; 1 or more are allowed.", "Enlarge it.")
        self._lengths = lengths.reshape(len(lengths), -1).sum(1)
        self._batch, self._seed, self._by_length = batch, seed, by_length
        # Steps of one epoch follow each other, so the order of one epoch is kept at hand.
        self._order = lru_cache(maxsize=2)(self._drawn_order)

    @property
    def batches_per_epoch(self) -> int:
        """How many steps an epoch has."""
        return -(-len(self._lengths) // self._batch)

    def batch_at(self, step: int) -> tuple[int, NDArray[np.int64]]:
        """The rows of a step.

        Args:
            step: Its number, from 0.

        Returns:
            Its epoch, from 0; and the numbers of its rows, at most `batch`.
        """
        epoch, place = divmod(step, self.batches_per_epoch)
        rows, starts = self._order(epoch)
        return epoch, rows[starts[place] : starts[place + 1]]

    def padding_share(self) -> float:
        """The share of padding in the first epoch if each batch is as wide as its longest row."""
        rows, starts = self._order(0)
        lengths = self._lengths[rows]
        widest = np.maximum.reduceat(lengths, starts[:-1])
        places = int((widest * np.diff(starts)).sum())
        return 1 - int(lengths.sum()) / places if places else 0.0

    def _drawn_order(self, epoch: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """All rows in the order of an epoch; and where each batch begins, the end included."""
        generator = np.random.Generator(np.random.PCG64([self._seed, epoch]))
        rows = _shuffled(np.arange(len(self._lengths)), generator)
        starts = np.append(np.arange(0, len(rows), self._batch), len(rows))
        if not self._by_length:
            return rows, starts
        pools = np.arange(len(rows)) // (self._batch * _POOL_BATCHES)
        rows = rows[np.lexsort((self._lengths[rows], pools))]
        order = _shuffled(np.arange(len(starts) - 1), generator)
        sizes = np.diff(starts)[order]
        shuffled = [rows[starts[place] : starts[place + 1]] for place in order]
        return np.concatenate(shuffled), np.cumsum([0, *sizes])


def _shuffled(numbers: NDArray[np.int64], generator: np.random.Generator) -> NDArray[np.int64]:
    """The numbers in random order; `permutation` may draw differently in a later numpy."""
    return numbers[np.argsort(generator.bit_generator.random_raw(len(numbers)), kind="stable")]
