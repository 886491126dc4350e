"""A run's curves are what its file of events tells, however it is read, and after every resume."""

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.events import Finished, Message, Stopped
from core.jobs.run import run_inline
from core.jobs.runs import run_history
from core.jobs.runs.run_history import FollowRunJob, ReadRunJob, RunHistory, RunNews, RunReader
from core.runs import follower
from core.runs.events import Resumed
from core.runs.events_file import EventsFile, read_events
from core.runs.folder import RunFolder, at_work
from core.stop import StopToken
from core.training.events import SampleWritten, StepDone, ValidationDone
from tests.helpers.runs import run_events, stopped_run, tiny_corpus, tiny_plan


def step(number: int, loss: float = 2.0) -> StepDone:
    return StepDone(number, 0, loss, 1.0, 1e-3, 10, 20, 0.5, 300.0)


def validation(number: int) -> ValidationDone:
    return ValidationDone(number, 2.5, 10, {"1": 0.25}, True, 1.0)


def read(folder: Path) -> RunHistory:
    history = RunHistory()
    *news, last = run_inline(ReadRunJob(folder), StopToken())
    assert isinstance(last, Finished)
    for each in news:
        assert isinstance(each, RunNews)
        history.take(each)
    return history


def counting(folder: Path) -> tuple[list[int], list[float], list[int]]:
    """Steps, losses and validations that count, as `read_events` has them."""
    events = read_events(RunFolder(folder).events_file)
    steps = [each.values for each in events if each.kind == "StepDone"]
    found = [each.values["step"] for each in events if each.kind == "ValidationDone"]
    return [each["step"] for each in steps], [each["loss"] for each in steps], found


def told(history: RunHistory) -> tuple[list[int], list[float], list[int]]:
    steps = history.column("step").astype(int).tolist()
    return steps, history.column("loss").tolist(), [v.step for _, v in history.validations]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real run that was stopped after its seventh step, and resumed from its sixth."""
    corpus = tiny_corpus(tmp_path_factory.mktemp("corpus"))
    folder = tmp_path_factory.mktemp("runs") / "run"
    stopped_run(folder, tiny_plan(corpus), "cancel", after=7)
    run_events(folder)
    return folder


def test_a_real_run_is_read_as_it_counts(run: Path) -> None:
    history = read(run)
    assert told(history) == counting(run)
    assert history.step == 12 and len(history) == 12
    assert history.resumed_at == [6]
    assert isinstance(history.ended, Finished) and not history.is_live
    assert (history.column("peak_mib") > 50).all()
    assert [sample.step for _, sample in history.samples] == [6, 6, 12, 12]


Action = tuple[str, int]
ACTIONS = st.lists(
    st.tuples(st.sampled_from(["step", "validation", "resume", "message"]), st.integers(1, 5)),
    max_size=25,
)


@given(actions=ACTIONS, looks=st.sets(st.integers(0, 24)))
@settings(max_examples=60)
def test_followed_in_any_pieces_it_tells_what_counts(
    tmp_path_factory: pytest.TempPathFactory, actions: list[Action], looks: set[int]
) -> None:
    folder = tmp_path_factory.mktemp("run")
    events = EventsFile(RunFolder(folder).events_file)
    reader, history, made = RunReader(folder), RunHistory(), 0
    for at, (what, count) in enumerate(actions):
        for _ in range(count):
            if what == "step":
                made += 1
                events.append(step(made, loss=float(events.last_number)))
            elif what == "validation":
                events.append(validation(made))
            elif what == "message":
                events.append(Message("info", "It goes on."))
        if what == "resume":
            kept = [each for each in read_events(events.path) if each.kind == "StepDone"][:count]
            made = kept[-1].values["step"] if kept else 0
            events.append(Resumed(kept[-1].number if kept else 0, made))
        if at in looks:
            history.take(reader.poll())
    history.take(reader.poll())
    assert told(history) == counting(folder)


def test_a_long_file_comes_in_pieces_that_fit_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "_AT_ONCE_BYTES", 2000)
    monkeypatch.setattr(run_history, "_READ_AT_ONCE", 3)
    events = EventsFile(RunFolder(tmp_path).events_file)
    for number in range(1, 101):
        events.append(step(number))
        if number == 40:
            events.append(Resumed(20, 20))
        if number % 25 == 0:
            events.append(validation(number))
    pieces = list(run_inline(ReadRunJob(tmp_path), StopToken()))
    assert len(pieces) > 4
    assert told(read(tmp_path)) == counting(tmp_path)


def test_what_an_older_program_did_not_tell_is_a_gap(tmp_path: Path) -> None:
    values = asdict(step(1))
    del values["peak_mib"]
    line = {"number": 1, "time": "2026-11-20T10:00:00+00:00", "kind": "StepDone"} | values
    RunFolder(tmp_path).events_file.write_text(json.dumps(line) + "\n", "utf-8")
    assert np.isnan(read(tmp_path).column("peak_mib")).all()


def test_a_living_run_is_followed_until_it_is_left(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    events, stop, history = EventsFile(folder.events_file), StopToken(), RunHistory()
    with at_work(folder):
        events.append(step(1))
        job = run_inline(FollowRunJob(tmp_path), stop)
        for event in job:
            if isinstance(event, RunNews):
                history.take(event)
                assert history.is_live
                if history.step < 3:
                    events.append(step(history.step + 1))
                else:
                    stop.request("cancel")
    assert told(history)[0] == [1, 2, 3]
    assert event == Stopped("cancel")


def test_samples_score_as_in_validation() -> None:
    sample = SampleWritten(1, 0, "The valve is shut.", "The valve is open.", "end")
    assert run_history.sample_score(sample) == pytest.approx(0.75)
