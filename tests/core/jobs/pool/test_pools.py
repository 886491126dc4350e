"""Numbered jobs done here or in other processes: few are in hand, and their events are in order."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from core.events import Event, Failed, Finished
from core.jobs.pool.choice import num_processes
from core.jobs.pool.inline_pool import InlinePool
from core.jobs.pool.ordered import OrderedJobs
from core.jobs.pool.pool import JobFeed, Pool
from core.jobs.pool.process_pool import ProcessPool
from core.stop import Stopping, StopToken
from tests.helpers.jobs import CountJob, DyingJob

OpenPool = Callable[[StopToken], Pool]


@pytest.fixture(autouse=True)
def jobs_can_be_imported_by_the_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[4]))


@pytest.fixture(params=[InlinePool, lambda stop: ProcessPool(2)], ids=["here", "processes"])
def open_pool(request: pytest.FixtureRequest) -> OpenPool:
    """Each kind of workers of this machine; `tests/core/jobs/cluster` has those of a cluster."""
    found: OpenPool = request.param
    return found


def sum_to(number: int) -> Finished:
    """The end of a `CountJob`."""
    return Finished(sum(range(number + 1)))


def last_of(jobs: OrderedJobs, number: int) -> Event:
    *_, last = jobs.follow(number)
    return last


def test_events_come_in_the_order_of_the_jobs_and_few_jobs_are_made_ahead(
    open_pool: OpenPool,
) -> None:
    made: list[int] = []
    stop, total = StopToken(), 20

    def make(number: int, is_its_turn: bool) -> CountJob:
        made.append(number)
        return CountJob(number)

    pool = open_pool(stop)
    with closing(OrderedJobs(pool, total, make, stop)) as jobs:
        for number in range(total):
            assert last_of(jobs, number) == sum_to(number)
            assert len(made) <= number + 1 + 4 * pool.num_workers
    assert made == list(range(total))


def test_a_job_that_cannot_be_made_or_ends_its_process_fails_alone(open_pool: OpenPool) -> None:
    stop = StopToken()

    def make(number: int, is_its_turn: bool) -> CountJob | DyingJob:
        if number == 1:
            raise OSError("no such row")
        return DyingJob() if number == 2 else CountJob(number)

    with closing(OrderedJobs(open_pool(stop), 4, make, stop)) as jobs:
        first, second, third, fourth = (last_of(jobs, number) for number in range(4))
    assert (first, fourth) == (sum_to(0), sum_to(3))
    assert isinstance(second, Failed) and isinstance(third, Failed)
    assert third.kind == "ended"


def test_a_job_that_is_put_off_is_made_when_its_turn_comes(open_pool: OpenPool) -> None:
    turns: list[tuple[int, bool]] = []
    stop = StopToken()

    def make(number: int, is_its_turn: bool) -> CountJob | None:
        turns.append((number, is_its_turn))
        return CountJob(number) if number != 1 or is_its_turn else None

    with closing(OrderedJobs(open_pool(stop), 3, make, stop)) as jobs:
        assert [last_of(jobs, number) for number in range(3)] == [
            sum_to(number) for number in range(3)
        ]
    assert (1, True) in turns and turns.index((1, True)) < turns.index((2, False))


def test_another_job_can_take_the_place_of_one_that_was_followed(open_pool: OpenPool) -> None:
    stop = StopToken()
    with closing(OrderedJobs(open_pool(stop), 2, lambda number, _: CountJob(number), stop)) as jobs:
        assert last_of(jobs, 0) == sum_to(0)
        jobs.again(0, CountJob(8))
        assert last_of(jobs, 0) == sum_to(8)
        assert last_of(jobs, 1) == sum_to(1)


def test_a_stop_ends_the_waiting(open_pool: OpenPool) -> None:
    stop = StopToken()
    with closing(OrderedJobs(open_pool(stop), 2, lambda number, _: CountJob(number), stop)) as jobs:
        assert last_of(jobs, 0) == sum_to(0)
        stop.request("stop")
        with pytest.raises(Stopping):
            last_of(jobs, 1)


@pytest.mark.parametrize("large", [False, True])
def test_a_bounded_number_of_jobs_is_in_hand(open_pool: OpenPool, *, large: bool) -> None:
    stop, numbers = StopToken(), iter(range(30))
    made, ended = 0, 0
    with closing(open_pool(stop)) as pool:

        def next_job() -> tuple[int, CountJob] | None:
            nonlocal made
            number = next(numbers, None)
            made += number is not None
            assert made - ended <= 2 * pool.num_workers
            return None if number is None else (number, CountJob(number))

        for number, event in JobFeed(pool, next_job, stop, large=large).run():
            if isinstance(event, Finished):
                ended += 1
                assert event == sum_to(number)
    assert made == ended == 30


def test_another_job_may_follow_under_the_number_of_one_that_failed(open_pool: OpenPool) -> None:
    stop = StopToken()
    waiting: list[tuple[int, CountJob | DyingJob]] = [(0, DyingJob()), (1, CountJob(3))]
    ends: list[tuple[int, Event]] = []
    with closing(open_pool(stop)) as pool:
        for number, event in JobFeed(pool, lambda: waiting.pop(0) if waiting else None, stop).run():
            if isinstance(event, Failed):
                waiting.append((number, CountJob(5)))
            elif isinstance(event, Finished):
                ends.append((number, event))
    assert sorted(ends, key=lambda end: end[0]) == [(0, sum_to(5)), (1, sum_to(3))]


def test_after_a_stop_nothing_is_handed_out(open_pool: OpenPool) -> None:
    stop, made = StopToken(), 0
    with closing(open_pool(stop)) as pool:

        def next_job() -> tuple[int, CountJob]:
            nonlocal made
            made += 1
            return made, CountJob(2)

        for _, event in JobFeed(pool, next_job, stop).run():
            if isinstance(event, Finished):
                stop.request("pause")
                before = made
    assert made == before


@pytest.mark.parametrize(
    ("requested", "models", "num_jobs", "expected"),
    [
        (4, {"built-in"}, None, 4),
        (4, {"built-in"}, 2, 2),
        (4, {"built-in"}, 0, 1),
        (4, {"built-in", "patents"}, None, 1),
    ],
)
def test_a_trained_model_works_alone(
    requested: int, models: set[str], num_jobs: int | None, expected: int
) -> None:
    assert num_processes(requested, models, num_jobs) == expected
