"""``epitome summarise``: one summary for each source."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from textwrap import indent
from typing import Any

from core.cli.command import Command
from core.cli.console import Console
from core.cli.help import Example
from core.cli.job_file import GivenJob
from core.cli.options import (
    PROCESSES_WITHOUT_EFFECT,
    WrongUsageError,
    add_force,
    as_wrong_usage,
)
from core.cli.passwords import PASSWORD_HELP, read_password
from core.cli.runner import stopped_by_ctrl_c
from core.cli.sources import find_sources, has_many
from core.cli.terminal import Terminal
from core.cli.together import check_together, run_together
from core.events import Event, Failed, Finished, Stopped
from core.export.excerpt import KeptSummary
from core.export.formats import FORMATS, format_of, render
from core.export.json_file import summary_envelope, to_json
from core.export.parts import clean, title_of
from core.jobs.batches.summarise_batch import (
    BatchDone,
    ExportFormat,
    SourceBegun,
    SourceFailed,
    SourcesKept,
    SourceSummarised,
    SummariseBatchJob,
)
from core.jobs.cluster.address import EXAMPLE, ClusterAddress, describe_sending
from core.jobs.history.keep_history import HistoryKeeper
from core.jobs.run import run_inline
from core.jobs.sources.source_files import FolderOptions, is_folder
from core.jobs.sources.table_sources import TableOptions, names_table
from core.jobs.summaries.summarise import BUILT_IN, Summarised, SummariseSettings
from core.jobs.summaries.summarise_together import TogetherJob
from core.numbers import format_quantity
from core.settings import Settings, option
from core.stop import StopToken


class OutputOptions(Settings):
    """Where summaries go, and what stands in them."""

    evidence: bool = option(
        False, "Evidence", "Print page, paragraph and quotation for every sentence."
    )
    outline: bool = option(
        False,
        "Outline",
        "Print the headings instead, each with the first good sentence below it.",
    )
    together: bool = option(
        False,
        "Together",
        "Make one summary of all sources: what they share, and where they differ.",
    )
    quotations: bool = option(
        True, "Quotations", "Write the evidence of every sentence into the output files."
    )
    out: str = option(
        "", "FILE", "Output file (.md, .txt, .html, .docx or .json); for several sources, a folder."
    )
    format: ExportFormat = option("md", "Format", "Format of the files written to a folder.")


class WorkOptions(Settings):
    """How the work is done, and what is kept of it."""

    processes: int | None = option(
        None,
        "Processes",
        "Number of documents read at a time; by default the number of cores.",
        unit="processes",
        ge=1,
        le=256,
    )
    cluster: ClusterAddress = option(
        "",
        "Cluster",
        f"Send the documents to a Dask cluster, such as {EXAMPLE}; its workers read them.",
    )
    history: bool = option(
        True,
        "History",
        "Keep the summaries in the History panel, unless Settings turns that off.",
    )


TABLES: dict[str, type[Settings]] = {
    "settings": SummariseSettings,
    "folders": FolderOptions,
    "tables": TableOptions,
    "output": OutputOptions,
    "work": WorkOptions,
}


EXAMPLES = (
    Example(
        "The nine sentences of a report that say most",
        "epitome summarise report.pdf",
    ),
    Example(
        "About 120 words, each sentence with its page and quotation",
        "epitome summarise report.pdf --length 120w --evidence",
    ),
    Example(
        "A Word file for each PDF of a folder",
        "epitome summarise papers --include '*.pdf' --out summaries --format docx",
    ),
    Example(
        "A summary of each row of a table, as files of a folder",
        "epitome summarise papers.csv --rows --column abstract --out summaries",
    ),
    Example(
        "What three reports share and where they differ, as one summary",
        "epitome summarise 2022.pdf 2023.pdf 2024.pdf --together --out years.md",
    ),
)


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome summarise``."""
    parser.add_argument(
        "sources", nargs="*", metavar="SOURCE", help="A file or folder, or - for standard input"
    )
    COMMAND.add_to(parser)
    add_force(parser)
    parser.add_argument("--password-file", default="", metavar="FILE|-", help=PASSWORD_HELP)


def _run(job: GivenJob, options: argparse.Namespace, console: Console) -> int:
    sources, settings, output = job.sources, job[SummariseSettings], job[OutputOptions]
    _check(sources, options.password_file)
    tables = job[TableOptions]
    _check_place(sources, output, tables, force=options.force)
    work = job[WorkOptions]
    if work.cluster:
        _check_cluster(settings, options.password_file)
        console.say(describe_sending(work.cluster))
    password = read_password(options.password_file)
    for line in _without_effect(vars(options), output, sources, tables):
        console.say(line)
    keeper = HistoryKeeper() if work.history else None
    found = find_sources(sources, job[FolderOptions], console, tables, settings.column)
    if output.together:
        together = TogetherJob(
            found, settings, password, processes=work.processes, cluster=work.cluster
        )
        return run_together(
            together, output.out, options.json, console, keeper, force=options.force
        )
    batch = SummariseBatchJob(
        found,
        settings,
        Path(output.out) if output.out else None,
        output.format,
        output.quotations,
        as_list=has_many(sources, tables),
        kept=tuple(Path(path) for path in (options.config, options.password_file) if path),
        password=password,
        with_results=True,
        processes=work.processes,
        cluster=work.cluster,
        replace=options.force,
    )
    return _Run(batch, output, options.json, console, keeper).all()


COMMAND = Command("summarise", TABLES, _run, lambda options: options.sources)


def _check_place(
    sources: tuple[str, ...], output: OutputOptions, tables: TableOptions, *, force: bool
) -> None:
    """Refuses a place for the result before any work is done."""
    path = Path(output.out)
    if output.together:
        check_together(sources, output.out, tables, force=force)
        return
    if not output.out or path.is_dir():
        return
    if not has_many(sources, tables):
        with as_wrong_usage():
            format_of(path.suffix)
    elif path.suffix.lower() in FORMATS:
        raise WrongUsageError(
            f"“{path}” is one file, and there may be several summaries.",
            "Name a folder, and --format for what is written there.",
        )


def _check(sources: tuple[str, ...], password_file: str) -> None:
    if not sources:
        raise WrongUsageError("No source was named.", "Name a file, a folder, or - for a pipe.")
    if "-" in sources and password_file == "-":
        raise WrongUsageError(
            "Standard input cannot be both the source and the password.",
            "Put the password into a file.",
        )


def _check_cluster(settings: SummariseSettings, password_file: str) -> None:
    """Refuses what the workers of a cluster cannot do."""
    if settings.model != BUILT_IN:
        raise WrongUsageError(
            f"A cluster summarises with the built-in summariser only, not with {settings.model}.",
            "Leave out --model, or --cluster.",
        )
    if password_file:
        raise WrongUsageError(
            "Passwords are not sent to a cluster.",
            "Leave out --password-file, or --cluster.",
        )


def _without_effect(
    typed: dict[str, Any],
    output: OutputOptions,
    sources: tuple[str, ...],
    tables: TableOptions,
) -> Iterator[str]:
    """What was typed and changes nothing here, a sentence each."""
    has_folder = any(map(is_folder, sources))
    if typed.keys() & {"include", "exclude"} and not has_folder:
        yield "No folder was named, so --include and --exclude change nothing."
    if typed.get("rows") and not (has_folder or any(map(names_table, sources))):
        yield "No table of texts was named, so --rows changes nothing."
    if typed.get("outline") and (output.out or typed["json"]):
        yield "Files have no outline and JSON always has it, so --outline changes nothing."
    if typed.get("evidence") and (output.out or typed["json"]):
        yield "Files and JSON hold the evidence anyway, so --evidence changes nothing."
    if "quotations" in typed and not output.out:
        yield "No file is written without --out, so --quotations changes nothing."
    if "format" in typed and Path(output.out).suffix.lower() in FORMATS:
        yield "The file's name says its format, so --format changes nothing."
    if typed.get("prompt") and typed.get("model", BUILT_IN) == BUILT_IN:
        yield "The built-in summariser takes no prompt, so --prompt changes nothing."
    if typed.get("engine", "auto") != "auto" and typed.get("model", BUILT_IN) == BUILT_IN:
        yield "The built-in summariser needs no engine, so --engine changes nothing."
    if "format" in typed and not output.out:
        yield "No file is written without --out, so --format changes nothing."
    if "processes" in typed and typed.get("cluster"):
        yield PROCESSES_WITHOUT_EFFECT
    elif "processes" in typed and not has_many(sources, tables):
        yield "There is one source, so --processes changes nothing."


def _outline_lines(result: Summarised) -> Iterator[str]:
    """The headings, indented by their levels, each with the sentence below it."""
    for entry in result.outline:
        indent = "  " * (entry.level - 1)
        yield f"{indent}{clean(entry.title)}"
        if entry.text:
            yield f"{indent}    {clean(entry.text)}"
    if not result.outline:
        by_model = result.summary.model != BUILT_IN
        yield _NO_OUTLINE if by_model else "The text has no headings."


_NO_OUTLINE = "Only the built-in summariser makes an outline."


class _Run:
    """One call of the command: shows what happens to every source, and tells the end.

    Args:
        job: What is done.
        output: What is printed.
        as_json: Whether it is printed as JSON.
        console: Where messages go.
        keeper: Keeps the summaries in the history; None for nobody.
    """

    def __init__(
        self,
        job: SummariseBatchJob,
        output: OutputOptions,
        as_json: bool,
        console: Console,
        keeper: HistoryKeeper | None = None,
    ) -> None:
        self.job, self.output, self.as_json, self.console = job, output, as_json, console
        self.keeper = keeper
        self.num_printed = 0
        self.written: list[Path] = []
        self.done = 0

    def all(self) -> int:
        """Summarises every source; gives the exit code."""
        stop = StopToken()
        ending: Event = Stopped("stop")
        name = ""
        # What is written and what is said to be kept must agree, so Ctrl-C waits for that.
        with suppress(KeyboardInterrupt), stopped_by_ctrl_c(stop):
            for event in run_inline(replace(self.job, user=Terminal(stop)), stop):
                name = event.name if isinstance(event, SourceBegun) else name
                self._take(event, name)
                ending = event
        self.console.clear()
        self._end_json()
        if self.keeper and self.keeper.removed_line:
            self.console.say(self.keeper.removed_line)
        return self._told_end(ending)

    def _take(self, event: Event, name: str) -> None:
        if isinstance(event, SourceSummarised):
            self.console.clear()
            self._deliver(event)
        elif isinstance(event, SourcesKept):
            self.done += len(event.places)
            self.written += event.places
            number = format_quantity(len(event.places), "summary", "summaries")
            self.console.say(f"{number} kept from the interrupted run: not made again.")
        elif isinstance(event, SourceFailed):
            self.console.fail(event.failure, event.name)
        else:
            self.console.show(event, name)

    def _deliver(self, event: SourceSummarised) -> None:
        assert event.result is not None
        self.done += 1
        if event.place:
            self.written.append(event.place)
            self.console.say(f"{event.name}: written to {event.place}.")
        if event.occupied:
            self.console.say(f"{event.name}: {event.occupied.name} was there already and stays.")
        if self.as_json:
            self._print_json(self._envelope(event.result))
        elif not event.place:
            print("\n".join(self._printed(event.result)), flush=True)
        for line in event.lines:
            self.console.say(f"{event.name}: {line}" if self.job.as_list else line)
        # What is not shown is not kept.
        if self.keeper and (event.place or self.as_json or not self.output.outline):
            self._keep(event.result, self.keeper)

    def _keep(self, result: Summarised, keeper: HistoryKeeper) -> None:
        kept = KeptSummary.of(result.summary, result.document)
        keeper.keep_summary(kept, self.job.settings.language, "command")
        for note in keeper.take_notes():
            self.console.say(note)

    def _envelope(self, result: Summarised) -> dict[str, Any]:
        settings = self.job.settings.model_dump(mode="json")
        timings_s, outline = result.timings_s, result.outline
        return summary_envelope(result.summary, result.document, settings, timings_s, outline)

    def _printed(self, result: Summarised) -> Iterator[str]:
        summary = result.summary
        if self.output.outline:
            yield from _outline_lines(result)
        elif self.output.evidence:
            yield render(summary, result.document, ".txt").decode().rstrip("\n")
        else:
            if self.job.as_list:
                yield from (title_of(summary), "")
            yield from (clean(sentence.spoken) for sentence in summary.sentences)
        if self.job.as_list:
            yield ""

    def _print_json(self, envelope: dict[str, Any]) -> None:
        """Prints one summary at once: those of a list need not all be in memory."""
        value = to_json(envelope).decode()
        if self.job.as_list:
            before = ",\n" if self.num_printed else "[\n"
            value = before + indent(value, "  ").rstrip("\n")
        self.num_printed += 1
        sys.stdout.write(value)
        sys.stdout.flush()

    def _end_json(self) -> None:
        if self.as_json and self.job.as_list:
            print("\n]" if self.num_printed else "[]", flush=True)

    def _told_end(self, ending: Event) -> int:
        if isinstance(ending, Failed):
            self.console.fail(ending)
            return 1
        if not isinstance(ending, Finished):
            self.console.say(f"Interrupted. {self._kept()}")
            return 130
        batch: BatchDone = ending.result
        if batch.failed and batch.total > 1:
            told = f"{len(batch.failed)} of {format_quantity(batch.total, 'source')} failed"
            self.console.fail(Failed(f"{told}: {', '.join(batch.failed)}.", "The others are done."))
        return 1 if batch.failed else 0

    def _kept(self) -> str:
        if not self.done:
            return "No summary was finished; nothing was written."
        where = f" in {self.written[0].parent}" if self.written else ""
        if self.written and self.job.cluster:
            where += "; the same command goes on from there"
        total = format_quantity(len(self.job.sources), "summary", "summaries")
        return f"{self.done} of {total} kept{where}."
