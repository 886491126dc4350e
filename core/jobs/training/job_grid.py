"""Several jobs from several values of some fields: every combination is one."""

import itertools
from dataclasses import dataclass

from core.errors import EpitomeError
from core.profiling.sweep import parse_axis
from core.settings import NONE, Settings, is_optional

MOST_JOBS = 24
FORM = "Write learning_rate=0.001,0.002; put ; between two fields."


@dataclass(frozen=True)
class GridJob:
    """One of the jobs.

    Args:
        suffix: What makes it differ, for its name: "learning-rate-0.001".
        fields: Its fields.
    """

    suffix: str
    fields: Settings


def grid_of(fields: Settings, text: str) -> tuple[GridJob, ...]:
    """The jobs of a grid.

    Args:
        fields: Those of the job that they differ from.
        text: "NAME=VALUE,VALUE,…", several parted by semicolons; ranges as in `epitome profile`.
            Empty for the one job.

    Returns:
        The jobs, the last field changing fastest.

    Raises:
        EpitomeError: If a field is unknown, a value is not allowed, or there are too many jobs.
    """
    axes = [parse_axis(part) for part in text.split(";") if part.strip()]
    if not axes:
        return (GridJob("", fields),)
    known = type(fields).model_fields
    for axis in axes:
        if axis.name not in known or axis.name == "family":
            raise EpitomeError(f"“{axis.name}” is not a field of this job.", FORM)
    combinations = list(itertools.product(*(axis.values for axis in axes)))
    if len(combinations) > MOST_JOBS:
        raise EpitomeError(
            f"These values make {len(combinations)} jobs; at most {MOST_JOBS} are queued at once.",
            "Give fewer values.",
        )
    return tuple(
        _job(fields, dict(zip([axis.name for axis in axes], values, strict=True)))
        for values in combinations
    )


def _job(fields: Settings, values: dict[str, str]) -> GridJob:
    known = type(fields).model_fields
    meant = {
        name: None if value == NONE and is_optional(known[name])
        else tuple(value.split("+")) if str(known[name].annotation).startswith("tuple") else value
        for name, value in values.items()
    }  # fmt: skip
    suffix = "-".join(f"{name.replace('_', '-')}-{value}" for name, value in values.items())
    return GridJob(suffix, type(fields).checked(fields.model_dump() | meant))
