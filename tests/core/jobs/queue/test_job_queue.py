"""The queue on disk: whatever is done to it by several windows, no job is lost or done twice."""

import errno
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from core.errors import EpitomeError
from core.events import Event, Failed, Finished, Stopped
from core.jobs.lanes.following import JobFollower
from core.jobs.lanes.kinds import JobKind, specify_again
from core.jobs.queue import trash
from core.jobs.queue.job_queue import JobQueue
from core.jobs.queue.queued import ACTIVE, LASTING, JobSpec, QueuedJob
from core.runs.events_file import EventsFile
from core.storage.files import FileLock, locked
from core.storage.regular_files import rename_patiently
from tests.helpers.queued_jobs import count_up

LANES = ("cpu", "cuda:0")
ENDINGS = (Finished(), Failed("It is wrong.", "Mend it."), Stopped("pause"), Stopped("stop"))


@pytest.fixture
def queue(tmp_path: Path) -> JobQueue:
    return JobQueue(tmp_path / "jobs", tmp_path / "trash")


def add(queue: JobQueue, folder: Path, lane: str = "cpu") -> QueuedJob:
    return queue.add(JobSpec("count", folder.name, lane, folder, {"queued.toml": folder.name}))


class QueueMachine(RuleBasedStateMachine):
    """Two windows and the processes of two lanes, in any order."""

    ids = Bundle("ids")

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp())
        self.windows = [JobQueue(self.root / "jobs", self.root / "trash") for _ in range(2)]
        self.order: list[str] = []
        self.starts: dict[str, list[int]] = {}
        self.locks: dict[str, FileLock] = {}
        self.forgotten: set[str] = set()

    def teardown(self) -> None:
        for lock in self.locks.values():
            lock.release()
        shutil.rmtree(self.root)

    def state_of(self, id: str) -> str:
        job = self.windows[0].job(id)
        return job.state if job else "forgotten"

    @rule(target=ids, window=st.integers(0, 1), lane=st.sampled_from(LANES))
    def add(self, window: int, lane: str) -> str:
        job = add(self.windows[window], self.root / "runs" / str(len(self.order)), lane)
        self.order.append(job.id)
        self.starts[job.id] = []
        return job.id

    @rule(id=ids, window=st.integers(0, 1), wish=st.sampled_from(["pause", "stop", "cancel"]))
    def ask(self, id: str, window: int, wish: str) -> None:
        before = self.state_of(id)
        try:
            job = self.windows[window].ask(id, wish)  # type: ignore[arg-type]
        except EpitomeError:
            ended = before in ("finished", "failed", "stopped", "cancelled")
            may_be_cancelled = wish == "cancel" and before != "cancelled"
            assert before == "forgotten" or (ended and not may_be_cancelled)
            return
        if before in ACTIVE:
            assert (job.state, bool(job.wish)) == (before, True)
        else:
            assert job.state == {"pause": "paused", "stop": "stopped"}.get(wish, "cancelled")

    @rule(id=ids, window=st.integers(0, 1))
    def resume(self, id: str, window: int) -> None:
        before = self.state_of(id)
        try:
            job = self.windows[window].resume(id)
        except EpitomeError:
            assert before in ("forgotten", "finished", "cancelled")
            return
        assert job.state == (before if before in ACTIVE else "waiting")

    @rule(id=ids, other=st.none() | ids)
    def move(self, id: str, other: str | None) -> None:
        try:
            self.windows[0].move(id, other)
        except EpitomeError:
            assert "forgotten" in (self.state_of(id), other and self.state_of(other))
            return
        order = [job.id for job in self.windows[1].jobs()]
        if other is None:
            assert order[-1] == id
        elif other != id:
            assert order.index(id) + 1 == order.index(other)

    @rule(id=ids)
    def undo(self, id: str) -> None:
        before = self.state_of(id)
        try:
            job = self.windows[0].undo_cancel(id)
        except EpitomeError:
            assert before != "cancelled"
            return
        assert job.state not in (*ACTIVE, "cancelled")

    @rule(id=ids)
    def forget(self, id: str) -> None:
        before = self.state_of(id)
        try:
            self.windows[1].forget(id)
            self.forgotten.add(id)
        except EpitomeError:
            assert before in (*LASTING, "forgotten")

    @rule(lane=st.sampled_from(LANES))
    def begin(self, lane: str) -> None:
        jobs = [job for job in self.windows[0].jobs() if job.lane == lane]
        free = not any(job.state in ACTIVE for job in jobs)
        waiting = [job.id for job in jobs if job.state == "waiting"]
        begun = self.windows[0].begin_next(lane)
        assert (begun.id if begun else None) == (waiting[0] if free and waiting else None)
        if begun:
            assert begun.start > max(self.starts[begun.id], default=0)
            self.starts[begun.id].append(begun.start)

    @rule(id=ids, back=st.integers(0, 2))
    def claim(self, id: str, back: int) -> None:
        """A process comes up, perhaps one that was given up long ago."""
        if back >= len(self.starts[id]):
            return
        start = self.starts[id][-1 - back]
        before = self.windows[1].job(id)
        lock = self.windows[1].claim(id, start)
        assert (lock is not None) == (
            before is not None and (before.state, before.start) == ("starting", start)
        )
        if lock is not None:
            assert id not in self.locks, "two processes at once"
            self.locks[id] = lock

    @rule(id=ids, ending=st.sampled_from(ENDINGS))
    def end(self, id: str, ending: Event) -> None:
        """A process that is at work ends, however; or one that came up says it could not."""
        job = self.windows[1].job(id)
        lock = self.locks.pop(id, None)
        if lock is None or job is None:
            return
        lock.release()
        self.windows[1].end(id, job.start, ending)
        ended = self.windows[0].job(id)
        assert ended is not None and ended.state not in ACTIVE and ended.wish == ""

    @rule(id=ids, ending=st.sampled_from(ENDINGS))
    def end_late(self, id: str, ending: Event) -> None:
        """What an earlier start says of its end changes nothing."""
        for start in self.starts[id][:-1]:
            before = self.windows[0].job(id)
            self.windows[0].end(id, start, ending)
            assert self.windows[0].job(id) == before

    @rule(lane=st.sampled_from(LANES))
    def take_back(self, lane: str) -> None:
        self.windows[0].take_back(lane)

    @invariant()
    def the_queue_is_sound(self) -> None:
        first, second = (window.jobs() for window in self.windows)
        assert first == second
        assert {job.id for job in first} == set(self.order) - self.forgotten
        for lane in LANES:
            assert sum(job.lane == lane and job.state in ACTIVE for job in first) <= 1
        for job in first:
            place = job.trashed if job.state == "cancelled" else job.folder
            assert place and (place / "queued.toml").read_text("utf-8") == job.folder.name
            assert (job.id in self.locks) == (job.state == "running")


QueueMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=30)
TestQueue = QueueMachine.TestCase


def test_a_job_of_a_folder_is_queued_once(queue: JobQueue, tmp_path: Path) -> None:
    job = add(queue, tmp_path / "a")
    with pytest.raises(EpitomeError) as error:
        add(queue, tmp_path / "a")
    assert error.value.message == f"A job in {tmp_path / 'a'} has not ended."
    queue.ask(job.id, "stop")
    add(queue, tmp_path / "a")


def test_a_pause_that_is_taken_back_puts_the_job_in_line_again(
    queue: JobQueue, tmp_path: Path
) -> None:
    job, other = add(queue, tmp_path / "a"), add(queue, tmp_path / "b")
    begun = queue.begin_next("cpu")
    assert begun is not None
    lock = queue.claim(job.id, begun.start)
    assert lock is not None
    queue.ask(job.id, "pause")
    queue.resume(job.id)
    lock.release()
    queue.end(job.id, begun.start, Stopped("pause"))
    again = queue.begin_next("cpu")
    assert again is not None and again.id == job.id != other.id


def started(queue: JobQueue, folder: Path) -> QueuedJob:
    """A job whose process is at work."""
    add(queue, folder)
    begun = queue.begin_next("cpu")
    assert begun is not None
    lock = queue.claim(begun.id, begun.start)
    assert lock is not None
    lock.release()
    return begun


def killed_during(monkeypatch: pytest.MonkeyPatch, after: bool) -> None:
    """The next rename of a folder is the last thing this process does, or was about to do."""

    def rename_and_die(source: Path, target: Path) -> None:
        monkeypatch.undo()
        if after:
            rename_patiently(source, target)
        raise KeyboardInterrupt

    monkeypatch.setattr(trash, "rename_patiently", rename_and_die)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("is_running", [False, True])
def test_a_cancel_that_is_killed_is_completed(
    queue: JobQueue,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    is_running: bool,
    after: bool,
) -> None:
    job = started(queue, tmp_path / "a") if is_running else add(queue, tmp_path / "a")
    if is_running:
        queue.ask(job.id, "cancel")
    killed_during(monkeypatch, after)
    with pytest.raises(KeyboardInterrupt):
        if is_running:
            queue.end(job.id, job.start, Stopped("cancel"))
        else:
            queue.ask(job.id, "cancel")
    with pytest.raises(EpitomeError, match="cannot go on: it is cancelled"):
        queue.resume(job.id)
    now = queue.job(job.id)
    assert now is not None and now.trashed is not None and not job.folder.exists()
    restored = queue.undo_cancel(job.id)
    assert restored.state == ("stopped" if is_running else "waiting")
    assert (job.folder / "queued.toml").read_text("utf-8") == "a"


@pytest.mark.parametrize("after", [False, True])
def test_an_undone_cancel_that_is_killed_can_be_undone_again(
    queue: JobQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    job = add(queue, tmp_path / "a")
    queue.ask(job.id, "cancel")
    killed_during(monkeypatch, after)
    with pytest.raises(KeyboardInterrupt):
        queue.undo_cancel(job.id)
    assert queue.undo_cancel(job.id).state == "waiting"
    assert (job.folder / "queued.toml").read_text("utf-8") == "a"


def test_a_folder_on_another_disk_goes_to_a_trash_beside_it(
    queue: JobQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rename_on_its_disk(source: Path, target: Path) -> None:
        if tmp_path / "trash" in target.parents:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        rename_patiently(source, target)

    monkeypatch.setattr(trash, "rename_patiently", rename_on_its_disk)
    job = add(queue, tmp_path / "runs" / "a")
    trashed = queue.ask(job.id, "cancel").trashed
    assert trashed is not None and trashed.is_relative_to(tmp_path / "runs")
    queue.undo_cancel(job.id)
    assert (job.folder / "queued.toml").read_text("utf-8") == "a"


def test_a_folder_that_cannot_go_to_the_trash_stays_whole_and_says_so(
    queue: JobQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(source: Path, target: Path) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    job = started(queue, tmp_path / "a")
    queue.ask(job.id, "cancel")
    monkeypatch.setattr(trash, "rename_patiently", refuse)
    queue.end(job.id, job.start, Stopped("cancel"))
    now = queue.job(job.id)
    assert now is not None and now.failure is not None
    assert (now.state, now.trashed) == ("stopped", None)
    assert "cannot be moved to the trash" in now.failure.message
    assert (job.folder / "queued.toml").read_text("utf-8") == "a"
    with pytest.raises(EpitomeError, match="cannot be moved to the trash"):
        queue.ask(job.id, "cancel")
    assert queue.job(job.id) == now


def test_a_long_name_goes_to_the_trash(queue: JobQueue, tmp_path: Path) -> None:
    job = add(queue, tmp_path / ("n" * 250))
    assert queue.ask(job.id, "cancel").state == "cancelled"
    queue.undo_cancel(job.id)
    assert job.folder.is_dir()


def test_the_job_that_ended_last_is_never_dropped(queue: JobQueue, tmp_path: Path) -> None:
    long = started(queue, tmp_path / "long")
    follower = JobFollower(queue, long.id)
    others = []
    for number in range(50):
        add(queue, tmp_path / str(number), "cuda:0")
        job = queue.begin_next("cuda:0")
        assert job is not None
        queue.end(job.id, job.start, Finished())
        others.append(job.id)
    queue.end(long.id, long.start, Finished())
    assert [job.id for job in queue.jobs()] == [long.id, *others[1:]]
    assert follower.poll() == [Finished()]


def test_a_job_that_left_the_list_is_told_by_its_last_event(
    queue: JobQueue, tmp_path: Path
) -> None:
    job = started(queue, tmp_path / "a")
    follower = JobFollower(queue, job.id)
    follower.poll()
    EventsFile(job.folder / "events.jsonl").append(Finished("a result"))
    queue.end(job.id, job.start, Finished())
    queue.forget(job.id)
    told = [event for _ in range(2) for event in follower.poll()]
    assert told == [Finished("a result")]


@pytest.mark.parametrize(
    ("wishes", "state"),
    [(("pause", "stop"), "stopped"), (("stop", "pause"), "paused"), (("pause",), "paused")],
)
def test_the_last_wish_counts(
    queue: JobQueue, tmp_path: Path, wishes: tuple[Any, ...], state: str
) -> None:
    job = started(queue, tmp_path / "a")
    for wish in wishes:
        queue.ask(job.id, wish)
    queue.end(job.id, job.start, Stopped(wishes[0]))
    now = queue.job(job.id)
    assert now is not None and now.state == state


def test_of_each_folder_one_job_waits(queue: JobQueue, tmp_path: Path) -> None:
    first = add(queue, tmp_path / "a")
    queue.ask(first.id, "stop")
    add(queue, tmp_path / "a")
    with pytest.raises(EpitomeError, match="has not ended"):
        queue.resume(first.id)
    third = add(queue, tmp_path / "b")
    queue.ask(third.id, "cancel")
    add(queue, tmp_path / "b")
    with pytest.raises(EpitomeError, match="has not ended"):
        queue.undo_cancel(third.id)


def test_at_the_end_of_the_session_jobs_at_work_are_paused(queue: JobQueue, tmp_path: Path) -> None:
    first, second = add(queue, tmp_path / "a"), add(queue, tmp_path / "b")
    begun = queue.begin_next("cpu")
    assert begun is not None and begun.id == first.id
    lock = queue.claim(first.id, begun.start)
    assert lock is not None
    queue.pause_running()
    asked, waiting = queue.job(first.id), queue.job(second.id)
    assert asked is not None and asked.wish == "pause"
    assert waiting is not None and (waiting.state, waiting.wish) == (second.state, second.wish)
    queue.end(first.id, begun.start, Stopped("pause"))
    lock.release()
    queue.pause_running()  # none is at work
    ended = queue.job(first.id)
    assert ended is not None and ended.state == "paused"


def test_a_request_carries_the_number_of_its_start(queue: JobQueue, tmp_path: Path) -> None:
    job = add(queue, tmp_path / "a")
    begun = queue.begin_next("cpu")
    queue.ask(job.id, "pause")
    told = json.loads((tmp_path / "a" / "control.jsonl").read_text("utf-8"))
    assert begun and told == {"wish": "pause", "start": begun.start}


@pytest.mark.parametrize("damage", ["{", "", "[]", '{"version": "x", "jobs": []}'])
def test_a_damaged_queue_is_set_aside_and_said_once(
    queue: JobQueue, tmp_path: Path, damage: str
) -> None:
    add(queue, tmp_path / "a")
    file = tmp_path / "jobs" / "queue.json"
    file.write_text(damage, "utf-8")
    with pytest.raises(EpitomeError) as error:
        queue.jobs()
    assert error.value.message == (
        f"The queue of jobs {file} is damaged; it was renamed to queue.damaged.json."
    )
    assert queue.jobs() == []


@pytest.mark.parametrize("look", [JobQueue.jobs, lambda queue: queue.begin_next("cpu")])
def test_a_process_without_a_user_leaves_a_damaged_queue_for_one_that_reports_it(
    queue: JobQueue, tmp_path: Path, look: Callable[[JobQueue], object]
) -> None:
    add(queue, tmp_path / "a")
    file = tmp_path / "jobs" / "queue.json"
    file.write_text("{", "utf-8")
    with pytest.raises(EpitomeError, match=r"is damaged\."):
        look(JobQueue(queue.folder, tmp_path / "trash", sets_aside=False))
    with pytest.raises(EpitomeError, match=r"it was renamed to queue\.damaged\.json"):
        queue.jobs()


def test_a_folder_with_other_files_is_refused(queue: JobQueue, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.docx").touch()
    with pytest.raises(EpitomeError) as error:
        add(queue, tmp_path / "mine")
    assert error.value.message == (
        f"{tmp_path / 'mine'} holds other files (thesis.docx); a run needs a new folder."
    )
    assert queue.jobs() == []


def test_a_folder_that_is_not_utf8_can_be_queued_and_cancelled(
    queue: JobQueue, tmp_path: Path
) -> None:
    job = add(queue, tmp_path / "Bogot\udce1")
    assert queue.jobs() == [job]
    queue.ask(job.id, "cancel")
    assert queue.undo_cancel(job.id).folder.is_dir()


def test_a_queue_nested_too_deep_is_set_aside(queue: JobQueue, tmp_path: Path) -> None:
    add(queue, tmp_path / "a")
    (tmp_path / "jobs" / "queue.json").write_text("[" * 200_000, "utf-8")
    with pytest.raises(EpitomeError, match=r"it was renamed to queue\.damaged\.json"):
        queue.jobs()
    assert queue.jobs() == []


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes")
def test_a_pipe_in_the_place_of_the_queue_is_told_at_once(queue: JobQueue, tmp_path: Path) -> None:
    (tmp_path / "jobs").mkdir()
    os.mkfifo(tmp_path / "jobs" / "queue.json")
    with pytest.raises(EpitomeError, match="it is a named pipe, not a file"):
        queue.jobs()


def test_a_queue_that_was_replaced_meanwhile_is_not_set_aside(
    queue: JobQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = add(queue, tmp_path / "a")
    file = tmp_path / "jobs" / "queue.json"
    good = file.read_bytes()
    file.write_text("{", "utf-8")

    @contextmanager
    def mended_before_it_is_locked(path: Path) -> Iterator[None]:
        file.write_bytes(good)
        with locked(path):
            yield

    monkeypatch.setattr("core.jobs.queue.queue_file.locked", mended_before_it_is_locked)
    assert queue.jobs() == [job]


def test_the_queue_of_a_newer_program_is_left_alone(queue: JobQueue, tmp_path: Path) -> None:
    add(queue, tmp_path / "a")
    file = tmp_path / "jobs" / "queue.json"
    newer = file.read_text("utf-8").replace('"version": 1', '"version": 2')
    file.write_text(newer, "utf-8")
    with pytest.raises(
        EpitomeError, match="was made by a newer Epitome, and this version leaves it alone"
    ):
        queue.jobs()
    assert file.read_text("utf-8") == newer


def test_a_start_that_was_given_up_neither_takes_nor_ends_the_next(
    queue: JobQueue, tmp_path: Path
) -> None:
    add(queue, tmp_path / "a")
    first = queue.begin_next("cpu")
    queue.take_back("cpu")
    second = queue.begin_next("cpu")
    assert first is not None and second is not None and first.start < second.start
    assert queue.claim(first.id, first.start) is None
    queue.end(first.id, first.start, Finished())
    assert queue.job(first.id) == second
    lock = queue.claim(second.id, second.start)
    assert lock is not None
    lock.release()


def test_the_same_work_is_queued_once_more(queue: JobQueue, tmp_path: Path) -> None:
    kinds = {"count": JobKind(count_up)}
    first = add(queue, tmp_path / "a")
    for name in ("a-2", "a-3"):
        again = queue.add(specify_again(first, kinds))
        assert (again.title, again.folder, again.state) == (name, tmp_path / name, "waiting")
        assert (again.folder / "queued.toml").read_text("utf-8") == "a"
    queue.ask(first.id, "cancel")
    with pytest.raises(EpitomeError) as error:
        specify_again(first, kinds)
    assert error.value.remedy == "Take the job back from the trash, or set up a new one."
