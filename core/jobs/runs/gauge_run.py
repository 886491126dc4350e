"""Gauges a trained run: what `epitome gauge` and the buttons beside an open run do."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import EpitomeError, check_installed
from core.events import Event, Failed, Finished, Progress, Started
from core.jobs.lanes.child_process import run_in_child
from core.profiling.events import GaugedLoss, RotationsGauged, TailEffect
from core.profiling.settings import GaugeName, GaugeSettings
from core.runs.folder import RunFolder
from core.stop import StopToken

Found = TailEffect | GaugedLoss | RotationsGauged


@dataclass(frozen=True)
class GaugeRunJob:
    """Measures what hashing does to a trained model, each gauge in a fresh process.

    Args:
        run_folder: The run's.
        settings: What is gauged, and on how many documents.
    """

    memory_remedy = "Gauge fewer documents."

    run_folder: Path
    settings: GaugeSettings

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Gauges.

        Args:
            stop: Once set, the process is ended.

        Yields:
            `TailEffect`, `GaugedLoss` and `RotationsGauged` as they are found; at the end
            `Finished` with all of them.

        Raises:
            EpitomeError: If torch is not installed, or there is no run.
        """
        check_installed("torch", "Runs are gauged")
        if not RunFolder(self.run_folder).exists:
            told = f"There is no run in {self.run_folder}."
            raise EpitomeError(told, "See the runs with epitome list runs.")
        yield Started("Gauging")
        found: list[Found] = []
        for job in self._jobs():
            for event in run_in_child(job, stop):
                if isinstance(event, Failed):
                    yield event
                    return
                if isinstance(event, TailEffect | GaugedLoss | RotationsGauged):
                    found.append(event)
                if isinstance(event, TailEffect | GaugedLoss | RotationsGauged | Progress):
                    yield event
            stop.raise_if_set()
        yield Finished(tuple(found))

    def _jobs(self) -> Iterator["_GaugeJob"]:
        for name in self.settings.gauge:
            for is_full in (False, True) if name == "twin" else (False,):
                yield _GaugeJob(self.run_folder, self.settings, name, is_full)


@dataclass(frozen=True)
class _GaugeJob:
    """One gauge, in the process it runs in."""

    memory_remedy = "Gauge fewer documents."

    run_folder: Path
    settings: GaugeSettings
    name: GaugeName
    is_full: bool

    def run(self, stop: StopToken) -> Iterator[Event]:
        from core.profiling import run_gauges

        opened = yield from run_gauges.open_run(self.run_folder, self.settings, stop)
        match self.name:
            case "causality":
                yield from run_gauges.gauge_causality(opened)
            case "twin":
                full = self.is_full
                yield (yield from run_gauges.gauge_twin(opened, self.settings, stop, is_full=full))
            case "rotations":
                yield (yield from run_gauges.gauge_rotations(opened, self.settings, stop))
        yield Finished()
