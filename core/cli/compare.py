"""``epitome compare``: several systems on the same documents."""

import argparse
from collections.abc import Iterator
from functools import partial
from typing import Any

from core.cli.command import Command, Report
from core.cli.console import Console
from core.cli.help import Example
from core.cli.job_file import GivenJob
from core.cli.options import WrongUsageError, add_force, as_wrong_usage
from core.cli.scoring import PlaceOptions, plain_inputs, recipe_lines, run_scoring
from core.evaluation.settings import ScoreSettings
from core.evaluation.systems import System, systems_of
from core.export.json_file import envelope
from core.jobs.evaluation.score import ScoreJob, ScoringDone
from core.numbers import format_quantity
from core.runs.evaluations import MIN_STARRED
from core.settings import Settings, option


class SystemOptions(Settings):
    """What is compared."""

    model: tuple[str, ...] = option(
        (), "NAME", "Model, as in epitome evaluate; may be repeated.", basic=True
    )
    predictions: tuple[str, ...] = option(
        (), "FILE", "File of summaries, as in epitome evaluate; may be repeated.", basic=True
    )

    @property
    def systems(self) -> tuple[System, ...]:
        """All of them; the models come first.

        Raises:
            WrongUsageError: If fewer than two were named, or one twice.
        """
        with as_wrong_usage():
            systems = systems_of(self.model, self.predictions)
        if len(systems) == 1:
            raise WrongUsageError(
                f"Only “{systems[0].name}” was named, and two systems are compared.",
                "Name another, or call epitome evaluate.",
            )
        return systems


TABLES: dict[str, type[Settings]] = {
    "systems": SystemOptions,
    "place": PlaceOptions,
    "settings": ScoreSettings,
}


EXAMPLES = (
    Example(
        "The built-in summariser against the first sentences",
        "epitome compare --model built-in --model lead --pairs pairs.jsonl",
    ),
    Example(
        "A model of yours against summaries written elsewhere",
        "epitome compare --model first --predictions theirs.jsonl --corpus articles",
    ),
)


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome compare``."""
    COMMAND.add_to(parser)
    add_force(parser)
    parser.epilog = "Every system is compared with the first; models come before prediction files."


def _run(job: GivenJob, options: argparse.Namespace, console: Console) -> int:
    systems, place = job[SystemOptions].systems, job[PlaceOptions]
    report = place.report_path
    work = ScoreJob(
        systems, place.pairs_path, job[ScoreSettings], place.folder, report, options.force
    )
    return run_scoring(work, "compare", place, console, partial(_report, work), options.json)


COMMAND = Command("compare", TABLES, _run)


def _report(work: ScoreJob, found: ScoringDone) -> Report:
    return Report(lambda: _envelope(found, work), lambda: _lines(found), found.warnings)


def _lines(found: ScoringDone) -> Iterator[str]:
    from core.evaluation.report import comparison_lines, difference_lines, group_lines

    first, *others = found.systems
    documents = format_quantity(found.num_documents, "document")
    yield f"{documents} of {found.inputs[0].path.name}"
    yield from (*(system.description for system in found.systems), "")
    names, tables = [each.name for each in found.systems], [each.scores for each in found.systems]
    yield from comparison_lines(names, tables)
    star = "* where the interval excludes 0"
    if found.num_documents < MIN_STARRED:
        star = f"{documents} are too few to say more than chance (at least {MIN_STARRED})"
    for other in others:
        yield from ("", f"{other.name} less {first.name}; {star}")
        yield from difference_lines(other.differences, found.num_documents)
    yield from group_lines(found.groups)
    yield from ("", *recipe_lines(found.recipes))


def _envelope(found: ScoringDone, work: ScoreJob) -> dict[str, Any]:
    from core.evaluation.report import plain_against, plain_group, plain_score

    first, *others = found.systems
    result = {
        "documents": found.num_documents,
        "systems": [
            {
                "system": system.name,
                "description": system.description,
                "scores": [plain_score(score) for score in system.scores],
            }
            for system in found.systems
        ],
        "differences": [
            {
                "system": other.name,
                "less": first.name,
                "scores": [plain_against(one) for one in other.differences],
            }
            for other in others
        ],
        "groups": [plain_group(each) for each in found.groups],
        "recipes": found.recipes,
    }
    settings = work.settings.model_dump(mode="json")
    whole = envelope("compare", None, settings, result, found.timings_s, found.warnings)
    return whole | {"inputs": plain_inputs(found)}
