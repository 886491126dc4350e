"""Queued jobs run one after another in processes of their own, whoever else is killed."""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from core.errors import EpitomeError
from core.events import Event, Failed, Finished, Progress, Started, Stopped
from core.jobs.lanes import lane
from core.jobs.lanes.following import JobFollower
from core.jobs.queue.job_queue import JobQueue
from core.jobs.queue.queued import QueuedJob
from core.runs.events_file import EventsFile, read_events
from core.storage.files import is_held
from core.system import processes
from tests.helpers.killing import KILL, KILLED
from tests.helpers.queued_jobs import (
    KINDS,
    ROOT,
    Counted,
    attend,
    end_all,
    job_command,
    processes_of,
    queue_count,
)

PATIENCE = 5_000  # looks; an upper bound, never a wait
PAUSE = threading.Event()
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")


@pytest.fixture
def queue(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[JobQueue]:
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}{os.pathsep}{os.environ['PYTHONPATH']}")
    yield JobQueue.of_this_user()
    end_all(home)


def follow(
    queue: JobQueue, job: QueuedJob, until: Callable[[Event], bool] | None = None
) -> list[Event]:
    """What a job tells, up to an event or its end."""
    follower, told = JobFollower(queue, job.id, KINDS), []
    for _ in range(PATIENCE):
        if follower.over:
            return told
        PAUSE.wait(0.02)
        for event in follower.poll():
            told.append(event)
            if until and until(event):
                return told
    raise AssertionError(f"it did not end: {told}")


def counted(number: int) -> Callable[[Event], bool]:
    return lambda event: event == Counted(number)


def state(queue: JobQueue, job: QueuedJob) -> str:
    return next(each.state for each in queue.jobs() if each.id == job.id)


def attend_until_over(queue: JobQueue, job: QueuedJob) -> None:
    """As a window does, which attends whenever it looks: one look may find the lock held."""
    for _ in range(PATIENCE):
        attend(queue)
        if state(queue, job) != "running":
            return
        PAUSE.wait(0.5)


def pid_of(job: QueuedJob) -> int:
    pid: int = json.loads((job.folder / "process.json").read_text("utf-8"))["pid"]
    return pid


def starts(job: QueuedJob) -> int:
    return (job.folder / "starts.txt").read_text("utf-8").count("\n")


def all_over(home: Path) -> None:
    psutil.wait_procs(processes_of(home))


def test_a_lane_leaves_a_damaged_queue_for_the_window_to_report(queue: JobQueue) -> None:
    queue.folder.mkdir(parents=True)
    (queue.folder / "queue.json").write_text("{", "utf-8")
    with pytest.raises(EpitomeError):
        lane.main("cpu")
    with pytest.raises(EpitomeError, match=r"it was renamed to queue\.damaged\.json"):
        queue.jobs()


@pytest.mark.cold_start
def test_queued_jobs_are_done_in_order_and_then_nothing_runs(
    queue: JobQueue, home: Path, tmp_path: Path
) -> None:
    first, second = (queue_count(queue, tmp_path / name) for name in ("a", "b"))
    attend(queue)
    for job in (first, second):
        told = follow(queue, job)
        assert [each for each in told if not isinstance(each, Progress)] == [
            Started("Counting up"), Counted(1), Counted(2), Counted(3), Finished({"sum": 6}),
        ]  # fmt: skip
    all_over(home)
    ended = [(job.folder / "process.json").stat().st_mtime for job in (first, second)]
    assert ended == sorted(ended)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no groups of processes")
def test_a_window_that_is_killed_leaves_its_job_and_another_finds_it(
    queue: JobQueue, tmp_path: Path
) -> None:
    window = (
        "import os, signal; from tests.helpers.queued_jobs import *; from pathlib import Path\n"
        "queue = JobQueue.of_this_user()\n"
        f"queue_count(queue, Path({str(tmp_path / 'a')!r}), then='wait'); attend(queue)\n"
        "os.killpg(os.getpid(), signal.SIGKILL)"
    )
    ended = subprocess.run([sys.executable, "-c", window], start_new_session=True, check=False)
    assert ended.returncode == -signal.SIGKILL
    (job,) = queue.jobs()
    follow(queue, job, until=counted(3))
    queue.ask(job.id, "pause")
    assert follow(queue, job)[-1] == Stopped("pause")
    assert state(queue, job) == "paused"


def test_a_paused_job_goes_on_and_only_the_next_waits(queue: JobQueue, tmp_path: Path) -> None:
    job, other = queue_count(queue, tmp_path / "a", then="wait"), queue_count(queue, tmp_path / "b")
    attend(queue)
    follow(queue, job, until=counted(3))
    queue.ask(job.id, "pause")
    assert follow(queue, job)[-1] == Stopped("pause")
    assert follow(queue, other)[-1] == Finished({"sum": 6})
    queue.resume(job.id)
    attend(queue)
    told = follow(queue, job)
    assert [each.number for each in told if isinstance(each, Counted)] == [1, 2, 3]
    assert told[-1] == Finished({"sum": 6})
    assert starts(job) == 2


def test_a_killed_job_is_told_and_the_next_one_runs(queue: JobQueue, tmp_path: Path) -> None:
    job, other = queue_count(queue, tmp_path / "a", then="wait"), queue_count(queue, tmp_path / "b")
    attend(queue)
    follow(queue, job, until=counted(3))
    os.kill(pid_of(job), KILL)
    failure = follow(queue, job)[-1]
    assert failure == Failed(
        f"Its process ended early: {KILLED}.",
        "Resume it: it goes on from what it has kept. Its log is in its folder.",
        kind="killed",
    )
    assert read_events(job.folder / "events.jsonl")[-1].kind == "Failed"
    assert isinstance(follow(queue, other)[-1], Finished)
    queue.resume(job.id)
    attend(queue)
    assert isinstance(follow(queue, job)[-1], Finished)


def test_a_job_that_crashes_leaves_its_stacks_in_the_details(
    queue: JobQueue, tmp_path: Path
) -> None:
    job = queue_count(queue, tmp_path / "a", then="crash")
    attend(queue)
    failure = follow(queue, job)[-1]
    assert isinstance(failure, Failed) and "SIGSEGV" in failure.message
    assert failure.details.startswith("Fatal Python error: Segmentation fault")
    assert "tests/helpers/queued_jobs.py" in failure.details
    queue.resume(job.id)
    attend(queue)
    assert isinstance(follow(queue, job)[-1], Finished)


def test_the_window_comes_before_its_jobs_on_the_processor(queue: JobQueue, tmp_path: Path) -> None:
    job = queue_count(queue, tmp_path / "a", then="wait")
    attend(queue)
    follow(queue, job, until=counted(3))
    assert psutil.Process(pid_of(job)).nice() >= 5
    queue.ask(job.id, "pause")
    assert follow(queue, job)[-1] == Stopped("pause")


def test_a_terminated_job_is_paused(queue: JobQueue, tmp_path: Path) -> None:
    job = queue_count(queue, tmp_path / "a", then="wait")
    attend(queue)
    follow(queue, job, until=counted(3))
    os.kill(pid_of(job), signal.SIGTERM)
    assert follow(queue, job)[-1] == Stopped("pause")
    assert state(queue, job) == "paused"


def claimed(queue: JobQueue, job: QueuedJob) -> QueuedJob:
    """A job whose process came up and is gone, without anybody to see why."""
    begun = queue.begin_next(job.lane)
    assert begun is not None and begun.id == job.id
    lock = queue.claim(job.id, begun.start)
    assert lock is not None
    lock.release()
    return begun


def test_a_job_under_which_the_machine_was_switched_off_goes_on(
    queue: JobQueue, tmp_path: Path
) -> None:
    job = queue_count(queue, tmp_path / "a")
    claimed(queue, job)
    file = job.folder / "process.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | {"started": 1.0}), "utf-8")
    lane.main("cpu", job_command)
    assert state(queue, job) == "finished"


def test_a_process_that_dies_after_its_last_event_has_ended_so(
    queue: JobQueue, tmp_path: Path
) -> None:
    job = queue_count(queue, tmp_path / "a")
    events = EventsFile(job.folder / "events.jsonl")
    events.append(Stopped("pause"))  # of an earlier start
    claimed(queue, job)
    events.append(Finished("whole"))
    lane.main("cpu", job_command)
    assert state(queue, job) == "finished"
    assert [each.kind for each in read_events(events.path)] == ["Stopped", "Finished"]


def test_a_job_that_the_kernel_ends_for_want_of_memory_says_so(
    queue: JobQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counters = tmp_path / "vmstat"
    counters.write_text("pgfault 7\noom_kill 4\n", "utf-8")
    monkeypatch.setattr(processes, "_VM_COUNTERS", counters)
    added = queue_count(queue, tmp_path / "a")
    job = queue.begin_next(added.lane)
    assert job is not None
    killed = (
        "import os, signal, sys; open(sys.argv[1], 'w').write('oom_kill 5'); "
        "os.kill(os.getpid(), 9)"
    )
    command = [sys.executable, "-c", killed, str(counters)]
    lane._watch(queue, job, processes.start_detached(command, tmp_path / "log.txt"))
    (ended,) = queue.jobs()
    assert ended.failure == Failed(
        "The system ended its process because the memory of the machine ran out.",
        "Close other programs or use less memory, then resume it.",
        kind="memory",
    )


def test_the_end_of_an_earlier_start_is_not_taken_for_that_of_the_last(
    queue: JobQueue, tmp_path: Path
) -> None:
    job = queue_count(queue, tmp_path / "a")
    EventsFile(job.folder / "events.jsonl").append(Finished())
    claimed(queue, job)
    lane.main("cpu", job_command)
    assert state(queue, job) == "failed"


def test_a_job_whose_folder_is_gone_ends_and_the_next_one_runs(
    queue: JobQueue, tmp_path: Path
) -> None:
    job, other = queue_count(queue, tmp_path / "a"), queue_count(queue, tmp_path / "b")
    claimed(queue, job)
    shutil.rmtree(job.folder)
    lane.main("cpu", job_command)
    assert (state(queue, job), state(queue, other)) == ("failed", "finished")


def test_an_end_that_cannot_be_written_is_written_later(
    queue: JobQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = queue_count(queue, tmp_path / "a")
    claimed(queue, job)
    EventsFile(job.folder / "events.jsonl").append(Finished())
    fsync = os.fsync

    def refuse(number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", refuse)
    monkeypatch.setattr(lane.time, "sleep", lambda _: monkeypatch.setattr(os, "fsync", fsync))
    lane.main("cpu", job_command)
    assert state(queue, job) == "finished"


def test_a_job_that_fails_tells_why(queue: JobQueue, tmp_path: Path) -> None:
    job = queue_count(queue, tmp_path / "a", then="fail")
    attend(queue)
    assert follow(queue, job)[-1] == Failed("This is wrong.", "Do that.", kind="test")


def test_whoever_starts_jobs_may_be_killed(queue: JobQueue, home: Path, tmp_path: Path) -> None:
    job, other = queue_count(queue, tmp_path / "a", then="wait"), queue_count(queue, tmp_path / "b")
    attend(queue)
    follow(queue, job, until=counted(3))
    (watcher,) = [process for process in processes_of(home) if process.pid != pid_of(job)]
    os.kill(watcher.pid, KILL)
    psutil.wait_procs([watcher])
    attend(queue)
    queue.ask(job.id, "stop")
    assert follow(queue, job)[-1] == Stopped("stop")
    assert isinstance(follow(queue, other)[-1], Finished)
    assert starts(job) == starts(other) == 1


def test_a_job_that_was_killed_with_its_watcher_is_told(
    queue: JobQueue, home: Path, tmp_path: Path
) -> None:
    job = queue_count(queue, tmp_path / "a", then="wait")
    attend(queue)
    follow(queue, job, until=counted(3))
    watcher = [process for process in processes_of(home) if process.pid != pid_of(job)]
    for process in (*watcher, psutil.Process(pid_of(job))):
        process.kill()
    all_over(home)
    assert state(queue, job) == "running"
    attend_until_over(queue, job)
    failure = follow(queue, job)[-1]
    assert isinstance(failure, Failed)
    assert failure.message == (
        "Its process ended early: the reason is unknown, because no other process watched it."
    )


def test_two_windows_never_both_start_a_job(queue: JobQueue, home: Path, tmp_path: Path) -> None:
    jobs = [queue_count(queue, tmp_path / str(number), top=1) for number in range(3)]
    window = (
        "from tests.helpers.queued_jobs import *\n"
        "queue = JobQueue.of_this_user()\n"
        "for _ in range(3): attend(queue)"
    )
    windows = [subprocess.Popen([sys.executable, "-c", window]) for _ in range(2)]
    for process in windows:
        assert process.wait() == 0
    all_over(home)
    assert [state(queue, job) for job in jobs] == ["finished"] * 3
    assert [starts(job) for job in jobs] == [1] * 3


def test_a_process_that_comes_too_late_does_nothing(queue: JobQueue, tmp_path: Path) -> None:
    job = queue_count(queue, tmp_path / "a")
    late = queue.begin_next("cpu")
    assert late is not None
    queue.take_back("cpu")  # its watcher was killed, and nothing was heard of the process
    attend(queue)
    follow(queue, job)
    subprocess.run(job_command(late.id, late.start), check=True)
    assert starts(job) == 1


@pytest.mark.parametrize("then", ["wait", "deaf"])
def test_a_cancelled_job_lies_in_the_trash_and_can_be_taken_back(
    queue: JobQueue, tmp_path: Path, then: str
) -> None:
    job = queue_count(queue, tmp_path / "a", then=then)
    attend(queue)
    follow(queue, job, until=counted(3))
    queue.ask(job.id, "cancel")
    assert follow(queue, job)[-1] == Stopped("cancel")
    assert not job.folder.exists()
    assert queue.undo_cancel(job.id).state == "stopped"
    assert (job.folder / "kept.txt").read_text("utf-8") == "3"


def test_jobs_of_different_devices_run_side_by_side(queue: JobQueue, tmp_path: Path) -> None:
    jobs = [queue_count(queue, tmp_path / name, then="wait", lane=name) for name in ("cpu", "mps")]
    attend(queue)
    for job in jobs:
        follow(queue, job, until=counted(3))
    assert [state(queue, job) for job in jobs] == ["running", "running"]
    assert all(is_held(queue.lane_lock(job.lane)) for job in jobs)


def test_a_process_that_cannot_be_started_is_told(queue: JobQueue, tmp_path: Path) -> None:
    job = queue_count(queue, tmp_path / "a")
    lane.main("cpu", lambda id, start: [str(tmp_path / "no such program")])
    assert state(queue, job) == "failed"
