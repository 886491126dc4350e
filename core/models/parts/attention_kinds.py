"""The kinds of attention: one object says how the positions of one layer look at each other.

A kind knows how far it looks, what it attends to, what a recomputation must not find anew, and how
it is cached when a text is written token by token. Whatever a layer needs of its kind is asked of
this object, so a new kind is one class here and one name in the settings of a model family.

Letters: B batch, T positions, H heads, K width of a head, R rounds of hashing.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from torch import Tensor

from core.models.parts.attention import (
    attention_to_present,
    full_attention,
    local_attention,
    local_chunk_attention,
    lsh_attention,
    lsh_chunk_attention,
)
from core.models.parts.bucket_cache import HashedAttention
from core.models.parts.caches import CachedAttention, RingAttention
from core.models.parts.few_queries import lsh_attention_at
from core.models.parts.hashing import Rotations, hash_vectors
from core.models.parts.modules import SharedAttention
from core.models.parts.randomness import Randomness

Heads = tuple[Tensor, Tensor | None, Tensor]
# Positions look one by one where no more than one in so many is wanted.
_FEW = 16


class AttentionKind(ABC):
    """How the positions of one layer look at each other."""

    looks_far: ClassVar[bool] = True
    """Whether it may see any earlier position, and not only those of a window."""

    def weights(self) -> list[Tensor]:
        """Parameters used in `attend`; kinds that only compare vectors have none."""
        return []

    def reads(self, wanted: slice, num_positions: int) -> slice:
        """The positions that those wanted may see, as one stretch."""
        return slice(0, num_positions)

    def decide(
        self, parts: Sequence[Tensor], present: Tensor | None, randomness: Randomness | None
    ) -> Any:
        """What is kept from the forward pass, since a recomputation could find it otherwise."""
        return None

    @abstractmethod
    def attend(self, parts: Sequence[Tensor], present: Tensor | None, decided: Any) -> Tensor:
        """What each position finds.

        Args:
            parts: Queries, keys and values, or shared vectors and values: [B, T, H, K] each.
            present: [B, T] bool, False at padding; None without padding.
            decided: What `decide` gave.

        Returns:
            [B, T, H, K].
        """

    def attend_at(
        self, wanted: slice, parts: Sequence[Tensor], present: Tensor | None, decided: Any
    ) -> Tensor:
        """As `attend`, right at the wanted positions, counted from the first that is read."""
        return self.attend(parts, present, decided)

    def cached(self, module: SharedAttention, length: int) -> CachedAttention | None:
        """A layer of this kind as decoding needs it.

        Args:
            module: The layer's weights.
            length: The model's length.

        Returns:
            The layer with its caches; None if what a position sees changes with later ones.
        """
        return None


@dataclass(frozen=True)
class FullAttention(AttentionKind):
    """Attention to all positions up to one's own.

    Args:
        self_last: Whether a position attends to itself only if there is nothing else.
    """

    self_last: bool = True

    def attend(self, parts: Sequence[Tensor], present: Tensor | None, decided: Any) -> Tensor:
        """As `AttentionKind`."""
        return full_attention(*_heads(parts), present, self_last=self.self_last).transpose(1, 2)

    def cached(self, module: SharedAttention, length: int) -> CachedAttention:
        """As `AttentionKind`."""
        return RingAttention(module, length)


@dataclass(frozen=True)
class BidirectionalAttention(AttentionKind):
    """Attention to all positions, before and after one's own."""

    def attend(self, parts: Sequence[Tensor], present: Tensor | None, decided: Any) -> Tensor:
        """As `AttentionKind`."""
        q, k, v = (part.transpose(1, 2) for part in parts)
        return attention_to_present(q, k, v, present).transpose(1, 2)


@dataclass(frozen=True)
class LocalAttention(AttentionKind):
    """Attention to the last positions, one's own among them, or to as many on both sides.

    Args:
        window: Positions seen to one side, its own counted.
        causal: Whether it sees nothing behind its own position.
        self_last: As in `FullAttention`.
    """

    window: int
    causal: bool = True
    self_last: bool = True
    looks_far: ClassVar[bool] = False

    def reads(self, wanted: slice, num_positions: int) -> slice:
        """As `AttentionKind`."""
        ahead = 0 if self.causal else self.window - 1
        return slice(
            max(0, wanted.start - self.window + 1), min(num_positions, wanted.stop + ahead)
        )

    def attend(self, parts: Sequence[Tensor], present: Tensor | None, decided: Any) -> Tensor:
        """As `AttentionKind`."""
        found = local_attention(
            *_heads(parts), self.window, present, causal=self.causal, self_last=self.self_last
        )
        return found.transpose(1, 2)

    def cached(self, module: SharedAttention, length: int) -> CachedAttention | None:
        """As `AttentionKind`."""
        return RingAttention(module, min(self.window, length)) if self.causal else None


@dataclass(frozen=True)
class LocalChunkAttention(AttentionKind):
    """Attention to earlier positions of one's own chunk and of the one before.

    Args:
        chunk: Positions of a chunk.
    """

    chunk: int
    looks_far: ClassVar[bool] = False

    def reads(self, wanted: slice, num_positions: int) -> slice:
        """As `AttentionKind`; chunks are counted from its beginning, so that is one's."""
        return slice(max(0, (wanted.start // self.chunk - 1) * self.chunk), wanted.stop)

    def attend(self, parts: Sequence[Tensor], present: Tensor | None, decided: Any) -> Tensor:
        """As `AttentionKind`."""
        return local_chunk_attention(*_heads(parts), self.chunk, present).transpose(1, 2)

    def cached(self, module: SharedAttention, length: int) -> CachedAttention:
        """As `AttentionKind`."""
        return RingAttention(module, min(2 * self.chunk, length), self.chunk)


@dataclass(frozen=True)
class LSHAttention(AttentionKind):
    """Attention to the last positions of one's own bucket, in each round of hashing.

    Args:
        window: Positions seen in a round.
        buckets: Buckets of a round, a constant of the model.
        rotations: The directions of hashing.
    """

    window: int
    buckets: int
    rotations: Rotations

    def decide(
        self, parts: Sequence[Tensor], present: Tensor | None, randomness: Randomness | None
    ) -> Tensor:
        """[B, R, H, T] int16, the bucket of each position; padding has one of its own."""
        return _buckets(parts[0], present, self.rotations, self.buckets, randomness)

    def attend(self, parts: Sequence[Tensor], present: Tensor | None, decided: Tensor) -> Tensor:
        """As `AttentionKind`."""
        return lsh_attention(*_heads(parts), decided, self.window).transpose(1, 2)

    def attend_at(
        self, wanted: slice, parts: Sequence[Tensor], present: Tensor | None, decided: Tensor
    ) -> Tensor:
        """As `AttentionKind`; a few positions look one by one."""
        if (wanted.stop - wanted.start) * _FEW > parts[0].shape[1]:
            return self.attend(parts, present, decided)
        shared, values = parts
        return lsh_attention_at(wanted, shared, values, decided, self.window)

    def cached(self, module: SharedAttention, length: int) -> CachedAttention:
        """As `AttentionKind`."""
        rotations = self.rotations.drawn(self.buckets, None)
        return HashedAttention(module, rotations, self.buckets, min(self.window, length))


@dataclass(frozen=True)
class LSHChunkAttention(AttentionKind):
    """Attention to earlier ones of one's chunk and the one before, chunks being cut after sorting.

    Positions are sorted by bucket. Which keys share a chunk depends on later positions, so it has
    no cache.

    Args:
        chunk: Positions of a chunk.
        rotations: The directions of hashing.
    """

    chunk: int
    rotations: Rotations

    def buckets(self, length: int) -> int:
        """Buckets of a round, an even number that follows the length."""
        return max(2, 2 * round(length / (2 * self.chunk)))

    def decide(
        self, parts: Sequence[Tensor], present: Tensor | None, randomness: Randomness | None
    ) -> Tensor:
        """[B, R, H, T] int16, the bucket of each position; padding has one of its own."""
        count = self.buckets(parts[0].shape[1])
        return _buckets(parts[0], present, self.rotations, count, randomness)

    def attend(self, parts: Sequence[Tensor], present: Tensor | None, decided: Tensor) -> Tensor:
        """As `AttentionKind`."""
        found = lsh_chunk_attention(*_heads(parts), decided, self.chunk, present)
        return found.transpose(1, 2)


def _heads(parts: Sequence[Tensor]) -> Heads:
    """[B, H, T, K] queries, keys and values; no keys where the queries serve as keys."""
    q, *keys, v = (part.transpose(1, 2) for part in parts)
    return q, keys[0] if keys else None, v


def _buckets(
    shared: Tensor,
    present: Tensor | None,
    rotations: Rotations,
    count: int,
    randomness: Randomness | None,
) -> Tensor:
    buckets = hash_vectors(shared, rotations.drawn(count, randomness), count)
    return buckets if present is None else buckets.masked_fill(~present[:, None, None], count)
