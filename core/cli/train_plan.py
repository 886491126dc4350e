"""What ``epitome train`` is to do: what was typed, the job file, and what a run starts from."""

import argparse
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from core.cli.command import Presets
from core.cli.console import Console
from core.cli.job_file import GivenJob
from core.cli.models import preset_of
from core.cli.options import WrongUsageError, as_wrong_usage
from core.decoding.settings import DecodingSettings
from core.errors import EpitomeError
from core.library.folders import Folders
from core.library.named_folders import named_folder
from core.models.families import DEFAULT_FAMILY, REGISTRY, get_family, get_folder_family
from core.models.settings import ModelSettings
from core.runs.folder import RunFolder
from core.settings import field_names
from core.training.plan import TABLES, RunPlan
from core.training.presets import DECODING_PRESETS, TRAINING_PRESETS
from core.training.settings import RunSettings, TrainSettings


def check(options: argparse.Namespace) -> None:
    """Refuses what cannot be meant together; raises `WrongUsageError`."""
    if options.processes is not None and options.processes < 1:
        raise WrongUsageError(
            f"--processes must be 1 or more; it was {options.processes}.", "Leave it out for 1."
        )
    for option, typed in (
        ("--resume", options.resume),
        ("--from", vars(options).get("start_from")),
    ):
        if typed is not None and not typed.strip():  # such as by a variable that is not set
            raise WrongUsageError(
                f"{option} takes the name or the folder of a run; it was empty.",
                "See epitome list runs.",
            )
    if options.resume is not None:
        _refuse_with_resume(options)


def presets(options: argparse.Namespace) -> Presets:
    """The model of what a run starts from, if that is known by what was typed; or a preset."""
    start_from = vars(options).get("start_from")
    if model := _library_model(start_from or ""):
        return {"model": model.model_dump(), **_of_preset(options)}
    if start_from:
        _refuse_model_options(options, start_from)
    return {"model": preset_of(options), **_of_preset(options)}


def _of_preset(options: argparse.Namespace) -> Presets:
    """How the model of a preset is trained, and writes."""
    return {
        "train": TRAINING_PRESETS.get(options.preset, {}),
        "decoding": DECODING_PRESETS.get(options.preset, {}),
    }


def resolve(job: GivenJob, options: argparse.Namespace, console: Console) -> GivenJob:
    """The job with the model that it will have; what a resumed run has is only read to be shown."""
    if options.resume is not None:
        if not options.print_config:
            return job
        plan = RunPlan.load(RunFolder(run_folder(options.resume)))
    else:
        plan = plan_of(job)
        plan = _with_origin(plan, options, console) if plan.run.start_from else plan
        plan = _with_vocabulary(plan) if options.print_config else plan
    return replace(job, tables=plan.tables())


def plan_of(job: GivenJob) -> RunPlan:
    """The plan of a new run."""
    model = ModelSettings.require(job.tables["model"])
    return RunPlan(job[RunSettings], model, job[TrainSettings], job[DecodingSettings])


def run_folder(name: str) -> Path:
    """The folder of the run of that name; raises `EpitomeError` if there can be none."""
    return named_folder(name, Folders.of_this_user().runs)


def model_named(name: str) -> ModelSettings:
    """The model of a run or of a Hugging Face folder; raises `EpitomeError` if there is none."""
    return _library_model(name) or RunPlan.load(RunFolder(run_folder(name))).model


def _with_origin(plan: RunPlan, options: argparse.Namespace, console: Console) -> RunPlan:
    """A plan with the model of what it starts from."""
    if model := _library_model(plan.run.start_from):
        return plan if plan.model.family == model.family else replace(plan, model=model)
    _refuse_model_options(options, plan.run.start_from)
    theirs = RunPlan.load(RunFolder(run_folder(plan.run.start_from))).model
    if options.config and plan.model not in (theirs, REGISTRY[DEFAULT_FAMILY].settings()):
        console.say(f"train: The model is that of {plan.run.start_from}, not that of the job file.")
    return replace(plan, model=theirs)


def _refuse_model_options(options: argparse.Namespace, start_from: str) -> None:
    with as_wrong_usage():
        folder = run_folder(start_from)
    if not folder.is_dir():
        raise WrongUsageError(
            f"There is no run or model in {folder}.",
            "Give --from a run of epitome train, or the folder of a Hugging Face model.",
        )
    if typed := _typed(options, ("model",), ("preset",)):
        raise WrongUsageError(
            f"A run that starts with the weights of {start_from} has its model too, so "
            f"{_listed(typed)} cannot be given.",
            "Leave it out, or train a new model without --from.",
        )


def _library_model(name: str) -> ModelSettings | None:
    """The settings of a model of others, in its own folder or in a run; None if neither."""
    if not name:
        return None
    with as_wrong_usage():
        folder = run_folder(name)
        if family := get_folder_family(folder):
            settings: ModelSettings = family.read_folder(folder)
            return settings
    with suppress(EpitomeError):  # whatever is wrong with a run is told when it is opened
        model = RunPlan.load(RunFolder(folder)).model
        return None if get_family(model).is_built else model
    return None


def _with_vocabulary(plan: RunPlan) -> RunPlan:
    """A plan as it will be frozen: the model's vocabulary is the tokenizer's."""
    if plan.run.start_from or not plan.run.tokenizer:
        return plan
    from core.data.tokenizer import Tokenizer

    with suppress(EpitomeError):  # training will tell what is wrong with it
        folder = named_folder(plan.run.tokenizer, Folders.of_this_user().tokenizers)
        size = Tokenizer.load(folder).vocabulary_size
        return replace(plan, model=plan.model.model_copy(update={"vocabulary_size": size}))
    return plan


def _refuse_with_resume(options: argparse.Namespace) -> None:
    """A run goes on with its own settings: others that are typed would be ignored."""
    if typed := _typed(options, TABLES, ("preset", "out", "config")):
        raise WrongUsageError(
            f"A run is resumed with its own settings, so {_listed(typed)} cannot be given.",
            f"Leave it out, or start a new run with --from {options.resume}.",
        )


def _typed(options: argparse.Namespace, tables: Iterable[str], others: Iterable[str]) -> list[str]:
    """The options that were typed, of those of some tables and of some others."""
    fields = [name for table in tables for name in field_names(TABLES[table]) if name != "seed"]
    fields += ["seed"] * ("train" in tables)
    found = [name for name in dict.fromkeys(fields) if name in options]
    found += [name for name in others if getattr(options, name)]
    return ["--from" if name == "start_from" else f"--{name.replace('_', '-')}" for name in found]


def _listed(names: list[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
