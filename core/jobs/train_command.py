"""The command that does what a planned job does, with the options that differ from the defaults."""

from collections.abc import Iterator
from typing import Any

from core.jobs.queued_training import RunPlan
from core.models.reformer.settings import PRESETS, ReformerSettings
from core.models.settings import BUILT_FAMILIES, DEFAULT_FAMILY
from core.settings import NONE, Settings

Option = tuple[str, ...]
"""An option with its value: ("--steps", "600"), ("--no-reversible",)."""


def train_options(plan: RunPlan, name: str) -> list[Option]:
    """The options of ``epitome train`` for a plan.

    Args:
        plan: The job.
        name: The run's name or folder.

    Returns:
        Options in the order of the help; those that stand for defaults are left out.
    """
    train = plan.train
    options: list[Option] = [("--objective", train.objective)]
    options += [
        (flag, value)
        for flag, value in (
            ("--corpus", plan.run.corpus),
            ("--tokenizer", plan.run.tokenizer),
            ("--from", plan.run.start_from),
            ("--out", name),
        )
        if value
    ]
    seeds = {train.seed, getattr(plan.model, "seed", train.seed)}
    own_seed = bool(seeds - {0})
    if plan.run.start_from:
        if plan.model.family == "hugging-face":
            options += _differing(plan.model, None, {"architecture", "generation", "family"})
    else:
        options += _of_model(plan)
    options += _differing(train, None, {"objective", "seed"})
    options += _differing(plan.decoding, None, set())
    if own_seed:
        options.append(("--seed", str(train.seed)))
    return options


def train_words(plan: RunPlan, name: str) -> list[str]:
    """The command, word by word."""
    options = train_options(plan, name)
    return ["epitome", "train", *(word for option in options for word in option)]


def _of_model(plan: RunPlan) -> list[Option]:
    """The family, or the preset from which the model differs least, and the differences."""
    model, left_out = plan.model, {"family", "seed"}
    if plan.model.family != DEFAULT_FAMILY:
        base = BUILT_FAMILIES.classes[model.family]()
        return [("--family", model.family), *_differing(model, base, left_out)]
    bases: dict[str, ReformerSettings] = {"": ReformerSettings()}
    bases |= {str(name): preset for name, preset in PRESETS.items()}
    found = {name: _differing(model, base, left_out) for name, base in bases.items()}
    name = min(found, key=lambda each: len(found[each]) + bool(each))
    return [*([("--preset", name)] if name else []), *found[name]]


def _differing(settings: Settings, base: Settings | None, left_out: set[str]) -> list[Option]:
    """The options of the fields whose value is not that of another instance, or the default."""
    base = base or type(settings).model_construct()
    return [
        option
        for name in type(settings).model_fields
        if name not in left_out and getattr(settings, name) != getattr(base, name)
        for option in _option(name, getattr(settings, name))
    ]


def _option(name: str, value: Any) -> Iterator[Option]:
    flag = f"--{name.replace('_', '-')}"
    if isinstance(value, bool):
        yield (flag if value else flag.replace("--", "--no-", 1),)
    elif isinstance(value, tuple):
        yield from ((flag, str(each)) for each in value)
    else:
        yield (flag, NONE if value is None else str(value))
