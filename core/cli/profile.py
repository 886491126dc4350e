"""``epitome profile``: memory, time and operations of training steps."""

import argparse
import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from core.cli.command import Command, Presets
from core.cli.console import Console
from core.cli.help import Example
from core.cli.job_file import GivenJob
from core.cli.models import add_folder_options, add_model_options, preset_of
from core.cli.options import WrongUsageError, add_force, as_wrong_usage
from core.cli.runner import Ending, follow, stopped_by_ctrl_c
from core.cli.train_plan import model_named
from core.errors import explained
from core.events import Event, Failed, Message, Stopped
from core.export.json_file import envelope, to_json
from core.jobs.profiling.profile import ProfileJob
from core.jobs.run import run_inline
from core.jobs.timings import Timings
from core.models.families import FAMILIES
from core.models.settings import ModelSettings
from core.numbers import format_quantity
from core.profiling.crossing import Crossing, crossings
from core.profiling.events import LossesCompared, PointMeasured, TailEffect
from core.profiling.figure import check_can_draw, save_figure
from core.profiling.settings import VARY_HELP, ProfileSettings
from core.profiling.sweep import Point, points_of
from core.profiling.table import LEGEND, Table, plain, plain_losses, to_csv
from core.settings import Settings, SettingsKind, option
from core.stop import StopToken
from core.storage.atomic_files import check_place, write_whole
from core.storage.files import SourceFiles
from core.storage.temporary_names import open_temporary


class OutputOptions(Settings):
    """Where measurements go besides the table."""

    csv: str = option("", "FILE", "Write all measurements to this CSV file, one row per point.")
    png: str = option("", "FILE", "Plot memory and time against the first varied setting.")


_OTHERS: dict[str, type[Settings]] = {
    "profile": ProfileSettings,
    "output": OutputOptions,
}
TABLES: dict[str, SettingsKind] = {"model": FAMILIES, **_OTHERS}
_TITLES = {"profile": "the step and its measurement", "output": "files"}


EXAMPLES = (
    Example(
        "One training step of a preset",
        "epitome profile --preset small",
    ),
    Example(
        "Memory and time as the length doubles, with a figure",
        "epitome profile --vary length=1024..8192x2 --png lengths.png",
    ),
    Example(
        "What saves memory with an imported model, side by side",
        "epitome profile --from ~/models/bart-base --batch 4 --memory-options",
    ),
    Example(
        "Hashed attention against full attention",
        "epitome profile --length 4096 --against-full --csv steps.csv",
    ),
)


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome profile``."""
    parser.add_argument(
        "--from", dest="start_from", metavar="RUN|FOLDER", default="",
        help="Measure the model of a run, or of a Hugging Face folder",
    )  # fmt: skip
    add_model_options(parser, *_OTHERS.values())
    add_folder_options(parser)
    COMMAND.add_to(parser)
    add_force(parser)
    parser.epilog = f"{VARY_HELP} {LEGEND}"


def _run(job: GivenJob, options: argparse.Namespace, console: Console) -> int:
    model = ModelSettings.require(job.tables["model"])
    settings, output = job[ProfileSettings], job[OutputOptions]
    sources = SourceFiles([options.config] if options.config else [])
    for name in filter(None, (output.csv, output.png)):
        sources.check(name)
    with as_wrong_usage():
        points = points_of(model, settings)
        _check(points, settings, output)
    _try_places(points, output, options.force)
    run = _Run(ProfileJob(model, settings), points, output, options.json, replace=options.force)
    return run.all(console)


def _presets(options: argparse.Namespace) -> Presets:
    """The model of what was named; other options change it."""
    if not options.start_from:
        return {"model": preset_of(options)}
    if options.preset:
        raise WrongUsageError("--preset and --from both name a model.", "Leave out one of them.")
    model = model_named(options.start_from)
    if model.is_gguf:
        raise WrongUsageError(
            f"{options.start_from} is a GGUF file, which is not trained.",
            "Choose a model whose weights are safetensors.",
        )
    return {"model": model.model_dump()}


COMMAND = Command("profile", TABLES, _run, presets=_presets, titles=_TITLES)


def _check(points: tuple[Point, ...], settings: ProfileSettings, output: OutputOptions) -> None:
    """Refuses what could not be delivered, before hours are spent on it."""
    if settings.causality and (output.csv or output.png):
        name = "csv" if output.csv else "png"
        raise WrongUsageError(
            f"“{name}” shows steps, and “causality” measures none.", f"Leave out --{name}."
        )
    if output.csv and output.png and Path(output.csv) == Path(output.png):
        raise WrongUsageError("“csv” and “png” are the same file.", "Give them two names.")
    if output.png:
        check_can_draw(points)


def _try_places(points: tuple[Point, ...], output: OutputOptions, replace: bool) -> None:
    """Refuses places that take no file before the sweep; begins the table."""
    if output.png:
        place = Path(output.png)
        check_place(place, replace=replace)
        with explained(f"{place} cannot be written", "Choose another place."):
            place.parent.mkdir(parents=True, exist_ok=True)
            with open_temporary(place) as file:
                pass
            Path(file.name).unlink()
    if output.csv:
        write_whole(Path(output.csv), to_csv(points, ()), replace=replace)


class _Run:
    """One call of the command: what was found so far, and where it goes."""

    def __init__(
        self,
        job: ProfileJob,
        points: tuple[Point, ...],
        output: OutputOptions,
        as_json: bool,
        *,
        replace: bool,
    ) -> None:
        self.replace = replace
        self.job = job
        self.points = points
        self.output = output
        self.as_json = as_json
        self.table = Table(points)
        self.done: list[PointMeasured] = []
        self.losses: list[LossesCompared] = []
        self.effects: list[TailEffect] = []
        self.notes: list[str] = []

    def all(self, console: Console) -> int:
        """Measures, and delivers what was found, also when it ends early; gives the exit code."""
        timings = Timings()
        ending = self._measured(console)
        timings.end("measure")
        self._deliver(timings.parts_s)
        for note in self._warnings()[len(self.notes) :]:  # the others were told as they came
            console.say(note)
        if isinstance(ending, Failed):
            console.fail(ending)
            return 1
        if isinstance(ending, Stopped):
            count = f"{len(self.done)} of {format_quantity(len(self.points), 'point')}"
            console.say(f"Interrupted. {count} measured.")
            return 130
        return self._judged(console)

    def _measured(self, console: Console) -> Ending:
        stop = StopToken()
        with stopped_by_ctrl_c(stop):
            take = partial(self._take, console=console)
            ending = follow(run_inline(self.job, stop), "profile", console, take)
        return Stopped("stop") if stop else ending

    def _take(self, event: Event, console: Console) -> None:
        if isinstance(event, PointMeasured):
            self.done.append(event)
            if self.output.csv:
                table = to_csv(self.points, self.done)
                write_whole(Path(self.output.csv), table, replace=True)  # the one that was begun
        elif isinstance(event, LossesCompared):
            self.losses.append(event)
        elif isinstance(event, TailEffect):
            self.effects.append(event)
        elif isinstance(event, Message):
            self.notes.append(event.text)
        if not self.as_json:
            self._print(event, console)

    def _print(self, event: Event, console: Console) -> None:
        """Prints what is known, as soon as it is."""
        if isinstance(event, PointMeasured):
            console.clear()
            print("\n".join(self.table.lines(event)), flush=True)
        elif isinstance(event, TailEffect):
            print(event.told(), flush=True)

    def _deliver(self, timings_s: dict[str, float]) -> None:
        if not self.as_json:
            sentences = [losses.told() for losses in self.losses]
            sentences += [crossing.told() for crossing in self._crossings()]
            if sentences:
                print("", *sentences, sep="\n")
        elif self.done or self.effects:
            sys.stdout.write(to_json(self._envelope(timings_s)).decode())
        sys.stdout.flush()
        if self.output.png and any(done.found for done in self.done):
            save_figure(self.done, Path(self.output.png), replace=self.replace)

    def _crossings(self) -> list[Crossing]:
        return crossings(self.done) if self.job.settings.against_full else []

    def _envelope(self, timings_s: dict[str, float]) -> dict[str, Any]:
        settings = {
            "model": self.job.model.model_dump(mode="json"),
            "profile": self.job.settings.model_dump(mode="json"),
        }
        result = {
            "points": [plain(done) for done in self.done],
            "losses": [plain_losses(losses) for losses in self.losses],
            "crossings": [asdict(crossing) for crossing in self._crossings()],
            "causality": [asdict(effect) for effect in self.effects],
        }
        return envelope("profile", None, settings, result, timings_s, self._warnings())

    def _warnings(self) -> list[str]:
        found = [done.found for done in self.done if done.found]
        told = list(self.notes)
        if busy := sum(one.was_disturbed for one in found):
            points = format_quantity(busy, "point")
            told.append(
                f"Other programs used the cores during {points}, so their times are too long."
            )
        if any(one.memory_by == "samples" for one in found):
            told.append("Memory was sampled every millisecond, so short peaks may be missed.")
        return told

    def _judged(self, console: Console) -> int:
        """Fails where every point did."""
        if self.done and not any(done.found for done in self.done):
            first = self.done[0]
            console.fail(Failed(f"Nothing could be measured. {first.failure}", first.remedy))
            return 1
        return 0
