"""Real steps in real processes: measured, refused memory, killed, stopped."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.errors import EpitomeError
from core.events import Event, Finished, Message, Progress, Started, Stopped
from core.jobs.profiling.profile import Profiled, ProfileJob
from core.jobs.run import run_inline
from core.models.reformer.language_model import ReformerLM
from core.models.reformer.settings import ReformerSettings
from core.profiling.events import LossesCompared, PointMeasured, TailEffect
from core.profiling.settings import ProfileSettings
from core.stop import StopToken
from core.system.machine import SLOW_BF16, bf16_units
from tests.helpers.killing import KILLED
from tests.helpers.leftovers import living_children

MODEL = ReformerSettings(
    vocabulary_size=64, length=64, width=32, depth=1, heads=2, bucket_size=16, buckets=4
)
MEBIBYTE = 2**20
PLACE = str(Path(__file__).parents[4])


@pytest.fixture(autouse=True)
def jobs_can_be_imported_by_the_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", PLACE)


def profile(*vary: str, **settings: object) -> ProfileJob:
    chosen = {"vary": vary, "threads": 1, "device": "cpu", "steps": 2, "warm_up": 1} | settings
    return ProfileJob(MODEL, ProfileSettings.checked(chosen))


def result(job: ProfileJob) -> tuple[list[Event], Profiled]:
    events = list(run_inline(job, StopToken()))
    assert isinstance(events[-1], Finished), events[-1]
    return events, events[-1].result


@pytest.fixture(scope="module")
def measured() -> tuple[list[Event], Profiled]:
    """Three points; the second needs more memory than it is given."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", PLACE)
        return result(profile("length=64,262144,128", batch=4, steps=3, memory_limit=150))


def test_each_point_is_measured_and_one_that_fails_ends_nothing(
    measured: tuple[list[Event], Profiled],
) -> None:
    events, found = measured
    small, large, middle = found.points
    assert [event for event in events if isinstance(event, PointMeasured)] == [*found.points]
    assert [e.done for e in events if isinstance(e, Progress)] == [0, 1, 2]
    assert (
        Message(
            "note",
            "The model's length is raised to 262\u202f144 tokens, as its longest step needs.",
        )
        in events
    )
    assert large.found is None
    assert large.failure == "The step needs more memory than the 150 MiB that are available."
    for done, length in ((small, 64), (middle, 128)):
        assert done.found is not None and not done.failure
        assert done.point.varied == {"length": length}
        assert done.found.num_tokens == 4 * length


def test_what_was_measured_hangs_together(measured: tuple[list[Event], Profiled]) -> None:
    point = measured[1].points[0].found
    assert point is not None
    weights = sum(weight.numel() for weight in ReformerLM(MODEL).parameters())
    assert point.num_parameters == weights
    # Weights, gradients, two moments, and the optimiser's count of steps for each tensor.
    assert 16 * weights <= point.state_bytes <= 16 * weights + 4 * 32
    assert (point.device, point.threads, point.num_tokens) == ("cpu", 1, 256)
    assert len(point.step_times_s) == 3
    assert point.step_s == sorted(point.step_times_s)[1]
    assert point.first_step_s > 0
    assert point.tokens_per_s == 256 / point.step_s
    assert point.baseline_bytes > 100 * MEBIBYTE  # torch is imported before it is taken
    assert point.state_bytes < point.peak_bytes < 400 * MEBIBYTE
    assert point.working_bytes == point.peak_bytes - point.state_bytes
    assert point.matmul_rate > 1e8
    assert point.fraction_of_rate == (point.matmul_flops / point.step_s / point.matmul_rate)


def test_against_full_finds_times_losses_and_the_same_weights_in_both() -> None:
    _, found = result(profile("length=32", against_full=True))
    hashed, full = found.points
    assert hashed.found and full.found
    assert full.point.model.attention == ("full",)
    assert hashed.found.num_parameters == full.found.num_parameters
    (losses,) = found.losses
    assert isinstance(losses, LossesCompared)
    assert losses.loss and losses.full_loss and losses.loss != losses.full_loss
    assert abs(losses.loss - losses.full_loss) < 0.1  # first weights say little of either
    assert losses.told().startswith("Loss of the same weights at length 32: 4.")


def test_the_causality_gauge_is_a_job_too() -> None:
    events, found = result(profile(causality=True))
    assert [effect.kind for effect in found.causality] == [
        "lsh", "local", "full", "lsh-chunk", "local-chunk",
    ]  # fmt: skip
    assert found.causality[0].moved == 0
    assert [e for e in events if isinstance(e, TailEffect)] == [*found.causality]


def test_a_point_whose_process_is_killed_is_a_row_with_its_reason() -> None:
    seen = threading.Event()

    def kill_the_first() -> None:
        while not (children := living_children()):
            seen.wait(0.005)  # leaves the processor to it
        children[0].kill()
        seen.set()

    killer = threading.Thread(target=kill_the_first)
    killer.start()
    _, found = result(profile("depth=1,2"))
    killer.join()
    first, second = found.points
    assert seen.is_set()
    assert first.found is None and KILLED in first.failure
    assert second.found is not None


def events_until(
    job: ProfileJob, stop: StopToken, wanted: Callable[[Event], bool]
) -> Iterator[Event]:
    events = run_inline(job, stop)
    for event in events:
        yield event
        if wanted(event):
            stop.request("stop")


def test_stop_between_points_keeps_what_was_told_and_begins_no_other() -> None:
    stop = StopToken()
    job = profile("depth=1,2,3")
    events = list(events_until(job, stop, lambda event: isinstance(event, PointMeasured)))
    assert [type(event) for event in events] == [
        Started,
        Progress,
        PointMeasured,
        Progress,
        Stopped,
    ]
    assert not living_children()


@pytest.mark.parametrize(
    ("asked", "warned"),
    [
        ({"precision": "bf16"}, True),
        ({"memory_options": True}, True),
        ({}, False),
        ({"precision": "bf16", "device": "cuda"}, False),
    ],
    ids=str,
)
def test_bf16_on_a_processor_without_units_for_it_is_warned_of_before_it_is_measured(
    asked: dict[str, object], *, warned: bool
) -> None:
    told = []
    for event in profile(**asked).run(StopToken()):
        if isinstance(event, Progress):
            break
        told.append(event)
    expected = warned and bf16_units() is False
    assert (Message("warning", SLOW_BF16) in told) is expected


def test_a_device_that_is_not_there_is_every_points_reason() -> None:
    _, found = result(profile(device="cuda:77"))
    assert found.points[0].failure.startswith("The device cuda:77 does not exist; this machine has")


def test_what_cannot_be_meant_is_refused_before_any_process_starts() -> None:
    with pytest.raises(EpitomeError, match="“dept” cannot be varied"):
        next(iter(profile("dept=2").run(StopToken())))
