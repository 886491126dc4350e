"""The stack of a Transformer as memory and time see it.

Letters: B rows at once, T positions, D width, I all heads joined, F inner width of feed-forward.
"""

from dataclasses import dataclass
from typing import ClassVar

from core.models.transformer.settings import TransformerSettings

# A tap of a light convolution, forward and backward, in operations of a matrix product that take
# as long: it is bound by memory.
_TAP = 9.0
_KEY_BLOCK = 512  # of torch's attention on a processor


@dataclass(frozen=True)
class TransformerStack:
    """An encoder, or a decoder.

    Args:
        model: The model's sizes.
        rows: B.
        length: T of the stack.
        kinds: What each layer looks with.
        memory_length: Positions of what a decoder looks at; 0 in the encoder.
        merged: Positions that convolutions shorten before the stack; 0 for none.
        is_causal: Whether a position sees only those before it.
        wide_copies: Inner vectors of feed-forward that are kept: ReLU keeps one, GELU two.
    """

    model: TransformerSettings
    rows: int
    length: int
    kinds: tuple[str, ...]
    memory_length: int = 0
    merged: int = 0
    is_causal: bool = False
    wide_copies: int = 1
    reversible = False
    stored_factor: ClassVar[float] = 0.98
    """Fitted to the peaks of 14 models on a processor, with an error of 15 % at most."""

    @property
    def checkpointing(self) -> bool:
        """Whether layers are recomputed."""
        return self.model.checkpointing

    @property
    def width(self) -> int:
        """D."""
        return self.model.width

    @property
    def depth(self) -> int:
        """Layers."""
        return len(self.kinds)

    @property
    def stream(self) -> float:
        """Bytes of [B, T, D]."""
        return 4.0 * self.rows * self.length * self.width

    @property
    def _joined(self) -> float:
        """Bytes of [B, T, I]."""
        return self.stream / self.width * self._inner

    @property
    def _inner(self) -> int:
        return self.model.heads * self.model.size_of_head

    def stored(self) -> float:
        """Bytes of all activations where nothing is recomputed."""
        before = 4.0 * self.rows * self.merged * self.width * (1 + len(self.model.strides))
        return before + sum(self._stored(kind) for kind in self.kinds)

    def _stored(self, kind: str) -> float:
        sub_layers = 3 if self.memory_length else 2
        dropped = 2 if self.model.dropout else 0
        streams = sub_layers * (2 + dropped)  # normed and summed; left out and by what
        cross = self._joined * 2 + self._memory * 2 if self.memory_length else 0.0
        wide = self.stream / self.width * self.model.inner_width * self.wide_copies
        return streams * self.stream + self._attended(kind) + cross + wide

    def _attended(self, kind: str) -> float:
        """Queries, keys, values and what is found; copies that chunks and groups make."""
        joined = {"local": 6, "shifted": 6, "light-convolution": 5, "memory-compressed": 5}
        return joined.get(kind, 4) * self._joined

    @property
    def _memory(self) -> float:
        """Bytes of keys, or of values, of the memory."""
        return 4.0 * self.rows * self.memory_length * self._inner

    def kept(self) -> float:
        """Bytes that are kept of recomputed activations: none."""
        return 0.0

    def working(self) -> float:
        """Bytes that feed-forward holds while it works; it works at once, see `stored`."""
        return 0.0

    def attending(self) -> float:
        """Bytes that the largest attention layer holds while it works."""
        return max(self._attended(kind) for kind in self.kinds)

    def product_flops(self) -> float:
        """Operations of the projections, forward."""
        model, inner = self.model, self._inner
        positions = 2.0 * self.rows * self.length
        own = {"light-convolution": 3 * self.width * inner}
        more = {"memory-compressed": 2 * inner**2}
        weights = sum(own.get(k, 4 * self.width * inner) + more.get(k, 0) for k in self.kinds)
        weights += self.depth * 2 * self.width * model.inner_width
        cross = 0.0
        if self.memory_length:
            both = self.length + self.memory_length
            cross = 2.0 * self.rows * both * 2 * self.width * inner * self.depth
        merging = 2.0 * self.rows * self.merged * self.width**2 * len(model.strides)
        return positions * weights + cross + merging

    def attention_flops(self) -> float:
        """Operations of attention without the projections, forward."""
        seen = sum(self._seen(kind) for kind in self.kinds) + self.memory_length * self.depth
        return 4.0 * self.rows * self.length * self._inner * seen

    def _seen(self, kind: str) -> float:
        """Positions that one position is compared with, or as many as take as long."""
        # Looking back, a query meets whole blocks of keys up to the one with its own.
        blocks = min((self.length + _KEY_BLOCK) / 2, self.length)
        every = blocks if self.is_causal else self.length
        match kind:
            case "local" | "shifted":
                return min(self.model.chunk_size, self.length)
            case "light-convolution":
                return self.model.kernel_size * _TAP / 4
            case "memory-compressed":
                return every / self.model.compression
        return every
