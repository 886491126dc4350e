"""A process beside this one: it is used again, replaced, given up and killed."""

from pathlib import Path

import psutil
import pytest

from core.events import Event, Failed, Finished, Started
from core.jobs.fresh import OwnProcess, run_fresh
from core.stop import Stopping, StopToken
from tests.helpers.jobs import CountJob, DyingJob, EndlessJob, WhereJob, WrongJob


@pytest.fixture(autouse=True)
def jobs_can_be_imported_by_the_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))


def last_of(process: OwnProcess, job: CountJob | DyingJob | EndlessJob | WhereJob) -> Event:
    *_, last = process.run(job, StopToken())
    return last


def test_a_fresh_process_gives_all_events_and_is_gone() -> None:
    *events, last = run_fresh(CountJob(2), StopToken())
    assert (events[0], last) == (Started("Counting"), Finished(3))
    assert not psutil.Process().children()


def test_one_process_does_many_jobs_and_is_replaced_when_it_dies() -> None:
    process = OwnProcess()
    first, second = last_of(process, WhereJob()), last_of(process, WhereJob())
    assert isinstance(first, Finished) and first == second
    died = last_of(process, DyingJob())
    assert isinstance(died, Failed)
    assert died.message == (
        "Its process did not come to an end: it was ended by signal 9, SIGKILL, "
        "as happens when memory runs out."
    )
    third = last_of(process, WhereJob())
    assert isinstance(third, Finished) and third != first
    process.close()
    assert not psutil.Process().children()


def test_a_job_of_which_nothing_is_heard_is_given_up() -> None:
    process = OwnProcess(patience_s=1.0)
    last = last_of(process, EndlessJob(deaf=True))
    assert isinstance(last, Failed) and last.kind == "silent"
    assert last.message == "Nothing was heard of it for 1 second, so it was given up."
    assert not psutil.Process().children()


def test_what_goes_wrong_in_it_is_told() -> None:
    last = list(run_fresh(WrongJob(foreseen=True), StopToken()))[-1]
    assert isinstance(last, Failed) and str(last.message) == "This is wrong."


def test_stopping_kills_it_in_the_midst() -> None:
    stop = StopToken()
    events = run_fresh(EndlessJob(deaf=True), stop)
    assert next(events) == Started("Going on")
    stop.request("stop")
    with pytest.raises(Stopping):
        next(events)
    assert not psutil.Process().children()


def test_leaving_it_kills_it_too() -> None:
    events = run_fresh(EndlessJob(deaf=True), StopToken())
    next(events)
    events.close()  # type: ignore[attr-defined]
    assert not psutil.Process().children()
