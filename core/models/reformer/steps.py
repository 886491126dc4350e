"""One layer of the language model at one depth of one step: what a reversible stack runs.

A layer's weights may serve at several depths; what differs between depths and steps (the kind of
attention, random draws, padding) stands here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from core.models.parts.attention_kinds import (
    full_attention,
    local_attention,
    local_chunk_attention,
    lsh_attention,
    lsh_chunk_attention,
)
from core.models.parts.hashing import draw_rotations, hash_vectors
from core.models.parts.layers import FeedForward, SharedAttention
from core.models.parts.randomness import Randomness, dropped
from core.models.parts.residual import (
    Piece,
    PiecewiseFunction,
    StagedFunction,
    leaf,
    learnt,
    split_evenly,
)
from core.models.parts.reversible import Gradients
from core.models.reformer.settings import AttentionKind, ReformerSettings

# Positions that a layer works on at once, unless the settings say: what is inside then stays in the
# processor's cache.
_FEED_FORWARD_AT_ONCE = 512
_ATTENTION_AT_ONCE = 1024


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
    """The feed-forward layer at one depth."""

    layer: FeedForward

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

    def add(self, x: Tensor, total: Tensor, memory: Tensor | None, keep: bool) -> Tensor | None:
        """As `ResidualFunction`; what it keeps is the stream as it was.

        That is little, and spares the recomputation its second half: the output is not needed then.
        """
        before = total[:, self._wanted(x.shape[1])].clone() if keep else None
        super().add(x, total, memory, keep=False)
        return before

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
        if kept is None:
            super().rewind(x, total, dx, dtotal, memory, kept, gradients)
            return
        total[:, self._wanted(x.shape[1])] = kept
        for piece in self.pieces(x.shape[1]):
            pull = self._dropped(dtotal[:, piece.writes], piece.writes, "feed-forward")
            dx[:, piece.reads] += self._pulled(x[:, piece.reads], pull, gradients)

    def _pulled(self, x: Tensor, pull: Tensor, gradients: Gradients) -> Tensor:
        """[B, t, D], the gradient of x, from that of the output, which is not made."""
        layer = self.layer
        inner = learnt([*layer.norm.parameters(), *layer.widen.parameters()])
        with torch.enable_grad():
            part = leaf(x)
            widened = layer.widened(part)
        pull = pull.to(widened.dtype)
        of_widened = torch.matmul(pull, layer.narrow.weight)
        of_x, *found = torch.autograd.grad(widened, (part, *inner), of_widened)
        gradients.add(inner, found)
        if layer.narrow.weight.requires_grad:
            product = torch.mm(pull.flatten(0, 1).t(), widened.detach().flatten(0, 1))
            gradients.add([layer.narrow.weight], [product.to(layer.narrow.weight.dtype)])
        if layer.narrow.bias.requires_grad:
            gradients.add([layer.narrow.bias], [pull.sum((0, 1), dtype=layer.narrow.bias.dtype)])
        return of_x


@dataclass(frozen=True)
class NearAttentionStep(_Step, PiecewiseFunction):
    """An attention layer that looks no further than its window: `local` and `local-chunk`."""

    layer: SharedAttention

    def weights(self) -> list[Tensor]:
        """Its parameters."""
        return list(self.layer.parameters())

    def pieces(self, num_positions: int) -> list[Piece]:
        """Runs of positions, each read with as many before it as its first ones see."""
        size = self.settings.bucket_size
        align = size if self._kind == "local-chunk" else 1
        parts = self._split(self._wanted(num_positions), _ATTENTION_AT_ONCE, align)
        return [Piece(slice(self._sees_from(part.start), part.stop), part) for part in parts]

    def _sees_from(self, position: int) -> int:
        size = self.settings.bucket_size
        if self._kind == "local":
            return max(0, position - size + 1)
        return max(0, (position // size - 1) * size)

    def run(self, x: Tensor, piece: Piece, memory: Tensor | None) -> Tensor:
        """[B, r, D] to [B, w, D]."""
        shared, values = (part.transpose(1, 2) for part in self.layer.project(x))
        present = self.situation.present
        present = None if present is None else present[:, piece.reads]
        attend = local_attention if self._kind == "local" else local_chunk_attention
        found = attend(shared, None, values, self.settings.bucket_size, present)
        found = found[:, :, piece.writes.start - piece.reads.start :]
        return self._dropped(self.layer.join(found.transpose(1, 2)), piece.writes, "attention")


@dataclass(frozen=True)
class FarAttentionStep(_Step, StagedFunction):
    """An attention layer that looks at all positions: `lsh`, `lsh-chunk` and `full`."""

    layer: SharedAttention

    def first_weights(self) -> list[Tensor]:
        """The norm's and the projections'."""
        layer = self.layer
        return [*layer.norm.parameters(), layer.shared.weight, layer.values.weight]

    def last_weights(self) -> list[Tensor]:
        """The output's."""
        return list(self.layer.out.parameters())

    def stages(self, num_positions: int) -> tuple[list[slice], list[slice]]:
        """Projections of all positions; outputs of those that are wanted."""
        everywhere = slice(0, num_positions)
        return (
            self._split(everywhere, _ATTENTION_AT_ONCE),
            self._split(self._wanted(num_positions), _ATTENTION_AT_ONCE),
        )

    def first(self, x: Tensor) -> tuple[Tensor, ...]:
        """[B, t, D] to shared vectors and values, [B, t, H, K] each."""
        return self.layer.project(x)

    def decide(self, parts: Sequence[Tensor]) -> Tensor | None:
        """[B, R, H, T] int16, the bucket of each position; padding has one of its own."""
        if self._kind == "full":
            return None
        shared, present = parts[0], self.situation.present
        count = num_buckets(self.settings, self._kind, shared.shape[1])
        rotations = layer_rotations(self.settings, self.depth, count, self.situation.randomness)
        buckets = hash_vectors(shared, rotations, count)
        return buckets if present is None else buckets.masked_fill(~present[:, None, None], count)

    def middle(self, parts: Sequence[Tensor], decided: Any) -> Tensor:
        """[B, T, H, K] shared vectors and values to what attention finds, the same shape."""
        shared, values = (part.transpose(1, 2) for part in parts)
        size, present = self.settings.bucket_size, self.situation.present
        if self._kind == "full":
            return full_attention(shared, None, values, present).transpose(1, 2)
        if self._kind == "lsh":
            return lsh_attention(shared, None, values, decided, size).transpose(1, 2)
        found = lsh_chunk_attention(shared, None, values, decided, size, present)
        return found.transpose(1, 2)

    def last(self, found: Tensor, where: slice) -> Tensor:
        """[B, t, H, K] to [B, t, D]."""
        return self._dropped(self.layer.join(found), where, "attention")


def attention_step(
    layer: SharedAttention, settings: ReformerSettings, depth: int, situation: Situation
) -> NearAttentionStep | FarAttentionStep:
    """The attention layer at one depth, of the kind that the settings say."""
    near = settings.kinds[depth] in ("local", "local-chunk")
    step = NearAttentionStep if near else FarAttentionStep
    return step(settings, depth, situation, layer)


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
