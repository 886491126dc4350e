"""Layers for a few rows at a time, as decoding has them: the time goes into reading the weights.

A plain product of one row with a matrix runs on one thread, and one with a few rows the other way
round. Weight times columns, in pieces, takes a half to a fifth of the time.
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from core.models.parts.modules import FeedForward

_PIECES = 8


class FewRows:
    """A linear layer.

    Args:
        weight: [O, I]; it is not copied.
        bias: [O], or None.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None = None) -> None:
        pieces = math.gcd(len(weight), _PIECES)
        self._weight = weight.detach().unflatten(0, (pieces, -1))
        self._bias = None if bias is None else bias.detach().view(pieces, -1, 1)

    def __call__(self, x: Tensor) -> Tensor:
        """[N, I] to [N, O]."""
        columns = x.t().expand(len(self._weight), -1, -1)
        if self._bias is None:
            out = torch.bmm(self._weight, columns)
        else:
            out = torch.baddbmm(self._bias, self._weight, columns)
        return out.flatten(0, 1).t().contiguous()


class FewRowsFeedForward:
    """A feed-forward layer.

    Args:
        module: Whose weights it takes; they are not copied.
    """

    def __init__(self, module: FeedForward) -> None:
        self._norm = module.norm
        self._widen = FewRows(module.widen.weight, module.widen.bias)
        self._narrow = FewRows(module.narrow.weight, module.narrow.bias)

    def __call__(self, x: Tensor) -> Tensor:
        """[N, D] to [N, D]."""
        return self._narrow(F.gelu(self._widen(self._norm(x))))
