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

    @property
    def num_tokens(self) -> int:
        """How many tokens there are, without padding."""
        return self.tokens.numel() if self.present is None else int(self.present.sum())

    @property
    def loss_span(self) -> slice:
        """The positions between the first and the last label of any row.

        Without any label it is one position, so that the loss is a 0 with gradients of 0.
        """
        assert self.labels is not None
        places = (self.labels != NO_LOSS).any(0).nonzero()[:, 0]
        return slice(int(places[0]), int(places[-1]) + 1) if len(places) else slice(0, 1)
