"""``epitome doctor``: what the machine has, what is missing, and what mends it."""

import argparse
import sys
from dataclasses import asdict

from core.cli.console import Console
from core.cli.runner import run_alone
from core.export.json_file import envelope, to_json
from core.jobs.doctor import DoctorJob, DoctorReport, render


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome doctor``: nothing of its own."""
    parser.set_defaults(run=run_command)


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Prints the report; gives the exit code."""

    def deliver(report: DoctorReport) -> None:
        if options.json:
            told = [lack.what for lack in report.missing]
            value = envelope("doctor", None, {}, asdict(report), {}, told)
            sys.stdout.write(to_json(value).decode())
        else:
            print(render(report))

    return run_alone(DoctorJob(), "", console, deliver)
