"""The weights of layers: attention, on shared or on separate queries and keys, and feed-forward."""

from collections.abc import Sequence
from typing import Protocol

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.models.parts.products import Linear, product
from core.models.parts.residual import leaf, learnt, pulled_back
from core.models.parts.reversible import Gradients


class AttentionModule(Protocol):
    """The weights of an attention layer, whatever it projects."""

    norm: nn.LayerNorm
    out: Linear

    @property
    def projections(self) -> list[Tensor]:
        """The weights that make what `project` gives, in its order."""
        ...

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        """[B, T, D] to what the kind of attention takes, [B, T, H, K] each."""
        ...

    def join(self, found: Tensor) -> Tensor:
        """[B, T, H, K], what was found, to [B, T, D]."""
        ...


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
        self.shared = Linear(width, width, bias=False)
        self.values = Linear(width, width, bias=False)
        self.out = Linear(width, width)

    @property
    def projections(self) -> list[Tensor]:
        """The weights that make what `project` gives, in its order."""
        return [self.shared.weight, self.values.weight]

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
        self.queries = Linear(width, width, bias=False)
        self.keys = Linear(width, width, bias=False)
        self.values = Linear(width, width, bias=False)
        self.out = Linear(width, width)

    @property
    def projections(self) -> list[Tensor]:
        """The weights that make what `project` gives, in its order."""
        return [self.queries.weight, self.keys.weight, self.values.weight]

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
        self.widen = Linear(width, inner)
        self.narrow = Linear(inner, width)

    def forward(self, x: Tensor) -> Tensor:
        """[B, T, D] to [B, T, D]."""
        narrowed: Tensor = self.narrow(F.gelu(self.wide(x)))
        return narrowed

    def wide(self, x: Tensor) -> Tensor:
        """[B, T, D] to [B, T, inner], before the GELU."""
        widened: Tensor = self.widen(self.norm(x))
        return widened

    def pulled(self, x: Tensor, pull: Tensor, wide: Tensor | None, gradients: Gradients) -> Tensor:
        """The gradient of its input; the others go into the sums.

        Args:
            x: [B, t, D], its input.
            pull: [B, t, D], the gradient of its output, which is not made again.
            wide: [B, t, inner] before the GELU, if it was kept.
            gradients: What is added to.

        Returns:
            [B, t, D].
        """
        if wide is None:
            wide = self.wide(x)
        pull = pull.to(wide.dtype)
        gradients.add_product(self.narrow.weight, pull, F.gelu(wide))
        of_wide = torch.ops.aten.gelu_backward(product(pull, self.narrow.weight), wide)
        for bias, of_output in ((self.narrow.bias, pull), (self.widen.bias, of_wide)):
            if bias.requires_grad:
                gradients.add([bias], [of_output.sum((0, 1), dtype=bias.dtype)])
        return pulled_projections(self.norm, [self.widen.weight], x, [of_wide], gradients)


def pulled_projections(
    norm: nn.LayerNorm,
    weights: Sequence[Tensor],
    x: Tensor,
    pulls: Sequence[Tensor],
    gradients: Gradients,
) -> Tensor:
    """The gradient of what was normed and projected; of that, the norm alone is made again.

    Args:
        norm: The norm.
        weights: [N, D] each, by which its output was projected.
        x: [B, t, D], its input.
        pulls: [B, t, N] each, the gradients of the projections.
        gradients: What those of norm and weights are added to.

    Returns:
        [B, t, D].
    """
    of_norm = learnt(list(norm.parameters()))
    with torch.enable_grad():
        part = leaf(x)
        normed = norm(part)
    first, *others = zip(weights, pulls, strict=True)
    of_normed = product(first[1], first[0]).to(normed.dtype)
    for weight, pull in others:
        of_normed += product(pull, weight)
    for weight, pull in (first, *others):
        gradients.add_product(weight, pull, normed.detach())
    of_x, *found = pulled_back(normed, (part, *of_norm), of_normed)
    gradients.add(of_norm, found)
    return of_x
