"""Duplicates and splits are the same however few documents are in memory at a time."""

import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.data.bookkeeping import Bookkeeping, unpacked
from core.data.disk_columns import gathered
from core.data.duplicates import HASHES, link, same_keys, settle
from core.data.sorted_runs import SortedRuns
from core.data.splitting import UNSPLIT
from core.data.statistics import Lengths
from core.errors import DiskFullError, EpitomeError
from core.events import result_of
from core.stop import Stopping, StopToken
from tests.helpers import bookkeeping as slow

pytestmark = pytest.mark.filterwarnings("error")

SHARES = ((0.8, 0.1, 0.1), (0.5, 0.0, 0.5), (1.0, 0.0, 0.0))


def random_documents(seed: int, count: int) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
    """Documents of which many are the same, or share bands with others."""
    random = np.random.default_rng(seed)
    contents = random.integers(0, max(count, 1), count).astype(np.uint64)
    signatures = random.integers(0, 2**32, (count, HASHES), dtype=np.uint32)
    for document in range(1, count):
        shared = int(random.integers(0, HASHES + 1))
        signatures[document, :shared] = signatures[random.integers(0, document), :shared]
    return contents, signatures


@settings(max_examples=30)
@given(
    st.integers(0, 10**6), st.integers(1, 40), st.sampled_from((2, 7, 1000)),
    st.sampled_from(SHARES), st.integers(0, 3), st.booleans(),
)  # fmt: skip
def test_any_number_in_memory_gives_what_a_slow_way_gives(
    seed: int, count: int, at_once: int, shares: tuple[float, ...], draw: int, some_split: bool
) -> None:
    contents, signatures = random_documents(seed, count)
    lowest = -1 if some_split else 0
    own = np.random.default_rng(seed).integers(lowest, 3, count).astype(np.int8)
    if not some_split:
        own[:] = UNSPLIT
    with TemporaryDirectory() as folder:
        place = Path(folder) / "books"
        with Bookkeeping(place, at_once) as books:
            for part in np.array_split(np.arange(count), 3):
                books.add(own[part], contents[part], signatures[part])
            result_of(books.find(shares, draw, StopToken()))  # type: ignore[arg-type]
            pairs = list(zip(*(side.tolist() for side in unpacked(books.pairs)), strict=True))
            splits = books.splits.tolist()
        assert not place.exists()
    assert pairs == slow.find_duplicates(contents, signatures)
    linked = slow.groups(pairs, count)
    assert splits == slow.assign_splits(own.tolist(), contents, linked, shares, draw)


@given(st.lists(st.lists(st.integers(0, 5), max_size=12), max_size=9), st.integers(1, 9))
def test_runs_are_merged_in_order_and_equal_keys_stay_in_theirs(
    runs: list[list[int]], at_once: int
) -> None:
    with TemporaryDirectory() as folder:
        sorted_runs = SortedRuns(Path(folder), "some", at_once)
        row = 0
        for run in runs:
            sorted_runs.add(np.array(run, np.uint64), np.arange(row, row + len(run)))
            row += len(run)
        merged = [
            pair
            for keys, rows in sorted_runs.merged()
            for pair in zip(keys.tolist(), rows.tolist(), strict=True)
        ]
    keys = [key for run in runs for key in run]
    assert merged == sorted(zip(keys, range(len(keys)), strict=True))


def test_a_merge_holds_no_more_than_it_may(tmp_path: Path) -> None:
    runs = SortedRuns(tmp_path, "some", 100)
    for run in range(10):
        runs.add(np.zeros(500, np.uint64), np.arange(500) + 500 * run)
    sizes = [len(keys) for keys, _ in runs.merged()]
    assert sum(sizes) == 5000 and max(sizes) <= 100


@given(st.lists(st.integers(0, 3), max_size=20), st.integers(1, 5))
def test_the_first_with_a_key_is_known_in_later_pieces(keys: list[int], size: int) -> None:
    order = sorted(range(len(keys)), key=lambda row: (keys[row], row))
    pieces = [order[start : start + size] for start in range(0, len(order), size)]
    merged = (
        (np.array([keys[row] for row in piece], np.uint64), np.array(piece, np.uint32))
        for piece in pieces
    )
    found = {
        pair
        for firsts, others in same_keys(merged)
        for pair in zip(firsts.tolist(), others.tolist(), strict=True)
    }
    assert found == {(keys.index(key), row) for row, key in enumerate(keys)
                     if keys.index(key) < row}  # fmt: skip


@given(st.integers(1, 30).flatmap(
    lambda count: st.tuples(
        st.just(count),
        st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=40),
        st.integers(1, 30),
    )
))  # fmt: skip
def test_groups_are_what_pairs_link(drawn: tuple[int, list[tuple[int, int]], int]) -> None:
    count, pairs, at_once = drawn
    links = np.arange(count, dtype=np.uint32)
    table = np.array(pairs, np.uint32).reshape(-1, 2)
    link(links, table[:, 0], table[:, 1])
    settle(links, at_once)
    assert links.tolist() == slow.groups(pairs, count)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=60), st.integers(1, 60))
def test_lengths_are_those_of_numpy(lengths: list[int], cut: int) -> None:
    counted = Lengths(Counter())
    counted.add(np.array(lengths[:cut], np.int64))
    counted.add(np.array(lengths[cut:], np.int64))
    spread = counted.spread()
    shares = [int(share) for share in spread["percentiles"]]
    expected = np.percentile(np.array(lengths), shares, method="lower").tolist()
    assert list(spread["percentiles"].values()) == expected
    assert spread["sum"] == sum(lengths)
    assert spread["mean"] == round(float(np.array(lengths).mean()), 1)


def test_arrays_are_gathered_to_larger_ones() -> None:
    parts = [np.arange(size) for size in (2, 0, 3, 4, 1)]
    joined = list(gathered(parts, 5))
    assert [len(part) for part in joined] == [5, 5]
    assert np.array_equal(np.concatenate(joined), np.concatenate(parts))
    assert not list(gathered([np.arange(0)], 5))


@pytest.mark.parametrize("looks", range(0, 100, 14))
def test_stopped_anywhere_it_leaves_nothing(tmp_path: Path, looks: int) -> None:
    class Impatient(StopToken):
        left = looks

        def raise_if_set(self) -> None:
            self.left -= 1
            if self.left < 0:
                raise Stopping("stop")

    with pytest.raises(Stopping), Bookkeeping(tmp_path / "books", 5) as books:
        books.add(np.full(20, UNSPLIT, np.int8), *random_documents(0, 20))
        result_of(books.find(SHARES[0], 0, Impatient()))
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(
    sys.platform == "win32" or not Path("/dev/full").exists(), reason="there is no full device"
)
@pytest.mark.parametrize(
    "file",
    ("own", "contents", "signatures", "content.keys", "band-15.rows", "candidates.keys",
     "found.rows", "pairs", "links", "sizes", "groups.rows", "chosen", "splits"),
)  # fmt: skip
def test_a_full_disk_is_told_whatever_is_written(tmp_path: Path, file: str) -> None:
    with (
        pytest.raises(DiskFullError, match="No space left on device"),
        Bookkeeping(tmp_path / "books", 5) as books,
    ):
        (tmp_path / "books" / file).symlink_to("/dev/full")
        books.add(np.full(20, UNSPLIT, np.int8), *random_documents(0, 20))
        result_of(books.find(SHARES[0], 0, StopToken()))
    assert not list(tmp_path.iterdir())


def test_what_an_ended_process_left_is_deleted(tmp_path: Path) -> None:
    (tmp_path / "books").mkdir()
    (tmp_path / "books" / "own").write_bytes(b"1234")
    with Bookkeeping(tmp_path / "books") as books:
        books.add(np.full(3, UNSPLIT, np.int8), *random_documents(0, 3))
        result_of(books.find(SHARES[0], 0, StopToken()))
        assert len(books.splits) == 3


def test_documents_that_cannot_be_numbered_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.data.bookkeeping.MOST_DOCUMENTS", 5)
    with Bookkeeping(tmp_path / "books") as books:
        books.add(np.full(5, UNSPLIT, np.int8), *random_documents(0, 5))
        with pytest.raises(EpitomeError, match="more than 5 documents"):
            books.add(np.full(1, UNSPLIT, np.int8), *random_documents(0, 1))
