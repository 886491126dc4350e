"""Attention of the encoder-decoder at one depth of one step."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch.nn.functional as F
from torch import Tensor

from core.models.parts.attention_kinds import full_attention, local_attention
from core.models.parts.layers import SeparateAttention, pulled_projections
from core.models.parts.residual import PiecewiseFunction, StagedFunction
from core.models.parts.reversible import Gradients
from core.models.reformer.steps import FeedForwardStep, Step


def seeing_attention(q: Tensor, k: Tensor, v: Tensor, present: Tensor | None) -> Tensor:
    """Attention of each query to all keys that are there.

    Args:
        q: [B, H, T, K] float.
        k: [B, H, S, K].
        v: [B, H, S, K].
        present: [B, S] bool, False at padding; None without padding.

    Returns:
        [B, H, T, K]; zeros in rows without any key.
    """
    # One line of the mask serves all queries, so nothing is made for each pair.
    mask = None if present is None else present[:, None, None]
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


@dataclass(frozen=True)
class SelfAttentionStep(Step, StagedFunction):
    """Attention to one's own sequence; the decoder's looks at what came before.

    Args:
        layer: Its weights.
        window: Positions that the encoder's sees to each side, its own counted; None for all.
    """

    layer: SeparateAttention
    window: int | None = None

    def first_weights(self) -> list[Tensor]:
        """The norm's and the projections'."""
        return [*self.layer.norm.parameters(), *self._projections]

    @property
    def _projections(self) -> list[Tensor]:
        return [self.layer.queries.weight, self.layer.keys.weight, self.layer.values.weight]

    def last_weights(self) -> list[Tensor]:
        """The output's."""
        return list(self.layer.out.parameters())

    def stages(self, num_positions: int) -> tuple[list[slice], list[slice]]:
        """Projections of all positions; outputs of those that are wanted."""
        everywhere, wanted = slice(0, num_positions), self.wanted(num_positions)
        return self.in_pieces(everywhere), self.in_pieces(wanted)

    def first(self, x: Tensor) -> tuple[Tensor, ...]:
        """[B, t, D] to queries, keys and values, [B, t, H, K] each."""
        return self.layer.project(x)

    def pulled_first(self, x: Tensor, pulls: Sequence[Tensor], gradients: Gradients) -> Tensor:
        """See `StagedFunction`."""
        flat = [pull.flatten(2) for pull in pulls]
        return pulled_projections(self.layer.norm, self._projections, x, flat, gradients)

    def decide(self, parts: Sequence[Tensor]) -> None:
        """Nothing: what is seen depends on no number."""

    def middle(self, parts: Sequence[Tensor], read: slice, decided: Any) -> Tensor:
        """[B, T, H, K] queries, keys and values to what attention finds, the same shape."""
        q, k, v = (part.transpose(1, 2) for part in parts)
        present = self.situation.present
        if self.situation.side == "decoder ":
            found = full_attention(q, k, v, present, self_last=False)
        elif self.window is None:
            found = seeing_attention(q, k, v, present)
        else:
            found = local_attention(q, k, v, self.window, present, causal=False, self_last=False)
        return found.transpose(1, 2)

    def last(self, found: Tensor, where: slice) -> Tensor:
        """[B, t, H, K] to [B, t, D]."""
        return self.dropped(self.layer.join(found), where, "attention")


@dataclass(frozen=True)
class CrossAttentionStep(Step, PiecewiseFunction):
    """The decoder's attention to what the encoder made of the source.

    Args:
        layer: Its weights.
        source_present: [B, S] bool, False at padding; None without padding.
    """

    layer: SeparateAttention
    source_present: Tensor | None

    def weights(self) -> list[Tensor]:
        """Its parameters."""
        return list(self.layer.parameters())

    def pieces(self, num_positions: int) -> list[slice]:
        """One: each would make keys and values of the whole source again."""
        return [self.wanted(num_positions)]

    def run(self, x: Tensor, piece: slice, memory: Tensor | None) -> Tensor:
        """[B, t, D] and the memory, [B, S, D], to [B, t, D]."""
        assert memory is not None
        parts = (self.layer.ask(x), *self.layer.offer(memory))
        q, k, v = (part.transpose(1, 2) for part in parts)
        found = seeing_attention(q, k, v, self.source_present).transpose(1, 2)
        return self.dropped(self.layer.join(found), piece, "cross-attention")


EncoderDecoderStep = FeedForwardStep | SelfAttentionStep | CrossAttentionStep
