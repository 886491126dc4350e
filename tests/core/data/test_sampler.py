"""The rows of a step depend on the seed and the step alone; an epoch reads each row once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.data.sampler import EpochPlan
from core.errors import EpitomeError

LENGTHS = st.lists(st.integers(0, 500), min_size=1, max_size=60).map(
    lambda found: np.array(found, np.int64)
)

DRAWN = [[0, 4, 9, 7], [1, 10, 5, 6], [10, 9, 8, 5]]
POOLED = [[11, 10, 9, 8, 7], [6, 5, 4, 3, 2], [1, 0]]


def batches(plan: EpochPlan, epoch: int) -> list[list[int]]:
    first = epoch * plan.batches_per_epoch
    found = [plan.batch_at(step) for step in range(first, first + plan.batches_per_epoch)]
    assert {number for number, _ in found} == {epoch}
    return [rows.tolist() for _, rows in found]


@given(LENGTHS, st.integers(1, 9), st.integers(0, 5), st.booleans(), st.integers(0, 3))
def test_each_epoch_reads_each_row_once(
    lengths: NDArray[np.int64], batch: int, seed: int, by_length: bool, epoch: int
) -> None:
    found = batches(EpochPlan(lengths, batch, seed, by_length), epoch)
    assert sorted(row for rows in found for row in rows) == list(range(len(lengths)))
    sizes = sorted(len(rows) for rows in found)
    assert sizes[1:] == [batch] * (len(sizes) - 1) and 1 <= sizes[0] <= batch


@given(LENGTHS, st.integers(1, 9), st.booleans(), st.lists(st.integers(0, 200), min_size=1))
def test_a_step_is_the_same_in_whatever_order_steps_are_asked_for(
    lengths: NDArray[np.int64], batch: int, by_length: bool, steps: list[int]
) -> None:
    one, other = (EpochPlan(lengths, batch, 7, by_length) for _ in range(2))
    first = {step: one.batch_at(step) for step in steps}
    for step in sorted(steps, reverse=True):
        epoch, rows = other.batch_at(step)
        assert epoch == first[step][0]
        assert rows.tolist() == first[step][1].tolist()


def test_what_is_drawn_never_changes() -> None:
    # These numbers were drawn once; a run that is resumed after an update must draw them again.
    plan = EpochPlan(np.arange(12), 4, 3, by_length=False)
    assert [plan.batch_at(step)[1].tolist() for step in (0, 1, 5)] == DRAWN
    pooled = EpochPlan(np.arange(12)[::-1].copy(), 5, 3, by_length=True)
    assert [pooled.batch_at(step)[1].tolist() for step in range(3)] == POOLED


def test_epochs_and_seeds_differ() -> None:
    plan = EpochPlan(np.ones(50, np.int64), 10, 0, by_length=True)
    other = EpochPlan(np.ones(50, np.int64), 10, 1, by_length=True)
    assert batches(plan, 0) != batches(plan, 1) != batches(other, 1)


def test_rows_of_like_length_stand_together() -> None:
    lengths = np.random.Generator(np.random.PCG64(0)).integers(10, 4000, (3000, 2))
    mixed = EpochPlan(lengths, 8, 0, by_length=False)
    sorted_by = EpochPlan(lengths, 8, 0, by_length=True)
    assert mixed.padding_share() > 0.25
    assert sorted_by.padding_share() < 0.02
    widest = [lengths.sum(1)[rows].max() for rows in batches(sorted_by, 0)[:100]]
    assert widest != sorted(widest)  # but their batches come in random order


def test_padding_share_is_counted_over_an_epoch() -> None:
    plan = EpochPlan(np.array([[1, 1], [4, 4]]), 2, 0, by_length=True)
    assert plan.padding_share() == 6 / 16


def test_nothing_to_read_is_told() -> None:
    with pytest.raises(EpitomeError, match=r"There is no row to train on\. Use another corpus"):
        EpochPlan(np.empty((0, 2), np.int64), 4, 0, by_length=True)
    with pytest.raises(EpitomeError, match=r"A batch had 0 rows; 1 or more are allowed\."):
        EpochPlan(np.ones(3, np.int64), 0, 0, by_length=True)
