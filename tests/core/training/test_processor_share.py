"""A run that other programs keep from the processor says so once."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from core.events import Message
from core.machine import usable_cores
from core.numbers import THIN_SPACE
from core.runs.events_file import read_events
from core.training import processor_share
from core.training.processor_share import ProcessorShare
from tests.helpers.runs import run_events, tiny_corpus, tiny_plan


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


@pytest.fixture
def busy_programs() -> Iterator[None]:
    """Programs that take more of each core than is left to any other."""
    with ExitStack() as left:
        for _ in range(4 * usable_cores()):
            process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            left.callback(process.wait)
            left.callback(process.kill)
        yield


@pytest.mark.usefixtures("busy_programs")
def test_a_run_beside_busy_programs_says_so_in_its_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processor_share, "_OBSERVED_S", 0.01)
    plan = tiny_plan(tiny_corpus(tmp_path / "corpus"), steps=6, rouge_rows=0)
    found = [
        event.text
        for event in run_events(tmp_path / "run", plan)
        if isinstance(event, Message) and event.level == "note"
    ]
    events = read_events(tmp_path / "run" / "events.jsonl")
    kept = [each.values["text"] for each in events if each.kind == "Message"]
    assert len(found) == 1 and kept.count(found[0]) == 1
