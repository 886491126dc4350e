"""``epitome compare``: several systems on the same documents."""

import argparse
import sys
from typing import Any

from core.cli.console import Console
from core.cli.job_file import given_job
from core.cli.options import WrongUsageError, add_options, as_wrong_usage
from core.cli.scoring import PlaceOptions, plain_inputs, recipe_lines, run_scoring
from core.evaluation.settings import ScoreSettings
from core.evaluation.systems import System, systems_of
from core.export.json_file import envelope, to_json
from core.jobs.score import ScoreJob, ScoringDone
from core.numbers import format_quantity
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


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome compare``."""
    for settings in TABLES.values():
        add_options(parser, settings)
    parser.epilog = "Every system is compared with the first; models come before prediction files."
    parser.set_defaults(run=run_command)


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Does what was typed after ``epitome compare``.

    Args:
        options: What was typed.
        console: Where messages go.

    Returns:
        The exit code.

    Raises:
        WrongUsageError: If it cannot be meant.
    """
    job = given_job("compare", TABLES, options)
    if options.print_config:
        return job.print()
    systems, place = job[SystemOptions].systems, job[PlaceOptions]
    work = ScoreJob(systems, place.pairs_path, job[ScoreSettings], place.folder)

    def deliver(found: ScoringDone) -> None:
        if options.json:
            sys.stdout.write(to_json(_envelope(found, work)).decode())
        else:
            _print_tables(found)

    return run_scoring(work, "compare", place, console, deliver)


def _print_tables(found: ScoringDone) -> None:
    from core.evaluation.report import comparison_lines, difference_lines

    first, *others = found.systems
    documents = format_quantity(found.num_documents, "document")
    print(f"{documents} of {found.inputs[0].path.name}")
    print(*(system.description for system in found.systems), "", sep="\n")
    names, tables = [each.name for each in found.systems], [each.scores for each in found.systems]
    print(*comparison_lines(names, tables), sep="\n")
    for other in others:
        print(f"\n{other.name} less {first.name}; * where the interval excludes 0")
        print(*difference_lines(other.differences), sep="\n")
    print("", *recipe_lines(found.recipes), sep="\n")


def _envelope(found: ScoringDone, work: ScoreJob) -> dict[str, Any]:
    from core.evaluation.report import plain_against, plain_score

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
        "recipes": found.recipes,
    }
    settings = work.settings.model_dump(mode="json")
    whole = envelope("compare", None, settings, result, found.timings_s, found.warnings)
    return whole | {"inputs": plain_inputs(found)}
