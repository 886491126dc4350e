"""The variants of a model that the Memory panel draws, and those that were added. Without Qt."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.models.families import BUILT_FAMILIES
from core.models.settings import ModelSettings
from core.profiling.memory_fields import ProfileSettings, changed_by
from core.profiling.memory_sweeps import SettingsChange, model_words, parts_of

BASE = "base"
"""The key of the model as it is set."""
_ADDED = "added "


@dataclass(frozen=True)
class Variant:
    """A model with its step that can be drawn as one line.

    Args:
        key: By which it is known.
        title: As a person reads it.
        model: The model.
        step: Its step.
    """

    key: str
    title: str
    model: ModelSettings
    step: ProfileSettings


def variants_of(model: ModelSettings, step: ProfileSettings) -> list[Variant]:
    """A model as it is set, and the same with parts switched off.

    Args:
        model: The model.
        step: Its step.

    Returns:
        The variants, the model itself first.
    """
    made = [Variant(BASE, model_words(model), model, step)]
    for part in parts_of(model, step):
        changed, changed_step = changed_by(model, step, dict(part.values))
        made.append(Variant(part.title, _title(part, changed), changed, changed_step))
    return made


def single_parts(variants: Iterable[Variant]) -> tuple[Variant, ...]:
    """The variants without those that switch two parts off."""
    return tuple(each for each in variants if "," not in each.key)


def part_title(variant: Variant) -> str:
    """What is switched off; an added model is called by its own title."""
    if variant.key == BASE:
        return "As set"
    return variant.title if variant.key.startswith(_ADDED) else variant.key


def _title(part: SettingsChange, model: ModelSettings) -> str:
    """Attention and layers where they change, else the part: "LSH, stored layers", "bf16"."""
    told = {"attention", "reversible", "encoder_attention"}
    is_told = told & part.values.keys() and "checkpointing" not in part.values
    return model_words(model) if is_told else part.title


def added(
    title: str, model: ModelSettings, step: ProfileSettings, among: Sequence[Variant]
) -> Variant:
    """A model that is added, by a title and a key that no other has.

    Args:
        title: What it is called; a number follows where another is called so.
        model: The model.
        step: Its step.
        among: Those that are there.

    Returns:
        The variant.
    """
    titles, keys = {each.title for each in among}, {each.key for each in among}
    words = next(n for n in (title, *(f"{title} {i}" for i in range(2, 99))) if n not in titles)
    key = next(k for k in (f"{_ADDED}{i}" for i in range(1, 999)) if k not in keys)
    return Variant(key, words, model, step)


def kept_variants(pinned: Iterable[Variant]) -> list[dict[str, Any]]:
    """Added models as the window's file keeps them."""
    return [
        {
            "key": each.key,  # by which it is known whether it is drawn
            "title": each.title,
            "model": each.model.model_dump(mode="json"),
            "step": each.step.model_dump(mode="json"),
        }
        for each in pinned
    ]


def variant_of(kept: Mapping[str, Any], number: int) -> Variant:
    """An added model out of the window's file.

    Args:
        kept: As `kept_variants` gave it.
        number: Its place among the added ones, from 1, by which older programs knew it.

    Returns:
        The variant.

    Raises:
        EpitomeError: If it is of another program.
        KeyError: If something is missing.
    """
    model = BUILT_FAMILIES.checked(dict(kept["model"]))
    step = ProfileSettings.checked(dict(kept["step"]))
    key = str(kept.get("key", ""))
    key = key if key.startswith(_ADDED) else f"{_ADDED}{number}"
    return Variant(key, str(kept["title"]), model, step)  # type: ignore[arg-type]
