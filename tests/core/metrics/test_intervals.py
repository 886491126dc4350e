"""Intervals of the bootstrap: seeded, paired, as wide as theory has them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics import intervals
from core.metrics.intervals import (
    NUM_DRAWS,
    bootstrap,
    draws,
    paired_bootstrap,
    recipe,
    student_quantile,
)

VALUES = st.lists(st.floats(-100, 100), min_size=2, max_size=30)


def test_each_draw_draws_as_many_documents_as_there_are() -> None:
    drawn = list(draws(17, seed=3))
    assert len(drawn) == NUM_DRAWS
    assert all(len(weights) == 17 and weights.sum() == 17 for weights in drawn)
    assert len({tuple(weights) for weights in drawn}) > 900


@given(VALUES, st.integers(0, 99))
def test_the_interval_lies_among_the_values(values: list[float], seed: int) -> None:
    found = bootstrap(values, seed)
    assert found.value == pytest.approx(np.mean(values))
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9
    assert found == bootstrap(values, seed)


def test_it_is_as_wide_as_the_normal_interval_of_many_documents() -> None:
    values = np.random.default_rng(0).normal(10, 2, 4_000)
    found = bootstrap(values)
    half = 1.96 * values.std() / len(values) ** 0.5
    assert found.low == pytest.approx(found.value - half, abs=0.01)
    assert found.high == pytest.approx(found.value + half, abs=0.01)


def test_pairs_see_what_two_intervals_that_overlap_do_not() -> None:
    first = np.random.default_rng(1).normal(30, 10, 100)
    second = first + 0.5 + np.random.default_rng(2).normal(0, 0.1, 100)
    assert bootstrap(first).high > bootstrap(second).low
    found = paired_bootstrap(first, second)
    assert found.value == pytest.approx(0.5, abs=0.05)
    assert 0.4 < found.low < found.value < found.high < 0.6
    assert found.share_above == 1


def test_a_system_is_not_better_than_itself() -> None:
    found = paired_bootstrap([1, 5, 2], [1, 5, 2])
    assert (found.value, found.low, found.high, found.share_above) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("freedom", "value"),
    [(1, 12.706), (2, 4.303), (9, 2.262), (10, 2.228), (49, 2.010)],
)
def test_students_quantiles_are_those_of_the_printed_tables(freedom: int, value: float) -> None:
    assert student_quantile(freedom) == pytest.approx(value, abs=5e-4)


@pytest.mark.parametrize("count", [10, 20, 40])
def test_intervals_of_few_documents_leave_out_the_true_mean_as_seldom_as_they_say(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intervals, "NUM_DRAWS", 300)  # fewer leave it out more often
    chance = np.random.default_rng(count)
    found = [bootstrap(chance.normal(0, 1, count), seed) for seed in range(250)]
    left_out = sum(not one.low <= 0 <= one.high for one in found) / len(found)
    assert left_out < 0.085  # 5 %, and two standard deviations and a half of 250 tries


def test_one_document_has_no_interval() -> None:
    assert (bootstrap([40.0]).low, bootstrap([40.0]).high) == (None, None)
    assert paired_bootstrap([40.0], [42.0]).low is None


def test_turned_round_the_difference_is_turned_round() -> None:
    there, back = paired_bootstrap([1, 2, 9], [2, 2, 4]), paired_bootstrap([2, 2, 4], [1, 2, 9])
    assert (there.value, there.low, there.high) == pytest.approx(
        (-back.value, -back.high, -back.low)
    )


def test_the_recipe_names_draws_level_and_seed() -> None:
    assert recipe(1200, 7) == (
        "95\u202f% percentile intervals of 1\u202f000 bootstrap samples of 1\u202f200 documents, "
        "seed 7"
    )
    assert "expanded percentile intervals" in recipe(49)
    assert recipe(1) == "none: one document says nothing about others"
