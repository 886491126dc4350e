"""torch.compile gives what the model gives without it; nothing needs it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from tests.helpers.reformers import batch_of, reformer

ROOT = Path(__file__).parents[4]
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


# One layer: each of its many small products takes a compiler some seconds.
COMPILED = """
import torch
from torch._inductor import config
from tests.helpers.reformers import batch_of, reformer

model = reformer(attention=("local",), depth=1, reversible=False, dtype=torch.float32)
batch = batch_of(2, 29)
with config.patch(compile_threads=1), torch.no_grad():
    logits = torch.compile(model, backend="inductor")(batch)
torch.testing.assert_close(logits, model(batch), rtol=1e-4, atol=1e-4)
"""


@needs_compiler
def test_as_code_of_its_own_it_gives_the_same(tmp_path):
    # In a process of its own: the compiler loads setuptools, which wants to come before others.
    environment = os.environ | {"TORCHINDUCTOR_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", COMPILED]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
