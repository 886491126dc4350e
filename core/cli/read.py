"""``epitome read``: the text of a source as it was read."""

import argparse
from dataclasses import replace
from functools import partial

from core.cli.command import Command, Report, run_one
from core.cli.console import Console
from core.cli.help import Example
from core.cli.job_file import GivenJob
from core.cli.options import WrongUsageError
from core.cli.passwords import PASSWORD_HELP, read_password
from core.cli.sources import named_source, with_input
from core.export.document_text import document_envelope, document_lines
from core.jobs.documents.read_document import DocumentText, ReadDocumentJob, ReadSettings
from core.jobs.sources.sources import is_risky, reading_process
from core.settings import Settings
from core.summaries.summary_lines import language_line, left_out_line, reading_line, taken_out_line

TABLES: dict[str, type[Settings]] = {"settings": ReadSettings}


EXAMPLES = (
    Example("The text of a report, with its headings and lists", "epitome read report.pdf"),
    Example("Each paragraph's kind, page, speaker and offsets", "epitome read report.pdf --json"),
    Example("The texts of one column of a table", "epitome read papers.csv --column abstract"),
)


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome read``."""
    parser.add_argument(
        "source", nargs="?", metavar="SOURCE", help="A file, or - for standard input"
    )
    COMMAND.add_to(parser)
    parser.add_argument("--password-file", default="", metavar="FILE|-", help=PASSWORD_HELP)


def _run(job: GivenJob, options: argparse.Namespace, console: Console) -> int:
    if len(job.sources) != 1:
        raise WrongUsageError(
            f"One source is read at a time, and {len(job.sources)} were named.",
            "Name one file, or -.",
        )
    (name,), settings = job.sources, job[ReadSettings]
    if name == options.password_file == "-":
        raise WrongUsageError(
            "Standard input cannot be both the source and the password.",
            "Put the password into a file.",
        )
    password = read_password(options.password_file)
    source = replace(with_input(named_source(name)), password=password)
    process = reading_process() if is_risky(source) else None
    work, report = ReadDocumentJob(source, settings), partial(_report, settings)
    return run_one(work, name, console, report, as_json=options.json, process=process)


COMMAND = Command("read", TABLES, _run, lambda options: (options.source,) if options.source else ())


def _report(settings: ReadSettings, result: DocumentText) -> Report:
    document, read = result.document, result.document.reading
    lines = (reading_line(read), language_line(read), left_out_line(read))
    notes = dict.fromkeys((*lines, *read.notes, taken_out_line(read)))
    return Report(
        lambda: document_envelope(document, settings.model_dump(mode="json"), result.timings_s),
        lambda: document_lines(document),
        [note for note in notes if note],
    )
