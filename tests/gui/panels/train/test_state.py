"""The list of runs says how each is and what may be done, whatever the disk and the queue know."""

from pathlib import Path

import pytest

from core.events import Failed
from core.jobs.queue.listing import JobNow
from core.jobs.runs.list_runs import RunCard
from core.training.events import ValidationDone
from gui.panels.train.state import TrainState, listed_run

RUNS = Path("runs").absolute()


def card(name: str, state: str = "finished", **values: object) -> RunCard:
    about = {"objective": "gsg", "length": 16_384, "step": 41, "steps": 100, "has_model": True}
    about |= values
    return RunCard(RUNS / name, name, state, **about)  # type: ignore[arg-type]


def job(name: str, state: str = "running", **values: object) -> JobNow:
    about = {"kind": "train", "lane": "cpu"} | values
    return JobNow(name, name, state, RUNS / name, **about)  # type: ignore[arg-type]


def test_a_run_that_was_just_queued_is_opened_once_it_is_listed() -> None:
    state = TrainState()
    state.take_cards([card("a", changed_ns=2)])
    state.choose()
    state.wanted = RUNS / "b"
    assert state.choose() == RUNS / "a"
    state.take_cards([card("a", changed_ns=2), card("b", changed_ns=1)])
    assert state.choose() == RUNS / "b"
    state.selected = RUNS / "a"
    assert state.choose() == RUNS / "a"


def test_runs_are_grouped_by_how_they_are() -> None:
    state = TrainState()
    state.take_cards(
        [card("old", changed_ns=1), card("new", changed_ns=2), card("typed", "running")]
    )
    state.take_jobs([job("queued"), job("second", "waiting"), job("third", "waiting"),
                     job("gpu", "waiting", lane="cuda:0")])  # fmt: skip
    groups = {group.title: [(run.title, run.word) for run in group.runs] for group in state.groups}
    assert groups == {
        "Running": [("queued", "running"), ("typed", "41\u202f%")],
        "Waiting, 3": [("second", "next"), ("third", "then"), ("gpu", "next")],
        "Earlier": [("new", "done"), ("old", "done")],
    }


def test_jobs_of_other_kinds_are_not_listed() -> None:
    state = TrainState()
    state.take_jobs([job("corpus", kind="corpus")])
    assert state.runs == ()


def test_the_first_run_is_opened_and_the_open_one_stays() -> None:
    state = TrainState()
    assert state.choose() is None
    state.take_cards([card("a", changed_ns=2), card("b", changed_ns=1)])
    assert state.choose() == RUNS / "a"
    state.selected = RUNS / "b"
    state.take_cards([card("a", changed_ns=3), card("b"), card("c", changed_ns=9)])
    assert state.choose() == RUNS / "b"
    state.take_cards([card("a")])
    assert state.choose() == RUNS / "a"


@pytest.mark.parametrize(
    ("state", "job_state", "line"),
    [
        ("paused", "", "Step 41 of 100, kept"),
        ("stopped", "stopped", "Step 41 of 100, kept"),
        ("finished", "finished", "validation loss 2.28"),
        ("failed", "", "The disk is full."),
    ],
)
def test_a_line_says_how_a_run_stands(state: str, job_state: str, line: str) -> None:
    found = ValidationDone(40, 2.281, 10, {}, True, 1.0)
    failure = Failed("The disk is full.", "Free some space.") if state == "failed" else None
    run = listed_run(
        card("a", state, validation=found, failure=failure),
        job("a", job_state) if job_state else None,
    )
    assert run.line == line
    assert run.what == "Gap sentences, 16\u202f384 tokens"


def test_rouge_is_told_where_there_is_some() -> None:
    found = ValidationDone(40, 2.281, 10, {"1": 0.384}, True, 1.0)
    assert listed_run(card("a", validation=found), None).line == "ROUGE-1 38.4, validation 2.28"


@pytest.mark.parametrize(
    ("card_state", "job_state", "allowed", "refused"),
    [
        ("running", "running", {"pause", "stop", "cancel", "duplicate"}, {"resume", "restore"}),
        ("running", None, {"stop", "report"}, {"pause", "cancel", "resume"}),
        ("waiting", "waiting", {"pause", "cancel", "move_up"}, {"stop", "resume", "report"}),
        ("stopped", None, {"resume", "cancel", "fine_tune"}, {"pause", "stop"}),
        ("failed", "failed", {"resume", "cancel", "duplicate"}, {"pause", "stop"}),
        ("finished", "finished", {"fine_tune", "bundle", "cancel"}, {"resume", "pause"}),
        ("finished", "cancelled", {"restore"}, {"cancel", "resume", "show_folder"}),
    ],
)
def test_only_what_is_possible_is_allowed(
    card_state: str, job_state: str | None, allowed: set[str], refused: set[str]
) -> None:
    queued = job("a", job_state) if job_state else None
    deeds = listed_run(card("a", card_state), queued).deeds
    assert allowed <= deeds
    assert not refused & deeds


@pytest.mark.parametrize("deed", ["summarise", "continue", "fine_tune"])
def test_only_a_run_with_a_checkpoint_can_be_used_as_a_model(deed: str) -> None:
    assert deed in listed_run(card("a", "failed"), None).deeds
    assert deed not in listed_run(card("a", "failed", has_model=False), None).deeds


def test_what_was_asked_and_is_not_done_yet_is_said() -> None:
    run = listed_run(card("a", "running"), job("a", wish="pause", note="Pausing."))
    assert run.is_pausing and run.line == "Pausing."
