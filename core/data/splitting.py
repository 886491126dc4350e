"""Assigns documents to splits.

Letters: N documents.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.data.disk_columns import DiskColumn, pieces, zeros
from core.data.duplicates import mixed
from core.data.sorted_runs import SortedRuns
from core.stop import StopToken

UNSPLIT = -1

Ints = NDArray[np.integer]


@dataclass(frozen=True, eq=False)
class DocumentGroups:
    """What decides the splits of documents; arrays may be mapped from files.

    Args:
        own: [N] the index of the split each comes from, or `UNSPLIT`.
        contents: [N] a hash of each document.
        linked: [N] the lowest document of each one's group of duplicates.
    """

    own: Ints
    contents: NDArray[np.uint64]
    linked: Ints


@dataclass(frozen=True)
class Workspace:
    """Where and how large columns are worked on.

    Args:
        folder: For files.
        at_once: How many documents are in memory at a time.
        stop: Checked often.
    """

    folder: Path
    at_once: int
    stop: StopToken


def assign_splits(
    documents: DocumentGroups, shares: tuple[float, ...], seed: int, work: Workspace
) -> NDArray[np.int8]:
    """Assigns documents that come without a split to one.

    Duplicates stay together, so that no document is used for both training and testing. If there
    are three or more groups of documents, each split with a share gets at least one; of fewer,
    training does.

    Args:
        documents: The documents.
        shares: Shares of training, validation and test; they sum to 1.
        seed: Random seed.
        work: For the files.

    Returns:
        [N] 0 for training, 1 for validation, 2 for test; mapped from a file.

    Raises:
        EpitomeError: If the disk is full.
        Stopping: If an end was asked for.
    """
    of_group = _splits_of_groups(documents, shares, seed, work)
    splits = DiskColumn(work.folder / "splits", np.int8)
    for some in pieces(len(documents.own), work.at_once):
        own = documents.own[some]
        splits.append(np.where(own == UNSPLIT, of_group[documents.linked[some]], own))
    return splits.mapped()


def _splits_of_groups(
    documents: DocumentGroups, shares: tuple[float, ...], seed: int, work: Workspace
) -> NDArray[np.int8]:
    """[N] the split of each group with documents to assign, where its lowest document stands.

    Groups come in an order that their contents and the seed decide: the first ones are for
    validation, the next ones for the test, all others for training. Where large groups would leave
    a split without any, those larger than what validation or test want come last.
    """
    number = len(documents.own)
    sizes = zeros(work.folder / "sizes", np.uint32, number, work.at_once)
    for some in pieces(number, work.at_once):
        work.stop.raise_if_set()
        np.add.at(sizes, documents.linked[some][documents.own[some] == UNSPLIT], 1)
    drawn, num_free = _drawn(documents, sizes, seed, work)
    wanted = [_wanted(share, num_free, len(drawn)) for share in shares[1:]]
    least = (1, 3, 3)  # groups, for a split to get one whatever happens
    promised = [share > 0 and len(drawn) >= n for share, n in zip(shares, least, strict=True)]
    ends = _ends(drawn, sizes, wanted, work.stop)
    if any(_lacking(ends, len(drawn), promised)):
        limit = min(each for each in wanted if each)
        drawn, _ = _drawn(documents, sizes, seed, work, limit)
        ends = _with_all(_ends(drawn, sizes, wanted, work.stop), len(drawn), promised)
    chosen = zeros(work.folder / "chosen", np.int8, number, work.at_once)
    before = 0
    for _, groups in drawn.merged():
        work.stop.raise_if_set()
        if before >= ends[1]:
            break
        place = before + np.arange(len(groups))
        chosen[groups] = np.where(place < ends[0], 1, np.where(place < ends[1], 2, 0))
        before += len(groups)
    return chosen


def _drawn(
    documents: DocumentGroups,
    sizes: NDArray[np.uint32],
    seed: int,
    work: Workspace,
    limit: int | None = None,
) -> tuple[SortedRuns, int]:
    """The groups in the order in which they are drawn, and how many documents they hold.

    With a limit, larger groups come after all others.
    """
    drawn = SortedRuns(work.folder, "groups" if limit is None else "large-last", work.at_once)
    num_free = 0
    for some in pieces(len(sizes), work.at_once):
        work.stop.raise_if_set()
        groups = some.start + np.flatnonzero(sizes[some])
        draw = mixed(documents.contents[groups] ^ mixed(np.array([seed], np.uint64)))
        if limit is not None:
            is_large = (sizes[groups] > limit).astype(np.uint64)
            draw = draw >> np.uint64(1) | is_large << np.uint64(63)
        drawn.add(draw, groups)
        num_free += int(sizes[some].sum(dtype=np.int64))
    return drawn, num_free


def _ends(
    drawn: SortedRuns, sizes: NDArray[np.uint32], wanted: list[int], stop: StopToken
) -> tuple[int, int]:
    """How many groups come before the end of validation, and before that of the test.

    A split takes groups until it has as many documents as it wants.
    """
    ends = np.cumsum(wanted)
    found, before = np.zeros(2, np.int64), 0
    for _, groups in drawn.merged():
        stop.raise_if_set()
        if before >= ends[-1]:
            break
        size = sizes[groups].astype(np.int64)
        first = before + np.cumsum(size) - size
        found += np.searchsorted(first, ends)
        before += int(size.sum())
    return int(found[0]), int(found[1])


def _lacking(ends: tuple[int, int], num_groups: int, promised: list[bool]) -> list[bool]:
    """Which of training, validation and test were promised a group and have none."""
    counts = (num_groups - ends[1], ends[0], ends[1] - ends[0])
    return [is_promised and not count for is_promised, count in zip(promised, counts, strict=True)]


def _with_all(ends: tuple[int, int], num_groups: int, promised: list[bool]) -> tuple[int, int]:
    """The same ends, moved by as little as gives each split its promised group."""
    training, validation, test = map(int, promised)
    first = min(max(ends[0], validation), num_groups - training - test)
    return first, min(max(ends[1], first + test), num_groups - training)


def _wanted(share: float, number: int, num_groups: int) -> int:
    least = 1 if share > 0 and num_groups > 2 else 0
    return max(round(share * number), least)
