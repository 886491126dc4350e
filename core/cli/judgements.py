"""``epitome judgements``: wins and ties of blind judging, and how far two judges agree."""

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from core.cli.command import Report, run_one
from core.cli.console import Console
from core.cli.help import Example
from core.evaluation.judging import JudgementsRead, Outcome, read_sessions
from core.export.json_file import envelope
from core.jobs.call import CallJob
from core.numbers import format_interval, format_quantity

EXAMPLES = (
    Example("Wins, ties and losses of a session", "epitome judgements out/judgements/Ada.jsonl"),
    Example("How far two judges agree", "epitome judgements Ada.jsonl Bo.jsonl"),
)


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome judgements``."""
    parser.add_argument("file", metavar="FILE", help="File of a session of blind judging")
    parser.add_argument(
        "other", metavar="FILE", nargs="?", help="File of another judge on the same systems"
    )
    parser.set_defaults(run=run_command)


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Reads the sessions; gives the exit code."""
    paths = tuple(Path(name) for name in (options.file, options.other) if name)
    report = partial(_report, paths)
    return run_one(CallJob(read_sessions, paths), "", console, report, as_json=options.json)


def _report(paths: tuple[Path, ...], found: JudgementsRead) -> Report:
    return Report(lambda: _envelope(paths, found), lambda: _lines(found))


def _lines(found: JudgementsRead) -> Iterator[str]:
    for judgements, outcomes in zip(found.sessions, found.outcomes, strict=True):
        session = judgements.session
        first, second = session.systems
        done = f"{judgements.documents_done} of {len(session.documents)} pairs"
        yield f"{session.judge}: {first} against {second}, {done}, seed {session.seed}"
        yield from (_told(first, second, outcome) for outcome in outcomes)
    agreement = found.agreement
    if agreement is not None:
        answers = format_quantity(agreement.common, "common answer")
        yield (
            f"The judges agree on {agreement.share:.0%} of {answers}; Cohen's kappa "
            f"{agreement.kappa:.2f} ({format_interval(agreement.low, agreement.high, '.2f')})"
        )


def _told(first: str, second: str, outcome: Outcome) -> str:
    ahead = f"{100 * outcome.ahead:+.0f} % ({outcome.ends})"
    return (
        f"  {outcome.question}: {first} {outcome.first}, equal {outcome.equal}, {second} "
        f"{outcome.second}, neither {outcome.neither}; {first} ahead by {ahead}"
    )


def _envelope(paths: tuple[Path, ...], found: JudgementsRead) -> dict[str, Any]:
    result = {
        "sessions": [
            {
                "judge": judgements.session.judge,
                "systems": list(judgements.session.systems),
                "seed": judgements.session.seed,
                "pairs": len(judgements.session.documents),
                "judged": judgements.documents_done,
                "outcomes": [asdict(outcome) for outcome in outcomes],
            }
            for judgements, outcomes in zip(found.sessions, found.outcomes, strict=True)
        ],
        "agreement": asdict(found.agreement) if found.agreement else None,
    }
    settings = {"files": [str(path) for path in paths]}
    return envelope("judgements", None, settings, result, {})
