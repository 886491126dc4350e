"""torch.compile gives what the model gives without it; nothing needs it."""

import shutil

import pytest
import torch
from torch._inductor import config

from tests.helpers.reformers import batch_of, reformer

needs_compiler = pytest.mark.skipif(
    shutil.which("g++") is None, reason="torch.compile needs a C++ compiler"
)


# What is traced, of the kinds whose parts all are made of; and code made of the one whose tracing
# is shortest, as each of its many small products takes a compiler some seconds.
@pytest.mark.parametrize(
    ("backend", "kinds", "reversible"),
    [("aot_eager", ("local", "lsh-chunk"), False), ("inductor", ("local",), True)],
)
@pytest.mark.slow
@needs_compiler
@pytest.mark.filterwarnings("default")  # the compiler's own
def test_compiled_is_the_same(backend, kinds, reversible, tmp_path, monkeypatch):
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("tqdm.tqdm.monitor_interval", 0)  # no thread that outlives the test
    torch.compiler.reset()
    model = reformer(attention=kinds, depth=len(kinds), reversible=reversible, dtype=torch.float32)
    batch = batch_of(2, 29)
    parameters = list(model.parameters())
    with config.patch(compile_threads=1):  # in this process
        logits, plain = torch.compile(model, backend=backend)(batch), model(batch)
        found = torch.autograd.grad(logits.square().mean(), parameters)
    torch.testing.assert_close(logits, plain, rtol=1e-4, atol=1e-4)
    for ours, wanted in zip(
        found, torch.autograd.grad(plain.square().mean(), parameters), strict=True
    ):
        torch.testing.assert_close(ours, wanted, rtol=1e-3, atol=1e-4)
