"""All fields of a training job in one flat class, by the names that the command line has.

A plan has four tables; a form shows one. Only “seed” stands in two of them, and sets both, as
``--seed`` does. What the job reads (`RunSettings`) and what it is to learn are chosen elsewhere.
"""

from functools import cache
from typing import Any

from pydantic import ValidationError, create_model, model_validator
from pydantic.fields import FieldInfo

from core.decoding.settings import DecodingSettings
from core.models.families import FAMILIES
from core.models.hugging_face.prompt import check_prompt
from core.models.settings import ModelSettings, SequenceSettings
from core.settings import Settings
from core.training.plan import RunPlan
from core.training.settings import Objective, RunSettings, TrainSettings

_LEFT_OUT = {"objective"}
_OF_SEQUENCES = {"domain_adaptive"}
"""Fields of the training that only language models obey."""


@cache
def fields_class(family: str) -> type[Settings]:
    """The flat class of a model family.

    Args:
        family: As in `core.models.settings.FAMILIES`.

    Returns:
        A settings class with the fields of model, training and decoding, checked as these are.
    """
    return flat_class("TrainingFields", FAMILIES.classes[family], TrainSettings, DecodingSettings)


def flat_class(name: str, *classes: type[Settings]) -> type[Settings]:
    """The fields of several settings classes in one.

    Args:
        name: Of the class.
        *classes: Of fields with the same name, the first class's is taken.

    Returns:
        A settings class that is checked as each of these is.
    """
    fields: dict[str, Any] = {}
    left_out = _LEFT_OUT | (set() if issubclass(classes[0], SequenceSettings) else _OF_SEQUENCES)
    left_out |= getattr(classes[0], "hidden_fields", set())
    for each in classes:
        for field, info in each.model_fields.items():
            if field not in left_out:
                fields.setdefault(field, (_annotation(info), info))

    def go_together(self: Settings) -> Settings:
        for each in classes:
            _check_together(each, self)
        return self

    made: type[Settings] = create_model(
        name,
        __base__=Settings,
        __validators__={"go_together": model_validator(mode="after")(go_together)},  # type: ignore[dict-item]
        **fields,
    )
    return made


def _annotation(info: FieldInfo) -> Any:
    return info.annotation


def _check_together(settings_class: type[Settings], flat: Settings) -> None:
    """Refuses what one of the classes refuses between its own fields."""
    values = {
        name: getattr(flat, name) for name in settings_class.model_fields if name in _of(flat)
    }
    if "architecture" in settings_class.model_fields:
        check_prompt(flat.prompt)  # type: ignore[attr-defined]
        return  # it has no fields that must go together but its whole files
    try:
        settings_class.model_validate(values)
    except ValidationError as error:
        told = str(error.errors()[0]["msg"]).removeprefix("Value error, ")
        raise ValueError(told) from error


def _of(flat: Settings) -> dict[str, FieldInfo]:
    return type(flat).model_fields


def flat_of(plan: RunPlan) -> Settings:
    """The fields of a plan in one class; the training's seed stands for both."""
    values = plan.model.model_dump() | plan.decoding.model_dump() | plan.train.model_dump()
    made = fields_class(plan.model.family)
    return made.model_validate({name: values[name] for name in made.model_fields})


def plan_of_flat(
    flat: Settings, run: RunSettings, objective: Objective, origin: ModelSettings | None = None
) -> RunPlan:
    """A plan from the fields of a form.

    Args:
        flat: Of `fields_class`.
        run: What the job reads.
        objective: What it learns.
        origin: The model of what it starts from, where that is given; its sizes stay.

    Returns:
        The plan.
    """
    values = flat.model_dump()
    family = values.get("family", "")
    if origin is None:
        made = FAMILIES.checked(_some(values, FAMILIES.classes[family]))
        model = ModelSettings.require(made)
    else:
        model = origin.with_free_fields(values)
    train = TrainSettings.checked(_some(values, TrainSettings) | {"objective": objective})
    decoding = DecodingSettings.checked(_some(values, DecodingSettings))
    return RunPlan(run, model, train, decoding)


def _some(values: dict[str, Any], settings_class: type[Settings]) -> dict[str, Any]:
    return {name: values[name] for name in settings_class.model_fields if name in values}
