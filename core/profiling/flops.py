"""Counts the floating-point operations of matrix products as they are really executed."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import flop_registry

_FORWARD_PRODUCTS = 2  # queries with keys, weights with values
_BACKWARD_PRODUCTS = 5  # the first again, then the gradients of weights, queries, keys and values
_KEY_BLOCK = 512
_aten = torch.ops.aten


def count_flops(work: Callable[[], object]) -> int:
    """Does some work once and counts.

    Args:
        work: What to do; whatever it calls is seen, backward passes and custom functions included.

    Returns:
        The operations of all matrix products and convolutions, a multiplication and an addition
        being two. Of attention that a library computes as a whole, the blocks it goes through.
    """
    counter = _Counter()
    with counter:
        work()
    return counter.flops


class _Counter(TorchDispatchMode):
    """Sees every operation that reaches torch's dispatcher, in whatever thread of its engine."""

    def __init__(self) -> None:
        super().__init__()
        self.flops = 0

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Else torch's compiler is loaded to be told so, which counts as a step's memory."""
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        formula = _FORMULAS.get(getattr(func, "overloadpacket", func))
        if formula is not None:
            self.flops += formula(*args, **kwargs, out_val=result)
        return result


def _product(a: Tensor, b: Tensor, **_: Any) -> int:
    """[…, M, K] times [K, N], or times [K], or of batches of matrices, each with its own."""
    return 2 * a.numel() * (b.shape[-1] if b.dim() > 1 else 1)


def _product_with_weight(x: Tensor, weight: Tensor, *_args: Any, **_: Any) -> int:
    """[…, M] times the transposed [N, M]."""
    return 2 * x.numel() * weight.shape[0]


def _outer_product(pull: Tensor, x: Tensor, *_args: Any, **_: Any) -> int:
    """The transposed [n, N] times [n, M]."""
    return 2 * pull.numel() * x.shape[-1]


def _added_product(_into: Tensor, a: Tensor, b: Tensor, **_: Any) -> int:
    return _product(a, b)


def _cpu_attention(
    q: Tensor, k: Tensor, v: Tensor, dropout: float = 0.0, causal: bool = False, **_: Any
) -> int:
    return _FORWARD_PRODUCTS * _attention_product(q, k, causal)


def _cpu_attention_backward(
    _gradient: Tensor, q: Tensor, k: Tensor, v: Tensor, out: Tensor, sums: Tensor, dropout: float,
    causal: bool, **_: Any,
) -> int:  # fmt: skip
    return _BACKWARD_PRODUCTS * _attention_product(q, k, causal)


def _attention_product(q: Tensor, k: Tensor, causal: bool) -> int:
    """One product of queries [B, H, T, K] with keys [B, H, S, K]; only blocks that are computed."""
    batch, heads, num_queries, width = q.shape
    return 2 * batch * heads * width * _pairs(num_queries, k.shape[2], causal)


def _pairs(num_queries: int, num_keys: int, causal: bool) -> int:
    """Pairs of query and key that torch 2.13's attention on the processor goes through.

    Where it is causal, a query meets whole blocks of keys up to the one with its own.
    """
    if not causal:
        return num_queries * num_keys
    starts = range(0, num_queries, _KEY_BLOCK)
    return sum(
        min(_KEY_BLOCK, num_queries - start) * min(start + _KEY_BLOCK, num_keys) for start in starts
    )


_FORMULAS: dict[Any, Callable[..., int]] = flop_registry | {
    _aten.mv: _product,
    _aten.dot: _product,
    _aten.addmv: _added_product,
    _aten.addmv_: _added_product,
    _aten.addmm_: _added_product,
    _aten._addmm_activation: _added_product,
    _aten.baddbmm_: _added_product,
    _aten.addbmm: _added_product,
    _aten.addbmm_: _added_product,
    getattr(torch.ops.mkldnn, "_linear_pointwise", None): _product_with_weight,
    _aten.mkldnn_linear_backward_weights: _outer_product,
    _aten._scaled_dot_product_flash_attention_for_cpu: _cpu_attention,
    _aten._scaled_dot_product_flash_attention_for_cpu_backward: _cpu_attention_backward,
}
