"""``epitome summarise``: one summary for each source."""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from core.cli.console import Console
from core.cli.job_file import given_job
from core.cli.options import WrongUsageError, add_options, as_wrong_usage
from core.cli.passwords import asked_passwords, read_password
from core.cli.runner import (
    Ending,
    ended_by_ctrl_c,
    is_risky,
    own_process,
    run_job,
    stopped_by_ctrl_c,
)
from core.cli.sources import (
    FolderOptions,
    Named,
    find_sources,
    has_many,
    is_folder,
    paths_of,
    with_input,
)
from core.errors import EpitomeError
from core.events import Failed, Finished, Stopped
from core.export.formats import FORMATS, export, format_of, render
from core.export.json_file import summary_envelope, to_json
from core.export.parts import clean, title_of
from core.files import SourceFiles
from core.jobs.run import failed
from core.jobs.sources import SourceRef
from core.jobs.summarise import Summarised, SummariseJob, SummariseSettings
from core.settings import Settings, option
from core.stop import StopToken
from core.summary import (
    coverage_line,
    format_quantity,
    language_line,
    support_line,
    taken_out_line,
)


class OutputOptions(Settings):
    """Where summaries go, and what stands in them."""

    evidence: bool = option(
        False, "Evidence", "Print page, paragraph and quotation for every sentence."
    )
    out: str = option(
        "", "FILE", "Output file (.md, .txt, .html, .docx or .json); for several sources, a folder."
    )
    format: Literal["md", "txt", "html", "docx", "json"] = option(
        "md", "Format", "Format of the files written to a folder."
    )


TABLES: dict[str, type[Settings]] = {
    "settings": SummariseSettings,
    "folders": FolderOptions,
    "output": OutputOptions,
}


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome summarise``."""
    parser.add_argument(
        "sources", nargs="*", metavar="SOURCE", help="A file or folder, or - for standard input"
    )
    for settings in TABLES.values():
        add_options(parser, settings)
    parser.add_argument("--password-file", default="", metavar="FILE|-", help=_PASSWORD_HELP)
    parser.set_defaults(run=run_command)


_PASSWORD_HELP = "File whose first line is the password of an encrypted source"


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Does what was typed after ``epitome summarise``.

    Args:
        options: What was typed.
        console: Where messages go.

    Returns:
        The exit code.

    Raises:
        WrongUsageError: If it cannot be meant.
    """
    job = given_job("summarise", TABLES, options, options.sources)
    if options.print_config:
        return job.print()
    sources, settings, output = job.sources, job[SummariseSettings], job[OutputOptions]
    _check(sources, options.password_file)
    run = _Run(settings, output, sources, read_password(options.password_file), options.json)
    run.check_place()
    for line in _without_effect(vars(options), output, sources):
        console.say(line)
    found = find_sources(sources, job[FolderOptions], console)
    run.protect(*paths_of(found), options.config, options.password_file)
    return run.all(found, console)


def _check(sources: tuple[str, ...], password_file: str) -> None:
    if not sources:
        raise WrongUsageError("No source was named.", "Name a file, a folder, or - for a pipe.")
    if "-" in sources and password_file == "-":
        raise WrongUsageError(
            "Standard input cannot be both the source and the password.",
            "Put the password into a file.",
        )


def _without_effect(
    typed: dict[str, Any], output: OutputOptions, sources: tuple[str, ...]
) -> Iterator[str]:
    """What was typed and changes nothing here, a sentence each."""
    has_folder = any(map(is_folder, sources))
    if typed.keys() & {"include", "exclude"} and not has_folder:
        yield "No folder was named, so --include and --exclude change nothing."
    if typed.get("evidence") and (output.out or typed["json"]):
        yield "Files and JSON always hold the evidence, so --evidence changes nothing."
    if "format" in typed and Path(output.out).suffix.lower() in FORMATS:
        yield "The file's name says its format, so --format changes nothing."
    if "format" in typed and not output.out:
        yield "No file is written without --out, so --format changes nothing."


class _Run:
    """One call of the command: what is done to every source, and what came of it."""

    def __init__(
        self,
        settings: SummariseSettings,
        output: OutputOptions,
        arguments: tuple[str, ...],
        password: str,
        as_json: bool,
    ) -> None:
        self.settings = settings
        self.output = output
        self.many = has_many(arguments)
        self.password = password
        self.as_json = as_json
        self.process = own_process()
        self.envelopes: list[dict[str, Any]] = []
        self.read = SourceFiles()
        self.written: list[Path] = []
        self.taken = SourceFiles()
        self.failed: list[str] = []
        self.done = 0

    def check_place(self) -> None:
        """Refuses a place for the result before any work is done."""
        path = Path(self.output.out)
        if not self.output.out:
            return
        if self.many and path.suffix.lower() in FORMATS and not path.is_dir():
            raise WrongUsageError(
                f"“{path}” is one file, and there may be several summaries.",
                "Name a folder, and --format for what is written there.",
            )
        if not self.many and not path.is_dir():
            with as_wrong_usage():
                format_of(path.suffix)

    def protect(self, *paths: Path | str | None) -> None:
        """Names the files that no result may replace: all that this call reads."""
        self.read = SourceFiles([path for path in paths if path])
        if self.output.out and not self.many:
            self.read.check(self.output.out)

    def all(self, sources: list[Named], console: Console) -> int:
        """Summarises every source; one that fails does not keep the others from being done."""
        try:
            interrupted = not self._each(sources, console)
        except KeyboardInterrupt:
            interrupted = True
            console.clear()
        finally:
            self.process.close()
        self._print_json()
        if interrupted:
            console.say(f"Interrupted. {self._kept(len(sources))}")
            return 130
        if self.failed and len(sources) > 1:
            told = f"{len(self.failed)} of {format_quantity(len(sources), 'source')} failed"
            console.fail(Failed(f"{told}: {', '.join(self.failed)}.", "The others are done."))
        return 1 if self.failed else 0

    def _each(self, sources: list[Named], console: Console) -> bool:
        """Whether all of them had their turn."""
        # What is written and what is said to be kept must agree, so Ctrl-C waits for that.
        with stopped_by_ctrl_c(stop := StopToken()):
            for named in sources:
                ending = self._end_of(named, console, stop)
                if stop or isinstance(ending, Stopped):
                    return False
                if isinstance(ending, Failed):
                    self.failed.append(named.name)
                    console.fail(ending, named.name)
        return True

    def _end_of(self, named: Named, console: Console, stop: StopToken) -> Ending:
        if isinstance(named.source, Failed):
            return named.source
        with ended_by_ctrl_c(stop):
            source = with_input(named.source)
        ending = self._summarise(source, named.name, console, stop)
        if not isinstance(ending, Finished):
            return ending
        fault = self._deliver(ending.result, named.name, console)
        self.done += fault is None
        return fault or ending

    def _summarise(self, source: SourceRef, name: str, console: Console, stop: StopToken) -> Ending:
        source = replace(source, password=self.password)
        ending = self._run(source, name, console)
        asked = asked_passwords(name) if source.path else iter(())
        while isinstance(ending, Failed) and ending.kind == "password":
            with ended_by_ctrl_c(stop):
                password = next(asked, None)
            if password is None:
                break
            ending = self._run(replace(source, password=password), name, console)
        if isinstance(ending, Failed) and ending.kind == "password":
            return replace(ending, remedy="Put it into a file, and name that with --password-file.")
        return ending

    def _run(self, source: SourceRef, name: str, console: Console) -> Ending:
        process = self.process if self.many or is_risky(source) else None
        return run_job(SummariseJob(source, self.settings), name, console, process)

    def _deliver(self, result: Summarised, name: str, console: Console) -> Failed | None:
        if self.output.out:
            try:
                path = self._place_of(result)
                export(result.summary, result.document, path, self.read)
            except EpitomeError as error:
                return failed(error)
            self.written.append(path)
            self.taken.add(path)
            console.say(f"{name}: written to {path}.")
        if self.as_json:
            self.envelopes.append(self._envelope(result))
        elif not self.output.out:
            print("\n".join(self._printed(result)), flush=True)
        for line in (coverage_line(result.summary), *_notes(result)):
            console.say(f"{name}: {line}" if self.many else line)
        return None

    def _envelope(self, result: Summarised) -> dict[str, Any]:
        settings = self.settings.model_dump(mode="json")
        return summary_envelope(result.summary, result.document, settings, result.timings_s)

    def _printed(self, result: Summarised) -> Iterator[str]:
        summary = result.summary
        if self.output.evidence:
            yield render(summary, result.document, ".txt").decode().rstrip("\n")
        else:
            if self.many:
                yield from (title_of(summary), "")
            yield from (clean(sentence.text) for sentence in summary.sentences)
        if self.many:
            yield ""

    def _place_of(self, result: Summarised) -> Path:
        out = Path(self.output.out)
        if not self.many and not out.is_dir():
            return out
        _make_folder(out)
        stem = Path(result.document.source.name).stem or "summary"
        path, count = out / f"{stem}.{self.output.format}", 1
        while path in self.read or path in self.taken:
            count += 1
            path = out / f"{stem}-{count}.{self.output.format}"
        return path

    def _print_json(self) -> None:
        if self.as_json and (self.many or self.envelopes):
            value: Any = self.envelopes if self.many else self.envelopes[0]
            sys.stdout.write(to_json(value).decode())
            sys.stdout.flush()

    def _kept(self, total: int) -> str:
        if not self.done:
            return "No summary was finished; nothing was written."
        where = f" in {self.written[0].parent}" if self.written else ""
        return f"{self.done} of {format_quantity(total, 'summary', 'summaries')} kept{where}."


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EpitomeError(
            f"The folder {folder} cannot be made ({error.strerror}).", "Choose another place."
        ) from error


def _notes(result: Summarised) -> Iterator[str]:
    read = result.summary.read
    summary = result.summary
    first = (language_line(read), support_line(summary))
    said = dict.fromkeys((*first, *read.notes, *summary.notes, taken_out_line(read)))
    yield from (note for note in said if note)
