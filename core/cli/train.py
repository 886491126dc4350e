"""``epitome train``: trains a model, or goes on with a run."""

import argparse
import os
import signal
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from core.cli.command import Command, Presets, Report
from core.cli.console import Console
from core.cli.job_file import GivenJob
from core.cli.models import add_model_options, preset_of
from core.cli.options import WrongUsageError, as_wrong_usage
from core.cli.runner import Ending, follow, stopped_by_ctrl_c
from core.decoding.settings import DecodingSettings
from core.errors import EpitomeError
from core.events import Event, Failed, Message, Stopped
from core.export.json_file import envelope
from core.jobs.laps import Laps
from core.jobs.run import run_inline
from core.jobs.team import TeamJob
from core.jobs.train import TrainJob
from core.library.folders import Folders
from core.library.named_folders import named_folder, new_folder
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
    add_model_options(parser, *(kind for kind in TABLES.values() if isinstance(kind, type)))
    COMMAND.add_to(parser)


def _check(options: argparse.Namespace) -> None:
    if options.processes < 1:
        raise WrongUsageError(
            f"--processes must be 1 or more; it was {options.processes}.", "Leave it out for 1."
        )
    if options.resume:
        _refuse_with_resume(options)


def _presets(options: argparse.Namespace) -> Presets:
    """The model of what a run starts from, if that is known by what was typed; or a preset."""
    start_from = vars(options).get("start_from")
    if model := _of_folder(start_from or ""):
        return {"model": model.model_dump()}
    if start_from:
        _refuse_model_options(options, start_from)
    return {"model": preset_of(options)}


def _resolve(job: GivenJob, options: argparse.Namespace, console: Console) -> GivenJob:
    """The job with the model that it will have; what a resumed run has is only read to be shown."""
    if options.resume:
        if not options.print_config:
            return job
        plan = RunPlan.load(RunFolder(_run_folder(options.resume)))
    else:
        plan = _plan_of(job)
        plan = _with_origin(plan, options, console) if plan.run.start_from else plan
        plan = _with_vocabulary(plan) if options.print_config else plan
    return replace(job, tables=plan.tables())


def _plan_of(job: GivenJob) -> RunPlan:
    model = job.tables["model"]
    assert isinstance(model, ModelSettings)
    return RunPlan(job[RunSettings], model, job[TrainSettings], job[DecodingSettings])


def _run(job: GivenJob, options: argparse.Namespace, console: Console) -> int:
    several = options.processes > 1 and "RANK" not in os.environ
    work = _resumed(options.resume) if options.resume else _new(_plan_of(job), options)
    return _Run(work, options.processes if several else 1, options.json).all(console)


COMMAND = Command(
    "train",
    TABLES,
    _run,
    presets=_presets,
    titles=_TITLES,
    own_options={"start_from", "seed"},
    check=_check,
    resolve=_resolve,
)


def _resumed(name: str) -> TrainJob:
    return TrainJob(_run_folder(name))


def _new(plan: RunPlan, options: argparse.Namespace) -> TrainJob:
    for name in ("corpus", *(() if plan.run.start_from else ("tokenizer",))):
        if not getattr(plan.run, name):
            raise WrongUsageError(f"A new run needs --{name}.", "See epitome train --help.")
    family = plan.model.family
    size = f"-{options.preset or 'small'}" if family == DEFAULT_FAMILY else ""
    name = options.out or new_run_name(family + size)
    with as_wrong_usage():
        return TrainJob(new_folder(name, Folders.of_this_user().runs), plan)


def _run_folder(name: str) -> Path:
    return named_folder(name, Folders.of_this_user().runs)


def _with_origin(plan: RunPlan, options: argparse.Namespace, console: Console) -> RunPlan:
    """A plan with the model of what it starts from."""
    if model := _of_folder(plan.run.start_from):
        return plan if isinstance(plan.model, HuggingFaceSettings) else replace(plan, model=model)
    _refuse_model_options(options, plan.run.start_from)
    theirs = RunPlan.load(RunFolder(_run_folder(plan.run.start_from))).model
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
        folder = _run_folder(name)
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
        job = self.job if self.processes == 1 else TeamJob(self.job, self.processes)
        with stopped_by_ctrl_c(stop, signal.SIGTERM), closing(run_inline(job, stop)) as events:
            ending = follow(events, "train", console, partial(self._take, console=console))
        laps.end("train")
        return self._told_end(ending, console, laps, leads)

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

    def _told_end(self, ending: Ending, console: Console, laps: Laps, leads: bool) -> int:
        if isinstance(ending, Failed):
            console.fail(ending, "train")
            return 1
        if isinstance(ending, Stopped):
            console.say(f"Stopped. Resume with: epitome train --resume {self.job.folder}")
            return 130
        early = " Stopped early: no further improvement." if ending.result.early else ""
        done = f"Done.{early} The run is in {self.job.folder}"
        report = Report(lambda: self._envelope(ending.result, laps), lambda: (), [done])
        report.deliver(console, as_json=self.as_json and leads)
        return 0

    def _envelope(self, trained: Any, laps: Laps) -> dict[str, Any]:
        result = {
            "run": str(self.job.folder),
            "step": trained.step,
            "early": trained.early,
            "skipped": self.skipped,
            "validations": [asdict(found) for found in self.validations],
        }
        plan = RunPlan.load(RunFolder(self.job.folder))
        settings = {name: table.model_dump(mode="json") for name, table in plan.tables().items()}
        return envelope("train", None, settings, result, laps.timings_s, self.warnings)
