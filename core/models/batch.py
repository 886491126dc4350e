"""What a model reads in one step."""

from dataclasses import dataclass

from torch import Tensor

NO_LOSS = -100
"""The label of a position that carries no loss."""


@dataclass(frozen=True)
class Batch:
    """Rows of tokens of one width.

    Args:
        tokens: [B, T] int64.
        labels: [B, T] int64: the token to be predicted *at* each position (already shifted, so
            that `labels[b, t]` is what comes after `tokens[b, t]`), or `NO_LOSS`.
        present: [B, T] bool, False at padding; None where nothing is padded.
        positions: [B, T] int64, the place whose position vector a token gets; None for 0 … T-1.
    """

    tokens: Tensor
    labels: Tensor | None = None
    present: Tensor | None = None
    positions: Tensor | None = None

    @property
    def num_loss_tokens(self) -> int:
        """How many positions carry loss."""
        return 0 if self.labels is None else int((self.labels != NO_LOSS).sum())
