"""Attention of the language model at one depth of one step."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from core.models.parts.attention_kinds import (
    full_attention,
    local_attention,
    local_chunk_attention,
    lsh_attention,
    lsh_chunk_attention,
)
from core.models.parts.hashing import draw_rotations, hash_vectors
from core.models.parts.layers import SharedAttention, pulled_projections
from core.models.parts.randomness import Randomness
from core.models.parts.residual import StagedFunction
from core.models.parts.reversible import Gradients
from core.models.reformer.settings import AttentionKind, ReformerSettings
from core.models.reformer.steps import Step

NEAR: tuple[AttentionKind, ...] = ("local", "local-chunk")
"""Kinds of attention that look no further than their window."""


@dataclass(frozen=True)
class AttentionStep(Step, StagedFunction):
    """The attention layer at one depth, of the kind that the settings say.

    Args:
        settings: The model's.
        layer: Its weights.
    """

    settings: ReformerSettings
    layer: SharedAttention

    @property
    def _kind(self) -> AttentionKind:
        return self.settings.kinds[self.depth]

    def first_weights(self) -> list[Tensor]:
        """The norm's and the projections'."""
        layer = self.layer
        return [*layer.norm.parameters(), layer.shared.weight, layer.values.weight]

    def last_weights(self) -> list[Tensor]:
        """The output's."""
        return list(self.layer.out.parameters())

    def stages(self, num_positions: int) -> tuple[list[slice], list[slice]]:
        """Projections of all positions that are seen; outputs of those that are wanted."""
        wanted = self.wanted(num_positions)
        read = slice(self._sees_from(wanted.start), num_positions)
        if self._kind in NEAR:
            read = slice(read.start, wanted.stop)
        return self.in_pieces(read), self.in_pieces(wanted)

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
        return self.dropped(self.layer.join(found), where, "attention")


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
