"""torch.compile gives what the model gives without it; nothing needs it."""

import shutil

import pytest
import torch
from torch._inductor import config

from tests.helpers.reformers import batch_of, reformer

needs_compiler = pytest.mark.skipif(
    shutil.which("g++") is None, reason="torch.compile needs a C++ compiler"
)


pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("default"),  # the compiler's own
]


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    monkeypatch.setattr("tqdm.tqdm.monitor_interval", 0)  # no thread that outlives the test
    torch.compiler.reset()


def test_traced_it_learns_the_same():
    model = reformer(attention=("lsh-chunk",), depth=1, reversible=True, dtype=torch.float32)
    batch, parameters = batch_of(2, 29), list(model.parameters())
    logits, plain = torch.compile(model, backend="aot_eager")(batch), model(batch)
    torch.testing.assert_close(logits, plain, rtol=1e-4, atol=1e-4)
    for ours, wanted in zip(
        torch.autograd.grad(logits.square().mean(), parameters),
        torch.autograd.grad(plain.square().mean(), parameters),
        strict=True,
    ):
        torch.testing.assert_close(ours, wanted, rtol=1e-3, atol=1e-4)


@needs_compiler
def test_as_code_of_its_own_it_gives_the_same(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    # One layer: each of its many small products takes a compiler some seconds.
    model = reformer(attention=("local",), depth=1, reversible=False, dtype=torch.float32)
    batch = batch_of(2, 29)
    with config.patch(compile_threads=1), torch.no_grad():  # in this process
        logits = torch.compile(model, backend="inductor")(batch)
    torch.testing.assert_close(logits, model(batch), rtol=1e-4, atol=1e-4)
