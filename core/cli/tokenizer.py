"""``epitome tokenizer``: trains a vocabulary on a corpus."""

import argparse
from functools import partial
from typing import Any

from core.cli.command import Command, Report, run_one
from core.cli.console import Console
from core.cli.help import Example
from core.cli.job_file import GivenJob
from core.cli.options import WrongUsageError, as_wrong_usage
from core.data.settings import TokenizerSettings
from core.export.json_file import envelope
from core.jobs.corpora.train_tokenizer import TokenizerTrained, TrainTokenizerJob
from core.library.folders import Folders
from core.library.named_folders import new_folder
from core.numbers import format_count
from core.settings import Settings, option


class TokenizerOutput(Settings):
    """Where a tokenizer goes."""

    out: str = option("", "NAME|FOLDER", "Name or folder of the tokenizer.")


TABLES: dict[str, type[Settings]] = {"settings": TokenizerSettings, "output": TokenizerOutput}


EXAMPLES = (
    Example(
        "8,192 tokens for a corpus",
        "epitome tokenizer articles --out articles-8k",
    ),
    Example(
        "A small vocabulary for a small corpus",
        "epitome tokenizer articles --size 2000 --out articles-2k",
    ),
)


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome tokenizer``."""
    parser.add_argument("corpus", nargs="?", metavar="CORPUS", help="Name or folder of a corpus")
    COMMAND.add_to(parser)


def _run(job: GivenJob, options: argparse.Namespace, console: Console) -> int:
    name = job[TokenizerOutput].out
    if len(job.sources) != 1 or not name:
        raise WrongUsageError("A corpus and --out are asked for.", "See epitome tokenizer --help.")
    with as_wrong_usage():
        out = new_folder(name, Folders.of_this_user().tokenizers, "a tokenizer")
    work = TrainTokenizerJob(job.sources[0], job[TokenizerSettings], out)
    report = partial(_report, work)
    return run_one(work, "tokenizer", console, report, as_json=options.json)


COMMAND = Command(
    "tokenizer", TABLES, _run, lambda options: (options.corpus,) if options.corpus else ()
)


def _report(job: TrainTokenizerJob, trained: TokenizerTrained) -> Report:
    size = format_count(trained.vocabulary_size)
    told = f"{size} tokens, {trained.characters_per_token:.2f} characters each in its own texts"
    notes = [f"The tokenizer is in {trained.folder}."]
    return Report(lambda: _envelope(job, trained), lambda: [told], notes)


def _envelope(job: TrainTokenizerJob, trained: TokenizerTrained) -> dict[str, Any]:
    result = {
        "folder": str(trained.folder),
        "corpus": str(trained.corpus),
        "vocabulary_size": trained.vocabulary_size,
        "fingerprint": trained.fingerprint,
        "characters_per_token": trained.characters_per_token,
    }
    settings = job.settings.model_dump(mode="json")
    return envelope("tokenizer", None, settings, result, trained.timings_s)
