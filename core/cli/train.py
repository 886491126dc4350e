"""``epitome train``: trains a model, or goes on with a run."""

import argparse
import os
import signal
from contextlib import closing
from dataclasses import asdict
from functools import partial
from typing import Any

from core.cli.command import Command, Report
from core.cli.console import Console
from core.cli.help import Example
from core.cli.job_file import GivenJob
from core.cli.models import add_folder_options, add_model_options
from core.cli.options import WrongUsageError, as_wrong_usage
from core.cli.runner import Ending, follow, stopped_by_ctrl_c
from core.cli.train_plan import check, plan_of, presets, resolve, run_folder
from core.events import Event, Failed, Message, Stopped
from core.export.json_file import envelope
from core.jobs.run import run_inline
from core.jobs.timings import Timings
from core.jobs.training.team import TeamJob
from core.jobs.training.train import TrainJob
from core.library.folders import Folders
from core.library.named_folders import new_folder
from core.models.families import DEFAULT_FAMILY
from core.numbers import format_count
from core.runs.folder import RunFolder, new_run_name, processes_before
from core.stop import StopToken
from core.system.shell import shell_line
from core.training.events import CheckpointSaved, StepDone, StepSkipped, ValidationDone
from core.training.plan import TABLES, RunPlan

_TITLES = {
    "run": "the start",
    "train": "training",
    "decoding": "generating summaries in validation",
}


EXAMPLES = (
    Example(
        "Train a small Reformer on documents with summaries",
        "epitome train --corpus articles --tokenizer articles-8k --preset small --out first",
    ),
    Example(
        "Fine-tune a pre-trained run",
        "epitome train --from pretrained --corpus articles --objective summary --out tuned",
    ),
    Example(
        "Resume a run where it stopped",
        "epitome train --resume first",
    ),
    Example(
        "Print the whole job, to keep or to edit",
        "epitome train --corpus articles --tokenizer articles-8k --print-config",
    ),
)


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome train``."""
    parser.add_argument("--out", metavar="RUN", help="Name or folder of the new run")
    parser.add_argument("--resume", metavar="RUN", help="Resume a run with its own settings")
    parser.add_argument(
        "--processes",
        type=int,
        metavar="N",
        help="Number of training processes on this machine (default: 1, or as before for --resume)",
    )
    parser.add_argument(
        "--from", dest="start_from", metavar="RUN|FOLDER", default=argparse.SUPPRESS,
        help="Start with the weights of a run, or of a Hugging Face model",
    )  # fmt: skip
    parser.add_argument("--seed", metavar="N", default=argparse.SUPPRESS,
                        help="Random seed of initial weights, hashing, dropout, padding and the "
                             "order of examples (default: 0)")  # fmt: skip
    add_model_options(parser, *(kind for kind in TABLES.values() if isinstance(kind, type)))
    add_folder_options(parser)
    COMMAND.add_to(parser)


def _run(job: GivenJob, options: argparse.Namespace, console: Console) -> int:
    processes = options.processes or 1
    if options.resume is not None:
        work = TrainJob(run_folder(options.resume), stay_awake=True)
        if options.processes is None:
            processes = processes_before(RunFolder(work.folder))
    else:
        work = _new(plan_of(job), options)
    if "RANK" in os.environ:  # the launcher has started the others
        processes = 1
    if options.processes is None and processes > 1:
        console.say(f"train: in {processes} processes, as before.")
    return _Run(work, processes, options.json).all(console)


COMMAND = Command(
    "train",
    TABLES,
    _run,
    presets=presets,
    titles=_TITLES,
    own_options={"start_from", "seed"},
    check=check,
    resolve=resolve,
)


def _new(plan: RunPlan, options: argparse.Namespace) -> TrainJob:
    if not plan.run.corpus:
        raise WrongUsageError("A new run needs --corpus.", "See epitome train --help.")
    family = plan.model.family
    size = f"-{options.preset or 'small'}" if family == DEFAULT_FAMILY else ""
    name = options.out or new_run_name(family + size)
    with as_wrong_usage():
        folder = new_folder(name, Folders.of_this_user().runs, "a run")
    return TrainJob(folder, plan, stay_awake=True)


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
        timings, stop = Timings(), StopToken()
        job = self.job if self.processes == 1 else TeamJob(self.job, self.processes)
        with stopped_by_ctrl_c(stop, signal.SIGTERM), closing(run_inline(job, stop)) as events:
            ending = follow(events, "train", console, partial(self._take, console=console))
        timings.end("train")
        return self._told_end(ending, console, timings, leads)

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

    def _told_end(self, ending: Ending, console: Console, timings: Timings, leads: bool) -> int:
        if isinstance(ending, Failed):
            console.fail(ending, "train")
            return 1
        if isinstance(ending, Stopped) and not RunFolder(self.job.folder).exists:
            console.say("Stopped before the run began. Run the same command to start it.")
            return 130
        if isinstance(ending, Stopped):
            command = shell_line(["epitome", "train", "--resume", str(self.job.folder)])
            console.say(f"Stopped. Resume with: {command}")
            return 130
        early = " Stopped early: no further improvement." if ending.result.early else ""
        done = f"Done.{early} The run is in {self.job.folder}"
        report = Report(lambda: self._envelope(ending.result, timings), lambda: (), [done])
        report.deliver(console, as_json=self.as_json and leads)
        return 0

    def _envelope(self, trained: Any, timings: Timings) -> dict[str, Any]:
        result = {
            "run": str(self.job.folder),
            "step": trained.step,
            "early": trained.early,
            "skipped": self.skipped,
            "validations": [asdict(found) for found in self.validations],
        }
        plan = RunPlan.load(RunFolder(self.job.folder))
        settings = {name: table.model_dump(mode="json") for name, table in plan.tables().items()}
        return envelope("train", None, settings, result, timings.parts_s, self.warnings)
