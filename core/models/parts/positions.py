"""Position vectors: two small tables (axial), one vector for each place (learned), or fixed waves.

Sources: axial positions as in Pre-training Reformer language models (2020): place p has
[T1[p mod n1]; T2[p div n1]]. Sinusoidal positions as in Vaswani et al. (2017), section 3.5.
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


class SinusoidalPositions(nn.Module):
    """Fixed vectors: number 2i of place p is sin(p / 10000^(2i/D)), number 2i + 1 its cosine.

    Args:
        length: Places.
        width: D.
    """

    def __init__(self, length: int, width: int) -> None:
        super().__init__()
        places = torch.arange(length, dtype=torch.float64)[:, None]
        even = torch.arange(0, width, 2, dtype=torch.float64)
        angles = places / 10_000 ** (even / width)
        waves = torch.stack((angles.sin(), angles.cos()), -1).flatten(1)[:, :width]
        # Not saved: it follows from the sizes.
        self.register_buffer("table", waves.float(), persistent=False)

    def forward(self, places: Tensor) -> Tensor:
        """[…] int64 places to […, D] vectors."""
        assert isinstance(self.table, Tensor)
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
