"""Stacks of layers as memory and time see them, from a model's settings alone.

Letters: B rows at once, T positions, D width, F inner width of feed-forward.
"""

from dataclasses import dataclass
from typing import ClassVar, Protocol

MIB = 2**20
_FEED_FORWARD_AT_ONCE = 1024


@dataclass(frozen=True)
class MemoryFactors:
    """Measured over computed memory of a step, by what holds it.

    The defaults hold for Transformers.

    Args:
        streams: Of the first and last hidden states.
        memory: Of the encoder's output, in units of its hidden states.
        working: Of what feed-forward holds while it works.
        checkpointed: Of what is kept where layers are recomputed.
        stored: Of what is kept where nothing is recomputed.
        attention: Of what the largest attention layer holds.
        logits: Of the logits that exist at once.
        table: Of the table of embeddings.
    """

    streams: float = 1.9
    memory: float = 0.0
    working: float = 4.3
    checkpointed: float = 1.1
    stored: float = 1.0
    attention: float = 1.42
    logits: float = 2.0
    table: float = 1.8


class LayerStack(Protocol):
    """A stack of layers: what it keeps, holds and computes."""

    stored_factor: ClassVar[float]
    """Measured over computed memory of all activations."""

    @property
    def rows(self) -> int:
        """B."""

    @property
    def length(self) -> int:
        """T."""

    @property
    def width(self) -> int:
        """D."""

    @property
    def depth(self) -> int:
        """Layers, each with attention and feed-forward."""

    @property
    def reversible(self) -> bool:
        """True if inputs of layers are computed from their outputs in the backward pass."""

    @property
    def checkpointing(self) -> bool:
        """True if layers are recomputed in the backward pass."""

    @property
    def stream(self) -> float:
        """Bytes of the hidden states, [B, T, D]."""

    def kept(self) -> float:
        """Bytes that a reversible stack keeps for the backward pass."""

    def stored(self) -> float:
        """Bytes of all activations where nothing is recomputed."""

    def working(self) -> float:
        """Bytes that a feed-forward layer holds while it works."""

    def attending(self) -> float:
        """Bytes that the largest attention layer holds while it works."""

    def product_flops(self) -> float:
        """Operations of the projections, forward."""

    def attention_flops(self) -> float:
        """Operations of attention without the projections, forward."""


@dataclass(frozen=True)
class ChunkedStack:
    """Layers with chunked feed-forward, which may be reversible.

    Args:
        rows: B.
        length: T of the stack.
        width: D.
        inner: F.
        depth: Blocks.
        kinds: Attention of each block.
        window: Positions that local and hashed attention see.
        rounds: Hash rounds.
        heads: H.
        reversible: Whether activations are recomputed.
        checkpointing: Whether they are, without reversible layers.
        kept_mib: What is kept of reversible layers all the same.
        ff_chunks: Pieces of feed-forward; None lets the cache decide.
        memory_length: Positions of what a decoder looks at; 0 without cross-attention.
        projections: Projections of attention: shared and values, or queries, keys, values.
        is_causal: Whether a position sees only those before it.
    """

    rows: int
    length: int
    width: int
    inner: int
    depth: int
    kinds: tuple[str, ...]
    window: int
    rounds: int
    heads: int
    reversible: bool
    checkpointing: bool
    kept_mib: int
    ff_chunks: int | None
    memory_length: int
    projections: int
    is_causal: bool = True
    stored_factor: ClassVar[float] = 0.81

    @property
    def stream(self) -> float:
        """Bytes of one stream, [B, T, D]."""
        return 4.0 * self.rows * self.length * self.width

    @property
    def matrix_weights(self) -> int:
        """Weights of the matrix products of a block, for each position."""
        cross = 4 * self.width**2 if self.memory_length else 0
        return (self.projections + 1) * self.width**2 + 2 * self.width * self.inner + cross

    def seen(self, kind: str) -> float:
        """Positions that one position is compared with."""
        if kind == "full":
            return self.length / 2 if self.is_causal else self.length
        return 2.0 * self.window * (self.rounds if kind.startswith("lsh") else 1)

    def attention_flops(self) -> float:
        """Forward, of all blocks, without the projections."""
        seen = sum(self.seen(kind) for kind in self.kinds)
        cross = self.memory_length * len(self.kinds)
        return 4.0 * self.rows * self.length * self.width * (seen + cross)

    def product_flops(self) -> float:
        """Operations of the projections, forward."""
        return 2.0 * self.rows * self.length * self.matrix_weights * self.depth

    def kept(self) -> float:
        """Bytes that a reversible stack keeps for the backward pass."""
        sizes = [self.stream * (self.projections + 1)] * self.depth + [self.stream] * self.depth
        if self.memory_length:
            memory = self.stream / self.length * self.memory_length
            sizes += [5 * self.stream + 2 * memory] * self.depth
        else:
            sizes += [self.stream * self.inner / self.width] * self.depth
        kept = 0.0
        for size in sizes if self.memory_length == 0 else sorted(sizes):
            if kept + size > self.kept_mib * MIB:
                break
            kept += size
        return kept

    def stored(self) -> float:
        """Bytes of all activations where nothing is recomputed."""
        of_attention = (2 * self.projections + 4) * self.stream
        of_attention += sum(2 * self.rounds * self.stream for k in self.kinds if k.startswith("lsh")
                            ) / max(self.depth, 1)  # fmt: skip
        of_feed_forward = (2 + 2 * self.inner / self.width) * self.stream
        cross = 7 * self.stream if self.memory_length else 0.0
        return self.depth * (of_attention + of_feed_forward + cross)

    def working(self) -> float:
        """Bytes that a feed-forward layer holds while it works."""
        pieces = self.ff_chunks or -(-self.rows * self.length // _FEED_FORWARD_AT_ONCE)
        return 4.0 * self.rows * self.length / max(pieces, 1) * self.inner

    def attending(self) -> float:
        """Bytes that the largest attention layer holds while it works."""
        return max(self._attending(kind) for kind in self.kinds)

    def _attending(self, kind: str) -> float:
        projected = (self.projections + 1) * self.stream
        if kind.startswith("lsh"):
            return projected + self.rounds * self.stream
        return projected
