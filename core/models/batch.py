"""What a model reads in one step: rows of one sequence, or pairs of source and target."""

from dataclasses import dataclass
from typing import Protocol, Self

import torch
from torch import Tensor

NO_LOSS = -100
"""The label of a position that carries no loss."""


class TrainingBatch(Protocol):
    """What training asks of a batch, whatever stands in it."""

    @property
    def num_loss_tokens(self) -> int:
        """How many positions carry loss."""
        ...

    @property
    def num_tokens(self) -> int:
        """How many tokens are read, without padding."""
        ...

    def to(self, device: torch.device) -> Self:
        """The same on a device."""
        ...


@dataclass(frozen=True)
class Batch:
    """Rows of tokens of one width.

    Args:
        tokens: [B, T] int64.
        labels: [B, T] int64: the token to be predicted *at* each position (already shifted, so
            that `labels[b, t]` is what comes after `tokens[b, t]`), or `NO_LOSS`.
        present: [B, T] bool, False at padding; None where nothing is padded.
        positions: [B, T] int64, the place whose position vector a token gets; None for 0 … T-1.
        segments: [B, T] int64, what each token is a part of: 0 the document, 1 its summary; None
            where the model does not ask.
    """

    tokens: Tensor
    labels: Tensor | None = None
    present: Tensor | None = None
    positions: Tensor | None = None
    segments: Tensor | None = None

    def to(self, device: torch.device) -> Self:
        """The same on a device."""
        rest = (self.labels, self.present, self.positions, self.segments)
        others = (None if part is None else part.to(device) for part in rest)
        return type(self)(self.tokens.to(device), *others)

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


@dataclass(frozen=True)
class PairBatch:
    """Rows of an encoder-decoder.

    Args:
        source: What is read; it has no labels.
        target: What is written, of as many rows; it has labels.
    """

    source: Batch
    target: Batch

    def to(self, device: torch.device) -> Self:
        """The same on a device."""
        return type(self)(self.source.to(device), self.target.to(device))

    @property
    def num_loss_tokens(self) -> int:
        """How many positions of the targets carry loss."""
        return self.target.num_loss_tokens

    @property
    def num_tokens(self) -> int:
        """How many tokens sources and targets have, without padding."""
        return self.source.num_tokens + self.target.num_tokens
