"""What a person may set where memory is forecast and measured: the model and its step, flat."""

from functools import cache
from typing import Any

from core.models.families import BUILT_FAMILIES, REGISTRY
from core.models.families import PRESETS as PRESETS
from core.models.settings import ModelSettings
from core.profiling.settings import ProfileSettings as ProfileSettings
from core.settings import Settings
from core.training.training_fields import flat_class

NOT_SET: frozenset[str] = frozenset(
    {"family", "vary", "against_full", "memory_options", "causality"}
)
"""What the panel decides itself."""
PRESET_TITLES = {
    "quick": "Quick, two cores",
    "small": "Small, two cores",
    "large": "Large, one GPU",
    "paper": "As in the paper",
    "paper-deep": "Paper, own layers",
    "paper-2": "Faster Transformer",
    "paper-4": "Small Transformer",
    "paper-5": "Decoder-only Transformer",
    "paper-5-gpt": "Decoder-only, size of GPT",
    "reformer-encoder-decoder": "Encoder-decoder",
}
"""As a person reads them; the last is the family that has no preset, with its defaults."""


def preset_model(name: str) -> ModelSettings:
    """The model of a preset, or of a family with its defaults; raises KeyError for others."""
    if name in PRESETS:
        return PRESETS[name]
    model: ModelSettings = REGISTRY[name].settings()
    return model


def preset_of(family: str) -> str:
    """The first preset of a family; the family itself if it has none."""
    return next((name for name in PRESET_TITLES if preset_model(name).family == family), family)


@cache
def memory_fields(family: str) -> type[Settings]:
    """The flat class of a model family and its step."""
    return flat_class("MemoryFields", BUILT_FAMILIES.classes[family], ProfileSettings)


def flat_of_model(model: ModelSettings, step: ProfileSettings) -> Settings:
    """The fields of a model and its step in one class."""
    made = memory_fields(model.family)
    values = step.model_dump() | model.model_dump()
    return made.model_validate({name: values[name] for name in made.model_fields})


def model_and_step(flat: Settings) -> tuple[ModelSettings, ProfileSettings]:
    """A model and its step from the fields of a form, of `memory_fields`."""
    values: dict[str, Any] = flat.model_dump()
    own = REGISTRY[values["family"]].settings
    model: ModelSettings = own.checked(_some(values, own))
    return model, ProfileSettings.checked(_some(values, ProfileSettings))


def changed_by(
    model: ModelSettings, step: ProfileSettings, values: dict[str, Any]
) -> tuple[ModelSettings, ProfileSettings]:
    """A model and its step with some fields changed.

    Args:
        model: The model.
        step: The step.
        values: By the names of fields of either.

    Returns:
        Both.

    Raises:
        EpitomeError: If a value is not allowed, or a name is none.
    """
    own = {name: value for name, value in values.items() if name in type(model).model_fields}
    rest = {name: value for name, value in values.items() if name not in own}
    changed = type(model).checked(model.model_dump() | own)
    return changed, ProfileSettings.checked(step.model_dump() | rest)


def _some(values: dict[str, Any], settings_class: type[Settings]) -> dict[str, Any]:
    return {name: values[name] for name in settings_class.model_fields if name in values}
