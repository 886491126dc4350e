"""Rows that begin at their first place, so that chunks and groups are counted from there."""

from dataclasses import dataclass

import torch
from torch import Tensor

from core.models.batch import Batch


@dataclass(frozen=True)
class Packed:
    """Rows whose padding stands behind.

    Args:
        tokens: [B, T] int64.
        present: [B, T] bool, False at padding; None without padding.
        places: [B, T] or [T] int64, the place of each token.
        moved_to: [B, T] int64, where each position went; None if it stayed.
        segments: [B, T] int64, what each token is a part of; None where the batch does not say.
    """

    tokens: Tensor
    present: Tensor | None
    places: Tensor
    moved_to: Tensor | None = None
    segments: Tensor | None = None

    def unpack(self, x: Tensor) -> Tensor:
        """[B, T, D] in this order to the order of the batch."""
        if self.moved_to is None:
            return x
        return x.gather(1, self.moved_to[..., None].expand_as(x))


def pack(batch: Batch) -> Packed:
    """Moves the padding of a batch behind its tokens, where it is not there already."""
    tokens, present, places = batch.tokens, batch.present, batch.positions
    if places is None:
        places = torch.arange(tokens.shape[1], device=tokens.device)
    if present is None or not bool((present[:, 1:] & ~present[:, :-1]).any()):
        return Packed(tokens, present, places, None, batch.segments)
    order = present.sort(dim=1, descending=True, stable=True).indices
    moved = (each.expand_as(tokens).gather(1, order) for each in (tokens, present, places))
    tokens, present, places = moved
    segments = None if batch.segments is None else batch.segments.gather(1, order)
    return Packed(tokens, present, places, order.argsort(1), segments)
