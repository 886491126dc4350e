"""Summarises many sources: what `epitome summarise` does."""

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Literal, Protocol

from core.errors import EpitomeError, explained
from core.events import Event, Failed, Finished, Started, Stopped
from core.export.formats import render, write_export
from core.jobs.batches.document_jobs import table_row_job
from core.jobs.batches.table_texts import TableReader, row_name
from core.jobs.batches.unfinished_run import UnfinishedRun
from core.jobs.pool.choice import num_processes, open_pool
from core.jobs.pool.ordered import OrderedJobs
from core.jobs.run import failed
from core.jobs.sources.source_files import NamedSource, paths_of
from core.jobs.summaries.summarise import Summarised, SummariseJob, SummariseSettings
from core.stop import StopToken
from core.storage.atomic_files import check_place, numbered_places, write_beside
from core.storage.files import SourceFiles
from core.summaries.summary_lines import notes_of

ExportFormat = Literal["md", "txt", "html", "docx", "json"]


@dataclass(frozen=True)
class SourceBegun(Event):
    """A source has its turn.

    Args:
        name: Its name.
    """

    name: str


@dataclass(frozen=True)
class SourceSummarised(Event):
    """A source has its summary.

    Args:
        name: Its name.
        lines: Notes on what was read and on the summary, a sentence each.
        place: The file that was written; None if none was requested.
        occupied: A file that was there already, for which the summary has another name.
        result: The summary and its document; None unless they were requested.
    """

    name: str
    lines: tuple[str, ...]
    place: Path | None = None
    occupied: Path | None = None
    result: Summarised | None = None


@dataclass(frozen=True)
class SourceFailed(Event):
    """A source has no summary; the others go on.

    Args:
        name: Its name.
        failure: Why.
    """

    name: str
    failure: Failed


@dataclass(frozen=True)
class SourcesKept(Event):
    """Sources have their summaries from an earlier, interrupted run; they are not read again.

    Args:
        places: The files that hold the summaries.
    """

    places: tuple[Path, ...]


@dataclass(frozen=True)
class BatchDone:
    """Result of a batch.

    Args:
        total: How many sources there were.
        done: How many have their summary.
        failed: The names of those that have none.
        written: The files that were written.
    """

    total: int
    done: int
    failed: tuple[str, ...]
    written: tuple[Path, ...]


class User(Protocol):
    """A user who can be asked while a batch runs."""

    def standard_input(self) -> bytes:
        """Reads a pipe to its end."""
        ...

    def passwords(self, name: str) -> Iterator[str]:
        """Yields passwords to be tried on a source."""
        ...


@dataclass(frozen=True)
class SummariseBatchJob:
    """Summarises each source, and writes each summary whole or not at all.

    Args:
        sources: What to read.
        settings: How to summarise it.
        out: The folder for the summaries, which is made if need be; or, for one source, their
            file. None writes nothing.
        format: The format of files in a folder.
        quotations: True if the files hold the evidence of every sentence.
        as_list: True if there may be several sources, which are read in other processes.
        kept: Further files that no summary may replace; the sources are none of them.
        password: Opens encrypted sources; never shown, kept or logged.
        with_results: True if the events contain summaries and documents.
        user: Can be asked; None for no user.
        processes: How many sources are read at a time; None for one for each core. The events are
            the same, in the same order, however many there are.
        cluster: The address of a Dask scheduler, whose workers read the sources; empty for this
            machine. A run into a folder that was interrupted goes on where it was.
        replace: True if files that exist are replaced; else those in a folder stay, and a
            summary gets the next free name.
    """

    memory_remedy = SummariseJob.memory_remedy

    sources: tuple[NamedSource, ...]
    settings: SummariseSettings
    out: Path | None = None
    format: ExportFormat = "md"
    quotations: bool = True
    as_list: bool = True
    kept: tuple[Path, ...] = ()
    password: str = field(default="", repr=False)
    with_results: bool = False
    user: User | None = None
    processes: int | None = None
    cluster: str = ""
    replace: bool = False

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Summarises.

        Args:
            stop: Once set, the source that is read is given up; what was written stays.

        Yields:
            `SourcesKept` where an interrupted run goes on; `SourceBegun`, then `SourceSummarised`
            or `SourceFailed` for each other source; at the end `Finished` with a `BatchDone`.

        Raises:
            EpitomeError: If the one file that is to be written is a source, or the cluster cannot
                be used.
        """
        yield Started("Summarising")
        places = _Places(self)
        resumed = self._resumed()
        kept = {named: place for named in self.sources if (place := resumed.place_of(named))}
        if kept:
            places.take(kept.values())
            yield SourcesKept(tuple(kept.values()))
        rest = replace(self, sources=tuple(named for named in self.sources if named not in kept))
        failures: list[str] = []
        with closing(rest._ordered_jobs(stop)) as jobs:
            for number, named in enumerate(rest.sources):
                stop.raise_if_set()
                yield SourceBegun(named.name)
                ending = yield from self._end_of(number, named, jobs)
                last = self._delivered(named, ending, places)
                if isinstance(last, SourceFailed):
                    failures.append(named.name)
                else:
                    resumed.note(named, last.place)
                yield last
        resumed.end()
        done = len(self.sources) - len(failures)
        yield Finished(BatchDone(len(self.sources), done, tuple(failures), tuple(places.written)))

    def _resumed(self) -> UnfinishedRun:
        """The summaries of an interrupted run; only runs on a cluster note them."""
        is_noted = self.cluster and self.as_list
        settings = [self.settings, self.format, self.quotations]
        return UnfinishedRun(self.out if is_noted else None, settings)

    def _ordered_jobs(self, stop: StopToken) -> OrderedJobs:
        total = len(self.sources)
        size = num_processes(self.processes, [self.settings.model], total)
        pool = open_pool(self.cluster, size, stop, inline=not self.as_list)
        make = partial(self._job_of, tables=TableReader(lambda path: None))
        return OrderedJobs(pool, total, make, stop)

    @cached_property
    def _of_whole_sources(self) -> SummariseSettings:
        """The settings of whole sources: a column that rows were taken from is not theirs."""
        has_rows = any(named.record is not None for named in self.sources)
        return self.settings.model_copy(update={"column": ""}) if has_rows else self.settings

    def _job_of(self, number: int, is_its_turn: bool, tables: TableReader) -> SummariseJob | None:
        """Makes the job on a source; a pipe is read when its turn has come."""
        named = self.sources[number]
        source = named.source
        if isinstance(source, Failed):
            raise EpitomeError(source.message, source.remedy, source.kind)
        if named.table is not None and named.record is not None:
            name = row_name(named.table.name, named.record, named.title)
            again = "Summarise the table again."
            return table_row_job(named.table, named.record, name, self.settings, tables, again)
        source = replace(source, password=self.password)
        if source.path is None and source.data is None and self.user:
            if not is_its_turn:
                return None
            source = replace(source, data=self.user.standard_input())
        return SummariseJob(source, self._of_whole_sources)

    def _end_of(
        self, number: int, named: NamedSource, jobs: OrderedJobs
    ) -> Generator[Event, None, Event]:
        ending = yield from _followed(jobs, number)
        source = named.source
        if self.cluster:
            return _without_password(ending, "Summarise it on this machine, without --cluster.")
        if isinstance(source, Failed) or source.path is None or self.user is None:
            return _without_password(ending)
        asked = self.user.passwords(named.name)
        while isinstance(ending, Failed) and ending.kind == "password":
            password = next(asked, None)
            if password is None:
                return _without_password(ending)
            job = SummariseJob(replace(source, password=password), self._of_whole_sources)
            jobs.again(number, job)
            ending = yield from _followed(jobs, number)
        return ending

    def _delivered(
        self, named: NamedSource, ending: Event, places: "_Places"
    ) -> SourceSummarised | SourceFailed:
        if not isinstance(ending, Finished):
            assert isinstance(ending, Failed)
            return SourceFailed(named.name, ending)
        result: Summarised = ending.result
        try:
            place, occupied = places.write(result, named)
        except Exception as error:  # whatever it is, the other sources go on
            return SourceFailed(named.name, failed(error))
        lines = tuple(notes_of(result.summary))
        shown = result if self.with_results else None
        return SourceSummarised(named.name, lines, place, occupied, shown)


def _followed(jobs: OrderedJobs, number: int) -> Generator[Event, None, Event]:
    """Passes on how far one source is; gives its last event."""
    for event in jobs.follow(number):
        if isinstance(event, Finished | Failed):
            return event
        if not isinstance(event, Started | Stopped):
            yield event
    return Failed("It did not finish.", "Try again.")


def _without_password(
    ending: Event, remedy: str = "Put it into a file, and name that with --password-file."
) -> Event:
    if not isinstance(ending, Failed) or ending.kind != "password":
        return ending
    return replace(ending, remedy=remedy)


class _Places:
    """Places of the summaries of one batch; none replaces a source or another summary."""

    def __init__(self, job: SummariseBatchJob) -> None:
        self._out, self._format, self._as_list = job.out, job.format, job.as_list
        self._quotations, self._replace = job.quotations, job.replace
        self._sources = SourceFiles([*paths_of(job.sources), *job.kept])
        self._taken = SourceFiles()
        self.written: list[Path] = []
        if self._out and not self._is_folder:
            self._sources.check(self._out)
            check_place(self._out, "Choose another name.", replace=job.replace)

    @property
    def _is_folder(self) -> bool:
        return self._out is not None and (self._as_list or self._out.is_dir())

    def take(self, places: Iterable[Path]) -> None:
        """Leaves files alone that an earlier run has written."""
        for place in places:
            self._taken.add(place)
            self.written.append(place)

    def write(self, result: Summarised, named: NamedSource) -> tuple[Path | None, Path | None]:
        """Writes a summary; gives the file, and one that was there, so that it has another name."""
        if self._out is None:
            return None, None
        suffix = f".{self._format}" if self._is_folder else self._out.suffix
        data = render(result.summary, result.document, suffix, quotations=self._quotations)
        write = partial(
            write_export, result.summary, data, sources=self._sources, replace=self._replace
        )
        if self._is_folder:
            path, occupied = write_beside(self._names(result, named), write, replace=self._replace)
        else:
            path, occupied = self._out, None
            write(path)
        self._taken.add(path)
        self.written.append(path)
        return path, occupied

    def _names(self, result: Summarised, named: NamedSource) -> Iterator[Path]:
        """Places for a summary that are no source and no other summary, the best first."""
        assert self._out is not None
        with explained(f"The folder {self._out} cannot be made", "Choose another place."):
            self._out.mkdir(parents=True, exist_ok=True)
        stem, row = Path(result.document.source.name).stem or "summary", ""
        if named.record is not None and named.table:
            stem, row = named.table.stem, f"-{named.record + 1}"
        for path in numbered_places(self._out, stem, f".{self._format}", row):
            if path not in self._sources and path not in self._taken:
                yield path
