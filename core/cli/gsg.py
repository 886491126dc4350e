"""``epitome gsg``: gap sentences and their scores."""

import argparse
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from core.cli.command import Command, Report, run_one
from core.cli.console import Console
from core.cli.help import Example
from core.cli.job_file import GivenJob
from core.cli.options import WrongUsageError
from core.cli.sources import named_source, with_input
from core.data.corpus import CARD
from core.export.json_file import envelope
from core.export.parts import clean
from core.jobs.corpora.select_gaps import GapsSelected, SelectGapsJob, SelectGapsSettings
from core.jobs.sources.sources import SourceRef, is_risky, reading_process
from core.library.folders import Folders
from core.library.named_folders import named_folder
from core.settings import Settings
from core.summaries.summary_lines import language_line, left_out_line, reading_line

TABLES: dict[str, type[Settings]] = {"settings": SelectGapsSettings}


EXAMPLES = (
    Example(
        "Three of ten sentences, as PEGASUS selects them",
        "epitome gsg article.txt",
    ),
    Example(
        "The ten best by ROUGE-2, one sentence a line of the file",
        "epitome gsg sentences.txt --lines --count 10 --rouge 2",
    ),
    Example(
        "Of the twelfth document of a corpus, as training takes them",
        "epitome gsg articles --row 12",
    ),
    Example(
        "As JSON, with words compared by their stems",
        "epitome gsg article.txt --stem --json",
    ),
)


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome gsg``."""
    parser.add_argument(
        "source",
        nargs="?",
        metavar="SOURCE",
        help="A file, - for standard input, or with --row a corpus",
    )
    COMMAND.add_to(parser)


def _run(job: GivenJob, options: argparse.Namespace, console: Console) -> int:
    if len(job.sources) != 1:
        raise WrongUsageError(
            f"One source is asked for, and {len(job.sources)} were named.", "Name one file, or -."
        )
    (name,), settings = job.sources, job[SelectGapsSettings]
    corpora = Folders.of_this_user().corpora
    if settings.row is not None:
        if Path(name).is_file():
            raise WrongUsageError(
                f"“{name}” is a file, and --row counts the documents of a corpus.",
                "Leave out --row, or prepare a corpus of it with epitome corpus.",
            )
        source = SourceRef(path=named_folder(name, corpora))
    elif not Path(name).exists() and (corpora / name / CARD).is_file():
        raise WrongUsageError(
            f"“{name}” is a corpus, and gap sentences are those of one document.",
            "Name one of its documents with --row N.",
        )
    else:
        source = with_input(named_source(name))
    process = reading_process() if is_risky(source) else None
    work, report = SelectGapsJob(source, settings), partial(_report, settings)
    return run_one(work, name, console, report, as_json=options.json, process=process)


COMMAND = Command("gsg", TABLES, _run, lambda options: (options.source,) if options.source else ())


def _report(settings: SelectGapsSettings, result: GapsSelected) -> Report:
    read = result.document.reading
    split_by = () if settings.lines else (language_line(read),)
    notes = (reading_line(read), *split_by, *_warnings(result))
    return Report(lambda: _envelope(result, settings), lambda: _table(result), notes)


def _table(result: GapsSelected) -> Iterator[str]:
    for item in _picked(result):
        score = "" if item["score"] is None else f"{item['score']:.6f}"
        yield "\t".join(map(str, (item["index"], item["rank"], score, item["text"])))


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
