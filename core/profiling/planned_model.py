"""A planned run as the Memory panel draws it: its model, and one part of its step."""

from dataclasses import dataclass

from core.errors import EpitomeError
from core.models.families import BUILT_FAMILIES
from core.models.settings import ModelSettings
from core.profiling.forecast import loss_tokens
from core.profiling.memory_sweeps import model_words
from core.profiling.settings import ProfileSettings
from core.training.plan import RunPlan
from core.training.settings import StepSettings


@dataclass(frozen=True)
class PlannedModel:
    """What memory is forecast for.

    Args:
        title: The run's name, and what its model is in a few words.
        model: The model.
        step: What is computed at once: all rows of a step, or one part of them.
        notes: What the forecast leaves out, a sentence each.
    """

    title: str
    model: ModelSettings
    step: ProfileSettings
    notes: tuple[str, ...] = ()


def planned_model(name: str, plan: RunPlan) -> PlannedModel:
    """The model and the step of a run.

    Args:
        name: The run's.
        plan: Its settings.

    Returns:
        Both, with what a forecast of them leaves out.

    Raises:
        EpitomeError: If its family is none that is forecast.
    """
    model, train = plan.model, plan.train
    if model.family not in BUILT_FAMILIES.classes:
        families = ", ".join(BUILT_FAMILIES.classes)
        raise EpitomeError(
            f"Memory is drawn for the families {families}; “{name}” is of {model.family}.",
            "Use Try one step in Train, New job.",
        )
    parts = min(train.accumulate, train.batch)
    shared = {field: getattr(train, field) for field in StepSettings.model_fields}
    tokens = loss_tokens(model, train, plan.decoding)
    rows = -(-train.batch // parts)
    step = ProfileSettings.checked(shared | {"batch": rows, "loss_tokens": tokens})
    title = f"{name}: {model_words(model)}, batch {rows}"
    return PlannedModel(title, model, step, tuple(_notes(plan, parts)))


def _notes(plan: RunPlan, parts: int) -> list[str]:
    notes = []
    if parts > 1:
        notes.append(f"Time is that of one of the {parts} parts of its step.")
    if plan.train.optimizer == "adafactor":
        notes.append("The forecast is for Adam; Adafactor needs less.")
    return notes
