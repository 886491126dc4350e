"""``epitome gauge``: what hashing does to a trained run."""

import argparse
import sys
from dataclasses import asdict
from functools import partial

from core.cli.command import Command
from core.cli.console import Console
from core.cli.help import Example
from core.cli.job_file import GivenJob
from core.cli.options import WrongUsageError
from core.cli.runner import follow, stopped_by_ctrl_c
from core.events import Event, Failed, Stopped
from core.export.json_file import envelope, to_json
from core.jobs.run import run_inline
from core.jobs.runs.gauge_run import Found, GaugeRunJob
from core.jobs.timings import Timings
from core.library.folders import Folders
from core.library.named_folders import named_folder
from core.profiling.events import GaugedLoss, RotationsGauged, TailEffect
from core.profiling.settings import GaugeSettings
from core.settings import Settings
from core.stop import StopToken

TABLES: dict[str, type[Settings]] = {"settings": GaugeSettings}
EXAMPLES = (
    Example("Causality, full-attention twin and rotations of a run", "epitome gauge first"),
    Example(
        "What hashing costs in ROUGE, on 20 documents",
        "epitome gauge first --gauge twin --documents 20 --summaries 20",
    ),
)


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome gauge``."""
    parser.add_argument("of_run", nargs="?", metavar="RUN", help="Name or folder of the run")
    COMMAND.add_to(parser)


def _run(job: GivenJob, options: argparse.Namespace, console: Console) -> int:
    if len(job.sources) != 1:
        raise WrongUsageError(
            f"One run is asked for, and {len(job.sources)} were named.",
            "Name one: epitome gauge RUN.",
        )
    folder = named_folder(job.sources[0], Folders.of_this_user().runs)
    settings, timings, stop = job[GaugeSettings], Timings(), StopToken()
    found: list[Found] = []
    with stopped_by_ctrl_c(stop):
        take = partial(_take, found, console, as_json=options.json)
        ending = follow(run_inline(GaugeRunJob(folder, settings), stop), "gauge", console, take)
    timings.end("gauge")
    if options.json and found:
        told = {"run": str(folder)} | settings.model_dump(mode="json")
        result = {
            "causality": [asdict(each) for each in found if isinstance(each, TailEffect)],
            "twin": [asdict(each) for each in found if isinstance(each, GaugedLoss)],
            "rotations": [asdict(each) for each in found if isinstance(each, RotationsGauged)],
        }
        whole = envelope("gauge", None, told, result, timings.parts_s, [])
        sys.stdout.write(to_json(whole).decode())
        sys.stdout.flush()
    if isinstance(ending, Failed):
        console.fail(ending)
        return 1
    return 130 if isinstance(ending, Stopped) or stop else 0


COMMAND = Command(
    "gauge", TABLES, _run, lambda options: (options.of_run,) if options.of_run else ()
)


def _take(found: list[Found], console: Console, event: Event, *, as_json: bool) -> None:
    """Prints what is known, as soon as it is."""
    if isinstance(event, TailEffect | GaugedLoss | RotationsGauged):
        found.append(event)
        if not as_json:
            console.clear()
            print(event.told(), flush=True)
