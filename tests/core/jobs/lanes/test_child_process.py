"""A child process: it is used again, replaced, asked to stop, given up and killed."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from core.events import Event, Failed, Finished, Started, Stopped, is_last
from core.jobs.job import Job
from core.jobs.lanes.child import Happened, Inbox, Order, RunJob, StopJob, command
from core.jobs.lanes.child_process import ChildProcess, run_in_child
from core.stop import StopToken, Wish
from core.system.processes import Child
from tests.helpers.jobs import (
    CountJob,
    CrashingJob,
    DyingJob,
    EndlessJob,
    HeldJob,
    WhereJob,
    WrongJob,
)
from tests.helpers.killing import KILL, KILLED
from tests.helpers.leftovers import living_children

pytestmark = pytest.mark.cold_start


@pytest.fixture(autouse=True)
def jobs_can_be_imported_by_the_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[4]))


@pytest.fixture
def process() -> Iterator[ChildProcess]:
    with closing(ChildProcess()) as process:
        yield process


def last_of(process: ChildProcess, job: Job) -> Event:
    *_, last = process.run(job, StopToken())
    return last


def test_a_wish_that_comes_late_never_ends_the_next_run() -> None:
    child = Child(command())
    child.channel.send(RunJob(1, CountJob(1)))
    while not is_last(child.channel.receive().event):
        pass
    child.channel.send(RunJob(2, EndlessJob()))
    assert child.channel.receive() == Happened(2, Started("Going on"))
    child.channel.send(StopJob(1, "cancel"))
    child.channel.send(StopJob(2, "pause"))
    assert child.channel.receive() == Happened(2, Stopped("pause"))
    child.end()


class InboxMachine(RuleBasedStateMachine):
    """Jobs and wishes in any order: each run is asked for exactly what was asked of it."""

    sent = Bundle("sent")

    def __init__(self) -> None:
        super().__init__()
        self.inbox = Inbox()
        self.number = 0
        self.first_wishes: dict[int, Wish] = {}
        self.over: set[int] = set()
        self.running: list[Order] = []

    @rule(target=sent)
    def send(self) -> int:
        self.number += 1
        self.inbox.take(RunJob(self.number, CountJob(self.number)))
        return self.number

    @rule(number=sent, wish=st.sampled_from(["pause", "stop", "cancel"]))
    def ask(self, number: int, wish: Wish) -> None:
        self.inbox.take(StopJob(number, wish))
        if number not in self.over:
            self.first_wishes.setdefault(number, wish)

    @rule()
    def begin(self) -> None:
        if len(self.running) + len(self.over) < self.number:
            self.running.append(self.inbox.next())

    @rule()
    def end(self) -> None:
        if self.running:
            order = self.running.pop(0)
            self.inbox.is_over(order)
            self.over.add(order.number)

    @invariant()
    def each_run_has_its_own_wish(self) -> None:
        for order in self.running:
            assert order.job == CountJob(order.number)
            assert order.stop.wish == self.first_wishes.get(order.number, "")


TestInbox = InboxMachine.TestCase


def test_a_process_of_its_own_gives_all_events_and_is_gone() -> None:
    *events, last = run_in_child(CountJob(2), StopToken())
    assert (events[0], last) == (Started("Counting"), Finished(3))
    assert not living_children()


def test_one_process_does_many_jobs_and_is_replaced_when_it_dies(process: ChildProcess) -> None:
    first, second = last_of(process, WhereJob()), last_of(process, WhereJob())
    assert isinstance(first, Finished) and first == second == Finished(process.pid)
    died = last_of(process, DyingJob())
    assert died == Failed(
        f"The process that did this ended early: {KILLED}.",
        "Try again, or make it smaller.",
        kind="ended",
    )
    third = last_of(process, WhereJob())
    assert isinstance(third, Finished) and third != first


def test_a_process_that_crashes_leaves_its_stacks_in_the_details(process: ChildProcess) -> None:
    crashed = last_of(process, CrashingJob())
    assert isinstance(crashed, Failed)
    assert "ended early: it was ended by signal 11, SIGSEGV" in crashed.message
    assert crashed.details.startswith("Fatal Python error: Segmentation fault")
    assert "tests/helpers/jobs.py" in crashed.details


def test_a_process_that_died_between_two_jobs_is_replaced(process: ChildProcess) -> None:
    process.start()
    os.kill(process.pid, KILL)
    while process.pid:
        pass
    assert isinstance(last_of(process, CountJob(1)), Finished)


def test_a_job_that_cannot_be_sent_or_read_is_told(
    process: ChildProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    unsent = last_of(process, WrongJob(foreseen=lambda: None))  # type: ignore[arg-type]
    assert isinstance(unsent, Failed) and "pickle" in unsent.details
    monkeypatch.delenv("PYTHONPATH")
    unread = last_of(process, CountJob(1))
    assert isinstance(unread, Failed) and "ended early: it ended with status 1" in unread.message


def test_a_job_of_which_nothing_is_heard_is_given_up() -> None:
    process = ChildProcess(silence_s=1.0)
    last = last_of(process, EndlessJob(deaf=True))
    assert isinstance(last, Failed) and last.kind == "silent"
    assert last.message == "It did not respond for 1 second, so it was stopped."
    assert not living_children()


def test_what_goes_wrong_in_it_is_told() -> None:
    last = list(run_in_child(WrongJob(foreseen=True), StopToken()))[-1]
    assert isinstance(last, Failed) and str(last.message) == "This is wrong."


@pytest.mark.parametrize("heeds_s", [0.0, 0.05])
def test_a_deaf_job_loses_its_process(heeds_s: float) -> None:
    process, stop = ChildProcess(heeds_s=heeds_s), StopToken()
    events = process.run(EndlessJob(deaf=True), stop)
    assert next(events) == Started("Going on")
    stop.request("stop")
    assert list(events) == [Stopped("stop")]
    assert not living_children()


def test_a_process_that_is_not_seen_to_end_holds_no_other_job_up(process: ChildProcess) -> None:
    stop = StopToken()
    events = process.run(HeldJob(), stop)
    held = next(events)
    assert isinstance(held, Started)
    try:
        stop.request("cancel")
        assert [*events] == [Stopped("cancel")]
        *_, last = process.run(CountJob(3), StopToken())
        assert last == Finished(6)
    finally:
        os.kill(int(held.what), KILL)


def test_a_job_that_heeds_the_wish_keeps_its_process() -> None:
    with closing(ChildProcess(heeds_s=60.0)) as process:
        stop = StopToken()
        events = process.run(EndlessJob(), stop)
        assert next(events) == Started("Going on")
        pid = process.pid
        stop.request("pause")
        assert list(events) == [Stopped("pause")]
        assert process.pid == pid


@pytest.mark.parametrize(("wish", "keeps"), [("stop", True), ("cancel", False)])
def test_a_job_that_keeps_what_it_has_gets_longer(wish: Wish, keeps: bool) -> None:
    with closing(ChildProcess(heeds_s=0.0, keeps_s=60.0)) as process:
        stop = StopToken()
        events = process.run(EndlessJob(), stop)
        assert next(events) == Started("Going on")
        pid = process.pid
        stop.request(wish)
        assert list(events) == [Stopped(wish)]
        assert (process.pid == pid) == keeps


def test_a_job_stopped_before_it_began_starts_nothing(process: ChildProcess) -> None:
    stop = StopToken()
    stop.request("cancel")
    assert list(process.run(CountJob(1), stop)) == [Stopped("cancel")]
    assert process.pid == 0


def test_leaving_it_kills_it_too() -> None:
    events = run_in_child(EndlessJob(deaf=True), StopToken())
    next(events)
    events.close()  # type: ignore[attr-defined]
    assert not living_children()
