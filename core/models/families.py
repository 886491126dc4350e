"""The registry of model families: whatever is done with a model, its family is asked here."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from core.models.family import ModelFamily
from core.models.hugging_face.family import HUGGING_FACE
from core.models.language_model.family import LANGUAGE_MODEL
from core.models.reformer.family import REFORMER, REFORMER_ENCODER_DECODER
from core.models.settings import ModelSettings
from core.models.transformer.family import TRANSFORMER
from core.settings import Settings, SettingsChoice

DEFAULT_FAMILY = REFORMER.name
REGISTRY: dict[str, ModelFamily[Any]] = {}
"""The families, by name."""
PRESETS: dict[str, ModelSettings] = {}
"""Sizes to begin with, and those of the papers; the name of each is of one family."""
_BUILT: dict[str, type[Settings]] = {}
_ALL: dict[str, type[Settings]] = {}
_ELSEWHERE: dict[str, str] = {}
BUILT_FAMILIES = SettingsChoice("family", _BUILT, DEFAULT_FAMILY)
"""Settings of the families whose models are built from options."""
FAMILIES = SettingsChoice("family", _ALL, DEFAULT_FAMILY, _ELSEWHERE)
"""Settings of all families."""


def register(family: ModelFamily[Any]) -> None:
    """Adds a family to those that the program knows."""
    REGISTRY[family.name] = family
    PRESETS.update(family.presets)
    _ALL[family.name] = family.settings
    if family.is_built:
        _BUILT[family.name] = family.settings
    else:
        _ELSEWHERE[family.name] = family.source


def get_family(settings: ModelSettings) -> ModelFamily[Any]:
    """Returns the family of a model."""
    return REGISTRY[settings.family]


def get_folder_family(folder: Path) -> ModelFamily[Any] | None:
    """Returns the family of the model in a folder that is no run; None if there is none.

    Args:
        folder: The folder.

    Returns:
        The family.

    Raises:
        EpitomeError: If the folder's configuration cannot be read.
    """
    return next((each for each in REGISTRY.values() if each.owns_folder(folder)), None)


def num_parameters(settings: ModelSettings) -> int:
    """Counts the weights of a model, tied ones once; of imported models about."""
    return get_family(settings).num_parameters(settings)


def estimate_parameters(settings: ModelSettings) -> int:
    """Counts the weights of a model; 0 where the configuration of a library does not say."""
    with suppress(ValueError, TypeError, AttributeError, OverflowError):
        return num_parameters(settings)
    return 0


for _family in (REFORMER, REFORMER_ENCODER_DECODER, TRANSFORMER, LANGUAGE_MODEL, HUGGING_FACE):
    register(_family)
