"""``epitome doctor``: what the machine has, what is missing, and what mends it."""

import argparse
import sys

from core.cli.console import Console
from core.cli.runner import run_job
from core.events import Failed, Finished
from core.export.json_file import envelope, to_json
from core.jobs.doctor import DoctorJob, DoctorReport, render


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome doctor``: nothing of its own."""
    parser.set_defaults(run=run_command)


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Prints the report.

    Args:
        options: What was typed.
        console: Where messages go.

    Returns:
        The exit code.
    """
    ending = run_job(DoctorJob(), "doctor", console)
    if isinstance(ending, Failed):
        console.fail(ending)
        return 1
    if not isinstance(ending, Finished):
        return 130
    report: DoctorReport = ending.result
    if options.json:
        told = [lack.what for lack in report.missing]
        value = envelope("doctor", None, {}, report.to_json(), {}, told)
        sys.stdout.write(to_json(value).decode())
    else:
        print(render(report))
    return 0
