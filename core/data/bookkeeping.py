"""Which documents of a corpus are the same, and which split each is in: in bounded memory.

All that is known of each document stands in files; a bounded number of documents is in memory at a
time. The same numbers give the same result, however many that is.

Letters: N documents, P pairs of duplicates.
"""

import shutil
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from core.data.disk_columns import DiskColumn, gathered, pieces
from core.data.duplicates import (
    BANDS,
    HASHES,
    band_keys,
    link,
    nearly_same,
    same_keys,
    settle,
)
from core.data.sorted_runs import Rows, SortedRuns
from core.data.splitting import DocumentGroups, Workspace, assign_splits
from core.data.staging import writing
from core.errors import EpitomeError
from core.events import Progress, Steps
from core.stop import StopToken

AT_ONCE = 1 << 18
"""Documents in memory at a time, about 60 bytes each."""

MOST_DOCUMENTS = 2**32
"""They are numbered with 32 bits."""

_HALF, _LOW = np.uint64(32), np.uint64(2**32 - 1)


class Bookkeeping:
    """Finds duplicates and assigns splits; a context, which deletes its files at the end.

    Args:
        folder: For its files; what an ended process left there is deleted.
        at_once: How many documents are in memory at a time.

    Raises:
        EpitomeError: If the folder cannot be written.
    """

    pairs: NDArray[np.uint64]
    """[P] the pairs of duplicates, as `unpacked` reads them, sorted and unique; mapped. In a group
    of duplicates, each document is paired with the first one that a key of its has."""
    splits: NDArray[np.int8]
    """[N] the split of each document, an index into `core.data.corpus.SPLITS`; mapped."""

    def __init__(self, folder: Path, at_once: int = AT_ONCE) -> None:
        self._folder, self._at_once = folder, at_once
        with writing(folder):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        self._own = DiskColumn(folder / "own", np.int8)
        self._contents = DiskColumn(folder / "contents", np.uint64)
        self._signatures = DiskColumn(folder / "signatures", np.uint32, HASHES)

    def __enter__(self) -> "Bookkeeping":
        return self

    def __exit__(self, kind: object, error: object, frames: TracebackType | None) -> None:
        # A mapped file cannot be deleted on Windows; an error keeps the variables of its frames.
        traceback.clear_frames(frames)
        self.__dict__.pop("pairs", None)
        self.__dict__.pop("splits", None)
        shutil.rmtree(self._folder, ignore_errors=True)

    def __len__(self) -> int:
        return len(self._own)

    def add(
        self,
        own: NDArray[np.int8],
        contents: NDArray[np.uint64],
        signatures: NDArray[np.uint32],
    ) -> None:
        """Adds the next documents.

        Args:
            own: [n] the split each comes from, or `core.data.splitting.UNSPLIT`.
            contents: [n] `core.data.duplicates.content_hash` of each.
            signatures: [n, H] `core.data.duplicates.signature` of each.

        Raises:
            EpitomeError: If the disk is full, or there are more documents than can be numbered.
        """
        if len(self) + len(own) > MOST_DOCUMENTS:
            raise EpitomeError(
                f"The sources have more than {MOST_DOCUMENTS} documents.",
                "Prepare several corpora.",
            )
        self._own.append(own)
        self._contents.append(contents)
        self._signatures.append(signatures)

    def find(self, shares: tuple[float, float, float], seed: int, stop: StopToken) -> Steps[None]:
        """Finds `pairs` and `splits`.

        Args:
            shares: Of training, validation and test; they sum to 1.
            seed: Random seed of the splits.
            stop: Checked often.

        Yields:
            Progress.

        Raises:
            EpitomeError: If the disk is full.
            Stopping: If an end was asked for.
        """
        self.pairs = yield from self._find_pairs(stop)
        yield Progress(0, 0, "documents", "Assigning splits")
        self.splits = assign_splits(
            DocumentGroups(self._own.mapped(), self._contents.mapped(), self._linked(stop)),
            shares,
            seed,
            Workspace(self._folder, self._at_once, stop),
        )

    def _find_pairs(self, stop: StopToken) -> Steps[NDArray[np.uint64]]:
        """[P] the pairs.

        Candidates are compared once for all bands, and in the order of their first documents: their
        signatures may be larger than memory, and are read from the disk.
        """
        found = SortedRuns(self._folder, "found", self._at_once)
        candidates = SortedRuns(self._folder, "candidates", self._at_once)
        orders = yield from self._orders(stop)
        for number, order in enumerate(orders):
            for codes in gathered(_pairs(order), self._at_once):
                stop.raise_if_set()
                (candidates if number else found).add(codes, codes & _LOW)
            order.delete()
            yield self._looking(len(self), number / len(orders))
        signatures = self._signatures.mapped()
        for codes in _each_once(candidates):
            stop.raise_if_set()
            near = codes[nearly_same(signatures, *unpacked(codes))]
            found.add(near, near & _LOW)
        candidates.delete()
        pairs = DiskColumn(self._folder / "pairs", np.uint64)
        for codes in _each_once(found):
            stop.raise_if_set()
            pairs.append(codes)
        found.delete()
        return pairs.mapped()

    def _orders(self, stop: StopToken) -> Steps[list[SortedRuns]]:
        """The documents in the order of each key: that of the content, and of each band."""
        names = ("content", *(f"band-{band}" for band in range(BANDS)))
        orders = [SortedRuns(self._folder, name, self._at_once) for name in names]
        contents, signatures = self._contents.mapped(), self._signatures.mapped()
        for some in pieces(len(self), self._at_once):
            rows = np.arange(some.start, some.stop, dtype=np.uint32)
            orders[0].add(contents[some], rows)
            for band in range(BANDS):
                stop.raise_if_set()
                orders[1 + band].add(band_keys(signatures[some], band), rows)
            yield self._looking(some.stop, 0)
        return orders

    def _looking(self, num_sorted: int, compared: float) -> Progress:
        """Sorting counts as much as comparing."""
        done = (num_sorted + int(len(self) * compared)) // 2
        return Progress(done, len(self), "documents", "Looking for duplicates")

    def _linked(self, stop: StopToken) -> Rows:
        """[N] the lowest document of each one's group."""
        column = DiskColumn(self._folder / "links", np.uint32)
        for some in pieces(len(self), self._at_once):
            column.append(np.arange(some.start, some.stop, dtype=np.uint32))
        links = column.mapped()
        for some in pieces(len(self.pairs), self._at_once):
            stop.raise_if_set()
            link(links, *unpacked(self.pairs[some]))
        settle(links, self._at_once)
        return links


def unpacked(codes: NDArray[np.uint64]) -> tuple[Rows, Rows]:
    """The lower and the higher document of each pair, [P] and [P]."""
    return (codes >> _HALF).astype(np.uint32), (codes & _LOW).astype(np.uint32)


def _pairs(order: SortedRuns) -> Iterator[NDArray[np.uint64]]:
    """Each document and the first one with the same key."""
    for firsts, others in same_keys(order.merged()):
        yield (firsts.astype(np.uint64) << _HALF) | others


def _each_once(pairs: SortedRuns) -> Iterator[NDArray[np.uint64]]:
    """The keys of runs in ascending order."""
    last = -1
    for codes, _ in pairs.merged():
        is_new = np.append(int(codes[0]) != last, codes[1:] != codes[:-1])
        last = int(codes[-1])
        yield codes[is_new]
