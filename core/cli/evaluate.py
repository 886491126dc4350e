"""``epitome evaluate``: scores of one system's summaries."""

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
from core.evaluation.settings import EvaluateSettings
from core.evaluation.systems import System, systems_of
from core.export.json_file import envelope
from core.jobs.evaluation.score import ScoreJob, ScoringDone
from core.numbers import format_quantity
from core.settings import Settings, option


class SystemOptions(Settings):
    """What is scored."""

    # Several are taken so that a second one is refused: the last one alone would be scored unsaid.
    model: tuple[str, ...] = option(
        (),
        "NAME",
        "Model: built-in, lead, random, gap-sentences, or the name or folder of a run.",
        basic=True,
    )
    predictions: tuple[str, ...] = option(
        (), "FILE", "File of summaries, one row per document in the same order.", basic=True
    )

    @property
    def system(self) -> System:
        """The one system.

        Raises:
            WrongUsageError: If none was named, or several.
        """
        with as_wrong_usage():
            first, *more = systems_of(self.model, self.predictions)
        if more:
            raise WrongUsageError(
                f"{1 + len(more)} systems were named, and one is scored.",
                "Name one, or call epitome compare.",
            )
        return first


TABLES: dict[str, type[Settings]] = {
    "system": SystemOptions,
    "place": PlaceOptions,
    "settings": EvaluateSettings,
}


EXAMPLES = (
    Example(
        "The built-in summariser on pairs of documents and references",
        "epitome evaluate --model built-in --pairs pairs.jsonl",
    ),
    Example(
        "Summaries written elsewhere, with confidence intervals",
        "epitome evaluate --predictions mine.jsonl --pairs pairs.jsonl --intervals",
    ),
    Example(
        "A model of yours on the test split of a corpus",
        "epitome evaluate --model first --corpus articles --limit 200 --out scores",
    ),
    Example(
        "The same for extractive, mixed and abstractive references, with content words",
        "epitome evaluate --model first --corpus articles --metrics rouge-1,content --by kind",
    ),
)


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome evaluate``."""
    COMMAND.add_to(parser)
    add_force(parser)


def _run(job: GivenJob, options: argparse.Namespace, console: Console) -> int:
    system, place = job[SystemOptions].system, job[PlaceOptions]
    report = place.report_path
    work = ScoreJob(
        (system,), place.pairs_path, job[EvaluateSettings], place.folder, report, options.force
    )
    return run_scoring(work, "evaluate", place, console, partial(_report, work), options.json)


COMMAND = Command("evaluate", TABLES, _run)


def _report(work: ScoreJob, found: ScoringDone) -> Report:
    return Report(lambda: _envelope(found, work), lambda: _lines(found), found.warnings)


def _lines(found: ScoringDone) -> Iterator[str]:
    from core.evaluation.report import group_lines, score_lines

    (system,), documents = found.systems, format_quantity(found.num_documents, "document")
    yield from (f"{system.description}; {documents} of {found.inputs[0].path.name}", "")
    yield from (*score_lines(system.scores), *group_lines(found.groups))
    yield from ("", *recipe_lines(found.recipes))


def _envelope(found: ScoringDone, work: ScoreJob) -> dict[str, Any]:
    from core.evaluation.report import plain_group, plain_score

    (system,) = found.systems
    result = {
        "system": system.name,
        "description": system.description,
        "documents": found.num_documents,
        "scores": [plain_score(score) for score in system.scores],
        "groups": [plain_group(each) for each in found.groups],
        "recipes": found.recipes,
    }
    settings = work.settings.model_dump(mode="json")
    whole = envelope("evaluate", None, settings, result, found.timings_s, found.warnings)
    return whole | {"inputs": plain_inputs(found)}
