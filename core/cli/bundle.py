"""``epitome bundle``: one file that makes a run again."""

import argparse
from functools import partial
from pathlib import Path

from core.cli.command import Report, run_one
from core.cli.console import Console
from core.cli.help import Example
from core.cli.options import add_force
from core.export.json_file import envelope
from core.jobs.runs.bundle_run import BundleRunJob
from core.library.folders import Folders
from core.library.named_folders import named_folder, typed_path

EXAMPLES = (
    Example("Bundle a run, to make it again elsewhere", "epitome bundle first --out first.zip"),
    Example("Write it as first.zip into this folder", "epitome bundle first"),
)


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome bundle``."""
    parser.add_argument("of_run", metavar="RUN", help="Name or folder of the run")
    parser.add_argument(
        "--out", metavar="FILE", help="Zip file to write (default: RUN.zip in this folder)"
    )
    add_force(parser)
    parser.set_defaults(run=run_command)


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Writes the bundle; gives the exit code."""
    folder = named_folder(options.of_run, Folders.of_this_user().runs)
    out = typed_path(options.out or f"{folder.name}.zip").absolute()
    report = partial(_report, folder)
    job = BundleRunJob(folder, out, replace=options.force)
    return run_one(job, "", console, report, as_json=options.json)


def _report(folder: Path, out: Path) -> Report:
    result = {"file": str(out)}
    settings = {"run": str(folder)}
    return Report(
        lambda: envelope("bundle", None, settings, result, {}),
        lambda: [str(out)],
        ["It has settings, command, versions, hashes and log, and no data."],
    )
