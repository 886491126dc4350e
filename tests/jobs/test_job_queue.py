"""The queue on disk: whatever is done to it by several windows, no job is lost or done twice."""

import json
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from core.errors import EpitomeError
from core.events import Event, Failed, Finished, Stopped
from core.files import FileLock
from core.jobs.job_queue import JobQueue
from core.jobs.kinds import JobKind, order_again
from core.jobs.queued import ACTIVE, LASTING, JobOrder, QueuedJob
from tests.helpers.queued_jobs import count_up

LANES = ("cpu", "cuda:0")
ENDINGS = (Finished(), Failed("It is wrong.", "Mend it."), Stopped("pause"), Stopped("stop"))


@pytest.fixture
def queue(tmp_path: Path) -> JobQueue:
    return JobQueue(tmp_path / "jobs", tmp_path / "trash")


def add(queue: JobQueue, folder: Path, lane: str = "cpu") -> QueuedJob:
    def freeze() -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "queued.toml").write_text(folder.name)

    return queue.add(JobOrder("count", folder.name, lane, folder, freeze))


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
            assert place and (place / "queued.toml").read_text() == job.folder.name
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


def test_a_request_carries_the_number_of_its_start(queue: JobQueue, tmp_path: Path) -> None:
    job = add(queue, tmp_path / "a")
    begun = queue.begin_next("cpu")
    queue.ask(job.id, "pause")
    told = json.loads((tmp_path / "a" / "control.jsonl").read_text())
    assert begun and told == {"wish": "pause", "start": begun.start}


def test_a_damaged_queue_is_set_aside_and_said_once(queue: JobQueue, tmp_path: Path) -> None:
    add(queue, tmp_path / "a")
    file = tmp_path / "jobs" / "queue.json"
    file.write_text("{")
    with pytest.raises(EpitomeError) as error:
        queue.jobs()
    assert error.value.message == (
        f"The queue of jobs {file} is damaged; it was renamed to queue.damaged.json."
    )
    assert queue.jobs() == []


def test_the_queue_of_a_newer_program_is_left_alone(queue: JobQueue, tmp_path: Path) -> None:
    add(queue, tmp_path / "a")
    file = tmp_path / "jobs" / "queue.json"
    newer = file.read_text().replace('"version": 1', '"version": 2')
    file.write_text(newer)
    with pytest.raises(EpitomeError, match="has version 2; this program reads version 1"):
        queue.jobs()
    assert file.read_text() == newer


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
        again = queue.add(order_again(first, kinds))
        assert (again.title, again.folder, again.state) == (name, tmp_path / name, "waiting")
        assert (again.folder / "queued.toml").read_text() == "a"
    queue.ask(first.id, "cancel")
    with pytest.raises(EpitomeError) as error:
        order_again(first, kinds)
    assert error.value.remedy == "Take the job back from the trash, or set up a new one."
