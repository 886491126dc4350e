"""Two processes make what one makes, to ten digits; what fails in one fails in both."""

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

import psutil
import pytest
import torch
from safetensors.torch import load_file

from core.training.meeting import STORE_VARIABLE
from core.training.plan import RunPlan
from tests.helpers.failing_team import Case
from tests.helpers.runs import finished_run, tiny_corpus, tiny_plan
from tests.helpers.team_program import write_gradients

ROOT = Path(__file__).parents[3]
HELPERS = ROOT / "tests" / "helpers"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_corpus(tmp_path_factory.mktemp("corpora") / "tiny")


def free_ports(count: int) -> list[int]:
    """Ports of this machine; no system gives them away by itself until they are used."""
    found: list[int] = []
    for port in random.sample(range(20_000, 32_000), 1_000):
        with suppress(OSError), socket.socket() as tried:
            tried.bind(("127.0.0.1", port))
            found.append(port)
        if len(found) == count:
            break
    return found


def launched(program: str, *words: object) -> list[str]:
    """What each of two processes of a program prints, launched as `torchrun` does it."""
    command = [sys.executable, "-X", "faulthandler", str(HELPERS / program), *map(str, words)]
    path = {"PYTHONPATH": str(ROOT)}
    team = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1"}
    each = [
        subprocess.Popen(
            command,
            env=os.environ | path | team | {"RANK": str(rank), "LOCAL_RANK": str(rank)},
            stdout=subprocess.PIPE,
            text=True,
        )
        for rank in range(2)
    ]
    try:
        told = [process.communicate(timeout=240)[0] for process in each]
    except subprocess.TimeoutExpired as late:
        for process in each:
            process.send_signal(signal.SIGABRT)  # prints where each of its threads stands
        raise AssertionError([process.communicate()[0] for process in each]) from late
    assert [process.returncode for process in each] == [0, 0]
    return told


CHANGES: tuple[dict[str, Any], ...] = (
    {"model": {"shared_layers": True, "dropout": 0.2}, "train": {"batch": 7}},
    {
        "model": {"reversible": False, "attention": ("lsh",), "dropout": 0.2},
        "train": {"batch": 6, "accumulate": 2, "padding": "fixed"},
    },
)


@pytest.mark.slow
def test_two_processes_make_the_gradients_of_one(corpus: Path, tmp_path: Path) -> None:
    numbers = range(len(CHANGES))
    alone, both = ([tmp_path / f"{who}-{number}" for number in numbers] for who in ("one", "two"))
    for number, changes in enumerate(CHANGES):
        plan = tiny_plan(corpus, **changes["train"])
        model = plan.model.model_copy(update=changes["model"])
        for folder in (alone[number], both[number]):
            folder.mkdir()
            text = RunPlan(plan.run, model, plan.train, plan.decoding).to_toml()
            (folder / "plan.toml").write_text(text, "utf-8")
        write_gradients(alone[number])
    ports = free_ports(len(CHANGES))
    launched("team_program.py", *chain(*zip(ports, both, strict=True)))
    for number in numbers:
        one, two = (load_file(each[number] / "out.safetensors") for each in (alone, both))
        assert one.keys() == two.keys()
        assert max(float(gradient.abs().max()) for gradient in one.values()) > 0
        for name, gradient in one.items():
            told = f"{name} of {CHANGES[number]}"
            torch.testing.assert_close(two[name], gradient, rtol=0, atol=1e-10, msg=told)


ENDING = (
    ("plan", 0),
    ("tokens", 0),
    ("rows", 1),
    ("folder", 0),
    ("old checkpoint", 0),
    ("new checkpoint", 0),
    ("step", 1),
)
GOING_ON = (("loss", 1), ("writing", 0))


@pytest.mark.slow
def test_what_fails_in_one_process_fails_in_all_in_the_same_words(
    corpus: Path, tmp_path: Path
) -> None:
    plan = tiny_plan(corpus, steps=2, validate_every=1)
    file = tmp_path / "plan.toml"
    file.write_text(plan.to_toml(), "utf-8")
    begun = finished_run(tmp_path / "run of old checkpoint", plan)
    shutil.rmtree(begun / "checkpoints/step-00000002")  # so that there is a step to do
    places = ENDING + GOING_ON
    cases = [
        Case(where, rank, str(file), str(tmp_path / f"run of {where}"), port)
        for (where, rank), port in zip(places, free_ports(len(places)), strict=True)
    ]
    (tmp_path / "cases.json").write_text(json.dumps(cases), "utf-8")
    for words in launched("failing_team.py", tmp_path / "cases.json"):
        told = dict(zip(places, map(json.loads, words.splitlines()), strict=True))
        for place in ENDING:
            assert told[place][-1].startswith(
                "Failed(message='The disk of this process broke.', remedy='Buy"
            ), place
        for place in GOING_ON:  # a validation that fails does not end its run
            *warnings, last = told[place]
            assert last.startswith("Finished("), place
            assert len(warnings) == 2, place
            assert all("failed: The disk of this process broke." in each for each in warnings)


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
