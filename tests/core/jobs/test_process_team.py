"""Several processes do numbered jobs: what they tell comes in order, and little is done ahead."""

from contextlib import closing
from pathlib import Path

import pytest

from core.events import Event, Failed, Finished
from core.jobs.process_team import OrderedTeam, ProcessTeam, num_processes
from core.stop import Stopping, StopToken
from tests.helpers.jobs import CountJob, DyingJob


@pytest.fixture(autouse=True)
def jobs_can_be_imported_by_the_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))


def sum_to(number: int) -> Finished:
    """How `CountJob` ends."""
    return Finished(sum(range(number + 1)))


def last_of(team: OrderedTeam, number: int) -> Event:
    *_, last = team.follow(number)
    return last


def test_events_come_in_the_order_of_the_jobs_and_few_jobs_are_made_ahead() -> None:
    made: list[int] = []

    def make(number: int, is_its_turn: bool) -> CountJob:
        made.append(number)
        return CountJob(number)

    size, total = 3, 40
    with closing(OrderedTeam(ProcessTeam(size), total, make, StopToken())) as team:
        for number in range(total):
            assert last_of(team, number) == sum_to(number)
            assert len(made) <= number + 1 + 4 * size
    assert made == list(range(total))


def test_a_job_that_cannot_be_made_or_ends_its_process_fails_alone() -> None:
    def make(number: int, is_its_turn: bool) -> CountJob | DyingJob:
        if number == 1:
            raise OSError("no such row")
        return DyingJob() if number == 2 else CountJob(number)

    with closing(OrderedTeam(ProcessTeam(2), 4, make, StopToken())) as team:
        first, second, third, fourth = (last_of(team, number) for number in range(4))
    assert (first, fourth) == (sum_to(0), sum_to(3))
    assert isinstance(second, Failed) and isinstance(third, Failed)
    assert third.kind == "ended"


def test_a_job_that_is_put_off_is_made_when_its_turn_comes() -> None:
    turns: list[tuple[int, bool]] = []

    def make(number: int, is_its_turn: bool) -> CountJob | None:
        turns.append((number, is_its_turn))
        return CountJob(number) if number != 1 or is_its_turn else None

    with closing(OrderedTeam(ProcessTeam(2), 3, make, StopToken())) as team:
        assert [last_of(team, number) for number in range(3)] == [
            sum_to(number) for number in range(3)
        ]
    assert (1, True) in turns and turns.index((1, True)) < turns.index((2, False))


def test_another_job_can_take_the_place_of_one_that_was_followed() -> None:
    with closing(
        OrderedTeam(ProcessTeam(1), 2, lambda number, turn: CountJob(number), StopToken())
    ) as team:
        assert last_of(team, 0) == sum_to(0)
        team.again(0, CountJob(8))
        assert last_of(team, 0) == sum_to(8)
        assert last_of(team, 1) == sum_to(1)


def test_a_wish_to_stop_ends_the_waiting() -> None:
    stop = StopToken()
    with closing(
        OrderedTeam(ProcessTeam(1), 2, lambda number, turn: CountJob(number), stop)
    ) as team:
        assert last_of(team, 0) == sum_to(0)
        stop.request("stop")
        with pytest.raises(Stopping):
            last_of(team, 1)


@pytest.mark.parametrize(
    ("wanted", "models", "num_jobs", "expected"),
    [
        (4, {"built-in"}, None, 4),
        (4, {"built-in"}, 2, 2),
        (4, {"built-in"}, 0, 1),
        (4, {"built-in", "patents"}, None, 1),
    ],
)
def test_a_trained_model_works_alone(
    wanted: int, models: set[str], num_jobs: int | None, expected: int
) -> None:
    assert num_processes(wanted, models, num_jobs) == expected
