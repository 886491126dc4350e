"""Measures one step of a planned run in a fresh process: what *Try one step* does."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.errors import check_installed
from core.events import Event, Finished, Started
from core.jobs.lanes.child_process import run_in_child
from core.profiling.events import StepMeasured as StepMeasured
from core.stop import StopToken
from core.training.plan import RunPlan


@dataclass(frozen=True)
class TryStepJob:
    """Measures a training step with rows as long as the model allows.

    Args:
        plan: The run; what it starts from gives its weights' sizes.
        memory_limit_mib: How much memory it may take; None for what is free.
    """

    plan: RunPlan
    memory_limit_mib: int | None = None

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Measures.

        Args:
            stop: Once set, the process is ended.

        Yields:
            `Finished` with a `StepMeasured`.

        Raises:
            EpitomeError: If torch is not installed.
        """
        check_installed("torch", "Steps are measured")
        yield Started("Measuring one step")
        yield from run_in_child(_MeasurePlanJob(self.plan, self.memory_limit_mib), stop)


@dataclass(frozen=True)
class _MeasurePlanJob:
    """Measures in the process it runs in."""

    memory_remedy = "Choose a smaller batch, shorter rows or a smaller model."

    plan: RunPlan
    memory_limit_mib: int | None

    def run(self, stop: StopToken) -> Iterator[Event]:
        from core.profiling.plan_step import measure_plan

        yield Finished(measure_plan(self.plan, self.memory_limit_mib))
