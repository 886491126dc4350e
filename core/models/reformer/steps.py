"""One layer of the language model at one depth of one step: what a reversible stack runs.

A layer's weights may serve at several depths; what differs between depths and steps (the kind of
attention, random draws, padding) stands here.
"""

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
from core.models.parts.layers import FeedForward, SharedAttention
from core.models.parts.randomness import Randomness, dropped
from core.models.parts.reversible import one_piece, split_evenly
from core.models.reformer.settings import AttentionKind, ReformerSettings

# Positions that feed-forward works on at once, unless the settings say: their inner values stay in
# the processor's cache.
_POSITIONS_AT_ONCE = 512


@dataclass(frozen=True)
class Situation:
    """What all layers of a pass share.

    Args:
        num_rows: B.
        present: [B, T] bool, False at padding; None without padding.
        randomness: What a training step draws from; None in evaluation.
    """

    num_rows: int
    present: Tensor | None
    randomness: Randomness | None


@dataclass(frozen=True)
class AttentionStep:
    """The attention layer at one depth.

    Args:
        layer: Its weights.
        settings: The model's.
        depth: Which layer it is, from 0.
        situation: What the pass is about.
    """

    layer: SharedAttention
    settings: ReformerSettings
    depth: int
    situation: Situation

    def weights(self) -> list[Tensor]:
        """Its parameters."""
        return list(self.layer.parameters())

    def pieces(self, num_positions: int) -> list[slice]:
        """All positions at once."""
        return one_piece(num_positions)

    def __call__(
        self, x: Tensor, where: slice, memory: Tensor | None, kept: Any
    ) -> tuple[Tensor, Any]:
        """[B, T, D] to [B, T, D]; keeps the bucket of each position."""
        shared, values = self.layer.project(x)
        buckets = self._buckets(shared) if kept is None else kept
        found = self._attend(shared.transpose(1, 2), values.transpose(1, 2), buckets)
        out = self.layer.join(found.to(values.dtype))
        share, randomness = self.settings.dropout, self.situation.randomness
        return dropped(out, where, share, randomness, self.depth, "attention"), buckets

    @property
    def _kind(self) -> AttentionKind:
        return self.settings.kinds[self.depth]

    def _attend(self, q: Tensor, v: Tensor, buckets: Tensor | None) -> Tensor:
        size, present = self.settings.bucket_size, self.situation.present
        if self._kind == "full":
            return full_attention(q, None, v, present)
        if self._kind == "local":
            return local_attention(q, None, v, size, present)
        if self._kind == "local-chunk":
            return local_chunk_attention(q, None, v, size, present)
        assert buckets is not None
        if self._kind == "lsh":
            return lsh_attention(q, None, v, buckets, size)
        return lsh_chunk_attention(q, None, v, buckets, size, present)

    def _buckets(self, shared: Tensor) -> Tensor | None:
        """[B, R, H, T] int16; padding has a bucket of its own, after all others."""
        if self._kind not in ("lsh", "lsh-chunk"):
            return None
        count = num_buckets(self.settings, self._kind, shared.shape[1])
        rotations = draw_layer_rotations(
            self.settings, self.depth, count, self.situation.randomness
        )
        buckets = hash_vectors(shared, rotations, count)
        present = self.situation.present
        return buckets if present is None else buckets.masked_fill(~present[:, None, None], count)


@dataclass(frozen=True)
class FeedForwardStep:
    """The feed-forward layer at one depth; arguments as in `AttentionStep`."""

    layer: FeedForward
    settings: ReformerSettings
    depth: int
    situation: Situation

    def weights(self) -> list[Tensor]:
        """Its parameters."""
        return list(self.layer.parameters())

    def pieces(self, num_positions: int) -> list[slice]:
        """As many as the settings say, or as fit the processor's cache."""
        at_once = max(1, _POSITIONS_AT_ONCE // self.situation.num_rows)
        return split_evenly(num_positions, self.settings.ff_chunks or -(-num_positions // at_once))

    def __call__(
        self, x: Tensor, where: slice, memory: Tensor | None, kept: Any
    ) -> tuple[Tensor, Any]:
        """[B, t, D] to [B, t, D]; keeps nothing."""
        share, randomness = self.settings.dropout, self.situation.randomness
        return dropped(self.layer(x), where, share, randomness, self.depth, "feed-forward"), None


def num_buckets(settings: ReformerSettings, kind: AttentionKind, length: int) -> int:
    """Buckets of a round: the model's constant; only `lsh-chunk` follows the length."""
    if kind == "lsh-chunk":
        return max(2, 2 * round(length / (2 * settings.bucket_size)))
    return settings.buckets


def draw_layer_rotations(
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
