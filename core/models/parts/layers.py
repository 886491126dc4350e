"""The two layers of a Reformer block: attention on shared queries and keys, and feed-forward."""

import torch.nn.functional as F
from torch import Tensor, nn


class SharedAttention(nn.Module):
    """Attention whose queries and keys are one projection, so that like finds like.

    Keys are scaled to unit length, queries are not. All kinds of attention have these weights, so
    layers can be shared between kinds, and hashing switched off.

    Args:
        width: D.
        heads: H, which divides D.
    """

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.shared = nn.Linear(width, width, bias=False)
        self.values = nn.Linear(width, width, bias=False)
        self.out = nn.Linear(width, width)

    def project(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """[B, T, D] to the shared vectors and the values, [B, T, H, K] each."""
        normed = self.norm(x)
        heads = (self.heads, x.shape[-1] // self.heads)
        return self.shared(normed).unflatten(-1, heads), self.values(normed).unflatten(-1, heads)

    def join(self, found: Tensor) -> Tensor:
        """[B, T, H, K], what was found, to [B, T, D]."""
        joined: Tensor = self.out(found.flatten(2))
        return joined


class SeparateAttention(nn.Module):
    """Attention whose queries, keys and values are projections of their own.

    So what it looks at may be another sequence than the one that looks.

    Args:
        width: D.
        heads: H, which divides D.
    """

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.queries = nn.Linear(width, width, bias=False)
        self.keys = nn.Linear(width, width, bias=False)
        self.values = nn.Linear(width, width, bias=False)
        self.out = nn.Linear(width, width)

    def project(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """[B, T, D], which looks at itself, to queries, keys and values, [B, T, H, K] each."""
        normed = self.norm(x)
        return (self._split(self.queries(normed)), *self.offer(normed))

    def ask(self, x: Tensor) -> Tensor:
        """[B, T, D] to queries, [B, T, H, K]."""
        return self._split(self.queries(self.norm(x)))

    def offer(self, memory: Tensor) -> tuple[Tensor, Tensor]:
        """[B, S, D], normed already, to keys and values, [B, S, H, K] each."""
        return self._split(self.keys(memory)), self._split(self.values(memory))

    def join(self, found: Tensor) -> Tensor:
        """[B, T, H, K], what was found, to [B, T, D]."""
        joined: Tensor = self.out(found.flatten(2))
        return joined

    def _split(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.heads, x.shape[-1] // self.heads))


class FeedForward(nn.Module):
    """A layer that looks at each position alone.

    Args:
        width: D.
        inner: Width inside.
    """

    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.widen = nn.Linear(width, inner)
        self.narrow = nn.Linear(inner, width)

    def forward(self, x: Tensor) -> Tensor:
        """[B, T, D] to [B, T, D]."""
        narrowed: Tensor = self.narrow(self.widened(x))
        return narrowed

    def widened(self, x: Tensor) -> Tensor:
        """[B, T, D] to [B, T, inner], half of the way."""
        return F.gelu(self.widen(self.norm(x)))
