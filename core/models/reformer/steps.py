"""One layer of the language model at one depth of one step: what a reversible stack runs.

A layer's weights may serve at several depths; what differs between depths and steps (the kind of
attention, random draws, padding) stands here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch.nn.functional as F
from torch import Tensor

from core.models.parts.attention_kinds import (
    full_attention,
    local_attention,
    local_chunk_attention,
    lsh_attention,
    lsh_chunk_attention,
)
from core.models.parts.hashing import draw_rotations, hash_vectors
from core.models.parts.layers import FeedForward, SharedAttention, pulled_projections
from core.models.parts.randomness import Randomness, dropped
from core.models.parts.residual import (
    Piece,
    PiecewiseFunction,
    StagedFunction,
    split_evenly,
)
from core.models.parts.reversible import Gradients
from core.models.reformer.settings import AttentionKind, ReformerSettings

# Positions that a layer works on at once, unless the settings say: what is inside then stays in the
# processor's cache.
_FEED_FORWARD_AT_ONCE = 1024
_ATTENTION_AT_ONCE = 2048

NEAR: tuple[AttentionKind, ...] = ("local", "local-chunk")
"""Kinds of attention that look no further than their window."""


@dataclass(frozen=True)
class Situation:
    """What all layers of a pass share.

    Args:
        num_rows: B.
        present: [B, T] bool, False at padding; None without padding.
        randomness: What a training step draws from; None in evaluation.
        needed: The positions whose output is wanted; None for all. The last block does no others.
    """

    num_rows: int
    present: Tensor | None
    randomness: Randomness | None
    needed: slice | None = None


@dataclass(frozen=True)
class _Step:
    """A layer at one depth.

    Args:
        settings: The model's.
        depth: Which block it belongs to, from 0.
        situation: What the pass is about.
    """

    settings: ReformerSettings
    depth: int
    situation: Situation

    def _wanted(self, num_positions: int) -> slice:
        """The positions whose output is wanted."""
        needed = self.situation.needed
        if needed is None or self.depth + 1 < self.settings.depth:
            return slice(0, num_positions)
        return needed

    def _split(self, where: slice, at_once: int, align: int = 1) -> list[slice]:
        few = max(1, at_once // self.situation.num_rows)
        return split_evenly(where, -(-(where.stop - where.start) // few), align)

    def _dropped(self, x: Tensor, where: slice, purpose: str) -> Tensor:
        share, randomness = self.settings.dropout, self.situation.randomness
        return dropped(x, where, share, randomness, self.depth, purpose)

    @property
    def _kind(self) -> AttentionKind:
        return self.settings.kinds[self.depth]


@dataclass(frozen=True)
class FeedForwardStep(_Step, PiecewiseFunction):
    """The feed-forward layer at one depth.

    Args:
        layer: Its weights.
        keeps_wide: Whether it also keeps what is wide, if it keeps anything.
    """

    layer: FeedForward
    keeps_wide: bool = False

    def weights(self) -> list[Tensor]:
        """Its parameters."""
        return list(self.layer.parameters())

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
        """As `ResidualFunction`; what it keeps is the stream as it was, and perhaps what is wide.

        The stream is little, and spares the recomputation its second half: the output is not
        needed then.
        """
        if not keep:
            return super().add(x, total, memory, keep)
        before = total[:, self._wanted(x.shape[1])].clone()
        wides: list[Tensor | None] = []
        for piece in self.pieces(x.shape[1]):
            wide = self.layer.wide(x[:, piece.reads])
            out = self.layer.narrow(F.gelu(wide))
            total[:, piece.writes] += self._dropped(out, piece.writes, "feed-forward")
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
            super().rewind(x, total, dx, dtotal, memory, kept, gradients)
            return
        before, wides = kept
        total[:, self._wanted(x.shape[1])] = before
        for piece, wide in zip(self.pieces(x.shape[1]), wides, strict=True):
            pull = self._dropped(dtotal[:, piece.writes], piece.writes, "feed-forward")
            dx[:, piece.reads] += self.layer.pulled(x[:, piece.reads], pull, wide, gradients)


@dataclass(frozen=True)
class AttentionStep(_Step, StagedFunction):
    """The attention layer at one depth, of the kind that the settings say."""

    layer: SharedAttention

    def first_weights(self) -> list[Tensor]:
        """The norm's and the projections'."""
        layer = self.layer
        return [*layer.norm.parameters(), layer.shared.weight, layer.values.weight]

    def last_weights(self) -> list[Tensor]:
        """The output's."""
        return list(self.layer.out.parameters())

    def stages(self, num_positions: int) -> tuple[list[slice], list[slice]]:
        """Projections of all positions that are seen; outputs of those that are wanted."""
        wanted = self._wanted(num_positions)
        read = slice(self._sees_from(wanted.start), num_positions)
        if self._kind in NEAR:
            read = slice(read.start, wanted.stop)
        return self._split(read, _ATTENTION_AT_ONCE), self._split(wanted, _ATTENTION_AT_ONCE)

    def _sees_from(self, position: int) -> int:
        """The first position that one attends to, perhaps."""
        size = self.settings.bucket_size
        if self._kind == "local":
            return max(0, position - size + 1)
        if self._kind == "local-chunk":
            return max(0, (position // size - 1) * size)
        return 0

    def first(self, x: Tensor) -> tuple[Tensor, ...]:
        """[B, t, D] to shared vectors and values, [B, t, H, K] each."""
        return self.layer.project(x)

    def pulled_first(self, x: Tensor, pulls: Sequence[Tensor], gradients: Gradients) -> Tensor:
        """See `StagedFunction`."""
        layer = self.layer
        weights = [layer.shared.weight, layer.values.weight]
        flat = [pull.flatten(2) for pull in pulls]
        return pulled_projections(layer.norm, weights, x, flat, gradients)

    def decide(self, parts: Sequence[Tensor]) -> Tensor | None:
        """[B, R, H, T] int16, the bucket of each position; padding has one of its own."""
        if self._kind not in ("lsh", "lsh-chunk"):
            return None
        shared, present = parts[0], self.situation.present
        count = num_buckets(self.settings, self._kind, shared.shape[1])
        rotations = layer_rotations(self.settings, self.depth, count, self.situation.randomness)
        buckets = hash_vectors(shared, rotations, count)
        return buckets if present is None else buckets.masked_fill(~present[:, None, None], count)

    def middle(self, parts: Sequence[Tensor], read: slice, decided: Any) -> Tensor:
        """[B, r, H, K] shared vectors and values to what attention finds, the same shape."""
        q, v = (part.transpose(1, 2) for part in parts)
        size, present = self.settings.bucket_size, self.situation.present
        present = None if present is None else present[:, read]
        match self._kind:
            case "full":
                found = full_attention(q, None, v, present)
            case "local":
                found = local_attention(q, None, v, size, present)
            case "local-chunk":
                found = local_chunk_attention(q, None, v, size, present)
            case "lsh":
                found = lsh_attention(q, None, v, decided, size)
            case "lsh-chunk":
                found = lsh_chunk_attention(q, None, v, decided, size, present)
        return found.transpose(1, 2)

    def last(self, found: Tensor, where: slice) -> Tensor:
        """[B, t, H, K] to [B, t, D]."""
        return self._dropped(self.layer.join(found), where, "attention")


def num_buckets(settings: ReformerSettings, kind: AttentionKind, length: int) -> int:
    """Buckets of a round: the model's constant; only `lsh-chunk` follows the length."""
    if kind == "lsh-chunk":
        return max(2, 2 * round(length / (2 * settings.bucket_size)))
    return settings.buckets


def layer_rotations(
    settings: ReformerSettings, depth: int, buckets: int, randomness: Randomness | None
) -> Tensor:
    """[H or 1, K, R, buckets / 2]: new in each training step, the model's own in evaluation."""
    seed = (
        ("model", settings.seed, depth)
        if randomness is None
        else ("step", randomness.run, randomness.step, depth)
    )
    heads = settings.heads if settings.rotations == "per-head" else 1
    width = settings.width // settings.heads
    return draw_rotations(heads, settings.rounds, width, buckets, *seed)
