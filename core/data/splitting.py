"""Which split each document goes to, and which documents stand in two of them.

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
    """Puts documents that come without a split into one.

    Documents that are the same or nearly stay together, so that none is trained on and tested
    with. Where there are three or more groups of them, each split with a share gets one at least.

    Args:
        own: [N] the number of the split each comes from, or `UNSPLIT`.
        contents: [N] a hash of each document.
        linked: [N] the group of each, as `core.data.duplicates.groups` gives it.
        shares: Of training, validation and test; together 1.
        seed: Another seed, another choice.

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
    """[P, 2] the pairs of documents that stand in two splits."""
    crossing: NDArray[np.int64] = pairs[splits[pairs[:, 0]] != splits[pairs[:, 1]]]
    return crossing
