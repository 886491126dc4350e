"""``epitome measure``: what the Corpus panel shows of a corpus, as numbers."""

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from typing import Any

from core.cli.command import Command, Report, run_one
from core.cli.console import Console
from core.cli.help import Example
from core.cli.job_file import GivenJob
from core.cli.options import WrongUsageError, as_wrong_usage
from core.export.json_file import envelope
from core.jobs.corpora.corpus_measures import (
    CorpusMeasures,
    MeasureCorpusJob,
    MeasureSettings,
    Spread,
)
from core.library.folders import Folders
from core.library.named_folders import named_folder
from core.numbers import format_count, format_quantity, format_share
from core.settings import Settings

TABLES: dict[str, type[Settings]] = {"settings": MeasureSettings}
_MOST_ROWS = 20

EXAMPLES = (
    Example(
        "Lengths, novelty, suspicious rows and duplicates of a corpus",
        "epitome measure articles",
    ),
    Example(
        "The share of documents that a model of 4,096 tokens cannot read whole",
        "epitome measure articles --length 4096 --tokenizer articles-8k",
    ),
)


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome measure``."""
    parser.add_argument("corpus", nargs="?", metavar="CORPUS", help="Name or folder of a corpus")
    COMMAND.add_to(parser)


def _run(job: GivenJob, options: argparse.Namespace, console: Console) -> int:
    if len(job.sources) != 1:
        raise WrongUsageError("A corpus is asked for.", "See epitome measure --help.")
    with as_wrong_usage():
        folder = named_folder(job.sources[0], Folders.of_this_user().corpora)
    settings = job[MeasureSettings]
    work, report = MeasureCorpusJob(folder, settings), partial(_report, settings)
    return run_one(work, "measure", console, report, as_json=options.json)


COMMAND = Command(
    "measure", TABLES, _run, lambda options: (options.corpus,) if options.corpus else ()
)


def _report(settings: MeasureSettings, found: CorpusMeasures) -> Report:
    notes = list(_warnings(found))
    return Report(lambda: _envelope(settings, found, notes), lambda: _lines(settings, found), notes)


def _lines(settings: MeasureSettings, found: CorpusMeasures) -> Iterator[str]:
    rows = ", ".join(f"{format_count(count)} {split}" for split, count in found.rows.items())
    yield f"{found.folder.name}: {rows}; {format_quantity(found.skipped, 'row')} skipped"
    yield from _spread_line("words of a document", found.words)
    yield from _spread_line("words of a summary", found.summary_words)
    yield from _spread_line("tokens of a document", found.tokens)
    yield from _spread_line("tokens of a summary", found.summary_tokens)
    if found.longer is not None and settings.length is not None:
        share, length = format_share(found.longer, 1), format_count(settings.length)
        yield f"{share} of the documents have more than {length} tokens ({found.tokenizer})"
    if found.pairs:
        medians = (f"{name.replace('_', '-')} {value:.3g}" for name, value in found.pairs.items())
        yield f"medians of the pairs: {', '.join(medians)}"
        yield f"suspicious rows: {format_count(len(found.suspicious))}"
    for row in found.suspicious[:_MOST_ROWS]:
        yield f"  row {row.row}: {'; '.join(row.reasons)}"
    same = format_quantity(found.duplicates, "pair")
    yield f"duplicates: {same}, {format_count(found.leaks)} across splits"


def _spread_line(what: str, spread: Spread) -> Iterator[str]:
    if spread:
        ends = f"{format_count(int(spread['0']))} to {format_count(int(spread['100']))}"
        yield f"{what}: median {format_count(int(spread['50']))}, {ends}"


def _warnings(found: CorpusMeasures) -> Iterator[str]:
    if len(found.suspicious) > _MOST_ROWS:
        yield f"The first {_MOST_ROWS} suspicious rows are listed; --json lists all."
    if found.leaks:
        pairs = format_quantity(found.leaks, "pair")
        yield f"{pairs} of documents stand in two splits: what is tested was trained on."


def _envelope(settings: MeasureSettings, found: CorpusMeasures, notes: list[str]) -> dict[str, Any]:
    result = asdict(found) | {"folder": str(found.folder)}
    timings = result.pop("timings_s")
    result["suspicious"] = [row | {"reasons": list(row["reasons"])} for row in result["suspicious"]]
    return envelope("measure", None, settings.model_dump(mode="json"), result, timings, notes)
