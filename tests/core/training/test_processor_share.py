"""A run that other programs keep from the processor says so once."""

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from core.events import Message
from core.jobs.training.train import TrainJob
from core.numbers import THIN_SPACE
from core.runs.events_file import read_events
from core.stop import StopToken
from core.system.machine import usable_cores
from core.training import processor_share
from core.training.events import StepDone
from core.training.processor_share import ProcessorShare
from tests.helpers.runs import tiny_corpus, tiny_plan


def notes(*steps: tuple[float, float]) -> list[str]:
    share = ProcessorShare()
    return [note for step in steps if (note := share.add_step(*step))]


def test_a_low_share_is_noted_once() -> None:
    (note,) = notes(*[(2.0, 0.8)] * 20)
    assert f"40{THIN_SPACE}%" in note and "fewer threads" in note


def test_a_share_that_is_high_enough_is_not_noted() -> None:
    assert notes(*[(2.0, 1.2)] * 20) == []


def test_a_few_slow_steps_are_not_noted() -> None:
    assert notes((4.0, 0.1), (4.0, 4.0), (4.0, 4.0)) == []
    assert notes((60.0, 1.0)) == []


def test_a_share_that_falls_later_is_noted() -> None:
    assert len(notes(*[(2.0, 2.0)] * 50, *[(2.0, 0.5)] * 10)) == 1


def test_a_run_beside_busy_programs_says_so_in_its_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processor_share, "_OBSERVED_S", 0.01)
    plan = tiny_plan(
        tiny_corpus(tmp_path / "corpus"), steps=10_000, rouge_rows=0, validate_every=10_000
    )
    found: list[str] = []
    stop = StopToken()
    with ExitStack() as busy:
        for event in TrainJob(tmp_path / "run", plan).run(stop):
            if isinstance(event, StepDone) and event.step == 1:
                start_busy_programs(busy)
            if isinstance(event, Message) and event.level == "note":
                busy.close()
                found.append(event.text)
                stop.request("cancel")
    events = read_events(tmp_path / "run" / "events.jsonl")
    kept = [each.values["text"] for each in events if each.kind == "Message"]
    assert len(found) == 1 and kept.count(found[0]) == 1


def start_busy_programs(left: ExitStack) -> None:
    """Starts programs that leave less than half of each core to any other."""
    for _ in range(2 * usable_cores()):
        process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        left.callback(process.wait)
        left.callback(process.kill)
