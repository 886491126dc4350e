"""The command that does what a planned job does, with the options that differ from the defaults."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from core.decoding.settings import DecodingSettings
from core.errors import EpitomeError
from core.library.named_folders import typed_path
from core.models.families import BUILT_FAMILIES, DEFAULT_FAMILY, PRESETS, get_family
from core.models.settings import ModelSettings
from core.settings import NONE, Settings
from core.training.plan import RunPlan
from core.training.presets import DECODING_PRESETS, TRAINING_PRESETS
from core.training.settings import TrainSettings

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
    if not plan.run.start_from:
        options += _of_job(plan)
    else:
        options += _of_origin(plan)
        options += _of_training(train, "") + _of_decoding(plan.decoding, "")
    if own_seed:
        options.append(("--seed", str(train.seed)))
    return options


def _of_origin(plan: RunPlan) -> list[Option]:
    """What is chosen of the model that a job starts from, where that is one of others."""
    model, folder = plan.model, typed_path(plan.run.start_from)
    family = get_family(model)
    if not family.is_built:
        return differing(model, None, {"family", *model.hidden_fields})
    with suppress(EpitomeError):  # what is wrong with the folder is told when the job starts
        if family.owns_folder(folder):
            theirs: ModelSettings = family.read_folder(folder)
            return differing(model, theirs, {*type(model).model_fields} - theirs.free_fields)
    return []


def train_words(plan: RunPlan, name: str) -> list[str]:
    """The command, word by word."""
    options = train_options(plan, name)
    return ["epitome", "train", *(word for option in options for word in option)]


def _of_job(plan: RunPlan) -> list[Option]:
    """The preset from which the job differs least, or the family; and what differs."""
    family = plan.model.family
    same = [name for name, preset in PRESETS.items() if preset.family == family]
    found = {name: _from_base(plan, name) for name in ("", *same)}
    return min(found.values(), key=len)  # of equals the first


def _from_base(plan: RunPlan, preset: str) -> list[Option]:
    model = plan.model
    base = PRESETS[preset] if preset else BUILT_FAMILIES.classes[model.family]()
    named: list[Option] = [("--preset", preset)] if preset else []
    if not preset and model.family != DEFAULT_FAMILY:
        named = [("--family", model.family)]
    rest = _of_training(plan.train, preset) + _of_decoding(plan.decoding, preset)
    return [*named, *differing(model, base, {"family", "seed"}), *rest]


def _of_training(train: TrainSettings, preset: str) -> list[Option]:
    base = TrainSettings(**TRAINING_PRESETS.get(preset, {}))
    return differing(train, base, {"objective", "seed"})


def _of_decoding(decoding: DecodingSettings, preset: str) -> list[Option]:
    return differing(decoding, DecodingSettings(**DECODING_PRESETS.get(preset, {})), set())


def differing(settings: Settings, base: Settings | None, left_out: set[str]) -> list[Option]:
    """The options that make settings of others.

    Args:
        settings: What is wanted.
        base: What holds without options; the defaults of the class if None.
        left_out: Names of fields that get no option.

    Returns:
        An option for each field whose value is another.
    """
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
