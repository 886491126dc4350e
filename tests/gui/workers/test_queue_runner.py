"""A queued job looks like any other to a panel, and is found again after the window was closed."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.events import Failed, Progress, Started
from core.jobs.queue.job_queue import JobQueue
from core.jobs.queue.listing import JobLister, JobNow
from core.library.folders import Folders
from core.runs.control import ControlFile
from core.runs.events_file import EventsFile
from core.runs.folder import RunFolder, at_work
from core.stop import StopToken
from gui.job_list import JobList, JobWish
from gui.workers.controller import Controller
from gui.workers.queue_runner import QueueRunner
from gui.workers.runner import Run
from tests.helpers.killing import KILL, KILLED
from tests.helpers.queued_jobs import (
    KINDS,
    ROOT,
    Counted,
    attend,
    end_all,
    queue_count,
    specify_count,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
PATIENCE_MS = 60_000  # an upper bound, never a wait


def new_controller() -> Controller:
    controller = Controller()
    controller.queue._attend, controller.queue.kinds = attend, KINDS
    return controller


@pytest.fixture
def controller(qtbot: QtBot, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Controller]:
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}{os.pathsep}{os.environ['PYTHONPATH']}")
    controller = new_controller()
    yield controller
    controller.close()
    end_all(home)


def wait_for_last_number(qtbot: QtBot, run: Run) -> None:
    with qtbot.waitSignal(
        run.happened, timeout=PATIENCE_MS, check_params_cb=lambda event: event == Counted(3)
    ):
        pass


def test_a_queued_job_tells_what_happens_and_gives_its_result(
    controller: Controller, qtbot: QtBot, tmp_path: Path
) -> None:
    run = controller.queue_job(specify_count(tmp_path / "a"))
    events: list[object] = []
    run.happened.connect(events.append)
    with qtbot.waitSignal(run.finished, timeout=PATIENCE_MS) as finished:
        pass
    assert finished.args == [{"sum": 6}]
    told = [event for event in events if not isinstance(event, Progress)]
    assert told == [Started("Counting up"), Counted(1), Counted(2), Counted(3)]


def test_a_job_goes_on_when_the_window_is_closed_and_is_found_again(
    controller: Controller, qtbot: QtBot, tmp_path: Path
) -> None:
    first = new_controller()
    wait_for_last_number(qtbot, first.queue_job(specify_count(tmp_path / "a", then="wait")))
    first.close()
    with qtbot.waitSignal(controller.queue.listed, timeout=PATIENCE_MS) as listed:
        controller.watch_queue()
    (now,) = listed.args[0]
    assert isinstance(now, JobNow)
    assert (now.title, now.state, now.share, now.can_pause) == ("a", "running", 1 / 3, True)
    again = controller.attach(now.id)
    wait_for_last_number(qtbot, again)
    with qtbot.waitSignal(again.stopped, timeout=PATIENCE_MS) as stopped:
        again.stop("pause")
    assert stopped.args == ["pause"]


def test_a_killed_job_is_told(controller: Controller, qtbot: QtBot, tmp_path: Path) -> None:
    run = controller.queue_job(specify_count(tmp_path / "a", then="wait"))
    wait_for_last_number(qtbot, run)
    pid = json.loads((tmp_path / "a" / "process.json").read_text("utf-8"))["pid"]
    with qtbot.waitSignal(run.failed, timeout=PATIENCE_MS) as failed:
        os.kill(pid, KILL)
    assert KILLED in failed.args[0].message


def test_what_cannot_be_queued_fails_like_any_other_job(
    controller: Controller, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "a").write_text("A file is here.", "utf-8")
    with qtbot.waitSignal(controller.queue_job(specify_count(tmp_path / "a")).failed) as failed:
        pass
    assert "cannot be used" in failed.args[0].message


def test_a_paused_job_still_says_how_far_it_is(home: Path, tmp_path: Path) -> None:
    queue = JobQueue.of_this_user()
    job = queue.add(specify_count(tmp_path / "a"))
    queue.ask(job.id, "pause")
    progress = {"done": 1, "total": 4, "unit": "steps", "what": "Training", "start": 0}
    RunFolder(job.folder).progress_file.write_text(json.dumps(progress), "utf-8")
    (now,) = JobLister(queue, tmp_path / "runs").list()
    assert (now.state, now.share, now.note) == ("paused", 0.25, "")


def test_what_the_queue_refuses_is_told(controller: Controller, qtbot: QtBot) -> None:
    controller.watch_queue()
    with qtbot.waitSignal(controller.queue.refused) as refused:
        controller.queue.change(lambda queue: queue.resume("nobody"))
    assert refused.args[0].message == "This job is not in the queue any more."


def test_a_run_of_the_command_line_is_listed(controller: Controller, qtbot: QtBot) -> None:
    folder = RunFolder(Folders.of_this_user().runs / "typed")
    folder.path.mkdir(parents=True)
    with at_work(folder) as heartbeat:
        heartbeat.show(Progress(1, 4, "steps", "Training"))
        with qtbot.waitSignal(controller.queue.listed) as listed:
            controller.watch_queue()
    (now,) = listed.args[0]
    assert (now.id, now.title, now.state, now.share) == ("", "typed", "running", 0.25)
    assert now.note == "Started at the command line."


def test_a_queue_that_cannot_be_read_is_told_and_the_watch_goes_on(
    controller: Controller, qtbot: QtBot
) -> None:
    queue = JobQueue.of_this_user()
    queue.folder.mkdir(parents=True)
    (queue.folder / "queue.json").write_text("{", "utf-8")
    with qtbot.waitSignals([controller.queue.refused, controller.queue.listed]):
        controller.watch_queue()


def test_a_trouble_that_stays_is_told_once(controller: Controller, qtbot: QtBot) -> None:
    queue = JobQueue.of_this_user()
    queue.folder.mkdir(parents=True)
    newer = queue.folder / "queue.json"
    newer.write_text('{"version": 2, "jobs": []}', "utf-8")
    told: list[Failed] = []
    controller.queue.refused.connect(told.append)
    with qtbot.waitSignal(controller.queue.refused):
        controller.watch_queue()
    with qtbot.waitSignal(controller.queue.listed):
        newer.unlink()
    qtbot.waitUntil(lambda: controller.queue._trouble is None)  # the look that listed is over
    assert [failure.remedy for failure in told] == ["Use the newer version for it."]
    with qtbot.waitSignal(controller.queue.refused):  # it is back, and told again
        newer.write_text('{"version": 2, "jobs": []}', "utf-8")


def test_a_lane_that_cannot_be_started_is_not_started_at_each_look(
    qtbot: QtBot, home: Path, tmp_path: Path
) -> None:
    attended: list[JobQueue] = []
    runner = QueueRunner(Folders.of_this_user(), attended.append, KINDS)
    queue = JobQueue.of_this_user()
    queue.add(specify_count(tmp_path / "a"))
    job = queue.begin_next("cpu")
    assert job is not None
    lock = queue.claim(job.id, job.start)
    for done in range(20):
        told = {"done": done, "total": 20, "unit": "numbers", "what": "", "start": job.start}
        (job.folder / "progress.json").write_text(json.dumps(told), "utf-8")
        runner._look()
    assert lock is not None and len(attended) == 1
    lock.release()


def test_a_wish_that_crosses_the_end_of_its_job_is_dropped(qtbot: QtBot, home: Path) -> None:
    runner = QueueRunner(Folders.of_this_user(), lambda queue: None, KINDS)
    refused: list[Failed] = []
    runner.refused.connect(refused.append)
    runner.ask_of_run(7, "stop")
    runner._do(runner._acts.get())  # type: ignore[arg-type]
    assert refused == []


def test_events_that_cannot_be_read_for_a_moment_end_no_run(
    qtbot: QtBot, home: Path, tmp_path: Path
) -> None:
    runner = QueueRunner(Folders.of_this_user(), lambda queue: None, KINDS)
    told: list[object] = []
    listed: list[tuple[JobNow, ...]] = []
    runner.listed.connect(listed.append)
    refused: list[Failed] = []
    runner.happened.connect(lambda number, events: told.extend(events))
    runner.refused.connect(refused.append)
    job = JobQueue.of_this_user().add(specify_count(tmp_path / "a"))
    runner._follow(1, job.id)
    events = job.folder / "events.jsonl"
    events.mkdir()
    for _ in range(3):
        runner._look_or_tell()
    assert (told, len(refused)) == ([], 1)
    assert [len(jobs) for jobs in listed] == [1], "the list is shown all the same, and told once"
    events.rmdir()
    EventsFile(events).append(Started("Counting up"))
    runner._look_or_tell()
    assert told == [Started("Counting up")]


class Shown:
    """What a person sees: the list of jobs, and toasts."""

    def __init__(self, controller: Controller) -> None:
        self.jobs = JobList()
        self.toasts: list[tuple[str, Callable[[], object] | None]] = []
        self.notified: list[str] = []
        controller.report_queue(self.jobs, self.notify, self.notify_system)

    def notify_system(self, title: str, text: str) -> None:
        self.notified.append(title)

    def notify(
        self, severity: str, title: str, text: str = "", *, action: str = "",
        on_action: Callable[[], object] | None = None,
    ) -> None:  # fmt: skip
        self.toasts.append((title, on_action))

    def state(self, title: str) -> str:
        return next((job.state for job in self.jobs.jobs if job.title == title), "")

    def wishes(self, title: str) -> set[str]:
        return next((set(job.wishes) for job in self.jobs.jobs if job.title == title), set())

    def wish(self, title: str, wish: JobWish) -> None:
        key = next(job.key for job in self.jobs.jobs if job.title == title)
        self.jobs.wish(key, wish)


def test_the_status_bar_lists_queued_jobs_and_hands_wishes_back(
    controller: Controller, qtbot: QtBot, tmp_path: Path
) -> None:
    def until(*states: str) -> None:
        qtbot.waitUntil(lambda: (shown.state("a"), shown.state("b")) == states, timeout=PATIENCE_MS)

    shown = Shown(controller)
    wait_for_last_number(qtbot, controller.queue_job(specify_count(tmp_path / "a", then="wait")))
    controller.queue_job(specify_count(tmp_path / "b", then="stay"))
    until("running", "waiting")
    assert shown.jobs.front is not None and shown.jobs.front.pause_wish == "pause"
    shown.wish("a", "pause")
    until("paused", "running")
    shown.wish("b", "cancel")
    until("paused", "stopped")
    assert not (tmp_path / "b").exists()
    ((title, undo),) = shown.toasts
    assert title == "“b” was cancelled" and undo is not None
    undo()
    qtbot.waitUntil((tmp_path / "b").exists, timeout=PATIENCE_MS)
    shown.wish("a", "resume")
    until("done", "stopped")
    shown.wish("b", "resume")
    until("done", "running")
    shown.wish("b", "cancel")
    until("done", "stopped")
    assert not (tmp_path / "b").exists()
    shown.wish("b", "restore")  # also when the toast is long gone
    qtbot.waitUntil((tmp_path / "b").exists, timeout=PATIENCE_MS)
    assert shown.notified == ["“a” is done"], "what the person ended is no news"


@pytest.fixture
def resting(controller: Controller, qtbot: QtBot, tmp_path: Path) -> Shown:
    """Three jobs in line, of which none is started, and one for another device."""
    controller.queue._attend = lambda queue: None
    for name in "abc":
        queue_count(JobQueue.of_this_user(), tmp_path / name)
    queue_count(JobQueue.of_this_user(), tmp_path / "other", lane="cuda:0")
    shown = Shown(controller)
    qtbot.waitUntil(lambda: len(shown.jobs.jobs) == 4, timeout=PATIENCE_MS)
    return shown


def test_waiting_jobs_change_places_in_their_lane(resting: Shown, qtbot: QtBot) -> None:
    def until(*order: str) -> None:
        def reached() -> bool:
            titles = [job.title for job in resting.jobs.jobs if job.title != "other"]
            return titles == list(order)

        qtbot.waitUntil(reached, timeout=PATIENCE_MS)
        queued = [job.title for job in JobQueue.of_this_user().jobs() if job.title != "other"]
        assert queued == list(order)

    moves = {"move_up", "move_down"}
    assert [resting.wishes(title) & moves for title in "abc"] == [
        {"move_down"},
        moves,
        {"move_up"},
    ]
    assert not resting.wishes("other") & moves
    resting.wish("c", "move_up")
    until("a", "c", "b")
    resting.wish("a", "move_down")
    until("c", "a", "b")
    assert resting.wishes("c") & moves == {"move_down"}
    resting.wish("c", "move_up")  # it is the first: nothing happens
    until("c", "a", "b")


def test_a_job_is_queued_once_more_and_leaves_the_list_for_good(
    resting: Shown, controller: Controller, qtbot: QtBot, tmp_path: Path
) -> None:
    resting.wish("a", "duplicate")
    qtbot.waitUntil(lambda: resting.state("a-2") == "waiting", timeout=PATIENCE_MS)
    settings = [(tmp_path / name / "queued.toml").read_text("utf-8") for name in ("a", "a-2")]
    assert settings[0] == settings[1]
    queue = JobQueue.of_this_user()
    queue.ask(queue.jobs()[0].id, "stop")
    qtbot.waitUntil(lambda: resting.state("a") == "stopped", timeout=PATIENCE_MS)
    assert "forget" in resting.wishes("a")
    resting.jobs.dismiss(resting.jobs.jobs[-1].key)
    qtbot.waitUntil(lambda: "a" not in [job.title for job in queue.jobs()], timeout=PATIENCE_MS)
    assert resting.state("a") == ""


def test_a_cancelled_job_can_be_undone_also_when_its_row_was_removed(
    resting: Shown, qtbot: QtBot, tmp_path: Path
) -> None:
    resting.wish("a", "cancel")
    qtbot.waitUntil(lambda: resting.state("a") == "stopped", timeout=PATIENCE_MS)
    assert resting.wishes("a") == {"restore"}
    resting.jobs.dismiss(resting.jobs.jobs[-1].key)
    ((_, undo),) = resting.toasts
    assert undo is not None
    undo()
    qtbot.waitUntil(lambda: resting.state("a") == "waiting", timeout=PATIENCE_MS)
    assert (tmp_path / "a").exists()


def test_a_pause_can_be_taken_back_while_the_job_still_runs(resting: Shown, qtbot: QtBot) -> None:
    queue = JobQueue.of_this_user()
    job = queue.begin_next("cpu")
    assert job is not None
    lock = queue.claim(job.id, job.start)
    assert lock is not None
    qtbot.waitUntil(lambda: resting.state("a") == "running", timeout=PATIENCE_MS)
    resting.wish("a", "pause")
    qtbot.waitUntil(lambda: "resume" in resting.wishes("a"), timeout=PATIENCE_MS)
    assert resting.state("a") == "running"
    resting.wish("a", "resume")
    qtbot.waitUntil(lambda: "pause" in resting.wishes("a"), timeout=PATIENCE_MS)
    lock.release()


def test_a_job_that_another_window_has_forgotten_leaves_the_list(
    resting: Shown, qtbot: QtBot
) -> None:
    queue = JobQueue.of_this_user()
    job = queue.ask(queue.jobs()[0].id, "stop")
    queue.forget(job.id)
    qtbot.waitUntil(lambda: resting.state("a") == "", timeout=PATIENCE_MS)


def test_a_window_that_closes_reports_no_more(
    resting: Shown, controller: Controller, qtbot: QtBot
) -> None:
    before = resting.jobs.jobs
    controller.close()
    controller.queue.listed.emit(())
    controller.queue.refused.emit(Failed("Late.", "Wait."))
    assert (resting.jobs.jobs, resting.toasts) == (before, [])


def test_a_job_of_an_unknown_kind_is_not_offered_twice(
    controller: Controller, qtbot: QtBot, tmp_path: Path
) -> None:
    order = replace(specify_count(tmp_path / "new"), kind="of a newer program")
    JobQueue.of_this_user().add(order)
    controller.queue._attend = lambda queue: None
    shown = Shown(controller)
    qtbot.waitUntil(lambda: shown.state("new") == "waiting", timeout=PATIENCE_MS)
    assert shown.wishes("new") == {"cancel", "show_folder"}


def test_the_folder_of_a_job_is_shown(
    resting: Shown, controller: Controller, qtbot: QtBot, tmp_path: Path
) -> None:
    made = tmp_path / "made"
    kinds = {"count": replace(KINDS["count"], output=lambda folder: made)}
    controller.queue.kinds = kinds
    for expected in (tmp_path / "a", made):
        with qtbot.waitSignal(controller.queue.located, timeout=PATIENCE_MS) as located:
            resting.wish("a", "show_folder")
        assert located.args == [expected]
        made.mkdir(exist_ok=True)


def test_a_run_of_the_command_line_can_be_stopped_from_the_status_bar(
    controller: Controller, qtbot: QtBot
) -> None:
    shown = Shown(controller)
    folder = RunFolder(Folders.of_this_user().runs / "typed")
    folder.path.mkdir(parents=True)
    with at_work(folder) as heartbeat:
        control, stop = ControlFile(folder.control_file, heartbeat.start), StopToken()
        qtbot.waitUntil(lambda: shown.state("typed") == "running", timeout=PATIENCE_MS)
        shown.wish("typed", "cancel")

        def is_asked() -> bool:
            control.pass_on(stop)  # the file is there a moment before its line
            return stop.wish == "stop"

        qtbot.waitUntil(is_asked, timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: shown.state("typed") == "", timeout=PATIENCE_MS)


def test_what_has_lain_in_the_trash_for_too_long_is_deleted_when_the_queue_is_watched(
    controller: Controller, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = JobQueue.of_this_user()
    job = queue.ask(queue.add(specify_count(tmp_path / "a")).id, "cancel")
    assert job.trashed is not None and job.trashed.is_dir()
    monkeypatch.setattr("core.jobs.queue.trash.KEPT_DAYS", -1)
    listed: list[int] = []
    controller.queue.listed.connect(lambda jobs: listed.append(len(jobs)))
    controller.watch_queue()
    qtbot.waitUntil(lambda: listed == [1, 0], timeout=PATIENCE_MS)
    assert not job.trashed.exists()
