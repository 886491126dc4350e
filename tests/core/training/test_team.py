"""Two processes make what one makes: the same gradients, to ten digits."""

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from core.training.plan import RunPlan
from tests.helpers.runs import tiny_corpus, tiny_plan

ROOT = Path(__file__).parents[3]
PROGRAM = ROOT / "tests" / "helpers" / "team_program.py"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_corpus(tmp_path_factory.mktemp("corpora") / "tiny")


def gradients(folder: Path, plan: RunPlan, processes: int) -> dict[str, torch.Tensor]:
    """By weight; and the loss and the counts of tokens."""
    folder.mkdir()
    (folder / "plan.toml").write_text(plan.to_toml(), "utf-8")
    (folder / "run").mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    out = folder / "out.safetensors"
    command = [sys.executable, PROGRAM, folder / "plan.toml", folder / "run", out]
    path = {"PYTHONPATH": str(ROOT)}
    team = {"WORLD_SIZE": str(processes), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    each = [
        subprocess.Popen(
            command,
            env=os.environ | path | team | {"RANK": str(rank), "LOCAL_RANK": str(rank)},
        )
        for rank in range(processes)
    ]
    assert [process.wait(120) for process in each] == [0] * processes
    return load_file(out)


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        {"model": {"shared_layers": True, "dropout": 0.2}, "train": {"batch": 7}},
        {
            "model": {"reversible": False, "attention": ("lsh",), "dropout": 0.2},
            "train": {"batch": 6, "accumulate": 2, "padding": "fixed"},
        },
    ],
)
def test_two_processes_make_the_gradients_of_one(
    corpus: Path, tmp_path: Path, changes: dict[str, Any]
) -> None:
    plan = tiny_plan(corpus, **changes["train"])
    model = plan.model.model_copy(update=changes["model"])
    plan = RunPlan(plan.run, model, plan.train, plan.decoding)
    one, two = gradients(tmp_path / "one", plan, 1), gradients(tmp_path / "two", plan, 2)
    assert one.keys() == two.keys()
    assert max(float(gradient.abs().max()) for gradient in one.values()) > 0
    for name, gradient in one.items():
        torch.testing.assert_close(two[name], gradient, rtol=0, atol=1e-10, msg=name)
