"""The attention kinds of the Reformer language model, by their names in its settings."""

from core.models.parts.attention_kinds import (
    AttentionKind,
    FullAttention,
    LocalAttention,
    LocalChunkAttention,
    LSHAttention,
    LSHChunkAttention,
)
from core.models.parts.hashing import Rotations
from core.models.reformer.settings import ReformerSettings


def attention_kind(settings: ReformerSettings, depth: int) -> AttentionKind:
    """The attention of one layer.

    Args:
        settings: The model's.
        depth: The layer's, from 0.

    Returns:
        Its kind.
    """
    size = settings.bucket_size
    match settings.kinds[depth]:
        case "full":
            return FullAttention()
        case "local":
            return LocalAttention(size)
        case "local-chunk":
            return LocalChunkAttention(size)
        case "lsh":
            return LSHAttention(size, settings.buckets, layer_rotations(settings, depth))
        case "lsh-chunk":
            return LSHChunkAttention(size, layer_rotations(settings, depth))


def layer_rotations(settings: ReformerSettings, depth: int) -> Rotations:
    """The directions by which one layer hashes, whatever its kind."""
    heads = settings.heads if settings.rotations == "per-head" else 1
    width = settings.width // settings.heads
    return Rotations(heads, settings.rounds, width, settings.seed, depth)
