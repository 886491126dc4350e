"""Another attempt at a run that failed: where it can go on, and what would save memory."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.errors import EpitomeError
from core.jobs.training.run_plan import plan_in
from core.profiling.advice import advice
from core.runs.checkpoints import Checkpoints
from core.runs.folder import RunFolder
from core.storage.atomic_files import write_whole
from core.training.plan import QUEUED_FILE, RunPlan
from core.training.settings import TrainSettings

_MOST_RETRIES = 4


@dataclass(frozen=True)
class Retry:
    """A changed job that needs less memory.

    Args:
        words: What is changed: "Halve the batch to 4".
        saved_bytes: What that saves at the peak.
        plan: The changed job.
        in_place: Whether the run itself can go on so; otherwise a new run is needed.
    """

    words: str
    saved_bytes: int
    plan: RunPlan
    in_place: bool


@dataclass(frozen=True)
class FailedRun:
    """What can be done about a run that failed.

    Args:
        folder: The run's.
        step: The step of its last checkpoint; 0 where it has none.
        retries: Changes that save memory, the one that saves most first.
    """

    folder: Path
    step: int = 0
    retries: tuple[Retry, ...] = ()


def find_retries(folder: Path) -> FailedRun:
    """Finds what can be done about a run that failed.

    Args:
        folder: The run's.

    Returns:
        The run with smaller jobs.

    Raises:
        EpitomeError: As `RunPlan.read`.
    """
    plan, step = plan_in(folder), _last_step(folder)
    is_given = bool(plan.run.start_from)
    found = advice(plan.model, plan.train, plan.decoding, model_is_given=is_given)
    retries = [
        _retry(folder, plan, step, each.words, dict(each.values), each.saved_bytes)
        for each in found[:_MOST_RETRIES]
    ]
    return FailedRun(folder, step, tuple(retries))


def _last_step(folder: Path) -> int:
    checkpoint = Checkpoints(folder).newest(needed=())
    return checkpoint.step if checkpoint else 0


def _retry(
    folder: Path, plan: RunPlan, step: int, words: str, values: Mapping[str, Any], saved_bytes: int
) -> Retry:
    changed = changed_plan(plan, values)
    if not step or not changed.changes_since(plan):
        return Retry(words, saved_bytes, changed, in_place=True)
    if changed.model == plan.model:  # the weights fit, so what was learnt is kept
        run = changed.run.model_copy(update={"start_from": str(folder), "tokenizer": ""})
        left = max(plan.train.steps - step, 1)
        train = changed.train.model_copy(update={"steps": left})
        changed = replace(changed, run=run, train=train)
    return Retry(words, saved_bytes, changed, in_place=False)


def changed_plan(plan: RunPlan, values: Mapping[str, Any]) -> RunPlan:
    """A plan with other values of some fields of its model or its training."""
    of_model = {name: value for name, value in values.items() if name in plan.model.model_dump()}
    rest = {name: value for name, value in values.items() if name not in of_model}
    model = type(plan.model).model_validate(plan.model.model_dump() | of_model)
    train = TrainSettings.checked(plan.train.model_dump() | rest)
    return replace(plan, model=model, train=train)


def keep_retry(folder: Path, retry: Retry) -> None:
    """Writes a changed job into the folder of its run, which then goes on with it.

    Args:
        folder: The run's.
        retry: The change; one that is possible in place.

    Raises:
        EpitomeError: If the run itself cannot go on so, or the file cannot be written.
    """
    if not retry.in_place:
        raise EpitomeError(f"The run in {folder} cannot go on so.", "Start a new run.")
    run = RunFolder(folder)
    file = run.job_file if run.exists else folder / QUEUED_FILE
    write_whole(file, retry.plan.to_toml().encode(), replace=True)
