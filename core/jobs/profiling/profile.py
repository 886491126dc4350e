"""Measures training steps, each in a fresh process: what `epitome profile` does."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.errors import check_installed
from core.events import Event, Failed, Finished, Message, Progress, Started
from core.jobs.call import CallJob
from core.jobs.job import Job
from core.jobs.lanes.child_process import run_in_child
from core.models.settings import ModelSettings, SequenceSettings
from core.numbers import format_count
from core.profiling.events import LossesCompared, PointMeasured, TailEffect
from core.profiling.memory_options import can_checkpoint
from core.profiling.settings import ProfileSettings
from core.profiling.sweep import FULL, Point, points_of, shown
from core.stop import StopToken
from core.system.machine import SLOW_BF16, bf16_units, lane_of


@dataclass(frozen=True)
class Profiled:
    """All that was found.

    Args:
        points: Each point, also those that failed.
        losses: With `against_full`, the losses of the same weights at each point with hashing.
        causality: With `causality`, what each kind of attention lets through.
    """

    points: tuple[PointMeasured, ...] = ()
    losses: tuple[LossesCompared, ...] = ()
    causality: tuple[TailEffect, ...] = ()


@dataclass(frozen=True)
class ProfileJob:
    """Measures every point of a sweep, one after the other; one that fails ends nothing.

    Args:
        model: The model from which the points differ.
        settings: How steps are made and measured, and what is varied.
    """

    memory_remedy = "Measure a smaller model, a smaller batch or shorter rows."

    model: ModelSettings
    settings: ProfileSettings

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Measures.

        Args:
            stop: Once set, the point that is being measured is given up at once.

        Yields:
            `PointMeasured`, `LossesCompared` or `TailEffect` as they are found; at the end
            `Finished` with all of them in a `Profiled`.

        Raises:
            EpitomeError: If what is varied cannot be meant, or torch is not installed.
        """
        points = points_of(self.model, self.settings)
        check_installed("torch", "Steps are measured")
        yield Started("Measuring training steps")
        found: list[Event] = []
        for event in self._gauged(stop) if self.settings.causality else self._swept(points, stop):
            yield event
            if isinstance(event, Failed):
                return
            found.append(event)
        yield Finished(
            Profiled(
                tuple(event for event in found if isinstance(event, PointMeasured)),
                tuple(event for event in found if isinstance(event, LossesCompared)),
                tuple(event for event in found if isinstance(event, TailEffect)),
            )
        )

    def _swept(self, points: tuple[Point, ...], stop: StopToken) -> Iterator[Event]:
        longest = max(point.length for point in points)
        if isinstance(self.model, SequenceSettings) and longest > self.model.length:
            told = f"The model's length is raised to {format_count(longest)} tokens"
            yield Message("note", f"{told}, as its longest step needs.")
        if self.settings.memory_options and self.settings.batch == 1:
            yield Message("note", "Accumulation is left out: the batch is one row (--batch).")
        if self.settings.memory_options and not can_checkpoint(self.model):
            yield Message(
                "note",
                "Checkpointing is left out: reversible layers store nothing to save."
                if getattr(self.model, "reversible", False)
                else "Checkpointing is left out: the model has it already, or not at all.",
            )
        if any(_is_slow(point) for point in points):
            yield Message("warning", SLOW_BF16)
        for number, point in enumerate(points):
            yield Progress(number, len(points), "points", named(point) or "Measuring")
            yield measure_apart(point, stop)
            if self.settings.against_full and point.varied["attention"] != FULL:
                yield _compared(point, _ending(CallJob(_find_losses, point), stop))

    def _gauged(self, stop: StopToken) -> Iterator[Event]:
        for event in run_in_child(GaugeJob(self.model, self.settings), stop):
            if isinstance(event, TailEffect | Failed):
                yield event
        stop.raise_if_set()


def _measure(point: Point) -> object:
    from core.profiling.point import measure_point

    return measure_point(point)


def _find_losses(point: Point) -> tuple[float, float]:
    """The losses of a point's model and of its full-attention twin."""
    from core.profiling.twin import compare_point

    return compare_point(point)


@dataclass(frozen=True)
class GaugeJob:
    """Gauges the causality of each kind of attention."""

    model: ModelSettings
    settings: ProfileSettings

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields a `TailEffect` for each kind, then `Finished`."""
        from core.profiling.causality import gauge_kinds

        yield from gauge_kinds(self.model, self.settings)
        yield Finished()


def _is_slow(point: Point) -> bool:
    on_processor = lane_of(point.step.device) == "cpu"
    return point.step.precision == "bf16" and on_processor and bf16_units() is False


def named(point: Point) -> str:
    """What makes a point differ, in a few words; empty where nothing is varied."""
    return ", ".join(f"{name} {shown(value)}" for name, value in point.varied.items())


def _ending(job: Job, stop: StopToken) -> Finished | Failed:
    """Runs a job in a fresh process and gives its last event."""
    *_, last = run_in_child(job, stop)
    stop.raise_if_set()
    assert isinstance(last, Finished | Failed)
    return last


def measure_apart(point: Point, stop: StopToken) -> PointMeasured:
    """Measures a point in a fresh process.

    Args:
        point: What is measured.
        stop: Once set, the process is ended at once.

    Returns:
        The measurement, or why there is none.

    Raises:
        Stopping: If an end was asked for.
    """
    ending = _ending(CallJob(_measure, point), stop)
    if isinstance(ending, Finished):
        return PointMeasured(point, ending.result)
    return PointMeasured(point, None, _reason(ending), ending.remedy)


def _compared(point: Point, ending: Finished | Failed) -> LossesCompared:
    if isinstance(ending, Finished):
        return LossesCompared(point, *ending.result)
    return LossesCompared(point, None, None, _reason(ending))


def _reason(failed: Failed) -> str:
    """Why it failed, one sentence; of an error that nobody foresaw, also what it says itself."""
    last = failed.details.strip().rpartition("\n")[2]
    return f"{failed.message.rstrip('.')}: {last}." if last else failed.message
