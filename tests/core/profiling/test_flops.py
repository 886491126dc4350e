"""Every matrix product that is executed is counted, and nothing else."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from core.models.parts.products import add_outer, linear
from core.profiling.flops import count_flops
from tests.helpers.reformers import batch_of, reformer

M, K, N, B = 6, 10, 14, 3
ONE = 2 * M * K * N


def matrices(*shapes: tuple[int, ...], grad: bool = False) -> list[Tensor]:
    return [torch.ones(shape, requires_grad=grad) for shape in shapes]


A, C, OUT = matrices((M, K), (K, N), (M, N))
AS, CS, OUTS = matrices((B, M, K), (B, K, N), (B, M, N))
MANY = matrices((40, 3), (5, 3))  # rows enough for oneDNN


@pytest.mark.parametrize(
    ("work", "wanted"),
    [
        (lambda: A @ C, ONE),
        (lambda: torch.mm(A, C, out=OUT), ONE),
        (lambda: torch.addmm(OUT, A, C), ONE),
        (lambda: OUT.addmm_(A, C), ONE),
        (lambda: torch.bmm(AS, CS), B * ONE),
        (lambda: torch.baddbmm(OUTS, AS, CS), B * ONE),
        (lambda: OUTS.baddbmm_(AS, CS), B * ONE),
        (lambda: torch.addbmm(OUT, AS, CS), B * ONE),
        (lambda: OUT.addbmm_(AS, CS), B * ONE),
        (lambda: torch.einsum("bmk,kn->bmn", AS, C), B * ONE),
        (lambda: nn.functional.linear(AS, C.T), B * ONE),
        (lambda: linear(*MANY), 2 * 40 * 3 * 5),
        (lambda: add_outer(torch.zeros(5, 3), torch.ones(40, 5), MANY[0]), 2 * 40 * 3 * 5),
        (lambda: A @ C[:, 0], 2 * M * K),
        (lambda: C[:, 0] @ C[:, 0], 2 * K),
        (lambda: (OUT * OUT + OUT).softmax(-1).sum(), 0),
    ],
)
def test_products_are_counted_however_they_are_written(
    work: Callable[[], object], wanted: int
) -> None:
    assert count_flops(work) == wanted


def test_the_backward_pass_counts_both_gradients() -> None:
    a, c = matrices((M, K), (K, N), grad=True)
    assert count_flops(lambda: (a @ c).sum().backward()) == 3 * ONE


class Recomputed(torch.autograd.Function):
    """A product that is done once more in the backward pass."""

    @staticmethod
    def forward(ctx: Any, a: Tensor, c: Tensor) -> Tensor:
        ctx.save_for_backward(a, c)
        return a @ c

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, ...]:
        with torch.enable_grad():
            a, c = (tensor.detach().requires_grad_() for tensor in ctx.saved_tensors)
            return torch.autograd.grad(a @ c, (a, c), grad)


def test_what_a_custom_function_does_in_its_backward_pass_is_counted() -> None:
    a, c = matrices((M, K), (K, N), grad=True)
    assert count_flops(lambda: Recomputed.apply(a, c).sum().backward()) == 4 * ONE


@pytest.mark.parametrize("length", [20, 200, 700, 1300])
@pytest.mark.parametrize("causal", [False, True])
def test_fused_attention_counts_the_blocks_it_goes_through(length: int, causal: bool) -> None:
    # Block sizes as torch 2.13's source has them; what it begins of a block of keys, it does whole.
    rows = 32 if length < 192 else 64 if length < 768 else 256
    met = 0
    for query in range(length):
        last = min(length, (query // rows + 1) * rows) - 1
        met += min(length, (last // 512 + 1) * 512) if causal else length
    q, k, v = matrices(*3 * [(2, 3, length, 8)], grad=True)

    def forward() -> Tensor:
        return nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)

    product = 2 * 2 * 3 * 8 * met
    assert count_flops(forward) == 2 * product
    assert count_flops(lambda: forward().sum().backward()) == 7 * product


def test_recomputation_of_a_reversible_stack_is_counted() -> None:
    def counted(depth: int, reversible: bool) -> tuple[int, int]:
        model = reformer(depth=depth, attention=("full",), reversible=reversible, kept_mib=0)
        batch = batch_of(1, 24)
        with torch.no_grad():
            forward = count_flops(lambda: model.loss(batch))
        return forward, count_flops(lambda: model.loss(batch).backward())

    forward, plain = counted(4, reversible=False)
    shallow, _ = counted(2, reversible=False)
    _, recomputed = counted(4, reversible=True)
    layers = 2 * (forward - shallow)
    assert recomputed - plain >= 0.9 * layers  # all four, once more
