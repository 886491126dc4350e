"""The commands that measure what a chart of memory and time shows."""

import itertools
from collections.abc import Sequence
from typing import Any

from core.models.families import BUILT_FAMILIES, DEFAULT_FAMILY, PRESETS
from core.models.settings import ModelSettings
from core.profiling.settings import ProfileSettings
from core.training.train_command import Option, differing

Variant = tuple[ModelSettings, ProfileSettings]
_LEFT_OUT = {"family", "vary", "against_full", "causality"}


def profile_commands(variants: Sequence[Variant], axis: str, values: str) -> list[list[str]]:
    """The commands, word by word.

    Args:
        variants: Models with their steps.
        axis: What is varied of each.
        values: Its values, as they are typed.

    Returns:
        One command where the variants are all combinations of a few fields, else one for each.
    """
    vary = ("--vary", f"{axis}={values}")
    if varied := _grid(variants):
        more = [word for name, texts in varied for word in ("--vary", f"{name}={','.join(texts)}")]
        return [[*profile_words(*variants[0]), *vary, *more]]
    return [[*profile_words(*each), *vary] for each in variants]


def profile_words(model: ModelSettings, step: ProfileSettings) -> list[str]:
    """The command that measures one step of a model."""
    options = [*_of_model(model), *differing(step, None, _LEFT_OUT)]
    return ["epitome", "profile", *(word for option in options for word in option)]


def _of_model(model: ModelSettings) -> list[Option]:
    """The preset from which it differs least, or its family; and what differs."""
    found: list[list[Option]] = [_family(model)]
    for name, preset in PRESETS.items():
        if preset.family == model.family:
            found.append([("--preset", name), *differing(model, preset, _LEFT_OUT)])
    return min(found, key=len)


def _family(model: ModelSettings) -> list[Option]:
    named: list[Option] = [("--family", model.family)] if model.family != DEFAULT_FAMILY else []
    return [*named, *differing(model, BUILT_FAMILIES.classes[model.family](), _LEFT_OUT)]


def _grid(variants: Sequence[Variant]) -> list[tuple[str, list[str]]]:
    """The fields in which variants differ, with their values; none if that is no whole grid."""
    if len({model.family for model, _ in variants}) != 1 or len(variants) < 2:
        return []
    dumps = [{**model.model_dump(), **step.model_dump()} for model, step in variants]
    names = [name for name in dumps[0] if len({repr(each[name]) for each in dumps}) > 1]
    values = [list({repr(each[name]): each[name] for each in dumps}.values()) for name in names]
    combined = {repr(tuple(each)) for each in itertools.product(*values)}
    there = {repr(tuple(each[name] for name in names)) for each in dumps}
    if combined != there or len(there) != len(variants):
        return []
    return [(n, [_text(v) for v in some]) for n, some in zip(names, values, strict=True)]


def _text(value: Any) -> str:
    """A value as ``--vary`` takes it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    return "+".join(value) if isinstance(value, tuple) else str(value)
