"""The plan of a run as a person reads it: each setting with its title and value."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.numbers import format_count
from core.runs.folder import RunFolder
from core.settings import NONE, Settings
from core.training.plan import QUEUED_FILE, RunPlan


@dataclass(frozen=True)
class PlanLine:
    """A setting of a run.

    Args:
        table: The table of the job file it stands in.
        name: Its name there.
        title: As a person reads it.
        words: Its value.
        differs: Whether it is another than the default.
    """

    table: str
    name: str
    title: str
    words: str
    differs: bool


def plan_in(folder: Path) -> RunPlan:
    """Reads the plan of a run that waits or has begun; fails as `RunPlan.read` does."""
    run = RunFolder(folder)
    return RunPlan.read(run.job_file if run.exists else folder / QUEUED_FILE)


def plan_lines(plan: RunPlan) -> list[PlanLine]:
    """All settings of a plan in their order."""
    return [line for name, table in plan.tables().items() for line in _lines(name, table)]


def _lines(name: str, table: Settings) -> Iterator[PlanLine]:
    for field, info in type(table).model_fields.items():
        if field in ("architecture", "generation"):  # whole files
            continue
        value = getattr(table, field)
        default = info.get_default(call_default_factory=True, validated_data={})
        yield PlanLine(name, field, info.title or field, _words(value), value != default)


def _words(value: object) -> str:
    if value is None or value == "" or value == ():
        return NONE
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int):
        return format_count(value)
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return str(value)
