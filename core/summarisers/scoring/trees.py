"""Gradient-boosted regression trees as plain arrays, with equal predictions on every machine.

Letters: E rows, F features, T trees, D their depth.
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
    """Complete binary trees of one depth; the children of node *n* are nodes 2*n* + 1 and 2*n* + 2.

    Args:
        features: [T, 2^D - 1] int16, the feature that each node compares.
        thresholds: [T, 2^D - 1] float32; greater values go to the second child.
        leaves: [T, 2^D] int32, the value of each leaf in millionths: sums of integers do not
            depend on their order.
        names: [F] the features, in the order of the columns.
    """

    features: NDArray[np.int16]
    thresholds: NDArray[np.float32]
    leaves: NDArray[np.int32]
    names: tuple[str, ...]

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], part: str) -> Self:
        """Takes the trees of a part of a model out of its arrays; the inverse of `to_arrays`."""
        features, thresholds, leaves, names = (
            arrays[f"{part} {name}"] for name in ("features", "thresholds", "leaves", "names")
        )
        return cls(features, thresholds, leaves, tuple(str(name) for name in names))

    def to_arrays(self, part: str) -> dict[str, NDArray[Any]]:
        """Returns the trees as plain arrays, named as a part of a model."""
        return {
            f"{part} features": self.features,
            f"{part} thresholds": self.thresholds,
            f"{part} leaves": self.leaves,
            f"{part} names": np.array(self.names),
        }

    def predict(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Sums up the leaves that rows reach.

        Args:
            rows: [E, F] the features, in the order of `names`.

        Returns:
            [E] the sums over all trees.
        """
        parts = [self._sums(rows[at : at + _ROWS]) for at in range(0, len(rows), _ROWS)]
        return np.concatenate([np.zeros(0), *parts]) / 1e6

    def _sums(self, rows: NDArray[np.float32]) -> NDArray[np.int64]:
        count, inner = self.features.shape
        features, thresholds, leaves = (
            each.ravel() for each in (self.features, self.thresholds, self.leaves)
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
                second = values.take(starts + features.take(at)) > thresholds.take(at)
                node = 2 * node + 1 + second
            sums += leaves.take(node + tree * (inner + 1) - inner).sum(0, np.int64)
        return sums
