"""Smear: each token's vector with a share of the one before, so that one layer can find "what
followed this token".

To copy a run of tokens, a model must find a place by what stands before it. Without smear this
takes two layers that learn together: one that takes over the previous token, one that compares.
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Smear(nn.Module):
    """Adds the previous token's vector, through a learnt gate for each of its numbers.

    Args:
        width: D.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.gate = nn.Parameter(torch.zeros(width))

    def forward(self, x: Tensor, present: Tensor | None = None) -> Tensor:
        """Smears whole rows.

        Args:
            x: [B, T, D], token vectors without positions.
            present: [B, T] bool, False at padding, which adds nothing; None without padding.

        Returns:
            [B, T, D].
        """
        before = F.pad(x, (0, 0, 1, -1))
        if present is not None:
            before = before.masked_fill(~F.pad(present, (1, -1))[..., None], 0.0)
        return self.add(x, before)

    def add(self, x: Tensor, before: Tensor) -> Tensor:
        """[…, D] token vectors and those before them (0 where there is none) to […, D]."""
        return torch.addcmul(x, before, torch.sigmoid(self.gate))
