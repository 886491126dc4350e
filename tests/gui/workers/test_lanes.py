"""A job does the same in every lane; a lane that dies loses nothing but the job that ran in it."""

import gc
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.events import Event, Failed, Finished, Progress, Stopped
from core.jobs.job import Job
from core.jobs.run import run_inline
from core.stop import StopToken
from gui.workers.controller import Controller
from gui.workers.runner import Run
from tests.helpers.jobs import CountJob, DyingJob, EndlessJob, WhereJob, WrongJob
from tests.helpers.killing import KILL, KILLED

Start = Callable[[Job], Run]


@pytest.fixture(autouse=True)
def jobs_can_be_imported_by_the_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))


@pytest.fixture
def controller(qtbot: QtBot) -> Iterator[Controller]:
    controller = Controller()
    yield controller
    controller.close()


@pytest.fixture(params=["thread", "engine child"])
def start(controller: Controller, request: pytest.FixtureRequest) -> Start:
    return controller.run_in_thread if request.param == "thread" else controller.run_in_engine


def test_a_job_tells_how_far_it_is_and_gives_its_result(start: Start, qtbot: QtBot) -> None:
    run = start(CountJob(3))
    events: list[object] = []
    run.happened.connect(events.append)
    with qtbot.waitSignal(run.finished) as finished:
        pass
    assert finished.args == [6]
    assert any(isinstance(event, Progress) for event in events)


def test_nothing_begins_once_it_is_closed(qtbot: QtBot) -> None:
    controller = Controller()
    controller.close()
    runs = [
        controller.run_in_thread(EndlessJob()),
        controller.run_in_engine(EndlessJob()),
        controller.run_in_reader(EndlessJob()),
    ]
    controller.run_in_thread(EndlessJob()).finished.connect(print)  # as panels do, keeping no run
    controller.watch_queue()
    assert not any(run.over for run in runs)
    assert not controller._threads and not controller._runs and controller._reader is None
    assert not controller.queue.isRunning()


def test_a_job_ends_when_it_is_asked_to(start: Start, qtbot: QtBot) -> None:
    run = start(EndlessJob())
    with qtbot.waitSignal(run.happened):
        pass
    with qtbot.waitSignal(run.stopped) as stopped:
        run.stop("cancel")
    assert stopped.args == ["cancel"]


@pytest.mark.parametrize("foreseen", [True, False])
def test_a_failure_is_told_with_its_remedy(start: Start, qtbot: QtBot, foreseen: bool) -> None:
    with qtbot.waitSignal(start(WrongJob(foreseen)).failed) as failed:
        pass
    failure = failed.args[0]
    if foreseen:
        assert failure == Failed("This is wrong.", "Do that.", kind="test")
    else:
        assert failure.message == "Something in the program went wrong (ZeroDivisionError)."
        assert "one by nothing" in failure.details


def test_the_engine_child_is_another_process_and_stays_warm(
    controller: Controller, qtbot: QtBot
) -> None:
    pids = []
    for _ in range(2):
        with qtbot.waitSignal(controller.run_in_engine(WhereJob()).finished) as finished:
            pass
        pids.append(finished.args[0])
    assert pids[0] == pids[1] != os.getpid()


def test_jobs_wait_for_each_other_and_one_that_waits_can_be_stopped(
    controller: Controller, qtbot: QtBot
) -> None:
    first, second, third = (
        controller.run_in_engine(job) for job in (EndlessJob(), EndlessJob(), CountJob(2))
    )
    with qtbot.waitSignals([first.stopped, second.stopped, third.finished]):
        second.stop()
        first.stop()


def test_a_job_that_kills_its_child_is_told_and_the_next_one_runs(
    controller: Controller, qtbot: QtBot
) -> None:
    run = controller.run_in_engine(DyingJob())
    with qtbot.waitSignals([run.failed, controller.engine.restarted]) as _:
        run.failed.connect(lambda failure: failures.append(failure))
        failures: list[Failed] = []
    assert f"ended early: {KILLED}" in failures[0].message
    assert "open the document once more" in failures[0].remedy
    with qtbot.waitSignal(controller.run_in_engine(CountJob(2)).finished):
        pass


def test_a_child_killed_from_outside_is_told_and_started_again(
    controller: Controller, qtbot: QtBot
) -> None:
    run = controller.run_in_engine(EndlessJob())
    with qtbot.waitSignal(run.happened):
        pass
    killed = controller.engine.child_pid
    with qtbot.waitSignals([run.failed, controller.engine.restarted]):
        os.kill(killed, KILL)
    assert controller.engine.child_pid not in (0, killed)


def test_a_deaf_job_is_ended_all_the_same(
    controller: Controller, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(controller.engine.process, "heeds_s", 0.05)
    run = controller.run_in_engine(EndlessJob(deaf=True))
    with qtbot.waitSignal(run.happened):
        pass
    with qtbot.waitSignal(run.stopped):
        run.stop()


def test_the_last_event_of_every_thread_arrives(controller: Controller, qtbot: QtBot) -> None:
    runs = [controller.run_in_thread(CountJob(1)) for _ in range(60)]
    over = [0] * len(runs)
    for number, run in enumerate(runs):
        run.finished.connect(lambda _, number=number: over.__setitem__(number, 1))
    del runs, run
    qtbot.waitUntil(lambda: sum(over) == len(over))


def test_a_job_that_heeds_the_wish_leaves_nobody_waiting(
    controller: Controller, qtbot: QtBot
) -> None:
    run = controller.run_in_engine(EndlessJob())
    with qtbot.waitSignal(run.happened):
        pass
    with qtbot.waitSignal(run.stopped):
        run.stop()
    with qtbot.waitSignal(controller.run_in_engine(CountJob(2)).finished):
        pass
    waiting = [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]
    assert all(thread.finished.is_set() for thread in waiting)


def test_closing_ends_a_child_that_is_busy(qtbot: QtBot) -> None:
    controller = Controller()
    run = controller.run_in_engine(EndlessJob(deaf=True))
    with qtbot.waitSignal(run.happened):
        pass
    controller.close()
    assert controller.engine.child_pid == 0


def test_closing_tells_what_became_of_the_jobs_and_begins_none(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    controller = Controller()
    running, waiting = controller.run_in_engine(EndlessJob()), controller.run_in_engine(CountJob(2))
    in_thread = controller.run_in_thread(EndlessJob())  # it would be waited for without an end
    ends: list[str] = []
    running.stopped.connect(ends.append)
    running.failed.connect(lambda failure: ends.append(failure.message))
    waiting.ended.connect(lambda: ends.append("was begun"))
    with qtbot.waitSignals([running.happened, in_thread.happened]):
        pass
    began: list[object] = []
    monkeypatch.setattr(controller.engine, "_execute", began.append)
    controller.close()
    assert ends == ["cancel"], "what became of it is told before the window goes"
    assert began == []


def test_closing_cancels_a_job_whose_child_is_being_started(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    controller = Controller()
    stops: list[StopToken] = []
    closed = threading.Event()

    def wait_for_close(job: Job, stop: StopToken) -> Iterator[Event]:
        stops.append(stop)
        closed.wait(60)
        yield Finished(None)

    monkeypatch.setattr(controller.engine.process, "run", wait_for_close)
    monkeypatch.setattr(controller.engine.process, "close", closed.set)
    controller.run_in_engine(CountJob(2))
    qtbot.waitUntil(lambda: bool(stops))
    controller.close()
    assert stops[0].wish == "cancel"


def test_a_child_that_cannot_be_started_again_is_started_for_the_next_job(
    controller: Controller, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = threading.Event()

    def refuse() -> None:
        refused.set()
        raise OSError("no more processes")

    monkeypatch.setattr(controller.engine.process, "start", refuse)
    with qtbot.waitSignal(controller.run_in_engine(DyingJob()).failed):
        pass
    with qtbot.waitSignal(controller.run_in_engine(CountJob(2)).finished):
        pass
    assert refused.is_set()


def test_nothing_is_kept_of_a_run_that_is_over_and_what_comes_late_is_dropped(
    start: Start, controller: Controller, qtbot: QtBot
) -> None:
    run = start(CountJob(2))
    wishes: list[str] = []
    run.stop_wished.connect(wishes.append)
    with qtbot.waitSignal(run.ended):
        pass
    controller.engine.request_stop(1, "cancel")
    controller.engine.happened.emit(1, Progress(1, 2, "", ""))
    run.stop()
    qtbot.waitUntil(lambda: not controller.engine._stops)
    assert (controller._runs, wishes) == ({}, [])


def test_a_run_ends_once_and_says_so_last() -> None:
    run, said = Run(), []
    run.happened.connect(said.append)
    run.finished.connect(said.append)
    run.failed.connect(said.append)
    run.stopped.connect(said.append)
    run.ended.connect(lambda: said.append("ended"))
    last = Progress(1, 2, "", "")
    for event in (last, Finished(3), Failed("Late.", "Wait."), Stopped("cancel"), last):
        run.take(event)
    assert said == [last, 3, "ended"]


def test_inline_gives_the_same_events() -> None:
    events = list(run_inline(CountJob(1), StopToken()))
    assert [type(event).__name__ for event in events] == ["Started", "Progress", "Finished"]


def test_what_was_connected_to_a_run_goes_with_it(start: Start, qtbot: QtBot) -> None:
    class Holder:
        """What a panel has of a run."""

    def begin() -> "weakref.ref[Holder]":
        run, holder = start(CountJob(1)), Holder()
        holder.run = run  # type: ignore[attr-defined]
        run.finished.connect(lambda result: (run, holder))
        return weakref.ref(holder)

    gc.freeze()  # what is there already need not be looked through again and again
    held = begin()

    def is_gone() -> bool:
        gc.collect()
        return held() is None

    qtbot.waitUntil(is_gone)
