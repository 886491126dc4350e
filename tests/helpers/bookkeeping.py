"""What `core.data.bookkeeping` does, in memory and document by document: slow, and simple."""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from core.data.duplicates import BANDS, NEARLY_SAME, ROWS, mixed
from core.data.splitting import UNSPLIT

Pair = tuple[int, int]


def find_duplicates(contents: NDArray[np.uint64], signatures: NDArray[np.uint32]) -> list[Pair]:
    """Pairs of documents that are the same, or nearly, sorted and once each."""
    found: set[Pair] = set()
    first_with: dict[object, int] = {}
    for document, content in enumerate(contents.tolist()):
        first = first_with.setdefault(content, document)
        if first < document:
            found.add((first, document))
        for band in range(BANDS):
            part = signatures[document, band * ROWS : (band + 1) * ROWS].tobytes()
            first = first_with.setdefault((band, part), document)
            agree = np.mean(signatures[first] == signatures[document])
            if first < document and agree >= NEARLY_SAME:
                found.add((first, document))
    return sorted(found)


def groups(pairs: list[Pair], number: int) -> list[int]:
    """For each document, the lowest one that pairs link it to."""
    lowest = list(range(number))
    before: list[int] = []
    while lowest != before:
        before = list(lowest)
        for first, second in pairs:
            lowest[first] = lowest[second] = min(lowest[first], lowest[second])
    return lowest


def _filled(sizes: list[int], wanted: list[int]) -> list[int]:
    """The splits of groups in their order: validation, the test, then training."""
    before = [sum(sizes[:number]) for number in range(len(sizes))]
    return [1 if n < wanted[1] else 2 if n < wanted[1] + wanted[2] else 0 for n in before]


def assign_splits(
    own: list[int],
    contents: NDArray[np.uint64],
    linked: list[int],
    shares: tuple[float, ...],
    seed: int,
) -> list[int]:
    """The split of each document, as `core.data.splitting.assign_splits` gives it."""
    sizes = Counter(group for group, split in zip(linked, own, strict=True) if split == UNSPLIT)
    draws = mixed(contents ^ mixed(np.array([seed], np.uint64))).tolist()
    least = [
        int(share > 0 and len(sizes) >= (3 if split else 1)) for split, share in enumerate(shares)
    ]
    wanted = [
        max(round(share * sizes.total()), at_least)
        for share, at_least in zip(shares, least, strict=True)
    ]
    order = sorted(sizes, key=lambda group: (draws[group], group))
    found = _filled([sizes[group] for group in order], wanted)
    if any(found.count(split) < least[split] for split in range(3)):
        limit = min(filter(None, wanted[1:]))
        order.sort(key=lambda group: (sizes[group] > limit, draws[group] >> 1, group))
        found = _filled([sizes[group] for group in order], wanted)
        while found.count(0) < least[0]:  # the last ones of the test, or of validation
            found[len(found) - found.count(0) - 1] = 0
        while found.count(2) < least[2]:
            found[found.count(1) - (not found.count(2) and found.count(0) == least[0])] = 2
    of_group = dict(zip(order, found, strict=True))
    return [
        of_group[group] if split == UNSPLIT else split
        for group, split in zip(linked, own, strict=True)
    ]
