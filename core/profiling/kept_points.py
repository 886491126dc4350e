"""Measured points that are kept, each with the forecast that was made before.

They stand in a file of events. A later measurement of the same point on the same machine replaces
an earlier one; none is ever deleted.
"""

import json
import platform
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from core.events import Event
from core.profiling.events import PointMeasured, StepMeasured
from core.profiling.forecast import Forecast
from core.profiling.sweep import Point
from core.runs.event_kinds import EventKinds
from core.runs.follower import Follower

_GIB = 2**30
_OF_STEP = (
    "batch", "accumulate", "precision", "clip", "smoothing", "device", "threads", "loss_tokens",
)  # fmt: skip
"""What of a step's settings changes its memory or time; how often it is measured does not."""


@dataclass(frozen=True)
class PointKept(Event):
    """A point that was measured, or could not be.

    Args:
        point: What was measured, as `identity_of` gives it.
        machine: Where, as `machine_name` calls it.
        found: The measurement; None where it failed.
        failure: Why it failed, one sentence; empty where it did not.
        remedy: What to do about that, one sentence.
        forecast_bytes: The peak that was forecast.
        forecast_s: The time of a step that was forecast, in seconds.
    """

    point: dict[str, Any]
    machine: str
    found: StepMeasured | None
    failure: str
    remedy: str
    forecast_bytes: int
    forecast_s: float

    @property
    def key(self) -> str:
        """The same for all measurements of the same point."""
        return key_of(self.point)


KINDS = EventKinds((PointKept,))


def keep(done: PointMeasured, told: Forecast) -> PointKept:
    """A measured point with its forecast, to be written down."""
    return PointKept(
        identity_of(done.point),
        machine_name(),
        done.found,
        done.failure,
        done.remedy,
        told.peak_bytes,
        told.longest_step_s,
    )


def identity_of(point: Point) -> dict[str, Any]:
    """What tells a point apart from all others: plain values; defaults are left out."""
    model = point.model.model_dump(mode="json", exclude_defaults=True, exclude={"seed"})
    step = point.step.model_dump(mode="json", exclude_defaults=True, include=set(_OF_STEP))
    model |= {"family": point.model.family}
    return {"model": model, "step": step, "length": point.length}


def key_of(identity: dict[str, Any]) -> str:
    """The identity of a point as one line."""
    return json.dumps(identity, sort_keys=True)


def machine_name() -> str:
    """This machine, as far as memory and time depend on it: "x86_64, 2 cores, 31 GiB"."""
    memory = round(psutil.virtual_memory().total / _GIB)
    return f"{platform.machine()}, {psutil.cpu_count() or 1} cores, {memory} GiB"


@dataclass(frozen=True)
class DatedPoint:
    """A kept point and when it was measured.

    Args:
        time: In UTC, ISO 8601.
        kept: The point.
    """

    time: str
    kept: PointKept


@dataclass(frozen=True)
class KeptPoints:
    """What is new in the file.

    Args:
        points: In the order in which they were measured.
        offset: Where the next look begins, in bytes.
        is_whole: Whether these are all there are: the file was read from its beginning.
    """

    points: tuple[DatedPoint, ...]
    offset: int
    is_whole: bool


def read_points(file: Path, offset: int = 0) -> KeptPoints:
    """Reads measured points.

    Args:
        file: Where they are kept; it need not be there.
        offset: Where to begin, in bytes.

    Returns:
        The points.

    Raises:
        EpitomeError: If the file is there and cannot be read.
    """
    follower, found = Follower(file, KINDS, offset), list[DatedPoint]()
    while news := follower.poll():
        found += [DatedPoint(e.time, e.event) for e in news if isinstance(e.event, PointKept)]
    began_anew = follower.offset < offset
    return KeptPoints(tuple(found), follower.offset, not offset or began_anew)
