"""Lightweight convolutions, and the strided convolutions that shorten a source.

Letters: B batch, T positions, D width, H heads (groups of channels), K channels of a group,
I = H·K, k positions of the window.
"""

from collections.abc import Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from core.models.parts.products import Linear
from core.models.transformer.attention import CausalLayer, SelfLayer, grouped
from core.models.transformer.written import Written


class LightConvolution(SelfLayer):
    """A depthwise convolution whose weights are shared by groups and sum to 1 over the window.

    Input projection with a gate (GLU) → O[i] = Σ_j softmax(W)[j] · X[i + j - ⌈(k+1)/2⌉], with
    zeros outside of the text → output projection. Source: Wu et al.: Pay less attention with
    lightweight and dynamic convolutions (2019).

    Args:
        width: D.
        heads: H.
        head_width: K.
        kernel_size: k.
    """

    def __init__(self, width: int, heads: int, head_width: int, kernel_size: int) -> None:
        super().__init__()
        inner, self.heads, self.kernel_size = heads * head_width, heads, kernel_size
        self.gated = Linear(width, 2 * inner)
        self.window = nn.Parameter(torch.empty(heads, kernel_size))
        self.out = Linear(inner, width)

    @property
    def _behind(self) -> int:
        """Positions after its own that a position sees."""
        return self.kernel_size - (self.kernel_size + 2) // 2

    def forward(self, x: Tensor, present: Tensor | None) -> Tensor:
        """As `SelfLayer`."""
        values = F.glu(self.gated(x))
        if present is not None:
            values = values * present[..., None]
        return self._convolved(values, self._behind)

    def _convolved(self, values: Tensor, behind: int) -> Tensor:
        """[B, T, I] to [B, T, D]; a position sees so many behind it, the rest of k before it."""
        before = self.kernel_size - 1 - behind
        exact = values.to(torch.promote_types(values.dtype, torch.float32))
        padded = F.pad(exact, (0, 0, before, behind)).unflatten(2, (self.heads, -1))
        total: Tensor = _WindowSum.apply(padded, self.window.to(exact.dtype).softmax(1))
        convolved: Tensor = self.out(total.flatten(2).to(values.dtype))
        return convolved


class CausalLightConvolution(LightConvolution, CausalLayer):
    """The same over the last k positions, one's own among them; see `LightConvolution`."""

    @property
    def _behind(self) -> int:
        return 0

    def forward(self, x: Tensor, present: Tensor | None) -> Tensor:
        """As `SelfLayer`; padding stands behind, so nothing sees it."""
        return super().forward(x, None)

    def begin(self, rows: int, places: int) -> list[Written]:
        """As `CausalLayer`: what has passed the gate."""
        return [Written(rows, places, self.heads, self.out)]

    def advance(self, x: Tensor, caches: list[Written]) -> Tensor:
        """As `CausalLayer`."""
        (cache,) = caches
        gated = F.glu(self.gated(x)).unflatten(1, (self.heads, -1))  # [N, H, K]
        cache.add(gated[:, :, None])
        seen = cache.all[:, :, -self.kernel_size :]
        weights = self.window.softmax(1)[:, -seen.shape[2] :]
        found: Tensor = self.out((seen * weights[..., None]).sum(2).flatten(1))
        return found


class Shortening(nn.Module):
    """Strided convolutions that merge neighbouring token vectors into one.

    Kernel and stride are the same, and ReLU stands between them. Groups do not overlap, and padding
    is read as zeros, so that a text gives the same with padding behind it.

    Args:
        width: D.
        strides: Of each convolution, how many vectors become one.
    """

    def __init__(self, width: int, strides: Sequence[int]) -> None:
        super().__init__()
        self.strides = tuple(strides)
        self.convolutions = nn.ModuleList(Linear(each * width, width) for each in strides)

    def forward(self, x: Tensor, present: Tensor | None) -> tuple[Tensor, Tensor | None]:
        """[B, T, D] and its [B, T] bool or None, to the same of fewer positions."""
        for number, stride in enumerate(self.strides):
            x, behind = F.relu(x) if number else x, -x.shape[1] % stride
            x = self.convolutions[number](grouped(x, present, stride, (0, behind)))
            if present is not None:
                present = F.pad(present, (0, behind)).unflatten(1, (-1, stride)).any(2)
        return x, present


class _WindowSum(torch.autograd.Function):
    """Weighted sums of neighbours, tap by tap and in place.

    On a processor it takes two thirds of the time of a depthwise `conv1d`, and a third of what
    autograd makes of the same sums.
    """

    @staticmethod
    def forward(ctx: Any, padded: Tensor, weights: Tensor) -> Tensor:
        """[B, T + k - 1, H, K] and weights, [H, k], to [B, T, H, K]."""
        ctx.save_for_backward(padded, weights)
        T = padded.shape[1] - weights.shape[1] + 1
        total = padded[:, :T] * weights[:, 0, None]
        for j in range(1, weights.shape[1]):
            total.addcmul_(padded[:, j : j + T], weights[:, j, None])
        return total

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, pull: Tensor) -> tuple[Tensor, Tensor]:
        padded, weights = ctx.saved_tensors
        T, of_padded, of_weights = pull.shape[1], torch.zeros_like(padded), []
        for j in range(weights.shape[1]):
            of_padded[:, j : j + T].addcmul_(pull, weights[:, j, None])
            of_weights.append((pull * padded[:, j : j + T]).sum((0, 1, 3)))
        return of_padded, torch.stack(of_weights, 1)
