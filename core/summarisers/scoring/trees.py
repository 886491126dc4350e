"""Boosted regression trees, read from plain data: the same numbers on every machine.

Letters: E rows, F signals, T trees, D their depth.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

_ROWS = 2048  # at a time, so that a document of any length needs little memory
_NODES = 1 << 16  # of many trees at a time: most documents are short, and a call for each is slow


@dataclass(frozen=True, eq=False)
class Trees:
    """Complete binary trees of one depth; what is under node *n* are nodes 2*n* + 1 and 2*n* + 2.

    Args:
        signals: [T, 2^D - 1] int16, which signal each node asks for.
        thresholds: [T, 2^D - 1] float32; greater values go to the second node.
        leaves: [T, 2^D] int32, what each leaf adds, in millionths: sums of whole numbers do not
            depend on their order.
        names: [F] the signals that the trees were made for.
    """

    signals: NDArray[np.int16]
    thresholds: NDArray[np.float32]
    leaves: NDArray[np.int32]
    names: tuple[str, ...]

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]], part: str) -> Self:
        """Those that stand among other arrays under the name of a part; the inverse of `arrays`."""
        signals, thresholds, leaves, names = (
            arrays[f"{part} {name}"] for name in ("signals", "thresholds", "leaves", "names")
        )
        return cls(signals, thresholds, leaves, tuple(str(name) for name in names))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The trees as plain arrays."""
        return {
            "signals": self.signals,
            "thresholds": self.thresholds,
            "leaves": self.leaves,
            "names": np.array(self.names),
        }

    def predict(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """What the trees say of each row.

        Args:
            rows: [E, F] the signals, in the order of `names`.

        Returns:
            [E] the sums over all trees.
        """
        parts = [self._sums(rows[at : at + _ROWS]) for at in range(0, len(rows), _ROWS)]
        return np.concatenate([np.zeros(0), *parts]) / 1e6

    def _sums(self, rows: NDArray[np.float32]) -> NDArray[np.int64]:
        count, inner = self.signals.shape
        signals, thresholds, leaves = (
            each.ravel() for each in (self.signals, self.thresholds, self.leaves)
        )
        values = rows.ravel()
        starts = np.arange(len(rows)) * rows.shape[1]
        sums = np.zeros(len(rows), np.int64)
        together = max(1, _NODES // len(rows))
        for first in range(0, count, together):
            tree = np.arange(first, min(first + together, count))[:, None]
            node = np.zeros((len(tree), len(rows)), np.int64)
            for _ in range(inner.bit_length()):
                at = node + tree * inner
                second = values.take(starts + signals.take(at)) > thresholds.take(at)
                node = 2 * node + 1 + second
            sums += leaves.take(node + tree * (inner + 1) - inner).sum(0, np.int64)
        return sums
