"""One layer of the encoder-decoder at one depth of one step: what its reversible stacks run.

A layer's weights may serve at several depths; what differs between depths and steps (the kind of
attention, dropout, padding) stands here.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import torch.nn.functional as F
from torch import Tensor

from core.models.parts.attention_kinds import full_attention, local_attention
from core.models.parts.layers import FeedForward, SeparateAttention, pulled_projections
from core.models.parts.randomness import dropped
from core.models.parts.residual import Piece, PiecewiseFunction, StagedFunction, split_evenly
from core.models.parts.reversible import Gradients
from core.models.reformer.encoder_decoder_settings import ReformerEncoderDecoderSettings
from core.models.reformer.steps import Situation

Side = Literal["encoder", "decoder"]

# Positions that a layer works on at once, unless the settings say: what is inside then stays in the
# processor's cache.
_FEED_FORWARD_AT_ONCE = 512
_ATTENTION_AT_ONCE = 1024


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
class _Step(ABC):
    """A layer at one depth.

    Args:
        settings: The model's.
        side: Which stack it belongs to.
        depth: Which block of it, from 0.
        situation: What the pass is about, as that side sees it.
    """

    settings: ReformerEncoderDecoderSettings
    side: Side
    depth: int
    situation: Situation

    @abstractmethod
    def kept_streams(self) -> tuple[float, float]:
        """How much its kept activations hold: in streams of its side, and in memories."""

    def _wanted(self, num_positions: int) -> slice:
        """The positions whose output is wanted; of the encoder's always all."""
        needed = self.situation.needed
        if needed is None or self.depth + 1 < self.settings.decoder_depth:
            return slice(0, num_positions)
        return needed

    def _split(self, where: slice, at_once: int) -> list[slice]:
        few = max(1, at_once // self.situation.num_rows)
        return split_evenly(where, -(-(where.stop - where.start) // few))

    def _dropped(self, x: Tensor, where: slice, layer: str) -> Tensor:
        share, randomness = self.settings.dropout, self.situation.randomness
        return dropped(x, where, share, randomness, self.depth, f"{self.side} {layer}")


@dataclass(frozen=True)
class FeedForwardStep(_Step, PiecewiseFunction):
    """The feed-forward layer at one depth."""

    layer: FeedForward

    def weights(self) -> list[Tensor]:
        """Its parameters."""
        return list(self.layer.parameters())

    def kept_streams(self) -> tuple[float, float]:
        """See `_Step`: input, what is normed, the widened twice, output."""
        return 3 + 2 * self.layer.widen.out_features / self.settings.width, 0

    def pieces(self, num_positions: int) -> list[Piece]:
        """As many as the settings say, or as fit the processor's cache."""
        where = self._wanted(num_positions)
        chunks = self.settings.ff_chunks
        parts = split_evenly(where, chunks) if chunks else self._split(where, _FEED_FORWARD_AT_ONCE)
        return [Piece(part, part) for part in parts]

    def run(self, x: Tensor, piece: Piece, memory: Tensor | None) -> Tensor:
        """[B, t, D] to [B, t, D]."""
        return self._dropped(self.layer(x), piece.writes, "feed-forward")

    def add(self, x: Tensor, total: Tensor, memory: Tensor | None, keep: bool) -> Any:
        """As `ResidualFunction`; the decoder's stack has a memory, at which this does not look."""
        return super().add(x, total, None, keep)

    def rewind(
        self,
        x: Tensor,
        total: Tensor,
        dx: Tensor,
        dtotal: Tensor,
        memory: Tensor | None,
        kept: Any,
        gradients: Gradients,
    ) -> None:
        """As `ResidualFunction`."""
        super().rewind(x, total, dx, dtotal, None, kept, gradients)


@dataclass(frozen=True)
class WindowAttentionStep(_Step, PiecewiseFunction):
    """An encoder's attention that looks no further than its window, to both sides."""

    layer: SeparateAttention

    def weights(self) -> list[Tensor]:
        """Its parameters."""
        return list(self.layer.parameters())

    def kept_streams(self) -> tuple[float, float]:
        """See `_Step`: input, what is normed, queries, keys, values, what is found, output."""
        return 7, 0

    def pieces(self, num_positions: int) -> list[Piece]:
        """Runs of positions, each read with as many beside it as its outer ones see."""
        beside = self.settings.window - 1
        return [
            Piece(slice(max(0, part.start - beside), min(part.stop + beside, num_positions)), part)
            for part in self._split(self._wanted(num_positions), _ATTENTION_AT_ONCE)
        ]

    def run(self, x: Tensor, piece: Piece, memory: Tensor | None) -> Tensor:
        """[B, r, D] to [B, w, D]."""
        q, k, v = (part.transpose(1, 2) for part in self.layer.project(x))
        present = self.situation.present
        present = None if present is None else present[:, piece.reads]
        found = local_attention(
            q, k, v, self.settings.window, present, causal=False, self_last=False
        )
        start, stop = (end - piece.reads.start for end in (piece.writes.start, piece.writes.stop))
        found = found[:, :, start:stop].transpose(1, 2)
        return self._dropped(self.layer.join(found), piece.writes, "attention")


@dataclass(frozen=True)
class FullAttentionStep(_Step, StagedFunction):
    """Attention to all of one's own sequence; the decoder's looks at what came before."""

    layer: SeparateAttention

    def first_weights(self) -> list[Tensor]:
        """The norm's and the projections'."""
        layer = self.layer
        projections = (layer.queries.weight, layer.keys.weight, layer.values.weight)
        return [*layer.norm.parameters(), *projections]

    def last_weights(self) -> list[Tensor]:
        """The output's."""
        return list(self.layer.out.parameters())

    def kept_streams(self) -> tuple[float, float]:
        """See `_Step`: queries, keys, values, and what is found."""
        return 4, 0

    def stages(self, num_positions: int) -> tuple[list[slice], list[slice]]:
        """Projections of all positions; outputs of those that are wanted."""
        everywhere = slice(0, num_positions)
        return (
            self._split(everywhere, _ATTENTION_AT_ONCE),
            self._split(self._wanted(num_positions), _ATTENTION_AT_ONCE),
        )

    def first(self, x: Tensor) -> tuple[Tensor, ...]:
        """[B, t, D] to queries, keys and values, [B, t, H, K] each."""
        return self.layer.project(x)

    def pulled_first(self, x: Tensor, pulls: Sequence[Tensor], gradients: Gradients) -> Tensor:
        """See `StagedFunction`."""
        layer = self.layer
        weights = [layer.queries.weight, layer.keys.weight, layer.values.weight]
        flat = [pull.flatten(2) for pull in pulls]
        return pulled_projections(layer.norm, weights, x, flat, gradients)

    def decide(self, parts: Sequence[Tensor]) -> None:
        """Nothing: what is seen depends on no number."""

    def middle(self, parts: Sequence[Tensor], read: slice, decided: Any) -> Tensor:
        """[B, T, H, K] queries, keys and values to what attention finds, the same shape."""
        q, k, v = (part.transpose(1, 2) for part in parts)
        present = self.situation.present
        found = (
            seeing_attention(q, k, v, present)
            if self.side == "encoder"
            else full_attention(q, k, v, present, self_last=False)
        )
        return found.transpose(1, 2)

    def last(self, found: Tensor, where: slice) -> Tensor:
        """[B, t, H, K] to [B, t, D]."""
        return self._dropped(self.layer.join(found), where, "attention")


@dataclass(frozen=True)
class CrossAttentionStep(_Step, PiecewiseFunction):
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

    def kept_streams(self) -> tuple[float, float]:
        """See `_Step`: input, what is normed, queries, what is found, output; keys and values."""
        return 5, 2

    def pieces(self, num_positions: int) -> list[Piece]:
        """One: each would make keys and values of the whole source again."""
        wanted = self._wanted(num_positions)
        return [Piece(wanted, wanted)]

    def run(self, x: Tensor, piece: Piece, memory: Tensor | None) -> Tensor:
        """[B, t, D] and the memory, [B, S, D], to [B, t, D]."""
        assert memory is not None
        parts = (self.layer.ask(x), *self.layer.offer(memory))
        q, k, v = (part.transpose(1, 2) for part in parts)
        found = seeing_attention(q, k, v, self.source_present).transpose(1, 2)
        return self._dropped(self.layer.join(found), piece.writes, "cross-attention")


EncoderDecoderStep = FeedForwardStep | WindowAttentionStep | FullAttentionStep | CrossAttentionStep
