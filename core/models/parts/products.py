"""Products with weight matrices: of oneDNN where the processor has AVX-512, else of the BLAS.

In float32 on a processor, oneDNN is up to twice as fast as the BLAS that torch is built with. Which
one is used follows from the processor's capability, never from a measurement, and is recorded in
each run: the two differ in the last digits, so a run keeps the one it began with.

Everything else (other dtypes, mixed precision, other devices, a few rows) goes to torch's own
products.
"""

import os
from functools import cache
from typing import Any, Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

Products = Literal["blas", "onednn"]

# oneDNN keeps a plan of several MiB for each number of rows it has met, a thousand of them by
# default. The positions that carry loss are another number in every step, so a run would grow
# by gigabytes. Without its products it plans only activations, in 0.13 ms each; plans that are kept
# lie between the freed blocks of a step, and 32 made a run's heap grow by 80 to 200 MiB. Two are
# those of a layer and its gradient. Both are read at the first product.
_PLANS = "32" if torch.backends.cpu.get_cpu_capability().startswith("AVX512") else "2"
for _cache, _kept in {
    "ONEDNN_PRIMITIVE_CACHE_CAPACITY": _PLANS,
    "LRU_CACHE_CAPACITY": "32",
}.items():
    os.environ.setdefault(_cache, _kept)

# With fewer rows the time goes into reading the weights, not into multiplying.
_FEWEST_ROWS = 32


class _Choice:
    """What this process uses, like its number of threads."""

    products: Products | None = None


@cache
def best_products() -> Products:
    """The faster products of this processor, by its capability."""
    fast = torch.backends.cpu.get_cpu_capability().startswith("AVX512")
    return "onednn" if fast and _has_onednn() else "blas"


def _has_onednn() -> bool:
    """Whether this torch has the calls."""
    if not torch.backends.mkldnn.is_available():
        return False
    try:
        x = torch.ones(2, 2)
        _forward(x, x, None)
        _outer(x, x, x)
    except (AttributeError, RuntimeError):  # another version, or built without
        return False
    return True


def products_in_use() -> Products:
    """Which products this process uses."""
    return _Choice.products or best_products()


def use_products(products: Products | None) -> None:
    """Lets this process use one kind of product.

    Args:
        products: The kind; None for the best. What this machine does not have is not used.
    """
    missing = products == "onednn" and not _has_onednn()
    _Choice.products = "blas" if missing else products


class Linear(nn.Linear):
    """A linear layer by the products in use."""

    def forward(self, x: Tensor) -> Tensor:
        """[…, M] to […, N]."""
        return linear(x, self.weight, self.bias)


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """As `torch.nn.functional.linear`: [..., M] and [N, M] to [..., N]."""
    if not _takes(x, weight):
        return F.linear(x, weight, bias)
    out: Tensor = _Linear.apply(x, weight, bias)
    return out


def product(x: Tensor, weight: Tensor) -> Tensor:
    """[..., N] times [N, M] to [..., M], without a graph."""
    if not _takes(x, weight):
        return torch.matmul(x, weight)
    return _forward(x, weight.t(), None)


def add_outer(total: Tensor, pull: Tensor, x: Tensor) -> None:
    """Adds pullᵀ · x, the gradient of a weight, to a sum, in place and without a graph.

    Args:
        total: [N, M].
        pull: [n, N], the gradient of a product's output.
        x: [n, M], the product's input.
    """
    if total.dtype == pull.dtype == x.dtype:
        if _takes(pull, total):
            total += _outer(pull, x, total)
        else:
            total.addmm_(pull.t(), x)
    else:  # in mixed precision
        total += torch.mm(pull.t(), x)


def uses_onednn(x: Tensor, weight: Tensor) -> bool:
    """Whether the product of these two, of any number of rows, is oneDNN's."""
    return (
        x.dtype == weight.dtype == torch.float32
        and x.device.type == weight.device.type == "cpu"
        and products_in_use() == "onednn"
        and not torch.is_autocast_enabled("cpu")
        and not torch.compiler.is_compiling()  # a compiler chooses its products itself
    )


def _takes(x: Tensor, weight: Tensor) -> bool:
    many = x.numel() >= _FEWEST_ROWS * x.shape[-1] > 0 and weight.numel() > 0
    return many and uses_onednn(x, weight)


class _Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        ctx.save_for_backward(x, weight)
        return _forward(x, weight, bias)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        x, weight = ctx.saved_tensors
        of_x, of_weight, of_bias = ctx.needs_input_grad
        rows = grad.flatten(0, -2)
        return (
            _forward(grad, weight.t(), None) if of_x else None,
            _outer(rows, x.flatten(0, -2), weight) if of_weight else None,
            rows.sum(0) if of_bias else None,
        )


def _forward(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    out: Tensor = torch.ops.mkldnn._linear_pointwise(x, weight, bias, "none", [], "")
    return out


def _outer(pull: Tensor, x: Tensor, weight: Tensor) -> Tensor:
    """[n, N] and [n, M] to [N, M]; only the weight's shape and dtype matter."""
    parts = (part.contiguous().to_mkldnn() for part in (pull, x))
    found, _ = torch.ops.aten.mkldnn_linear_backward_weights(*parts, weight, False)
    out: Tensor = found.to_dense()
    return out
