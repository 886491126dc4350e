"""The door to kept measurements: reads what is new in their file."""

from dataclasses import dataclass
from pathlib import Path

from core.profiling.kept_points import KINDS
from core.profiling.kept_points import PointKept as PointKept
from core.profiling.kept_points import identity_of as identity_of
from core.profiling.kept_points import key_of as key_of
from core.profiling.kept_points import machine_name as machine_name
from core.profiling.sweep import Point as Point
from core.runs.follower import Follower


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
