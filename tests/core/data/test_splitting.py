"""Documents go to splits by their shares, and those that are the same go together."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data import splitting
from core.data.duplicates import mixed
from core.data.splitting import UNSPLIT, DocumentGroups, Workspace
from core.stop import StopToken
from tests.helpers import bookkeeping as slow

SHARES = (0.8, 0.1, 0.1)


def contents(count: int) -> np.ndarray:
    return np.random.Generator(np.random.PCG64(0)).bit_generator.random_raw(count)


def assign_splits(
    own: np.ndarray, contents: np.ndarray, linked: np.ndarray, shares: tuple[float, ...], seed: int
) -> np.ndarray:
    with TemporaryDirectory() as folder:
        work = Workspace(Path(folder), 16, StopToken())
        return np.array(
            splitting.assign_splits(DocumentGroups(own, contents, linked), shares, seed, work)
        )


def counts(splits: np.ndarray) -> list[int]:
    return np.bincount(splits, minlength=3).tolist()


def test_shares_are_met_and_a_seed_draws_others() -> None:
    own, alone = np.full(1000, UNSPLIT), np.arange(1000)
    found = [assign_splits(own, contents(1000), alone, SHARES, seed) for seed in (0, 0, 1)]
    assert [counts(splits) for splits in found] == [[800, 100, 100]] * 3
    assert np.array_equal(found[0], found[1]) and not np.array_equal(found[0], found[2])


def test_few_documents_give_each_split_one() -> None:
    for count, wanted in ((3, [1, 1, 1]), (5, [3, 1, 1]), (2, [2, 0, 0]), (1, [1, 0, 0])):
        own = np.full(count, UNSPLIT)
        assert counts(assign_splits(own, contents(count), np.arange(count), SHARES, 0)) == wanted


@pytest.mark.parametrize("seed", range(12))
def test_one_large_group_leaves_no_split_empty(seed: int) -> None:
    linked = np.array([0] * 8 + [8, 9])
    own = np.full(10, UNSPLIT)
    assert 0 not in counts(assign_splits(own, contents(10), linked, SHARES, seed))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("sizes", [[60], [40, 20]])
def test_of_one_or_two_groups_of_duplicates_training_gets_one(sizes: list[int], seed: int) -> None:
    linked = np.repeat(np.cumsum([0, *sizes[:-1]]), sizes)
    own, hashes = np.full(60, UNSPLIT), mixed(np.arange(60, dtype=np.uint64))
    found = assign_splits(own, hashes, linked, SHARES, seed)
    assert counts(found)[0] >= min(sizes)
    slowly = slow.assign_splits(own.tolist(), hashes, linked.tolist(), SHARES, seed)
    assert found.tolist() == slowly


Sizes = st.lists(st.integers(1, 9), min_size=3, max_size=12)
SOME_SHARES = ((0.8, 0.1, 0.1), (0.1, 0.45, 0.45), (0.5, 0.0, 0.5), (0.3, 0.7, 0.0))


@given(Sizes, st.sampled_from(SOME_SHARES), st.integers(0, 3))
def test_each_split_with_a_share_gets_a_group(
    sizes: list[int], shares: tuple[float, ...], seed: int
) -> None:
    linked = np.repeat(np.cumsum([0, *sizes[:-1]]), sizes)
    own, hashes = np.full(len(linked), UNSPLIT), mixed(np.arange(len(linked), dtype=np.uint64))
    found = assign_splits(own, hashes, linked, shares, seed)
    assert [number > 0 for number in counts(found)] == [share > 0 for share in shares]
    slowly = slow.assign_splits(own.tolist(), hashes, linked.tolist(), shares, seed)
    assert found.tolist() == slowly


def test_a_share_of_nothing_gets_nothing() -> None:
    own = np.full(50, UNSPLIT)
    assert counts(assign_splits(own, contents(50), np.arange(50), (1.0, 0.0, 0.0), 0)) == [50, 0, 0]
    assert counts(assign_splits(own, contents(50), np.arange(50), (0.5, 0.0, 0.5), 0)) == [
        25,
        0,
        25,
    ]


def test_a_split_that_is_there_is_kept() -> None:
    own = np.array([2, 0, UNSPLIT, 1, UNSPLIT, 0])
    found = assign_splits(own, contents(6), np.arange(6), SHARES, 0)
    assert found[own != UNSPLIT].tolist() == [2, 0, 1, 0]
    assert UNSPLIT not in found


@given(st.lists(st.integers(0, 20), min_size=1, max_size=60), st.integers(0, 3))
def test_what_is_linked_is_never_in_two_splits(links: list[int], seed: int) -> None:
    count = len(links)
    linked = np.array([min(n, link) if link < count else n for n, link in enumerate(links)])
    linked = np.array([linked[number] if linked[linked[number]] == linked[number] else number
                       for number in range(count)])  # fmt: skip
    splits = assign_splits(np.full(count, UNSPLIT), contents(count), linked, SHARES, seed)
    assert np.array_equal(splits, splits[linked])
