"""Two processes make what one makes, to ten digits; what fails in one fails in both."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest
import torch
from safetensors.torch import load_file

from core.training.meeting import STORE_VARIABLE
from core.training.plan import RunPlan
from tests.helpers.runs import run_events, tiny_corpus, tiny_plan

ROOT = Path(__file__).parents[3]
HELPERS = ROOT / "tests" / "helpers"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_corpus(tmp_path_factory.mktemp("corpora") / "tiny")


def launched(processes: int, program: str, *words: object) -> list[str]:
    """What each of several processes of a program prints, launched as `torchrun` does it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(HELPERS / program), *map(str, words)]
    path = {"PYTHONPATH": str(ROOT)}
    team = {"WORLD_SIZE": str(processes), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    each = [
        subprocess.Popen(
            command,
            env=os.environ | path | team | {"RANK": str(rank), "LOCAL_RANK": str(rank)},
            stdout=subprocess.PIPE,
            text=True,
        )
        for rank in range(processes)
    ]
    told = [process.communicate(timeout=240)[0] for process in each]
    assert [process.returncode for process in each] == [0] * processes
    return told


def gradients(folder: Path, plan: RunPlan, processes: int) -> dict[str, torch.Tensor]:
    """By weight; and the loss and the counts of tokens."""
    folder.mkdir()
    (folder / "plan.toml").write_text(plan.to_toml(), "utf-8")
    (folder / "run").mkdir()
    out = folder / "out.safetensors"
    launched(processes, "team_program.py", folder / "plan.toml", folder / "run", out)
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


@pytest.mark.slow
@pytest.mark.parametrize(("where", "rank"), [("loss", 1), ("writing", 0)])
def test_a_validation_that_fails_in_one_process_fails_in_all_and_the_run_goes_on(
    corpus: Path, tmp_path: Path, rank: int, where: str
) -> None:
    for told in failing(corpus, tmp_path, rank, where):
        *warnings, last = told.splitlines()
        assert last.startswith("Finished(")
        assert len(warnings) == 2
        assert all("failed: The disk of this process broke." in each for each in warnings)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "rank"),
    [
        ("plan", 0),
        ("tokens", 0),
        ("rows", 1),
        ("folder", 0),
        ("old checkpoint", 0),
        ("new checkpoint", 0),
        ("step", 1),
    ],
)
def test_what_fails_in_one_process_fails_in_all_in_the_same_words(
    corpus: Path, tmp_path: Path, rank: int, where: str
) -> None:
    if where == "old checkpoint":
        run_events(tmp_path / "run", tiny_plan(corpus, steps=2, validate_every=1))
        shutil.rmtree(tmp_path / "run/checkpoints/step-00000002")  # so that there is a step to do
    for told in failing(corpus, tmp_path, rank, where):
        assert told.splitlines()[-1].startswith(
            "Failed(message='The disk of this process broke.', remedy='Buy"
        )


def failing(corpus: Path, folder: Path, rank: int, where: str) -> list[str]:
    """What each of two processes tells of a run in which something fails in one."""
    plan = tiny_plan(corpus, steps=2, validate_every=1)
    (folder / "plan.toml").write_text(plan.to_toml(), "utf-8")
    return launched(2, "failing_team.py", folder / "plan.toml", folder / "run", rank, where)


def test_launched_processes_meet_in_a_file_and_listen_on_the_loopback_only(tmp_path: Path) -> None:
    program = (
        "import os, psutil\n"
        "from core.training.meeting import Meeting\n"
        "meeting = Meeting()\n"
        "meeting.join('gloo')\n"
        "print(os.environ['GLOO_SOCKET_IFNAME'])\n"
        "found = psutil.Process().net_connections('all')\n"
        "print(*{each.laddr.ip for each in found if each.status == 'LISTEN'})\n"
        "assert 'MASTER_ADDR' not in os.environ\n"
    )
    team = {STORE_VARIABLE: str(tmp_path / "store"), "PYTHONPATH": str(ROOT), "WORLD_SIZE": "2"}
    both = [
        subprocess.Popen(
            [sys.executable, "-P", "-c", program],
            env=os.environ | team | {"RANK": rank}, stdout=subprocess.PIPE, text=True,
        )
        for rank in "01"
    ]  # fmt: skip
    for process in both:
        told, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        interface, *listening = told.split()
        addresses = psutil.net_if_addrs()[interface]
        assert [a.address for a in addresses if a.family == socket.AF_INET] == ["127.0.0.1"]
        assert set(listening) <= {"127.0.0.1"}
