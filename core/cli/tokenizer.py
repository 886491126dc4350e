"""``epitome tokenizer``: trains a vocabulary on a corpus."""

import argparse
import sys
from typing import Any

from core.cli.console import Console
from core.cli.job_file import given_job
from core.cli.options import WrongUsageError, add_options, as_wrong_usage
from core.cli.runner import run_alone
from core.data.corpus import new_folder
from core.data.settings import TokenizerSettings
from core.export.json_file import envelope, to_json
from core.jobs.train_tokenizer import TokenizerTrained, TrainTokenizerJob
from core.library.folders import Folders
from core.numbers import format_count
from core.settings import Settings, option


class TokenizerOutput(Settings):
    """Where a tokenizer goes."""

    out: str = option("", "NAME|FOLDER", "Name or folder of the tokenizer.")


TABLES: dict[str, type[Settings]] = {"settings": TokenizerSettings, "output": TokenizerOutput}


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome tokenizer``."""
    parser.add_argument("corpus", nargs="?", metavar="CORPUS", help="Name or folder of a corpus")
    for settings in TABLES.values():
        add_options(parser, settings)
    parser.set_defaults(run=run_command)


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Does what was typed after ``epitome tokenizer``.

    Args:
        options: What was typed.
        console: Where messages go.

    Returns:
        The exit code.

    Raises:
        WrongUsageError: If it cannot be meant.
    """
    job = given_job("tokenizer", TABLES, options, (options.corpus,) if options.corpus else ())
    if options.print_config:
        return job.print()
    name = job[TokenizerOutput].out
    if len(job.sources) != 1 or not name:
        raise WrongUsageError("A corpus and --out are asked for.", "See epitome tokenizer --help.")
    with as_wrong_usage():
        out = new_folder(name, Folders.of_this_user().tokenizers)
    settings = job[TokenizerSettings]
    return _run(TrainTokenizerJob(job.sources[0], settings, out), options.json, console)


def _run(job: TrainTokenizerJob, as_json: bool, console: Console) -> int:
    def deliver(trained: TokenizerTrained) -> None:
        if as_json:
            sys.stdout.write(to_json(_envelope(job, trained)).decode())
        else:
            print(
                f"{format_count(trained.vocabulary_size)} tokens, "
                f"{trained.characters_per_token:.2f} characters each in its own texts"
            )
        sys.stdout.flush()
        console.say(f"The tokenizer is in {trained.folder}.")

    return run_alone(job, "tokenizer", console, deliver)


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
