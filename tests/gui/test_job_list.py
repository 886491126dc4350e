"""The list of jobs, without a window."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from gui.job_list import MOST_EARLIER, JobList, JobState, counts, time_left


class Clock:
    """Seconds that go on when they are told to."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def test_running_jobs_come_before_waiting_and_ended_ones() -> None:
    jobs = JobList()
    jobs.report("old", "Old")
    jobs.end("old", "done", "Done.")
    jobs.report("next", "Next", "waiting")
    jobs.report("held", "Held", "paused")
    jobs.report("now", "Now")
    assert [job.key for job in jobs.jobs] == ["now", "held", "next", "old"]
    assert jobs.front is not None and jobs.front.key == "now"
    assert counts(jobs.jobs) == "1 running, 1 paused, 1 waiting, 1 done"


def test_time_left_is_told_when_enough_is_known() -> None:
    clock = Clock()
    jobs = JobList(clock)

    def left(share: float | None, after_s: float, state: str = "running") -> float | None:
        clock.seconds += after_s
        jobs.report("a", "A", state, share=share)  # type: ignore[arg-type]
        return jobs.jobs[0].left_s

    assert left(0.0, 0) is None
    assert left(0.01, 10) is None, "too little is done"
    assert left(0.1, 10) == pytest.approx(180)
    assert left(None, 10) is None
    assert left(0.2, 50, "paused") is None
    assert left(0.2, 1000) is None, "the pause does not count"
    assert left(0.4, 10) == pytest.approx(30)
    assert left(0.1, 5) is None, "another part of the work began"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, ""),
        (3, "about 10 s left"),
        (44, "about 40 s left"),
        (57, "about 1 min left"),
        (170, "about 3 min left"),
        (7_700, "about 2 h 10 min left"),
        (7_100, "about 2 h left"),
    ],
)
def test_time_left_is_told_in_few_digits(seconds: float | None, words: str) -> None:
    assert time_left(seconds).replace("\u202f", " ") == words


@given(st.floats(0, 1e7))
def test_time_left_never_says_nothing_or_sixty_minutes(seconds: float) -> None:
    words = time_left(seconds)
    assert words.startswith("about ") and "about 0" not in words
    assert "60\u202fmin" not in words and "60\u202fs" not in words


def test_a_wish_reaches_only_a_job_that_can_follow_it() -> None:
    jobs, heard = JobList(), []
    jobs.report("a", "A", can_pause=True, obey=heard.append)
    jobs.report("b", "B", obey=lambda wish: heard.append(f"b {wish}"))
    jobs.wish("b", "pause")
    jobs.wish("a", "resume")
    jobs.wish("gone", "cancel")
    assert heard == []
    assert jobs.toggle_pause()
    jobs.report("a", "A", "paused", can_pause=True, obey=heard.append)
    assert jobs.toggle_pause()
    jobs.wish("b", "cancel")
    assert heard == ["pause", "resume", "b cancel"]
    jobs.end("a", "stopped")
    jobs.wish("a", "cancel")
    assert len(heard) == 3


@pytest.mark.parametrize("state", ["failed", "stopped"])
def test_a_job_that_failed_or_was_stopped_can_be_resumed(state: JobState) -> None:
    jobs, heard = JobList(), []
    jobs.report("a", "A", can_pause=True, obey=heard.append)
    jobs.end("a", state, "Why.", obey=heard.append)
    assert not jobs.toggle_pause()  # the key is for what has not ended
    jobs.wish("a", "cancel")
    assert heard == []
    jobs.wish("a", "resume")
    assert heard == ["resume"]
    jobs.report("a", "A", "waiting", can_pause=True, obey=heard.append)
    assert [(job.key, job.state) for job in jobs.jobs] == [("a", "waiting")]


def test_escape_cancels_short_work_alone() -> None:
    jobs, heard = JobList(), []
    jobs.report("train", "Training", obey=heard.append)
    assert not jobs.escape()
    jobs.report("read", "Reading", by_escape=True, obey=heard.append)
    assert jobs.escape()
    assert heard == ["cancel"]


def test_the_key_resumes_the_job_that_was_just_paused() -> None:
    jobs, heard = JobList(), []

    def report(key: str, state: JobState, *, is_pausing: bool = False) -> None:
        obey = lambda wish: heard.append(f"{key} {wish}")  # noqa: E731
        jobs.report(key, key, state, can_pause=True, is_pausing=is_pausing, obey=obey)

    report("a", "running")
    report("b", "waiting")
    jobs.toggle_pause()
    report("a", "paused")
    report("b", "running")  # it took the free device
    jobs.toggle_pause()
    assert heard == ["a pause", "a resume"]
    report("a", "waiting")
    jobs.toggle_pause()
    assert heard[2:] == ["b pause"], "now the one that runs"
    jobs.toggle_pause()
    assert heard[3:] == ["b resume"], "also while it is still pausing"
    report("b", "running", is_pausing=True)
    jobs.wish("b", "resume")
    assert heard[4:] == ["b resume"], "a pause can be taken back"


def test_the_key_forgets_a_paused_job_that_was_resumed_elsewhere() -> None:
    jobs, heard = JobList(), []
    states: tuple[JobState, ...] = ("running", "paused", "running")
    for state in states:
        jobs.report("a", "A", state, can_pause=True, obey=heard.append)
        if state == "running":
            jobs.toggle_pause()
    assert heard == ["pause", "pause"]


def test_what_ended_in_this_sitting_stays_until_it_is_dismissed() -> None:
    jobs, heard = JobList(), []
    for number in range(MOST_EARLIER + 3):
        jobs.report(f"old {number}", "Job", "done")
    for number in range(MOST_EARLIER + 3):
        jobs.report(str(number), "Job")
        jobs.end(str(number), "failed", "Why.", offers=frozenset({"forget"}), obey=heard.append)
    newest = [str(n) for n in range(MOST_EARLIER + 2, -1, -1)]
    earlier = [f"old {n}" for n in range(MOST_EARLIER + 2, 2, -1)]
    assert [job.key for job in jobs.jobs] == newest + earlier
    assert (jobs.last_word, jobs.last_state) == ("Why.", "failed")
    jobs.report("alive", "Alive")
    for key in ("10", "alive"):
        jobs.dismiss(key)
    assert [job.key for job in jobs.jobs] == ["alive", *newest[1:], *earlier]
    assert heard == ["forget"]


def test_a_cancelled_job_offers_to_be_restored() -> None:
    jobs, heard = JobList(), []
    jobs.report("a", "A", obey=heard.append)
    jobs.end("a", "stopped", "In the trash.", offers=frozenset({"restore"}), obey=heard.append)
    assert jobs.jobs[0].wishes == {"restore"}
    jobs.wish("a", "restore")
    jobs.wish("a", "move_up")
    assert heard == ["restore"]


def test_jobs_are_listed_in_the_order_of_the_queue() -> None:
    jobs = JobList()
    jobs.report("run", "Run")
    jobs.report("reading", "Reading")
    for key in "abc":
        jobs.report(key, key, "waiting")
    told: list[bool] = []
    jobs.listen(lambda: told.append(True))
    jobs.arrange(["c", "run", "a", "gone", "b"])
    assert [job.key for job in jobs.jobs] == ["reading", "run", "c", "a", "b"]
    jobs.arrange(["c", "run", "a", "b"])
    assert len(told) == 1, "nothing changed"


class Jobs(RuleBasedStateMachine):
    """Whatever is reported, the list holds each job once, in order, and tells of each change."""

    keys = st.sampled_from("abcd")
    states = st.sampled_from(["waiting", "running", "paused", "done", "stopped", "failed"])

    def __init__(self) -> None:
        super().__init__()
        self.jobs, self.told, self.reported = JobList(Clock()), 0, {}
        self.jobs.listen(self.count)

    def count(self) -> None:
        self.told += 1

    @rule(key=keys, state=states, share=st.none() | st.floats(0, 1))
    def report(self, key: str, state: str, share: float | None) -> None:
        before = self.told
        self.jobs.report(key, key, state, share=share)  # type: ignore[arg-type]
        self.reported[key] = state
        assert self.told == before + 1

    @rule(key=keys, stays=st.booleans())
    def end(self, key: str, stays: bool) -> None:
        self.jobs.end(key, "done", stays=stays)
        if self.reported.get(key) in ("done", "stopped", "failed"):
            return
        if stays and key in self.reported:
            self.reported[key] = "done"
        else:
            self.reported.pop(key, None)

    @rule(order=st.permutations("abcd"))
    def arrange(self, order: list[str]) -> None:
        self.jobs.arrange(order)

    @rule(key=keys)
    def remove(self, key: str) -> None:
        self.jobs.remove(key)
        self.reported.pop(key, None)

    @rule(key=keys)
    def dismiss(self, key: str) -> None:
        self.jobs.dismiss(key)
        if self.reported.get(key) in ("done", "stopped", "failed"):
            del self.reported[key]

    @invariant()
    def list_is_what_was_reported(self) -> None:
        assert {job.key: job.state for job in self.jobs.jobs} == self.reported
        ended = [job.has_ended for job in self.jobs.jobs]
        assert ended == sorted(ended)
        assert all(job.left_s is None for job in self.jobs.jobs if job.state != "running")


TestJobs = Jobs.TestCase
