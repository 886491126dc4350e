"""Sorts more keys than fit into memory: runs that are sorted one by one, then merged."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.data.disk_columns import DiskColumn

Keys = NDArray[np.uint64]
Rows = NDArray[np.uint32]


class SortedRuns:
    """Keys and the rows they belong to, on disk.

    Args:
        folder: Where the files are written.
        name: Begins their names.
        at_once: How many keys are held in memory while runs are merged.
    """

    def __init__(self, folder: Path, name: str, at_once: int) -> None:
        self._keys = DiskColumn(folder / f"{name}.keys", np.uint64)
        self._rows = DiskColumn(folder / f"{name}.rows", np.uint32)
        self._at_once = at_once
        self._ends = [0]

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, keys: Keys, rows: NDArray[np.integer]) -> None:
        """Sorts and writes a run.

        Args:
            keys: [n] in any order, as many as are to be held in memory.
            rows: [n] the row of each.

        Raises:
            EpitomeError: If the disk is full.
        """
        order = np.argsort(keys, kind="stable")
        self._keys.append(keys[order])
        self._rows.append(rows[order])
        self._ends.append(len(self._keys))

    def merged(self) -> Iterator[tuple[Keys, Rows]]:
        """All keys in ascending order with their rows; equal keys in the order they were added in.

        Each step looks at the next keys of each run. Of the last of these, the least is a limit:
        no key up to it can come later, except for equal ones of the run that it stands in. So later
        runs give what is below it, that one and those before it give the limit, too.
        """
        keys, rows = self._keys.mapped(), self._rows.mapped()
        bounds = zip(self._ends[:-1], self._ends[1:], strict=True)
        left = [(begin, end) for begin, end in bounds if begin < end]
        while left:
            share = max(self._at_once // len(left), 1)
            heads = [keys[begin : min(begin + share, end)] for begin, end in left]
            least = int(np.argmin([head[-1] for head in heads]))
            limit = heads[least][-1]
            taken = [
                int(np.searchsorted(head, limit, "right" if number <= least else "left"))
                for number, head in enumerate(heads)
            ]
            some = [slice(begin, begin + n) for (begin, _), n in zip(left, taken, strict=True)]
            found = np.concatenate([keys[part] for part in some])
            order = np.argsort(found, kind="stable")
            yield found[order], np.concatenate([rows[part] for part in some])[order]
            left = [
                (begin + n, end) for (begin, end), n in zip(left, taken, strict=True)
                if begin + n < end
            ]  # fmt: skip

    def delete(self) -> None:
        """Deletes the files; a merge must have ended, or be given up."""
        self._keys.delete()
        self._rows.delete()
