"""A child that takes too much for one document is ended, and its parent says which limit it was."""

import os
import signal
import sys
from contextlib import closing
from pathlib import Path

import pytest

from core.events import Failed, Finished
from core.jobs.lanes.child_process import ChildProcess
from core.stop import StopToken
from core.system.limits import Limits, limited, share_taken, told_by_status
from tests.helpers.jobs import GreedyJob, work_for

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX limits"),
    pytest.mark.cold_start,  # a fork begins with more memory
]
_MEMORY = "The document takes more than 1.2\u202fGB of memory, the most that is allowed."
_TIME = "The document takes more than 55\u202fs of processor time, the most that is allowed."
_SPLIT = "Split it into smaller files, and open them one by one."


@pytest.fixture(autouse=True)
def _jobs_of_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("time", _TIME),
        ("memory in pieces", _MEMORY),
        ("memory at once", _MEMORY),
        pytest.param("a search without end", _TIME, marks=pytest.mark.slow),
    ],
)
def test_a_job_that_takes_too_much_is_ended_in_words(what: str, told: str) -> None:
    with closing(ChildProcess()) as process:
        *_, last = process.run(GreedyJob(what), StopToken())
        assert isinstance(last, Failed)
        assert (last.message, last.remedy) == (told, _SPLIT)
        *_, last = process.run(GreedyJob("nothing"), StopToken())
        assert last == Finished("nothing")


def test_what_is_recognised_has_its_time_and_the_next_job_its_own_limits() -> None:
    with closing(ChildProcess()) as process:
        for _ in range(2):
            *_, last = process.run(GreedyJob("recognition"), StopToken())
            assert last == Finished("recognition")


@pytest.mark.parametrize(
    ("what", "told", "guard"),
    [
        ("time", _TIME, "looks"),
        ("memory in pieces", _MEMORY, "looks"),
        ("memory in pieces", _MEMORY, "system"),
        pytest.param("time", _TIME, "system", marks=pytest.mark.slow),
    ],
)
def test_each_guard_ends_a_job_by_itself(what: str, told: str, guard: str) -> None:
    with closing(ChildProcess()) as process:
        *_, last = process.run(GreedyJob(what, guard), StopToken())
    assert isinstance(last, Failed)
    assert last.message == told


def test_a_job_learns_which_share_of_its_limits_it_has_taken() -> None:
    with closing(ChildProcess()) as process:
        *_, last = process.run(GreedyJob("half of both"), StopToken())
    assert isinstance(last, Finished)
    begun, with_memory, with_time = last.result
    assert begun < 0.4 <= with_memory < 0.7 < with_time < 1
    assert share_taken() == 0


def test_the_process_of_a_person_is_never_ended() -> None:
    with limited(Limits(0.0, 0)):
        work_for(0.3)
        held = bytearray(50_000_000)
    assert len(held) == 50_000_000


def test_no_other_end_is_taken_for_a_limit() -> None:
    assert told_by_status(-signal.SIGXCPU) == _TIME
    assert [told_by_status(status) for status in (0, 1, -9, os.EX_SOFTWARE)] == [""] * 4
