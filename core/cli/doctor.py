"""``epitome doctor``: what the machine has, what is missing, and what mends it."""

import argparse
from dataclasses import asdict

from core.cli.command import Report, run_one
from core.cli.console import Console
from core.cli.help import Example
from core.export.json_file import envelope
from core.jobs.program.doctor import DoctorJob, DoctorReport, render

EXAMPLES = (
    Example(
        "What is installed, and what is missing",
        "epitome doctor",
    ),
    Example(
        "The same for a script",
        "epitome doctor --json",
    ),
)


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome doctor``: nothing of its own."""
    parser.set_defaults(run=run_command)


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Prints the report; gives the exit code."""
    return run_one(DoctorJob(), "", console, _report, as_json=options.json)


def _report(found: DoctorReport) -> Report:
    told = [lack.what for lack in found.missing]
    return Report(
        lambda: envelope("doctor", None, {}, asdict(found), {}, told), lambda: [render(found)]
    )
