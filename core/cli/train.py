"""``epitome train``: trains a model, or goes on with a run."""

import argparse
import os
import signal
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import asdict, replace
from typing import Any

from core.cli.console import Console
from core.cli.job_file import given_job
from core.cli.models import add_model_options, preset_of
from core.cli.options import WrongUsageError, add_options, as_wrong_usage
from core.cli.runner import Ending, stopped_by_ctrl_c
from core.data.corpus import named_folder, new_folder
from core.decoding.settings import DecodingSettings
from core.errors import EpitomeError
from core.events import Event, Failed, Finished, Message, Stopped
from core.export.json_file import envelope, to_json
from core.jobs.laps import Laps
from core.jobs.run import run_inline
from core.jobs.team import TeamJob
from core.jobs.train import TrainJob
from core.library.folders import Folders
from core.models.hugging_face.settings import HuggingFaceSettings, is_model_folder
from core.models.reformer.settings import ReformerSettings
from core.models.settings import DEFAULT_FAMILY, ModelSettings
from core.numbers import format_count
from core.runs.folder import RunFolder, new_run_name
from core.settings import field_names
from core.stop import StopToken
from core.training.events import CheckpointSaved, StepDone, StepSkipped, ValidationDone
from core.training.plan import TABLES, RunPlan
from core.training.settings import RunSettings, TrainSettings

_TITLES = {
    "run": "the start",
    "train": "training",
    "decoding": "generating summaries in validation",
}


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome train``."""
    parser.add_argument("--out", metavar="RUN", help="Name or folder of the new run")
    parser.add_argument("--resume", metavar="RUN", help="Resume a run with its own settings")
    parser.add_argument(
        "--processes",
        type=int,
        default=1,
        metavar="N",
        help="Number of training processes on this machine (default: 1)",
    )
    parser.add_argument(
        "--from", dest="start_from", metavar="RUN|FOLDER", default=argparse.SUPPRESS,
        help="Start with the weights of a run, or of a Hugging Face model",
    )  # fmt: skip
    parser.add_argument("--seed", metavar="N", default=argparse.SUPPRESS,
                        help="Random seed of initial weights, hashing, dropout, padding and the "
                             "order of examples (default: 0)")  # fmt: skip
    others = {name: kind for name, kind in TABLES.items() if isinstance(kind, type)}
    add_model_options(parser, *others.values())
    for name, settings in others.items():
        add_options(parser.add_argument_group(_TITLES[name]), settings, {"start_from", "seed"})
    parser.set_defaults(run=run_command)


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Does what was typed after ``epitome train``.

    Args:
        options: What was typed.
        console: Where messages go.

    Returns:
        The exit code.

    Raises:
        WrongUsageError: If it cannot be meant.
    """
    if options.processes < 1:
        raise WrongUsageError(
            f"--processes must be 1 or more; it was {options.processes}.", "Leave it out for 1."
        )
    runs = Folders.of_this_user().runs
    if options.resume:
        _refuse_with_resume(options)
        folder = named_folder(options.resume, runs)
        if options.print_config:
            return _print(RunPlan.load(RunFolder(folder)))
        return _run(TrainJob(folder), options, console)
    plan = _plan(options, console)
    if options.print_config:
        return _print(_with_vocabulary(plan))
    for name in ("corpus", *(() if plan.run.start_from else ("tokenizer",))):
        if not getattr(plan.run, name):
            raise WrongUsageError(f"A new run needs --{name}.", "See epitome train --help.")
    family = plan.model.family
    size = f"-{options.preset or 'small'}" if family == DEFAULT_FAMILY else ""
    name = options.out or new_run_name(family + size)
    with as_wrong_usage():
        folder = new_folder(name, runs)
    return _run(TrainJob(folder, plan), options, console)


def _plan(options: argparse.Namespace, console: Console) -> RunPlan:
    """The plan of a new run, with the model that it will have."""
    model = _of_folder(getattr(options, "start_from", ""))
    if not model and vars(options).get("start_from"):
        _refuse_model_options(options, options.start_from)
    given = {"model": model.model_dump() if model else preset_of(options)}
    job = given_job("train", TABLES, options, presets=given)
    settings = job.tables["model"]
    assert isinstance(settings, ModelSettings)
    plan = RunPlan(job[RunSettings], settings, job[TrainSettings], job[DecodingSettings])
    return _with_origin(plan, options, console) if plan.run.start_from else plan


def _with_origin(plan: RunPlan, options: argparse.Namespace, console: Console) -> RunPlan:
    """A plan with the model of what it starts from."""
    if model := _of_folder(plan.run.start_from):
        return plan if isinstance(plan.model, HuggingFaceSettings) else replace(plan, model=model)
    _refuse_model_options(options, plan.run.start_from)
    runs = Folders.of_this_user().runs
    theirs = RunPlan.load(RunFolder(named_folder(plan.run.start_from, runs))).model
    if options.config and plan.model not in (theirs, ReformerSettings()):
        console.say(f"train: The model is that of {plan.run.start_from}, not that of the job file.")
    return replace(plan, model=theirs)


def _refuse_model_options(options: argparse.Namespace, start_from: str) -> None:
    if typed := _typed(options, ("model",), ("preset",)):
        raise WrongUsageError(
            f"A run that starts with the weights of {start_from} has its model too, so "
            f"{_listed(typed)} cannot be given.",
            "Leave it out, or train a new model without --from.",
        )


def _of_folder(name: str) -> HuggingFaceSettings | None:
    """The settings of the Hugging Face model in a folder; None if there is none."""
    if not name:
        return None
    with as_wrong_usage():
        folder = named_folder(name, Folders.of_this_user().runs)
        return HuggingFaceSettings.from_folder(folder) if is_model_folder(folder) else None


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


def _print(plan: RunPlan) -> int:
    print(plan.to_toml(), end="")
    return 0


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


def _run(job: TrainJob, options: argparse.Namespace, console: Console) -> int:
    several = options.processes > 1 and "RANK" not in os.environ
    return _Run(job, options.processes if several else 1, options.json).all(console)


class _Run:
    """One call of the command: shows what happens, and tells the result."""

    def __init__(self, job: TrainJob, processes: int, as_json: bool) -> None:
        self.job = job
        self.processes = processes
        self.as_json = as_json
        self.last: StepDone | None = None
        self.validations: list[ValidationDone] = []
        self.skipped = 0
        self.warnings: list[str] = []

    def all(self, console: Console) -> int:
        """Trains, and tells the end; gives the exit code."""
        leads = os.environ.get("RANK", "0") == "0"
        console = console if leads else Console(quiet=True)
        laps, stop = Laps(), StopToken()
        ending: Ending = Stopped("stop")
        job = self.job if self.processes == 1 else TeamJob(self.job, self.processes)
        with stopped_by_ctrl_c(stop, signal.SIGTERM), closing(run_inline(job, stop)) as events:
            for event in events:
                console.show(event, "train")
                self._take(event, console)
                if isinstance(event, Finished | Failed | Stopped):
                    ending = event
        console.clear()
        laps.end("train")
        return self._told_end(ending, console, laps if leads and self.as_json else None)

    def _take(self, event: Event, console: Console) -> None:
        if isinstance(event, StepDone):
            self.last = event
        elif isinstance(event, StepSkipped):
            self.skipped += 1
            console.say(f"train: step {format_count(event.step)} was skipped: {event.reason}.")
        elif isinstance(event, ValidationDone):
            self.validations.append(event)
            console.say(f"train: {self._of_validation(event)}")
        elif isinstance(event, CheckpointSaved):
            size = f"{format_count(round(event.mib))} MiB"
            console.say(f"train: checkpoint of step {format_count(event.step)} ({size}).")
        elif isinstance(event, Message) and event.level == "warning":
            self.warnings.append(event.text)

    def _of_validation(self, found: ValidationDone) -> str:
        scores = "".join(f", ROUGE-{name} {100 * f1:.1f}" for name, f1 in found.rouge.items())
        train = f", training loss {self.last.loss:.3f}" if self.last else ""
        best = " (best so far)" if found.best else ""
        step = format_count(found.step)
        return f"step {step}: validation loss {found.loss:.3f}{scores}{train}{best}."

    def _told_end(self, ending: Ending, console: Console, laps: Laps | None) -> int:
        if isinstance(ending, Failed):
            console.fail(ending, "train")
            return 1
        if isinstance(ending, Stopped):
            console.say(f"Stopped. Resume with: epitome train --resume {self.job.folder}")
            return 130
        early = " Stopped early: no further improvement." if ending.result.early else ""
        console.say(f"Done.{early} The run is in {self.job.folder}")
        if laps:
            self._print_json(ending.result, laps)
        return 0

    def _print_json(self, trained: Any, laps: Laps) -> None:
        result = {
            "run": str(self.job.folder),
            "step": trained.step,
            "early": trained.early,
            "skipped": self.skipped,
            "validations": [asdict(found) for found in self.validations],
        }
        plan = RunPlan.load(RunFolder(self.job.folder))
        settings = {name: table.model_dump(mode="json") for name, table in plan.tables().items()}
        told = envelope("train", None, settings, result, laps.timings_s, self.warnings)
        print(to_json(told).decode(), end="")
