"""``epitome corpus``: documents become a corpus, or numbers."""

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from core.cli.command import Command, Report, run_one
from core.cli.console import Console
from core.cli.help import Example
from core.cli.job_file import GivenJob
from core.cli.options import PROCESSES_WITHOUT_EFFECT, WrongUsageError, as_wrong_usage
from core.cli.runner import INTERRUPTED
from core.data.settings import CorpusSettings
from core.export.json_file import envelope
from core.jobs.cluster.address import EXAMPLE, ClusterAddress, describe_sending
from core.jobs.corpora.make_corpus import CorpusMade, MakeCorpusJob
from core.library.folders import Folders
from core.library.named_folders import new_folder
from core.numbers import format_count, format_quantity, format_share
from core.settings import Settings, option

_KEPT = "Interrupted. What is prepared is kept: type the same again, and it goes on."


class CorpusOutput(Settings):
    """Where a corpus goes."""

    out: str = option(
        "", "NAME|FOLDER", "Name or folder of the corpus; without it, only statistics are printed."
    )


class CorpusWork(Settings):
    """Options for the place of the work."""

    cluster: ClusterAddress = option(
        "",
        "Cluster",
        f"Send the rows of tables to a Dask cluster, such as {EXAMPLE}; its workers prepare them.",
    )


TABLES: dict[str, type[Settings]] = {
    "settings": CorpusSettings,
    "output": CorpusOutput,
    "work": CorpusWork,
}


EXAMPLES = (
    Example(
        "Statistics of a folder, without preparing anything",
        "epitome corpus papers",
    ),
    Example(
        "Documents with summaries, from the columns of a table",
        "epitome corpus articles.csv --make pairs --out articles",
    ),
    Example(
        "Gap sentences for pre-training, 90 % of the documents for training",
        "epitome corpus papers --make gsg --split 90/5/5 --out papers-gsg",
    ),
)


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome corpus``."""
    parser.add_argument(
        "sources", nargs="*", metavar="SOURCE", help="A file, folder or table, or hf:NAME"
    )
    COMMAND.add_to(parser)


def _run(job: GivenJob, options: argparse.Namespace, console: Console) -> int:
    if not job.sources:
        raise WrongUsageError("No source was named.", "Name files, folders or data sets.")
    name = job[CorpusOutput].out
    with as_wrong_usage():
        out = new_folder(name, Folders.of_this_user().corpora, "a corpus") if name else None
    work = job[CorpusWork]
    if work.cluster:
        console.say(describe_sending(work.cluster))
        if "processes" in vars(options):
            console.say(PROCESSES_WITHOUT_EFFECT)
    making = MakeCorpusJob(job.sources, job[CorpusSettings], out, cluster=work.cluster)
    report, kept = partial(_report, making), _KEPT if out else INTERRUPTED
    return run_one(making, "corpus", console, report, as_json=options.json, kept=kept)


COMMAND = Command("corpus", TABLES, _run, lambda options: options.sources)


def _report(job: MakeCorpusJob, made: CorpusMade) -> Report:
    return Report(
        lambda: _envelope(job, made),
        lambda: _table(made.prepared.statistics),
        (*_warnings(made), *_where(job.out)),
    )


def _envelope(job: MakeCorpusJob, made: CorpusMade) -> dict[str, Any]:
    prepared = made.prepared
    result = {
        "folder": str(job.out) if job.out else None,
        "make": prepared.make,
        "sources": list(prepared.sources),
        "fingerprint": prepared.fingerprint,
        **prepared.statistics,
    }
    settings = job.settings.model_dump(mode="json")
    return envelope("corpus", None, settings, result, made.timings_s, _warnings(made))


def _table(numbers: dict[str, Any]) -> list[str]:
    """The numbers of each split, and of all, a line each."""
    has_summaries = "summary_words" in numbers["all"]
    titles = ["", "documents", "words", "median", "longest"]
    titles += ["summary median", "longest", "share"] if has_summaries else []
    named = numbers["splits"] | ({"all": numbers["all"]} if len(numbers["splits"]) > 1 else {})
    rows = [titles, *(_row(name, of, has_summaries) for name, of in named.items())]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]


def _row(name: str, of: dict[str, Any], has_summaries: bool) -> list[str]:
    words = of["words"]
    cells = [of["documents"], words["sum"], *(words["percentiles"][at] for at in ("50", "100"))]
    told = [name, *map(format_count, cells)]
    if not has_summaries:
        return told
    summaries = of.get("summary_words")
    if summaries is None:
        return [*told, "", "", ""]
    spread = [format_count(summaries["percentiles"][at]) for at in ("50", "100")]
    return [*told, *spread, format_share(summaries["sum"], words["sum"])]


def _warnings(made: CorpusMade) -> list[str]:
    numbers = made.prepared.statistics
    told = [
        f"Left out: {format_quantity(count, 'row')} ({reason})."
        for reason, count in numbers["skipped"].items()
    ]
    same = numbers["duplicates"]
    if same["in_two_splits"]:
        pairs = format_quantity(same["in_two_splits"], "pair")
        told.append(
            f"{pairs} of documents that are the same, or nearly, stand in two splits: what is "
            "tested was trained on. They are named in the statistics."
        )
    if same["pairs"] > same["in_two_splits"]:
        pairs = format_quantity(same["pairs"] - same["in_two_splits"], "pair")
        told.append(f"{pairs} of documents in one split are the same, or nearly.")
    return told


def _where(out: Path | None) -> list[str]:
    return [f"The corpus is in {out}."] if out else []
