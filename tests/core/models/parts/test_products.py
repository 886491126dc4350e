"""Products of oneDNN against torch's own, and when they are used."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode

from core.models.parts.loss import cross_entropy_sum
from core.models.parts.products import (
    Linear,
    add_outer,
    best_products,
    linear,
    product,
    products_in_use,
    use_products,
    uses_onednn,
)
from core.models.parts.randomness import Randomness
from tests.helpers.command import ROOT
from tests.helpers.reformers import batch_of, loss_and_gradients, reformer

needs_onednn = pytest.mark.skipif(
    best_products() != "onednn", reason="needs a processor with AVX-512"
)


@pytest.fixture(autouse=True)
def best_again() -> Iterator[None]:
    yield
    use_products(None)


class _CallsOfOneDNN(TorchDispatchMode):
    """Counts them."""

    def __init__(self) -> None:
        super().__init__()
        self.many = 0

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> object:
        self.many += func.namespace == "mkldnn"
        return func(*args, **(kwargs or {}))


def random(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


@needs_onednn
@pytest.mark.parametrize("biased", [True, False])
def test_a_linear_layer_and_its_gradients_are_those_of_torch(biased: bool) -> None:
    x, weight, bias = random(3, 40, 16), random(24, 16, seed=1), random(24, seed=2)
    wanted = [part.double().requires_grad_() for part in (x, weight, bias)]
    found = [part.requires_grad_() for part in (x, weight, bias)]
    if not biased:
        wanted, found = wanted[:2], found[:2]
    assert uses_onednn(x, weight)
    pull = random(3, 40, 24, seed=3)
    ours, theirs = linear(*found), F.linear(*wanted)
    torch.testing.assert_close(ours.double(), theirs, rtol=1e-5, atol=1e-5)
    assert type(ours.grad_fn).__name__ == "_LinearBackward"
    for grad, exact in zip(
        torch.autograd.grad(ours, found, pull),
        torch.autograd.grad(theirs, wanted, pull.double()),
        strict=True,
    ):
        torch.testing.assert_close(grad.double(), exact, rtol=1e-5, atol=1e-4)


@needs_onednn
def test_products_without_a_graph_take_views() -> None:
    x, weight, total = random(2, 50, 24), random(24, 16, seed=1), random(24, 16, seed=2)
    every_other = x[:, ::2]
    torch.testing.assert_close(product(every_other, weight), every_other @ weight)
    pull, part = every_other.flatten(0, -2), random(16, 50, seed=3).t()
    wanted = total + pull.t() @ part
    add_outer(total, pull, part)
    torch.testing.assert_close(total, wanted, rtol=1e-5, atol=1e-5)


@needs_onednn
@pytest.mark.parametrize("reversible", [True, False])
def test_a_model_learns_the_same_with_either(reversible: bool) -> None:
    model = reformer(dtype=torch.float32, attention=("local", "lsh"), reversible=reversible,
                     dropout=0.2, width=64, tied_embeddings=True)  # fmt: skip
    batch, found, used = batch_of(3, 29), {}, {}
    for products in ("blas", "onednn"):
        use_products(products)
        with _CallsOfOneDNN() as used[products]:
            found[products] = loss_and_gradients(model, batch, Randomness(1, 2, (0, 1, 2)))
    for name, wanted in found["blas"].items():
        torch.testing.assert_close(found["onednn"][name], wanted, rtol=1e-3, atol=1e-4)
    assert not used["blas"].many
    assert used["onednn"].many


@needs_onednn
@pytest.mark.parametrize("pieces", [None, 1, 3])
def test_the_loss_is_the_same_with_either(pieces: int | None) -> None:
    labels = torch.arange(120) % 50
    found = {}
    for products in ("blas", "onednn"):
        use_products(products)
        hidden, weight = random(120, 16).requires_grad_(), random(50, 16, seed=1).requires_grad_()
        bias = random(50, seed=2).requires_grad_()
        loss = cross_entropy_sum(hidden, weight, bias, labels, pieces, 0.1)
        found[products] = [loss, *torch.autograd.grad(loss, (hidden, weight, bias))]
    for ours, wanted in zip(found["onednn"], found["blas"], strict=True):
        torch.testing.assert_close(ours, wanted, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("what", ["float64", "autocast", "few rows", "blas"])
def test_everything_else_is_torch_s_own_to_the_bit(what: str) -> None:
    dtype = torch.float64 if what == "float64" else torch.float32
    layer, x = Linear(16, 24).to(dtype), random(3 if what == "few rows" else 40, 16).to(dtype)
    if what == "blas":
        use_products("blas")
    with torch.autocast("cpu", torch.bfloat16, enabled=what == "autocast"):
        found, wanted = layer(x), F.linear(x, layer.weight, layer.bias)
    assert found.equal(wanted)
    assert type(found.grad_fn) is type(wanted.grad_fn)


def test_a_choice_that_the_machine_does_not_have_is_the_library_s(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("core.models.parts.products._has_onednn", lambda: False)
    use_products("onednn")
    assert products_in_use() == "blas"


def test_the_best_follows_from_the_capability_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.backends.cpu.get_cpu_capability", lambda: "AVX2")
    assert best_products.__wrapped__() == "blas"


_GROWTH = """
import resource
import torch
from core.models.parts.products import linear
weight = torch.randn(2048, 128, requires_grad=True)
def step(rows):
    x = torch.randn(rows, 128, requires_grad=True)
    linear(x, weight).sum().backward()
step(1300)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for rows in range(1000, 1060):
    step(rows)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted in KiB on Linux")
def test_numbers_of_rows_that_change_do_not_fill_the_memory() -> None:
    run = [sys.executable, "-c", _GROWTH]
    grown_mib = int(subprocess.run(run, capture_output=True, check=True, cwd=ROOT).stdout)
    assert grown_mib < 400, "without bounds it is about a gigabyte"


_GROWTH_OF_PLANS = """
import torch
from torch.nn import functional as F
from core.system.allocator import keep_freed_memory
from core.models.parts.products import linear
keep_freed_memory()
wide = torch.randn(512, 128, requires_grad=True)
narrow = torch.randn(128, 512, requires_grad=True)
def most_mib():  # the rusage of a child begins with the most that its parent had
    return int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0]) // 1024
def step(rows):
    x = torch.randn(rows, 128, requires_grad=True)
    for _ in range(4):
        x = x + linear(F.gelu(linear(x, wide)), narrow)
    x.sum().backward()
step(1500)
before = most_mib()
for rows in range(1000, 1450, 30):
    step(rows)
print(most_mib() - before)
"""


@pytest.mark.skipif(
    sys.platform != "linux" or best_products() == "onednn", reason="AVX-512 keeps more plans"
)
def test_plans_of_other_lengths_leave_no_holes_in_the_heap() -> None:
    run = [sys.executable, "-c", _GROWTH_OF_PLANS]
    grown_mib = int(subprocess.run(run, capture_output=True, check=True, cwd=ROOT).stdout)
    assert grown_mib < 35, "with 32 plans it is 60 MiB, and grows with the model"
