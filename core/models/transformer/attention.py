"""Self-attention of the Transformer: full, in chunks, or over compressed keys and values.

Letters: B batch, T positions, D width, H heads, K width of a head, I = H·K, c positions that are
compressed into one, G compressed positions.
"""

from abc import ABC, abstractmethod

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.models.parts.attention import attention_to_present
from core.models.parts.products import Linear
from core.models.transformer.written import Written


class SelfLayer(nn.Module, ABC):
    """A layer in which the positions of one sequence look at each other."""

    @abstractmethod
    def forward(self, x: Tensor, present: Tensor | None) -> Tensor:
        """What each position finds.

        Args:
            x: [B, T, D].
            present: [B, T] bool, False at padding, which stands behind; None without padding.
                Causal layers do not need it.

        Returns:
            [B, T, D].
        """


class CausalLayer(SelfLayer):
    """A layer that never looks ahead, so that text can be written token by token."""

    @abstractmethod
    def begin(self, rows: int, places: int) -> list[Written]:
        """Caches for this many rows and places, nothing written yet."""

    @abstractmethod
    def advance(self, x: Tensor, caches: list[Written]) -> Tensor:
        """What the next position finds; [N, D] to [N, D]. The caches take it up."""


class Attention(nn.Module):
    """The projections of multi-head attention, to the same or to another sequence.

    Args:
        width: D.
        heads: H.
        head_width: K; H·K may differ from D.
        bias: Whether queries, keys and values have biases.
    """

    def __init__(self, width: int, heads: int, head_width: int, *, bias: bool = False) -> None:
        super().__init__()
        inner, self.heads = heads * head_width, heads
        self.queries = Linear(width, inner, bias=bias)
        self.keys = Linear(width, inner, bias=bias)
        self.values = Linear(width, inner, bias=bias)
        self.out = Linear(inner, width)

    def ask(self, x: Tensor) -> Tensor:
        """[…, T, D] to queries, […, H, T, K]."""
        return self.split(self.queries(x))

    def offer(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """[…, T, D] to keys and values, […, H, T, K] each."""
        return self.split(self.keys(x)), self.split(self.values(x))

    def split(self, x: Tensor) -> Tensor:
        """[…, T, I] to […, H, T, K]."""
        return x.unflatten(-1, (self.heads, -1)).transpose(-3, -2)

    def join(self, found: Tensor) -> Tensor:
        """[…, H, T, K], what was found, to [..., T, D]."""
        joined: Tensor = self.out(found.transpose(-3, -2).flatten(-2))
        return joined


class CrossAttention(Attention):
    """Attention of a decoder to what the encoder gives; see `Attention`."""

    def forward(self, x: Tensor, memory: Tensor, present: Tensor | None) -> Tensor:
        """[B, T, D] looks at [B, S, D], of which `present`, [B, S] bool, is no padding."""
        return self.join(attention_to_present(self.ask(x), *self.offer(memory), present))


class FullAttention(Attention, SelfLayer):
    """Attention of each position to all others; see `Attention`."""

    def forward(self, x: Tensor, present: Tensor | None) -> Tensor:
        """As `SelfLayer`."""
        return self.join(attention_to_present(self.ask(x), *self.offer(x), present))


class CausalAttention(Attention, CausalLayer):
    """Attention of each position to itself and all before it; see `Attention`."""

    def forward(self, x: Tensor, present: Tensor | None) -> Tensor:
        """As `SelfLayer`."""
        found = F.scaled_dot_product_attention(self.ask(x), *self.offer(x), is_causal=True)
        return self.join(found)

    def begin(self, rows: int, places: int) -> list[Written]:
        """As `CausalLayer`: keys and values."""
        return [Written(rows, places, self.heads, self.out) for _ in range(2)]

    def advance(self, x: Tensor, caches: list[Written]) -> Tensor:
        """As `CausalLayer`."""
        one = x[:, None]
        for cache, part in zip(caches, self.offer(one), strict=True):
            cache.add(part)
        keys, values = (cache.all for cache in caches)
        return self.join(F.scaled_dot_product_attention(self.ask(one), keys, values))[:, 0]


class ChunkedAttention(Attention, SelfLayer):
    """Attention within chunks, each on its own.

    Args:
        width: D.
        heads: H.
        head_width: K.
        size: Positions of a chunk.
        first: Positions of the first chunk, up to as many.
    """

    def __init__(self, width: int, heads: int, head_width: int, size: int, first: int) -> None:
        super().__init__(width, heads, head_width)
        self.size, self.first = size, first

    def forward(self, x: Tensor, present: Tensor | None) -> Tensor:
        """As `SelfLayer`."""
        num_positions = x.shape[1]
        if num_positions <= self.first:
            return self.join(attention_to_present(self.ask(x), *self.offer(x), present))
        front = self.size - self.first
        edges = front, -(front + num_positions) % self.size
        q, k, v = (self._chunks(part, edges) for part in (self.ask(x), *self.offer(x)))
        found = attention_to_present(q, k, v, self._present(x, present, edges))
        whole = found.unflatten(0, (len(x), -1)).transpose(1, 2).flatten(2, 3)
        return self.join(whole[:, :, front : front + num_positions])

    def _chunks(self, x: Tensor, edges: tuple[int, int]) -> Tensor:
        """[B, H, T, K] to [B·n, H, size, K]."""
        whole = F.pad(x, (0, 0, *edges)).unflatten(2, (-1, self.size))
        return whole.transpose(1, 2).flatten(0, 1)

    def _present(self, x: Tensor, present: Tensor | None, edges: tuple[int, int]) -> Tensor | None:
        """[B·n, size] bool; None where every chunk is full."""
        if present is None:
            if not any(edges):
                return None
            present = torch.ones(x.shape[:2], dtype=torch.bool, device=x.device)
        return F.pad(present, edges).view(-1, self.size)


class CompressedAttention(Attention, SelfLayer):
    """Attention to keys and values that a strided convolution has merged, c positions into one.

    softmax(Q · c1(K)ᵀ / √K) · c2(V). Kernel and stride are c, so no position is in two groups.
    Source: Liu et al.: Generating Wikipedia by summarizing long sequences (2018).

    Args:
        width: D.
        heads: H.
        head_width: K.
        compression: c.
    """

    def __init__(self, width: int, heads: int, head_width: int, compression: int) -> None:
        super().__init__(width, heads, head_width)
        inner, self.compression = heads * head_width, compression
        self.compress_keys = Linear(compression * inner, inner)
        self.compress_values = Linear(compression * inner, inner)

    def forward(self, x: Tensor, present: Tensor | None) -> Tensor:
        """As `SelfLayer`; the last group is filled up with zeros."""
        behind = -x.shape[1] % self.compression
        keys, values = self._compressed(x, present, (0, behind))
        if present is not None:
            present = F.pad(present, (0, behind)).unflatten(1, (-1, self.compression)).any(2)
        return self.join(attention_to_present(self.ask(x), keys, values, present))

    def _compressed(
        self, x: Tensor, present: Tensor | None, edges: tuple[int, int]
    ) -> tuple[Tensor, Tensor]:
        """[B, T, D] to keys and values, [B, H, G, K] each."""
        pairs = ((self.keys, self.compress_keys), (self.values, self.compress_values))
        keys, values = (
            self.split(compress(grouped(weight(x), present, self.compression, edges)))
            for weight, compress in pairs
        )
        return keys, values


class CausalCompressedAttention(CompressedAttention, CausalLayer):
    """The same without looking ahead: groups end at positions 0, c, 2c …

    A query sees the groups that end at or before its own position; the first group, of position 0
    and zeros before it, is seen by all. See `CompressedAttention`.
    """

    def forward(self, x: Tensor, present: Tensor | None) -> Tensor:
        """As `SelfLayer`."""
        T, c = x.shape[1], self.compression
        whole = (T - 1) // c * c + 1  # what stands behind the last group's end is in none
        keys, values = self._compressed(x[:, :whole], None, (c - 1, 0))
        query, group = (
            torch.arange(T, device=x.device),
            torch.arange(keys.shape[2], device=x.device),
        )
        shown = group * c <= query[:, None]
        found = F.scaled_dot_product_attention(self.ask(x), keys, values, attn_mask=shown)
        return self.join(found)

    def begin(self, rows: int, places: int) -> list[Written]:
        """As `CausalLayer`: keys and values, compressed keys and values."""
        before, groups = self.compression - 1, -(-places // self.compression)
        sizes = places + before, places + before, groups, groups
        caches = [Written(rows, size, self.heads, self.out) for size in sizes]
        for cache in caches[:2]:
            cache.add_zeros(before)
        return caches

    def advance(self, x: Tensor, caches: list[Written]) -> Tensor:
        """As `CausalLayer`."""
        one, c = x[:, None], self.compression
        for single, group, part, compress in zip(
            caches[:2],
            caches[2:],
            self.offer(one),
            (self.compress_keys, self.compress_values),
            strict=True,
        ):
            single.add(part)
            if single.count % c == 0:
                last = single.all[:, :, -c:].transpose(1, 2).flatten(1)  # [N, c·I]
                group.add(self.split(compress(last)[:, None]))
        keys, values = (cache.all for cache in caches[2:])
        return self.join(F.scaled_dot_product_attention(self.ask(one), keys, values))[:, 0]


def grouped(x: Tensor, present: Tensor | None, size: int, edges: tuple[int, int]) -> Tensor:
    """Groups of neighbouring positions, as a convolution with this kernel and stride reads them.

    Args:
        x: [B, T, I].
        present: [B, T] bool; padding is read as zeros. None without padding.
        size: Positions of a group.
        edges: Zeros before and behind, so that all groups are full.

    Returns:
        [B, G, size·I].
    """
    if present is not None:
        x = x * present[..., None]
    return F.pad(x, (0, 0, *edges)).unflatten(1, (-1, size)).flatten(2)
