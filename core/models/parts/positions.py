"""Position vectors: two small tables (axial), or one vector for each place (learned).

Source: axial positions as in Pre-training Reformer language models (2020): place p has
[T1[p mod n1]; T2[p div n1]].
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class AxialPositions(nn.Module):
    """Two tables whose rows together name every place.

    Args:
        length: Places, at least.
        width: D; the first table has D // 2 of it.
        rows: Rows of the first table, n1; None for the whole number nearest the root of the length.
    """

    def __init__(self, length: int, width: int, rows: int | None = None) -> None:
        super().__init__()
        self.rows, self.columns = axial_shape(length, rows)
        self.first = nn.Parameter(torch.empty(self.rows, width // 2))
        self.second = nn.Parameter(torch.empty(self.columns, width - width // 2))

    def forward(self, places: Tensor) -> Tensor:
        """[…] int64 places to […, D] vectors."""
        near = F.embedding(places % self.rows, self.first)
        far = F.embedding(places // self.rows, self.second)
        return torch.cat((near, far), -1)


class LearnedPositions(nn.Module):
    """One vector for each place.

    Args:
        length: Places.
        width: D.
    """

    def __init__(self, length: int, width: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.empty(length, width))

    def forward(self, places: Tensor) -> Tensor:
        """[…] int64 places to […, D] vectors."""
        return F.embedding(places, self.table)


def axial_shape(length: int, rows: int | None = None) -> tuple[int, int]:
    """The rows of the two tables, n1 and n2, with n1 · n2 at least the length.

    Args:
        length: Places.
        rows: n1; None for a number near the root of the length.

    Returns:
        n1 and n2.
    """
    first = rows or max(1, math.isqrt(length))
    return first, -(-length // first)
