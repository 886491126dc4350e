"""``epitome evaluate``: scores of one system's summaries."""

import argparse
import sys
from typing import Any

from core.cli.console import Console
from core.cli.job_file import given_job
from core.cli.options import WrongUsageError, add_options, as_wrong_usage
from core.cli.scoring import PlaceOptions, plain_inputs, recipe_lines, run_scoring
from core.evaluation.settings import EvaluateSettings
from core.evaluation.systems import System, systems_of
from core.export.json_file import envelope, to_json
from core.jobs.score import ScoreJob, ScoringDone
from core.numbers import format_quantity
from core.settings import Settings, option


class SystemOptions(Settings):
    """What is scored."""

    model: str = option(
        "",
        "NAME",
        "Model: built-in, lead, random, gap-sentences, or the name or folder of a run.",
        basic=True,
    )
    predictions: str = option(
        "", "FILE", "File of summaries, one row per document in the same order.", basic=True
    )

    @property
    def system(self) -> System:
        """The one system.

        Raises:
            WrongUsageError: If none was named, or two.
        """
        named = ([name] if name else [] for name in (self.model, self.predictions))
        with as_wrong_usage():
            first, *more = systems_of(*named)
        if more:
            raise WrongUsageError(
                "A model and predictions were named, and one system is scored.",
                "Name one, or call epitome compare.",
            )
        return first


TABLES: dict[str, type[Settings]] = {
    "system": SystemOptions,
    "place": PlaceOptions,
    "settings": EvaluateSettings,
}


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome evaluate``."""
    for settings in TABLES.values():
        add_options(parser, settings)
    parser.set_defaults(run=run_command)


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Does what was typed after ``epitome evaluate``.

    Args:
        options: What was typed.
        console: Where messages go.

    Returns:
        The exit code.

    Raises:
        WrongUsageError: If it cannot be meant.
    """
    job = given_job("evaluate", TABLES, options)
    if options.print_config:
        return job.print()
    system, place = job[SystemOptions].system, job[PlaceOptions]
    work = ScoreJob((system,), place.pairs_path, job[EvaluateSettings], place.folder)

    def deliver(found: ScoringDone) -> None:
        if options.json:
            sys.stdout.write(to_json(_envelope(found, work)).decode())
        else:
            _print_table(found)

    return run_scoring(work, "evaluate", place, console, deliver)


def _print_table(found: ScoringDone) -> None:
    from core.evaluation.report import score_lines

    (system,), documents = found.systems, format_quantity(found.num_documents, "document")
    print(f"{system.description}; {documents} of {found.inputs[0].path.name}", end="\n\n")
    print(*score_lines(system.scores), "", *recipe_lines(found.recipes), sep="\n")


def _envelope(found: ScoringDone, work: ScoreJob) -> dict[str, Any]:
    from core.evaluation.report import plain_score

    (system,) = found.systems
    result = {
        "system": system.name,
        "description": system.description,
        "documents": found.num_documents,
        "scores": [plain_score(score) for score in system.scores],
        "recipes": found.recipes,
    }
    settings = work.settings.model_dump(mode="json")
    whole = envelope("evaluate", None, settings, result, found.timings_s, found.warnings)
    return whole | {"inputs": plain_inputs(found)}
