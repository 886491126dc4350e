"""Summarises the documents of a batch in separate processes, or on a cluster."""

import time
from collections import deque
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from core.errors import EpitomeError
from core.events import Event, Failed, Finished, Message, Progress, Started, Stopped
from core.export.excerpt import KeptSummary
from core.jobs.batches.document_jobs import RowJob, row_job
from core.jobs.batches.rows import BatchRow, Made
from core.jobs.batches.store import BatchStore, EarlierStart
from core.jobs.batches.table_texts import TableReader
from core.jobs.history.keep_history import HistoryKeeper
from core.jobs.pool.choice import num_processes, open_pool
from core.jobs.pool.pool import JobFeed, Pool
from core.jobs.run import failed
from core.numbers import format_quantity
from core.stop import StopToken
from core.storage.files import write_json

NOW_FILE = "now.json"
"""Progress of the documents that are being read: by number, done, total, unit and what."""
_NOW_S = 0.25
_LINE = 64


def record(history: HistoryKeeper, store: BatchStore, row: BatchRow, made: Made) -> None:
    """Keeps the summary of a document in the history; why that failed is noted in the batch."""
    language = row.wish.over(store.settings).language
    history.keep_summary(KeptSummary.from_json(made.kept), language, "batch")
    if history.problem:
        store.note_history(history.problem)


@dataclass(frozen=True)
class UnlockRowJob:
    """Summarises an encrypted document of a batch; the password is kept nowhere.

    Args:
        folder: The folder of the batch.
        number: The document.
        password: Opens it.
    """

    folder: Path
    number: int
    password: str = field(repr=False)

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields how far it is, then `Finished`; a password that is wrong is a `Failed`."""
        with BatchStore(self.folder) as store:
            row = store.row(self.number)
            if row is None:
                yield Finished()
                return
            for event in row_job(
                row, store.settings, TableReader(store.columns_of), self.password
            ).run(stop):
                if not isinstance(event, Finished):
                    yield event
                elif store.finish(self.number, event.result, row.revision):
                    record(HistoryKeeper(), store, row, event.result)
        yield Finished()


@dataclass(frozen=True)
class BatchDone:
    """Result of a batch.

    Args:
        total: How many documents there are.
        done: How many have a summary.
        failed: How many could not be read.
    """

    total: int
    done: int
    failed: int


@dataclass(frozen=True)
class BatchJob:
    """Summarises all documents of a batch that wait; those that are done are not done again.

    Args:
        folder: The folder of the batch.
    """

    folder: Path

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Works until no document waits.

        Args:
            stop: Once set, the documents that are being read are given up, to be read again.

        Yields:
            How many are done; `Finished` with a `BatchDone` at the end.

        Raises:
            Exception: Whatever ended the work; that it failed is noted in the batch.
        """
        yield Started("Summarising documents")
        with BatchStore(self.folder) as store:
            _tell_resumed(store)
            try:
                with closing(_open_pool(store, stop)) as pool:
                    yield from _Work(store, pool, self.folder / NOW_FILE).steps(stop)
            except Exception:
                with suppress(EpitomeError):  # what went wrong first is told
                    store.end_start(stop.wish or "failure")
                raise
            store.end_start(stop.wish or "end")
            stop.raise_if_set()
            counts = store.counts()
        yield Finished(BatchDone(counts["all"], counts["done"], counts["failed"]))


def _open_pool(store: BatchStore, stop: StopToken) -> Pool:
    """Opens the cluster that was chosen for a batch, or processes of this machine."""
    size = num_processes(store.settings.processes, {store.settings.model, *store.models()})
    return open_pool(store.cluster, size, stop)


_ENDINGS = {
    "pause": "you paused the batch",
    "stop": "the batch was stopped",
    "cancel": "the batch was cancelled",
    "failure": "the work on it failed",
    "end": "the batch had ended",
    "off": "the computer was switched off",
    "killed": "the program that worked on it was ended",
}


def _tell_resumed(store: BatchStore) -> None:
    earlier = store.begin_start()
    store.note_history("")
    if earlier is None or earlier.how == "end":
        store.note_resumed("")
        return
    store.note_resumed(resumed_line(earlier))


def resumed_line(earlier: EarlierStart) -> str:
    """Says in a sentence or two what was done before a batch went on."""
    when = datetime.fromtimestamp(earlier.at_s).astimezone()
    were = "document was" if earlier.done == 1 else "documents were"
    number = format_quantity(earlier.done, "document").split(" ")[0]
    ending = _ENDINGS.get(earlier.how, "the batch had ended")  # a later version may know others
    return (
        f"Resumed. {number} {were} finished before {ending} on "
        f"{when.day} {when:%B} at {when:%H:%M}; none is done twice."
    )


class _Work:
    """Hands documents to processes and writes down what comes back."""

    def __init__(self, store: BatchStore, pool: Pool, now_file: Path) -> None:
        self._store, self._pool, self._now_file = store, pool, now_file
        self._tables = TableReader(store.columns_of)
        self._busy: dict[int, BatchRow] = {}
        self._line: deque[int] = deque()
        self._now: dict[int, Progress] = {}
        self._next_now_s = self._next_report_s = 0.0
        self._history = HistoryKeeper()

    def steps(self, stop: StopToken) -> Iterator[Event]:
        """Works until nothing waits, or a stop is requested."""
        try:
            for number, event in JobFeed(self._pool, self._next_job, stop).run():
                yield from self._take(number, event)
        finally:
            self._pool.stop()
            self._now.clear()
            self._show_now(last=True)

    def _next_job(self) -> tuple[int, RowJob | Failed] | None:
        """Returns the job on the next document, or why there is none."""
        row = self._next()
        if row is None:
            return None
        self._busy[row.number] = row
        try:
            return row.number, row_job(row, self._store.settings, self._tables)
        except Exception as error:
            return row.number, failed(error)

    def _next(self) -> BatchRow | None:
        """One that waits and is not handed out, the first ones first."""
        while True:
            if not self._line:  # many at a time: those handed out are passed over each time
                waiting = self._store.waiting(0, len(self._busy) + _LINE)
                self._line.extend(row.number for row in waiting if row.number not in self._busy)
            if not self._line:
                return None
            row = self._store.row(self._line.popleft())
            if row is not None and row.state == "waiting" and row.number not in self._busy:
                return row

    def _take(self, number: int, event: Event) -> Iterator[Event]:
        if isinstance(event, Progress):
            self._now[number] = event
            self._show_now()
            return
        if isinstance(event, Finished):
            assert isinstance(event.result, Made)
            if self._store.finish(number, event.result, self._busy[number].revision):
                yield from self._record(number, event.result)
        elif isinstance(event, Failed):
            self._store.fail(number, event, self._busy[number].revision)
        elif not isinstance(event, Stopped):
            self._now.setdefault(number, Progress(0, 0, "", "Reading"))
            self._show_now()
            return
        self._busy.pop(number, None)
        self._now.pop(number, None)
        self._show_now()
        if time.monotonic() < self._next_report_s:
            return  # counting costs as much as a short document
        self._next_report_s = time.monotonic() + _NOW_S
        counts = self._store.counts()
        ended = counts["all"] - counts["waiting"]
        yield Progress(ended, counts["all"], "documents", "Summarising documents")

    def _record(self, number: int, made: Made) -> Iterator[Event]:
        """Keeps a summary in the history, too; the batch notes what goes wrong there."""
        record(self._history, self._store, self._busy[number], made)
        for note in self._history.take_notes():
            yield Message("warning", note)

    def _show_now(self, *, last: bool = False) -> None:
        if not last and time.monotonic() < self._next_now_s:
            return
        self._next_now_s = time.monotonic() + _NOW_S
        told = {
            str(number): [each.done, each.total, each.unit, each.what]
            for number, each in self._now.items()
        }
        with suppress(EpitomeError):  # it is only shown
            write_json(self._now_file, told, flush=False, makes_folder=False)
