"""Assigns documents to splits, and finds duplicates across splits.

Letters: N documents.
"""

import numpy as np
from numpy.typing import NDArray

from core.data.duplicates import mixed

UNSPLIT = -1

Ints = NDArray[np.integer]


def assign_splits(
    own: Ints, contents: NDArray[np.uint64], linked: Ints, shares: tuple[float, ...], seed: int
) -> NDArray[np.int8]:
    """Assigns documents that come without a split to one.

    Duplicates stay together, so that no document is used for both training and testing. If there
    are three or more groups of documents, each split with a share gets at least one.

    Args:
        own: [N] the index of the split each comes from, or `UNSPLIT`.
        contents: [N] a hash of each document.
        linked: [N] the group of each, as returned by `core.data.duplicates.groups`.
        shares: Shares of training, validation and test; they sum to 1.
        seed: Random seed.

    Returns:
        [N] 0 for training, 1 for validation, 2 for test.
    """
    splits = np.array(own, np.int8)
    free = np.flatnonzero(splits == UNSPLIT)
    if not len(free):
        return splits
    firsts, group, sizes = np.unique(linked[free], return_inverse=True, return_counts=True)
    order = np.argsort(mixed(contents[firsts] ^ mixed(np.array([seed], np.uint64))), kind="stable")
    before = np.cumsum(sizes[order]) - sizes[order]
    wanted = [_wanted(share, len(free), len(firsts)) for share in shares[1:]]
    ends = np.cumsum(wanted)
    chosen = np.where(before < ends[0], 1, np.where(before < ends[1], 2, 0))
    of_group = np.empty(len(firsts), np.int8)
    of_group[order] = chosen
    splits[free] = of_group[group]
    return splits


def _wanted(share: float, number: int, num_groups: int) -> int:
    least = 1 if share > 0 and num_groups > 2 else 0
    return max(round(share * number), least)


def leaks(pairs: NDArray[np.int64], splits: Ints) -> NDArray[np.int64]:
    """[P, 2] the pairs of documents in two different splits."""
    crossing: NDArray[np.int64] = pairs[splits[pairs[:, 0]] != splits[pairs[:, 1]]]
    return crossing
