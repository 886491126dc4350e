"""``epitome install``: adds an optional part to this copy of the program."""

import argparse
from dataclasses import asdict

from core.cli.command import Report, run_one
from core.cli.console import Console
from core.cli.help import Example
from core.distribution.parts import PART_NAMES, part_of
from core.export.json_file import envelope
from core.jobs.program.install_part import InstallPartJob, PartInstalled

EXAMPLES = (
    Example("Install what training needs", "epitome install training"),
    Example("Install text recognition for scans", "epitome install scans"),
    Example("Let imported models write faster on a processor", "epitome install fast"),
    Example("Open models in GGUF files", "epitome install gguf"),
    Example("Summarise folders on several machines", "epitome install cluster"),
)


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome install``."""
    parser.add_argument("part", choices=PART_NAMES, help="The part to install")
    parser.set_defaults(run=run_command)


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Installs the part; gives the exit code."""
    job = InstallPartJob(part_of(options.part))
    return run_one(job, "", console, _report, as_json=options.json)


def _report(found: PartInstalled) -> Report:
    result = {**asdict(found), "folder": str(found.folder) if found.folder else None}
    return Report(
        lambda: envelope("install", None, {"part": found.name}, result, {}),
        lambda: [f"Installed: {', '.join(found.packages) or 'everything was there'}."],
    )
