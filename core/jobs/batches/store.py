"""A batch on disk: its documents, what is asked of each, and each summary that is done.

One SQLite file in the folder of the batch. A document's summary and its row are written in one
transaction, so after a crash or a power cut it is there whole or not at all. The job's process and
the window both write; each waits for the other for as long as a transaction takes.
"""

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import psutil

from core.display_names import shown, storable_path, storable_text
from core.errors import EpitomeError, check_not_newer, of_system
from core.events import Failed
from core.export.excerpt import KeptSummary
from core.jobs.batches.rows import NO_RECORD, BatchRow, BatchSettings, Made, Wish
from core.jobs.batches.tables import BatchTable, TextColumns
from core.storage.files import open_database, says_full
from core.storage.parsing import parse_json

FILE = "batch.sqlite"
_SCHEMA = 1
_PATIENCE_S = 20.0
_CLOCK_S = 60.0  # the time of the boot is computed from a clock that may be set
_MANY = 500  # numbers in one statement: SQLite takes some thousand

_TABLES = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE rows (
    number INTEGER PRIMARY KEY,
    path TEXT NOT NULL, record INTEGER NOT NULL, name TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting',
    length TEXT NOT NULL DEFAULT '', model TEXT NOT NULL DEFAULT '',
    wished_language TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL DEFAULT '', pages INTEGER NOT NULL DEFAULT 0,
    words INTEGER NOT NULL DEFAULT 0, language TEXT NOT NULL DEFAULT '',
    sentences INTEGER NOT NULL DEFAULT 0, seconds REAL NOT NULL DEFAULT 0,
    first TEXT NOT NULL DEFAULT '', read TEXT NOT NULL DEFAULT '',
    message TEXT NOT NULL DEFAULT '', remedy TEXT NOT NULL DEFAULT '',
    kind TEXT NOT NULL DEFAULT '', made_with TEXT NOT NULL DEFAULT '',
    ended REAL NOT NULL DEFAULT 0, revision INTEGER NOT NULL,
    UNIQUE (path, record)
);
CREATE INDEX by_revision ON rows (revision);
CREATE INDEX by_state ON rows (state, number);
CREATE TABLE summaries (number INTEGER PRIMARY KEY, kept TEXT NOT NULL);
CREATE TABLE starts (
    number INTEGER PRIMARY KEY, began REAL NOT NULL, boot REAL NOT NULL,
    done INTEGER NOT NULL, ended REAL, how TEXT
);
INSERT INTO facts VALUES ('schema', '1'), ('revision', '0');
"""
_FIELDS = (
    "number, path, record, name, state, length, model, wished_language, title, pages, words, "
    "language, sentences, seconds, first, read, message, remedy, kind, made_with, revision"
)
_NOTHING_MADE = (
    "title = '', pages = 0, words = 0, language = '', sentences = 0, seconds = 0, first = '', "
    "read = '', message = '', remedy = '', kind = '', made_with = '', ended = 0"
)
_FILTERS = {
    "all": "1",
    "done": "state = 'done'",
    "failed": "state = 'failed'",
    "note": "state = 'done' AND (read != '' OR message != '')",
    "waiting": "state = 'waiting'",
}


@dataclass(frozen=True)
class FoundSource:
    """A document that is added to a batch.

    Args:
        path: Its file, absolute.
        name: What it is called.
        record: As in `BatchRow`.
    """

    path: str
    name: str
    record: int = NO_RECORD


@dataclass(frozen=True)
class EarlierStart:
    """How the work on a batch ended the last time.

    Args:
        how: "pause", "stop", "cancel", "end", "failure", "killed", or "off" when the machine was
            switched off.
        at_s: When, in seconds since 1970, as far as that is known.
        done: How many documents were done by then.
    """

    how: str
    at_s: float
    done: int


class BatchStore:
    """The file of a batch. Close it, or use it in a ``with``.

    Args:
        folder: The folder of the batch.
        make: Whether the folder and the file are made if they are not there.

    Raises:
        EpitomeError: If it cannot be opened, or a newer program wrote it.
    """

    def __init__(self, folder: Path, *, make: bool = False) -> None:
        self.path = folder / FILE
        is_new = not self.path.exists()
        if is_new and not make:
            raise EpitomeError(
                f"The batch {folder} is not there any more.", "Add the files to a new batch."
            )
        with _explained(self.path):
            folder.mkdir(parents=True, exist_ok=True)
            self._database = open_database(self.path, _PATIENCE_S)
            try:
                if not is_new:
                    self._check()  # before anything is changed
                self._database.execute("PRAGMA journal_mode = WAL")
                self._database.execute("PRAGMA synchronous = FULL")
                if is_new:
                    self._make()
            except BaseException:
                self.close()  # Windows deletes and renames no file that is open
                raise

    def _make(self) -> None:
        with self._changing():
            if not self._value("SELECT count(*) FROM sqlite_master WHERE name = 'facts'"):
                for statement in _TABLES.split(";"):
                    self._database.execute(statement)

    def _check(self) -> None:
        schema = int(self._fact("schema") or 0)
        check_not_newer(f"The batch {self.path.parent}", schema, _SCHEMA)

    def close(self) -> None:
        """Lets the file go."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What is asked

    @property
    def settings(self) -> BatchSettings:
        """How documents are summarised that have no settings of their own."""
        text = self._fact("settings")
        return BatchSettings.checked(parse_json(text)) if text else BatchSettings()

    def set_settings(self, settings: BatchSettings) -> None:
        """Changes the settings of the batch; what is done stays as it is."""
        with self._changing():
            self._set_fact("settings", json.dumps(settings.model_dump(mode="json")))

    @property
    def cluster(self) -> str:
        """The address of the cluster that does the work; empty for this machine."""
        return self._fact("cluster") or ""

    def set_cluster(self, address: str) -> None:
        """Has a cluster do the work from the next start on; an empty address means this machine."""
        with self._changing():
            self._set_fact("cluster", address)

    @property
    def sources(self) -> tuple[str, ...]:
        """The files and folders that were added, as a person named them."""
        return tuple(parse_json(self._fact("sources") or "[]"))

    def add(self, sources: Iterable[FoundSource], names: Sequence[str] = ()) -> int:
        """Adds documents at the end; one that is there already is not added again.

        Args:
            sources: The documents.
            names: The files and folders they were found by.

        Returns:
            How many were added.
        """
        with self._changing() as revision:
            known = dict.fromkeys((*self.sources, *names))
            self._set_fact("sources", json.dumps(list(known)))
            before = self._database.total_changes
            self._database.executemany(
                "INSERT OR IGNORE INTO rows (path, record, name, revision) VALUES (?, ?, ?, ?)",
                (
                    (storable_path(each.path), each.record, shown(each.name), revision)
                    for each in sources
                ),
            )
            return self._database.total_changes - before

    def wish(self, numbers: Sequence[int], wish: Wish) -> None:
        """Gives documents settings of their own; an empty field of them stays as it is."""
        columns = {
            "length": wish.length,
            "model": wish.model,
            "wished_language": wish.language,
        }
        changed = {name: value for name, value in columns.items() if value}
        if changed:
            self._update(numbers, changed)

    def clear_wishes(self, *columns: str) -> None:
        """Lets all documents follow the batch again in "length", "model" or "language"."""
        names = ["wished_language" if name == "language" else name for name in columns]
        with self._changing() as revision:
            for name in names:
                self._database.execute(
                    f"UPDATE rows SET {name} = '', revision = ? WHERE {name} != ''", (revision,)
                )

    def do_again(self, numbers: Sequence[int]) -> None:
        """Puts documents in line again; a summary stays until the next one is done."""
        # What waits already is left as it is: it may be in work, which would begin anew.
        again = {"state": "waiting", "message": "", "remedy": "", "kind": ""}
        self._update(numbers, again, "AND state != 'waiting'")

    def skip(self, numbers: Sequence[int]) -> None:
        """Leaves documents out."""
        self._update(numbers, {"state": "skipped"})

    def start_over(self) -> None:
        """Puts all documents in line again and forgets their summaries."""
        with self._changing() as revision:
            self._database.execute("DELETE FROM summaries")
            self._database.execute(
                f"UPDATE rows SET state = 'waiting', {_NOTHING_MADE}, revision = ?", (revision,)
            )
            self._database.execute("DELETE FROM starts")

    # What is done

    def waiting(self, after: int = 0, most: int = 1) -> list[BatchRow]:
        """The next documents in line.

        Args:
            after: Those up to this number are passed over.
            most: How many are wanted.

        Returns:
            The documents.
        """
        where = "state = 'waiting' AND number > ? ORDER BY number LIMIT ?"
        return self._rows(where, (after, most))

    def finish(self, number: int, made: Made, begun_at: int | None = None) -> bool:
        """Writes a summary and its row, both or none.

        Args:
            number: The document.
            made: Its summary.
            begun_at: The revision of its row when the work on it began. Nothing is written if it
                has changed since: it was skipped, say, or another text is to be read. None writes
                in any case.

        Returns:
            Whether it was written.
        """
        with self._changing() as revision:
            if self._has_changed(number, begun_at):
                return False
            self._database.execute(
                "INSERT OR REPLACE INTO summaries VALUES (?, ?)",
                (number, storable_text(made.kept)),
            )
            self._database.execute(
                "UPDATE rows SET state = 'done', title = ?, pages = ?, words = ?, language = ?, "
                "sentences = ?, seconds = ?, first = ?, read = ?, message = '', remedy = '', "
                "kind = '', made_with = ?, ended = ?, revision = ? WHERE number = ?",
                (
                    shown(made.title), made.pages, made.words, made.language, made.sentences,
                    made.seconds, storable_text(made.first), storable_text(made.read),
                    made.made_with, time.time(), revision,
                    number,
                ),
            )  # fmt: skip
        return True

    def fail(self, number: int, failure: Failed, begun_at: int | None = None) -> bool:
        """Writes why a document has no summary; one that it has stays, and tells why it is old.

        Args:
            number: The document.
            failure: What went wrong.
            begun_at: As `finish` takes it.

        Returns:
            Whether it was written.
        """
        with self._changing() as revision:
            if self._has_changed(number, begun_at):
                return False
            kept = self._value("SELECT count(*) FROM summaries WHERE number = ?", (number,))
            self._database.execute(
                "UPDATE rows SET state = ?, message = ?, remedy = ?, kind = ?, ended = ?, "
                "revision = ? WHERE number = ?",
                (
                    "done" if kept else "failed",
                    shown(failure.message), shown(failure.remedy), failure.kind, time.time(),
                    revision, number,
                ),
            )  # fmt: skip
        return True

    def _has_changed(self, number: int, begun_at: int | None) -> bool:
        now = self._value("SELECT revision FROM rows WHERE number = ?", (number,))
        return begun_at not in (None, now)

    # What there is

    def row(self, number: int) -> BatchRow | None:
        """The document of that number."""
        rows = self._rows("number = ?", (number,))
        return rows[0] if rows else None

    def models(self) -> set[str]:
        """The models of the documents that wait, where they have one of their own."""
        query = "SELECT DISTINCT model FROM rows WHERE state = 'waiting' AND model != ''"
        return {model for (model,) in self._database.execute(query)}

    def counts(self) -> dict[str, int]:
        """How many documents there are, by the names of the filters and "skipped"."""
        columns = ", ".join(f"sum({condition})" for condition in _FILTERS.values())
        query = f"SELECT {columns}, sum(state = 'skipped') FROM rows"
        (numbers,) = self._database.execute(query).fetchall()
        names = (*_FILTERS, "skipped")
        return {name: number or 0 for name, number in zip(names, numbers, strict=True)}

    @property
    def revision(self) -> int:
        """Grows with every change."""
        return int(self._fact("revision") or 0)

    def news(self, since: int, after: int, most: int, until: int | None = None) -> list[BatchRow]:
        """The documents that changed, in their order.

        Args:
            since: After this revision.
            after: Those up to this number are passed over.
            most: How many at once; -1 for all.
            until: Up to this revision; what changed later is told later. None for no bound.

        Returns:
            The documents as they are now.
        """
        until = self.revision if until is None else until
        where = "revision > ? AND revision <= ? AND number > ? ORDER BY number LIMIT ?"
        return self._rows(where, (since, until, after, most))

    def summaries(
        self, numbers: Sequence[int] | None = None
    ) -> Iterator[tuple[BatchRow, KeptSummary]]:
        """The documents that have a summary, one after the other in their order.

        Args:
            numbers: Which documents; None for all.

        Yields:
            The document and its summary.
        """
        wanted = None if numbers is None else set(numbers)
        query = f"SELECT {_prefixed('r')}, s.kept FROM rows r JOIN summaries s USING (number)"
        for values in self._database.execute(f"{query} WHERE r.state = 'done' ORDER BY r.number"):
            if wanted is None or values[0] in wanted:
                yield _row(values[:-1]), KeptSummary.from_json(values[-1])

    # Starts

    def begin_start(self) -> EarlierStart | None:
        """Writes down that work begins.

        Returns:
            How the last start ended, if anything was done by then; None at the first.
        """
        with self._changing():
            done = self._num_done()
            last = self._database.execute(
                "SELECT began, boot, ended, how FROM starts ORDER BY number DESC LIMIT 1"
            ).fetchone()
            self._database.execute(
                "INSERT INTO starts (began, boot, done) VALUES (?, ?, ?)",
                (time.time(), psutil.boot_time(), done),
            )
        if last is None or not done:
            return None
        _, boot_s, ended_s, how = last
        if how:
            return EarlierStart(how, ended_s, done)
        latest = self._value("SELECT max(ended) FROM rows")
        was_off = abs(boot_s - psutil.boot_time()) > _CLOCK_S
        return EarlierStart("off" if was_off else "killed", float(latest or 0), done)

    def end_start(self, how: str) -> None:
        """Writes down how this start ended: "end", "pause", "stop", "cancel" or "failure"."""
        with self._changing():
            self._database.execute(
                "UPDATE starts SET ended = ?, how = ? "
                "WHERE number = (SELECT max(number) FROM starts)",
                (time.time(), how),
            )

    def note_resumed(self, told: str) -> None:
        """Keeps the sentence that tells a person what was done before."""
        with self._changing():
            self._set_fact("resumed", told)

    @property
    def resumed(self) -> str:
        """That sentence; empty if there is none."""
        return self._fact("resumed") or ""

    def note_history(self, problem: str) -> None:
        """Keeps why summaries are missing in the history; empty when none is."""
        if problem != self.history_problem:
            with self._changing():
                self._set_fact("history_problem", problem)

    @property
    def history_problem(self) -> str:
        """Why summaries of the last start are missing in the history; empty when none is."""
        return self._fact("history_problem") or ""

    # Tables

    @property
    def tables(self) -> tuple[BatchTable, ...]:
        """The tables of texts that were added, and which of their columns are read."""
        told = parse_json(self._fact("tables") or "[]")
        return tuple(BatchTable.from_value(value) for value in told)

    def set_table(self, table: BatchTable) -> None:
        """Keeps what is known of a table, and which of its columns are read."""
        with self._changing():
            self._put_table(table)

    def _put_table(self, table: BatchTable) -> None:
        others = [each for each in self.tables if each.path != table.path]
        values = [each.to_value() for each in (*others, table)]
        self._set_fact("tables", json.dumps(values))

    def columns_of(self, path: str) -> TextColumns | None:
        """The columns of a table that are read; None where they are to be found out."""
        found = next((each for each in self.tables if each.path == path), None)
        return TextColumns(found.text, found.title) if found and found.text else None

    def read_table_anew(self, table: BatchTable, sources: Iterable[FoundSource]) -> None:
        """Reads other columns of a table: its documents wait, and their summaries are forgotten.

        Args:
            table: The table, with the columns that are read from now on.
            sources: Its documents, as they are now. Those without a text now are left out.
        """
        path = storable_path(table.path)
        with self._changing() as revision:  # both together: no document waits with old columns
            self._put_table(table)
            self._database.execute(
                "DELETE FROM summaries WHERE number IN (SELECT number FROM rows WHERE path = ?)",
                (path,),
            )
            self._database.execute(
                f"UPDATE rows SET state = 'skipped', {_NOTHING_MADE}, revision = ? WHERE path = ?",
                (revision, path),
            )
            self._database.executemany(
                "INSERT INTO rows (path, record, name, revision) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (path, record) DO UPDATE SET name = excluded.name, "
                "state = 'waiting', revision = excluded.revision",
                ((path, each.record, shown(each.name), revision) for each in sources),
            )

    # SQLite

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Yields None: what is read inside the block is the batch as it was at its beginning."""
        self._database.execute("BEGIN")
        try:
            yield
        finally:
            self._database.execute("ROLLBACK")

    @contextmanager
    def _changing(self) -> Iterator[int]:
        """A transaction; gives the revision that its changes carry."""
        with _explained(self.path):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._next_revision()
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    def _next_revision(self) -> int:
        if not self._value("SELECT count(*) FROM sqlite_master WHERE name = 'facts'"):
            return 0
        revision = self.revision + 1
        self._set_fact("revision", str(revision))
        return revision

    def _update(self, numbers: Sequence[int], columns: dict[str, str], only: str = "") -> None:
        assignments = ", ".join(f"{name} = ?" for name in columns)
        with self._changing() as revision:
            for start in range(0, len(numbers), _MANY):
                part = list(numbers[start : start + _MANY])
                marks = ", ".join("?" * len(part))
                self._database.execute(
                    f"UPDATE rows SET {assignments}, revision = ? WHERE number IN ({marks}) {only}",
                    (*columns.values(), revision, *part),
                )

    def _rows(self, where: str, values: tuple[Any, ...]) -> list[BatchRow]:
        found = self._database.execute(f"SELECT {_FIELDS} FROM rows WHERE {where}", values)
        return [_row(each) for each in found]

    def _num_done(self) -> int:
        return int(self._value("SELECT count(*) FROM rows WHERE state = 'done'") or 0)

    def _fact(self, name: str) -> str | None:
        with _explained(self.path):
            value = self._value("SELECT value FROM facts WHERE name = ?", (name,))
        return None if value is None else str(value)

    def _set_fact(self, name: str, value: str) -> None:
        self._database.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def _value(self, query: str, values: tuple[Any, ...] = ()) -> Any:
        found = self._database.execute(query, values).fetchone()
        return found[0] if found else None


def _row(values: Sequence[Any]) -> BatchRow:
    number, path, record, name, state, length, model, language, *made = values
    return BatchRow(
        number, os.fsdecode(path), record, name, state, Wish(length, model, language), *made
    )


def _prefixed(table: str) -> str:
    return ", ".join(f"{table}.{name}" for name in _FIELDS.split(", "))


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Errors of SQLite and of the disk in a person's words."""
    try:
        yield
    except sqlite3.Error as error:
        full = says_full(error, path)
        why = "the disk is full" if full else error
        raise EpitomeError(
            f"The batch {path} cannot be written or read ({why}).",
            "Free some space on the disk." if full else "Check the disk, or start a new batch.",
            kind="full" if full else "",
        ) from error
    except OSError as error:
        raise of_system(error, f"{path} cannot be opened", "Make its folder writable.") from error
