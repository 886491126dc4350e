"""``epitome gsg``: gap sentences and their scores."""

import argparse
import sys
from typing import Any

from core.cli.console import Console
from core.cli.job_file import given_job
from core.cli.options import WrongUsageError, add_options
from core.cli.runner import run_alone
from core.cli.sources import named_source, with_input
from core.export.json_file import envelope, to_json
from core.export.parts import clean
from core.jobs.select_gaps import GapsSelected, SelectGapsJob, SelectGapsSettings
from core.jobs.sources import is_risky, reading_process
from core.settings import Settings
from core.summary_lines import language_line, left_out_line, reading_line

TABLES: dict[str, type[Settings]] = {"settings": SelectGapsSettings}


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome gsg``."""
    parser.add_argument(
        "source", nargs="?", metavar="SOURCE", help="A file, or - for standard input"
    )
    add_options(parser, SelectGapsSettings)
    parser.set_defaults(run=run_command)


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Does what was typed after ``epitome gsg``.

    Args:
        options: What was typed.
        console: Where messages go.

    Returns:
        The exit code.

    Raises:
        WrongUsageError: If it cannot be meant.
    """
    job = given_job("gsg", TABLES, options, (options.source,) if options.source else ())
    if options.print_config:
        return job.print()
    if len(job.sources) != 1:
        raise WrongUsageError(
            f"One source is asked for, and {len(job.sources)} were named.", "Name one file, or -."
        )
    return _run(job.sources[0], job[SelectGapsSettings], options.json, console)


def _run(name: str, settings: SelectGapsSettings, as_json: bool, console: Console) -> int:
    def deliver(result: GapsSelected) -> None:
        if as_json:
            sys.stdout.write(to_json(_envelope(result, settings)).decode())
        else:
            _print_table(result)
        sys.stdout.flush()
        read = result.document.reading
        split_by = () if settings.lines else (language_line(read),)
        for line in (reading_line(read), *split_by, *_warnings(result)):
            console.say(line)

    source = with_input(named_source(name))
    process = reading_process() if is_risky(source) else None
    return run_alone(SelectGapsJob(source, settings), name, console, deliver, process)


def _print_table(result: GapsSelected) -> None:
    for item in _picked(result):
        score = "" if item["score"] is None else f"{item['score']:.6f}"
        print(item["index"], item["rank"], score, item["text"], sep="\t")


def _envelope(result: GapsSelected, settings: SelectGapsSettings) -> dict[str, Any]:
    body = {"sentences": result.selection.num_sentences, "picked": _picked(result)}
    return envelope(
        "gsg",
        result.document,
        settings.model_dump(mode="json"),
        body,
        result.timings_s,
        _warnings(result),
    )


def _warnings(result: GapsSelected) -> list[str]:
    read = result.document.reading
    lines = (left_out_line(read), *read.notes, result.selection.note)
    return [line for line in lines if line]


def _picked(result: GapsSelected) -> list[dict[str, Any]]:
    """What was picked, in document order."""
    selection = result.selection
    ranked = zip(selection.picked, selection.scores, strict=True)
    return [
        {"index": index, "rank": rank, "score": score, "text": clean(result.sentence(index))}
        for rank, (index, score) in sorted(enumerate(ranked, 1), key=lambda item: item[1][0])
    ]
