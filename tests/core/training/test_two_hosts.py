"""Two hosts with disks of their own train what one process trains; one that is left says so."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.runs.events_file import read_events
from tests.helpers.runs import run_events, tiny_corpus, tiny_plan
from tests.helpers.two_hosts import NoHostsError, TwoHosts, bare

STEPS = 6


@pytest.fixture
def hosts(tmp_path: Path) -> Iterator[TwoHosts]:
    try:
        made = TwoHosts(tmp_path / "hosts")
    except NoHostsError as error:
        pytest.skip(f"no two hosts can be made here: {error}")
    yield made
    made.close()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_corpus(tmp_path_factory.mktemp("corpora") / "tiny")


def losses(run: Path) -> list[float]:
    if not (run / "events.jsonl").exists():
        return []
    events = read_events(run / "events.jsonl")
    return [each.values["loss"] for each in events if each.kind == "StepDone"]


@pytest.mark.slow
def test_two_hosts_train_what_one_trains_and_one_that_is_left_says_so(
    hosts: TwoHosts, corpus: Path, tmp_path: Path
) -> None:
    train = {"steps": STEPS, "checkpoint_every": 2, "validate_every": 100, "rouge_rows": 0,
             "schedule": "constant"}  # fmt: skip
    run_events(tmp_path / "one", tiny_plan(corpus, **train))
    for disk in hosts.disks:
        shutil.copytree(corpus, disk / "corpus")
        plan = tiny_plan(hosts.disk / "corpus", **train | {"steps": 100_000})
        (disk / "job.toml").write_text(plan.to_toml(), "utf-8")
    words = ["--config", hosts.disk / "job.toml", "--out", hosts.disk / "run"]
    both = [hosts.start(host, *bare(host, *words)) for host in (0, 1)]
    run = hosts.disks[0] / "run"
    while len(losses(run)) < STEPS:
        assert both[0].poll() is None, both[0].communicate()[0]
        time.sleep(0.01)
    hosts.kill(both[1])
    told, _ = both[0].communicate(timeout=60)
    assert both[0].returncode == 1
    assert "Another process of this run has ended, or its machine cannot be reached" in told
    assert "Resume the run with --resume, on the machines that are left." in told
    pairs = zip(losses(run), losses(tmp_path / "one"), strict=False)
    assert max(abs(two - one) for two, one in pairs) < 1e-6
    assert not (hosts.disks[1] / "run").exists()
    assert list((hosts.disks[1] / "corpus").glob("tokens-*"))
