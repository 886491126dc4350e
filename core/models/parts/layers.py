"""Layers of a stack, in one pass through it: attention to itself, to a memory, and feed-forward.

The weights of a layer (`modules`) may serve at several depths; what differs between depths and
passes (random draws, padding, what is wanted) stands here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import torch.nn.functional as F
from torch import Tensor

from core.models.parts.attention import attention_to_present
from core.models.parts.attention_kinds import AttentionKind
from core.models.parts.modules import (
    AttentionModule,
    FeedForward,
    SeparateAttention,
    pulled_projections,
)
from core.models.parts.randomness import Randomness, dropped
from core.models.parts.residual import PiecewiseFunction, StagedFunction, split_evenly
from core.models.parts.reversible import Gradients

# Positions that a layer works on at once, unless the settings say: what is inside then stays in the
# processor's cache.
_FEED_FORWARD_AT_ONCE = 1024
_ATTENTION_AT_ONCE = 2048


@dataclass(frozen=True)
class Pass:
    """What all layers share in one pass through a stack.

    Args:
        depth: Blocks of the stack.
        num_rows: B.
        present: [B, T] bool, False at padding; None without padding.
        randomness: What a training step draws from; None in evaluation.
        needed: The positions whose output is wanted; None for all. The last block does no others.
        dropout: Share of each layer's output that is left out in training.
        ff_chunks: Pieces of the sequence in feed-forward; None lets the processor's cache decide.
        side: Which stack it is, where a model has two: their draws differ.
    """

    depth: int
    num_rows: int
    present: Tensor | None
    randomness: Randomness | None
    needed: slice | None = None
    dropout: float = 0.0
    ff_chunks: int | None = None
    side: Literal["", "encoder ", "decoder "] = ""


@dataclass(frozen=True)
class Layer:
    """A layer at one depth, in one pass.

    Args:
        depth: Which block it belongs to, from 0.
        this_pass: What it shares with the others.
    """

    depth: int
    this_pass: Pass

    def wanted(self, num_positions: int) -> slice:
        """The positions whose output is wanted."""
        needed = self.this_pass.needed
        if needed is None or self.depth + 1 < self.this_pass.depth:
            return slice(0, num_positions)
        return needed

    def in_pieces(self, where: slice) -> list[slice]:
        """Positions in pieces that attention works on at once."""
        return self._split(where, _ATTENTION_AT_ONCE)

    def _split(self, where: slice, at_once: int) -> list[slice]:
        few = max(1, at_once // self.this_pass.num_rows)
        return split_evenly(where, -(-(where.stop - where.start) // few))

    def dropped(self, x: Tensor, where: slice, layer: str) -> Tensor:
        """[B, t, D], an output at some positions, with what training leaves out of it."""
        this = self.this_pass
        return dropped(x, where, this.dropout, this.randomness, self.depth, this.side + layer)


@dataclass(frozen=True)
class AttentionLayer(Layer, StagedFunction):
    """Attention of a sequence to itself.

    Args:
        module: Its weights.
        kind: What its positions see.
    """

    module: AttentionModule
    kind: AttentionKind

    def first_weights(self) -> list[Tensor]:
        """The norm's and the projections'."""
        return [*self.module.norm.parameters(), *self.module.projections]

    def middle_weights(self) -> list[Tensor]:
        """The kind's own."""
        return self.kind.weights()

    def last_weights(self) -> list[Tensor]:
        """The output's."""
        return list(self.module.out.parameters())

    def stages(self, num_positions: int) -> tuple[list[slice], list[slice]]:
        """Projections of all positions that are seen; outputs of those that are wanted."""
        wanted = self.wanted(num_positions)
        read = self.kind.reads(wanted, num_positions)
        return self.in_pieces(read), self.in_pieces(wanted)

    def first(self, x: Tensor) -> tuple[Tensor, ...]:
        """[B, t, D] to what the module projects, [B, t, H, K] each."""
        return self.module.project(x)

    def pulled_first(self, x: Tensor, pulls: Sequence[Tensor], gradients: Gradients) -> Tensor:
        """See `StagedFunction`."""
        flat = [pull.flatten(2) for pull in pulls]
        return pulled_projections(self.module.norm, self.module.projections, x, flat, gradients)

    def decide(self, parts: Sequence[Tensor]) -> Any:
        """What the kind must not find anew in a recomputation."""
        return self.kind.decide(parts, self.this_pass.present, self.this_pass.randomness)

    def middle(self, parts: Sequence[Tensor], read: slice, decided: Any) -> Tensor:
        """[B, r, H, K] each of what is projected to what attention finds, the same shape."""
        present = self.this_pass.present
        present = None if present is None else present[:, read]
        wanted = self.wanted(read.stop)
        within = slice(wanted.start - read.start, wanted.stop - read.start)
        return self.kind.attend_at(within, parts, present, decided)

    def last(self, found: Tensor, where: slice) -> Tensor:
        """[B, t, H, K] to [B, t, D]."""
        return self.dropped(self.module.join(found), where, "attention")


@dataclass(frozen=True)
class CrossAttentionLayer(Layer, PiecewiseFunction):
    """A decoder's attention to what the encoder made of the source.

    Args:
        module: Its weights.
        source_present: [B, S] bool, False at padding; None without padding.
    """

    module: SeparateAttention
    source_present: Tensor | None

    def weights(self) -> list[Tensor]:
        """Its parameters."""
        return list(self.module.parameters())

    def pieces(self, num_positions: int) -> list[slice]:
        """One: each would make keys and values of the whole source again."""
        return [self.wanted(num_positions)]

    def run(self, x: Tensor, piece: slice, memory: Tensor | None) -> Tensor:
        """[B, t, D] and the memory, [B, S, D], to [B, t, D]."""
        assert memory is not None
        parts = (self.module.ask(x), *self.module.offer(memory))
        q, k, v = (part.transpose(1, 2) for part in parts)
        found = attention_to_present(q, k, v, self.source_present).transpose(1, 2)
        return self.dropped(self.module.join(found), piece, "cross-attention")


@dataclass(frozen=True)
class FeedForwardLayer(Layer, PiecewiseFunction):
    """The feed-forward layer at one depth.

    Args:
        module: Its weights.
        keeps_wide: Whether it also keeps what is wide, if it keeps anything.
    """

    module: FeedForward
    keeps_wide: bool = False

    def weights(self) -> list[Tensor]:
        """Its parameters."""
        return list(self.module.parameters())

    def pieces(self, num_positions: int) -> list[slice]:
        """As many as the settings say, or as fit the processor's cache."""
        where = self.wanted(num_positions)
        chunks = self.this_pass.ff_chunks
        return split_evenly(where, chunks) if chunks else self._split(where, _FEED_FORWARD_AT_ONCE)

    def run(self, x: Tensor, piece: slice, memory: Tensor | None) -> Tensor:
        """[B, t, D] to [B, t, D]."""
        return self.dropped(self.module(x), piece, "feed-forward")

    def add(self, x: Tensor, total: Tensor, memory: Tensor | None, keep: bool) -> Any:
        """As `ResidualFunction`; what it keeps is the stream as it was, and perhaps what is wide.

        The stream is little, and spares the recomputation its second half: the output is not
        needed then.
        """
        if not keep:
            return super().add(x, total, None, keep)
        before = total[:, self.wanted(x.shape[1])].clone()
        wides: list[Tensor | None] = []
        for piece in self.pieces(x.shape[1]):
            wide = self.module.wide(x[:, piece])
            out = self.module.narrow(F.gelu(wide))
            total[:, piece] += self.dropped(out, piece, "feed-forward")
            wides.append(wide if self.keeps_wide else None)
        return before, wides

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
        if not kept:
            super().rewind(x, total, dx, dtotal, None, kept, gradients)
            return
        before, wides = kept
        total[:, self.wanted(x.shape[1])] = before
        for piece, wide in zip(self.pieces(x.shape[1]), wides, strict=True):
            pull = self.dropped(dtotal[:, piece], piece, "feed-forward")
            dx[:, piece] += self.module.pulled(x[:, piece], pull, wide, gradients)
