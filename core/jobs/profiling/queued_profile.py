"""Sweeps in the queue: points are measured one after another, and kept as they come.

The settings of each sweep are a job file of ``epitome profile`` in the job's folder. What is
measured is kept beside the runs, so that it stays when the job is cancelled.
"""

import secrets
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from core.errors import check_installed
from core.events import Event, Finished, Progress, Started
from core.jobs.call import CallJob
from core.jobs.profiling.profile import measure_apart, named
from core.jobs.queue.queued import JobSpec
from core.jobs.training.machine_facts import read_machine
from core.library.folders import Folders
from core.models.families import BUILT_FAMILIES
from core.models.settings import ModelSettings
from core.numbers import format_quantity
from core.profiling.forecast import Forecast
from core.profiling.kept_points import KINDS, PointKept, identity_of, keep, key_of
from core.profiling.point_forecast import forecast_point
from core.profiling.settings import ProfileSettings
from core.profiling.sweep import Point, points_of
from core.profiling.training_suggestions import Machine
from core.runs.events_file import EventsFile
from core.runs.follower import Follower
from core.runs.job_file import read_job, write_job
from core.settings import SettingsKind
from core.stop import StopToken
from core.system.machine import lane_of

_TABLES: dict[str, SettingsKind] = {"model": BUILT_FAMILIES, "profile": ProfileSettings}
FIRST_SWEEP = "sweep-001.toml"


@dataclass(frozen=True)
class Sweep:
    """A model, and what is varied of it.

    Args:
        model: The model from which the points differ.
        profile: How they are measured, and what is varied.
    """

    model: ModelSettings
    profile: ProfileSettings

    @property
    def points(self) -> tuple[Point, ...]:
        """Its points; fails as `points_of` does."""
        return points_of(self.model, self.profile)


@dataclass(frozen=True)
class MeasurePointsJob:
    """Measures the points of sweeps, each in a fresh process, and keeps what was found.

    Args:
        sweeps: What is measured; in this order.
        file: Where points are kept.
        since: Points that were kept later than this are not measured again.
    """

    sweeps: tuple[Sweep, ...]
    file: Path
    since: datetime | None = None

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Measures.

        Args:
            stop: Once set, the point that is being measured is given up; those before are kept.

        Yields:
            How far it is; at the end `Finished` with the number of points.

        Raises:
            EpitomeError: If a sweep cannot be meant, or torch is not installed.
        """
        check_installed("torch", "Steps are measured")
        points = [point for sweep in self.sweeps for point in sweep.points]
        yield Started(_title(len(points)))
        self.file.parent.mkdir(parents=True, exist_ok=True)
        store, done, machine = EventsFile(self.file), self._done(), _machine(self.file.parent)
        for number, point in enumerate(points):
            yield Progress(number, len(points), "points", named(point) or "Measuring")
            if key_of(identity_of(point)) not in done:
                store.append(keep(measure_apart(point, stop), _forecast(point, machine)))
        yield Finished(len(points))

    def _done(self) -> set[str]:
        if self.since is None:
            return set()
        follower, done = Follower(self.file, KINDS), set[str]()
        while news := follower.poll():
            for each in news:
                if isinstance(each.event, PointKept) and _moment(each.time) > self.since:
                    done.add(each.event.key)
        return done


def specify_sweeps(sweeps: Sequence[Sweep]) -> JobSpec:
    """Sweeps that are to be measured by the queue.

    Args:
        sweeps: At least one; all are measured on the device of the first.

    Returns:
        The job; it has a folder of its own beside the queue.
    """
    folder = Folders.of_this_user().job_queue / f"measure-{secrets.token_hex(4)}"
    files = {
        f"sweep-{number:03}.toml": write_job(
            "profile", (), {"model": sweep.model, "profile": sweep.profile}
        )
        for number, sweep in enumerate(sweeps, 1)
    }
    count = sum(len(sweep.points) for sweep in sweeps)
    lane = lane_of(sweeps[0].profile.device)
    return JobSpec("profile", _title(count), lane, folder, files)


def specify_sweeps_again(folder: Path, taken: Collection[Path] = ()) -> JobSpec:
    """The points of a queued job once more; fails as `load_sweeps_job` does."""
    return specify_sweeps(load_sweeps_job(folder).sweeps)


def load_sweeps_job(folder: Path) -> MeasurePointsJob:
    """The job of queued sweeps; it goes on with the points that are missing.

    Args:
        folder: The job's.

    Returns:
        The job.

    Raises:
        EpitomeError: If its settings cannot be read.
    """
    sweeps = [_read(folder / FIRST_SWEEP)]
    sweeps += [_read(path) for path in sorted(folder.glob("sweep-*.toml"))[1:]]
    queued = datetime.fromtimestamp((folder / FIRST_SWEEP).stat().st_mtime, UTC)
    return MeasurePointsJob(tuple(sweeps), Folders.of_this_user().measurements_file, queued)


def _read(path: Path) -> Sweep:
    tables = read_job(path, "profile", _TABLES).tables
    model = ModelSettings.require(BUILT_FAMILIES.checked(tables["model"]))
    return Sweep(model, ProfileSettings.checked(tables["profile"]))


def _title(count: int) -> str:
    return f"Measuring {format_quantity(count, 'point')} of memory and time"


def _machine(folder: Path) -> Machine:
    *_, last = CallJob(read_machine, folder).run(StopToken())
    assert isinstance(last, Finished) and isinstance(last.result, Machine)
    return last.result


def _forecast(point: Point, machine: Machine) -> Forecast:
    on_gpu = bool(machine.gpu) and point.step.device != "cpu"
    return forecast_point(point, cores=machine.cores, on_gpu=on_gpu, rate=machine.rate or None)


def _moment(time: str) -> datetime:
    return datetime.fromisoformat(time)
