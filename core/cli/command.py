"""What all commands share: their options, the job file, and how the one result is delivered."""

import argparse
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.cli.console import Console
from core.cli.job_file import GivenJob, given_job
from core.cli.options import add_options
from core.cli.runner import INTERRUPTED, run_job
from core.events import Failed, Stopped
from core.export.json_file import to_json
from core.jobs.job import Job
from core.jobs.lanes.child_process import ChildProcess
from core.settings import SettingsKind

Presets = Mapping[str, dict[str, Any]]


@dataclass(frozen=True)
class Command:
    """A command whose job is described by tables of settings.

    Args:
        name: What is typed after ``epitome``.
        tables: By name in a job file, the classes of its settings; each field is an option. One
            that is chosen among several classes brings its options itself.
        run: Does the job; gives the exit code.
        sources: What was typed to be read.
        presets: By name of table, values that win over the job file.
        titles: By name of table, the title of its options in the help; without one they stand
            with the common ones.
        own_options: Names of fields whose options the command adds itself.
        check: Refuses what cannot be meant together, before anything is read.
        resolve: Completes the job with what it follows from elsewhere.
    """

    name: str
    tables: Mapping[str, SettingsKind]
    run: Callable[[GivenJob, argparse.Namespace, Console], int]
    sources: Callable[[argparse.Namespace], Sequence[str]] = lambda options: ()
    presets: Callable[[argparse.Namespace], Presets] = lambda options: {}
    titles: Mapping[str, str] = field(default_factory=dict)
    own_options: Collection[str] = ()
    check: Callable[[argparse.Namespace], None] = lambda options: None
    resolve: Callable[[GivenJob, argparse.Namespace, Console], GivenJob] = (
        lambda job, options, console: job
    )

    def add_to(self, parser: argparse.ArgumentParser) -> None:
        """Adds an option for each field, and what is done with them."""
        for name, settings in self.tables.items():
            if not isinstance(settings, type):
                continue
            title = self.titles.get(name)
            group = parser.add_argument_group(title) if title else parser
            add_options(group, settings, self.own_options)
        parser.set_defaults(run=self)

    def __call__(self, options: argparse.Namespace, console: Console) -> int:
        """Does what was typed.

        Args:
            options: What was typed.
            console: Where messages go.

        Returns:
            The exit code.
        """
        self.check(options)
        sources, presets = self.sources(options), self.presets(options)
        job = given_job(self.name, self.tables, options, sources, presets)
        job = self.resolve(job, options, console)
        return job.print() if options.print_config else self.run(job, options, console)


@dataclass(frozen=True)
class Report:
    """What is told of a result.

    Args:
        envelope: Makes what ``--json`` prints.
        lines: Makes what is printed otherwise.
        notes: What is said besides, a sentence each.
    """

    envelope: Callable[[], dict[str, Any]]
    lines: Callable[[], Iterable[str]]
    notes: Sequence[str] = ()

    def deliver(self, console: Console, *, as_json: bool) -> None:
        """Prints the result, then says the notes."""
        if as_json:
            sys.stdout.write(to_json(self.envelope()).decode())
        else:
            for line in self.lines():
                print(line)
        sys.stdout.flush()
        for note in self.notes:
            console.say(note)


def run_one(
    job: Job,
    name: str,
    console: Console,
    report: Callable[[Any], Report],
    *,
    as_json: bool,
    process: ChildProcess | None = None,
    kept: str = INTERRUPTED,
) -> int:
    """Runs the one job of a command, and delivers its result.

    Args:
        job: What to do.
        name: What to call it in messages; empty for no name.
        console: Where progress and messages go.
        report: What is told of the result.
        as_json: Whether the result is printed as JSON.
        process: Where the job runs; None for here.
        kept: What is said when it is interrupted.

    Returns:
        The exit code: 0 done, 1 failed, 130 interrupted.
    """
    ending = run_job(job, name, console, process)
    if process:
        process.close()
    if isinstance(ending, Failed):
        console.fail(ending, name)
        return 1
    if isinstance(ending, Stopped):
        console.say(kept)
        return 130
    report(ending.result).deliver(console, as_json=as_json)
    return 0
