"""The history: every summary that was made, to be searched, read again and reopened.

    history.sqlite   entries (what a list shows), texts (what is searched, and the summary itself)

Several windows and the processes of batches write to it; each call opens the file, waits for the
others as long as a transaction takes, and lets it go. A damaged file is set aside, and what can be
read of it goes into a new one (`core.library.history_rescue`).
"""

import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Literal, TypeVar

from core.display_names import shown, storable_text
from core.errors import FULL, EpitomeError, NewerFileError, check_not_newer, explained
from core.library.history_entry import Entry, Kept, Limits, NewEntry, entry_of
from core.library.history_rescue import delete_damaged, delete_database, is_damage, rescue
from core.library.history_schema import COLUMNS, SCHEMA, empty_tables, make_tables
from core.numbers import format_quantity
from core.storage.files import CHOOSE_HOME, locked, open_database, says_full

T = TypeVar("T")
Shown = Literal["all", "starred", "trash"]

TRASH_DAYS = 30
_PATIENCE_S = 20.0
_DAY_S = 86_400
_MANY = 500  # numbers in one statement: SQLite takes some thousand
_WORD = re.compile(r"\w+")
# Scripts that write no spaces, whose words the index does not know.
_WITHOUT_SPACES = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_SHOWN: dict[Shown, str] = {
    "all": "e.trashed IS NULL",
    "starred": "e.trashed IS NULL AND e.starred",
    "trash": "e.trashed IS NOT NULL",
}


class History:
    """The summaries that were made.

    Args:
        file: Where they are kept (`Folders.history_file`); made when the first one is.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._note = ""

    def take_note(self) -> str:
        """What a person should be told since the last call, such as a rebuilt file; or empty."""
        note, self._note = self._note, ""
        return note

    # What is kept

    def keep(self, *summaries: NewEntry, limits: Limits | None = None) -> int:
        """Keeps summaries: each is a new entry, or that of the same id as it is now.

        The same summary of the same document, made again, is not listed twice: its date changes.

        Args:
            *summaries: The summaries.
            limits: What is removed when there is too much; None for nothing.

        Returns:
            How many old entries were removed to keep within the limits.

        Raises:
            EpitomeError: If it cannot be written; the message says that the summary is not lost.
        """

        def change(database: sqlite3.Connection) -> int:
            for new in summaries:
                number = self._entry_of(database, new)
                if number is None:
                    self._insert(database, new)
                else:
                    self._update(database, number, new)
            return self._limit(database, limits) if limits else 0

        return self._changing(change)

    def prune(self, limits: Limits) -> int:
        """Removes what is too old or too much, as `keep` does, and the trash after 30 days.

        Args:
            limits: How much is kept.

        Returns:
            How many old entries were removed; none of a newer program's file, which limits it.

        Raises:
            EpitomeError: If it cannot be written.
        """
        if not self.file.exists():
            return 0
        with suppress(NewerFileError):
            return self._changing(lambda database: self._limit(database, limits))
        return 0

    def _entry_of(self, database: sqlite3.Connection, new: NewEntry) -> int | None:
        """The entry that a summary belongs to, if there is one: the same summary, else its own.

        An open document's own entry, which follows its length, may have become the same as an
        earlier one: it goes then, unless the person said something of it.
        """
        query = "SELECT number FROM entries WHERE mark = ? AND trashed IS NULL ORDER BY id != ?"
        same: tuple[int] | None = database.execute(query, (new.mark, new.id)).fetchone()
        query = (
            "SELECT number, trashed IS NULL AND NOT starred AND note = '' AND title = ? "
            "FROM entries WHERE id = ?"
        )
        own: tuple[int, int] | None = database.execute(query, (new.title, new.id)).fetchone()
        if same is None or own is None or same[0] == own[0]:
            found = same or own
            return found[0] if found else None
        number, says_nothing = own
        self._remove(database, [number] if says_nothing else [])
        return same[0]

    def _insert(self, database: sqlite3.Connection, new: NewEntry) -> None:
        values = new.columns()
        marks = ", ".join("?" * len(values))
        found = database.execute(
            f"INSERT INTO entries ({', '.join(values)}) VALUES ({marks})", tuple(values.values())
        )
        database.execute(
            "INSERT INTO texts (number, title, text, note, kept) VALUES (?, ?, ?, ?, ?)",
            (
                found.lastrowid,
                new.title,
                new.text,
                storable_text(new.note),
                storable_text(new.kept),
            ),
        )

    def _update(self, database: sqlite3.Connection, number: int, new: NewEntry) -> None:
        # What the person said of it stays: its name, its star, its note.
        values = {
            name: value
            for name, value in new.columns().items()
            if name not in ("id", "title", "starred", "note")
        }
        changes = ", ".join(f"{name} = ?" for name in values)
        database.execute(
            f"UPDATE entries SET {changes}, trashed = NULL WHERE number = ?",
            (*values.values(), number),
        )
        database.execute(
            "UPDATE texts SET text = ?, kept = ? WHERE number = ?",
            (new.text, storable_text(new.kept), number),
        )

    def _limit(self, database: sqlite3.Connection, limits: Limits) -> int:
        """Removes what is too old or too much; starred entries stay."""
        now_s = time.time()
        gone = [
            number
            for (number,) in database.execute(
                "SELECT number FROM entries WHERE trashed < ?", (now_s - TRASH_DAYS * _DAY_S,)
            )
        ]
        self._remove(database, gone)
        old: list[int] = []
        if limits.days:
            before_s = now_s - limits.days * _DAY_S
            query = "SELECT number FROM entries WHERE made < ? AND NOT starred"
            old = [number for (number,) in database.execute(query, (before_s,))]
            self._remove(database, old)
        large = self._too_much(database, limits.megabytes * 1_000_000) if limits.megabytes else []
        self._remove(database, large)
        return len(old) + len(large)

    def _too_much(self, database: sqlite3.Connection, most_bytes: int) -> list[int]:
        """The oldest entries beyond a size, those in the trash first; never the newest."""
        (total,) = database.execute("SELECT ifnull(sum(bytes), 0) FROM entries").fetchone()
        if total <= most_bytes:
            return []
        found: list[int] = []
        for number, size in database.execute(
            "SELECT number, bytes FROM entries WHERE NOT starred "
            "AND number != (SELECT number FROM entries ORDER BY made DESC, number DESC LIMIT 1) "
            "ORDER BY trashed IS NULL, made, number"
        ):
            if total <= most_bytes:
                break
            found.append(number)
            total -= size
        return found

    # What there is

    def search(self, wanted: str = "", shown: Shown = "all", most: int = 200) -> tuple[Entry, ...]:
        """The entries whose title, summary or note have words that begin so, newest first.

        Args:
            wanted: Words; empty for all entries.
            shown: Which of them.
            most: How many are wanted; the newest are given.

        Returns:
            The entries.

        Raises:
            EpitomeError: If the history cannot be read.
        """
        if not self.file.exists():
            return ()
        where, values = _condition(storable_text(wanted))
        query = (
            f"SELECT {COLUMNS} FROM entries e WHERE {_SHOWN[shown]} AND {where} "
            "ORDER BY e.made DESC, e.number DESC LIMIT ?"
        )

        def look(database: sqlite3.Connection) -> tuple[Entry, ...]:
            return tuple(entry_of(row) for row in database.execute(query, (*values, most)))

        return self._reading(look)

    def count(self) -> dict[Shown, int]:
        """How many entries each of the three lists has."""
        if not self.file.exists():
            return dict.fromkeys(_SHOWN, 0)
        columns = ", ".join(f"ifnull(sum({condition}), 0)" for condition in _SHOWN.values())

        def look(database: sqlite3.Connection) -> dict[Shown, int]:
            numbers = database.execute(f"SELECT {columns} FROM entries e").fetchone()
            return dict(zip(_SHOWN, numbers, strict=True))

        return self._reading(look)

    def open(self, id: str) -> Kept | None:
        """An entry with its summary; None if it is not there any more."""
        if not self.file.exists():
            return None

        def look(database: sqlite3.Connection) -> Kept | None:
            row = database.execute(
                f"SELECT {COLUMNS}, t.kept FROM entries e JOIN texts t USING (number) "
                "WHERE e.id = ?",
                (id,),
            ).fetchone()
            return Kept(entry_of(row[:-1]), str(row[-1])) if row else None

        return self._reading(look)

    # What a person does

    def star(self, id: str, starred: bool) -> None:
        """Gives an entry a star, or takes it; a starred one is not removed by the limits."""
        self._set(id, starred=int(starred))

    def rename(self, id: str, title: str) -> None:
        """Gives an entry another title."""
        self._set(id, title=shown(" ".join(title.split())))

    def annotate(self, id: str, note: str) -> None:
        """Keeps a note on an entry."""
        self._set(id, note=storable_text(note))

    def delete(self, ids: Sequence[str]) -> None:
        """Moves entries to the trash, where they stay for 30 days."""
        for id in ids:
            self._set(id, trashed=time.time())

    def restore(self, ids: Sequence[str]) -> None:
        """Takes entries back from the trash."""
        for id in ids:
            self._set(id, trashed=None)

    def empty_trash(self) -> int:
        """Deletes what is in the trash for good; how many entries that were."""

        def change(database: sqlite3.Connection) -> int:
            query = "SELECT number FROM entries WHERE trashed IS NOT NULL"
            numbers = [number for (number,) in database.execute(query)]
            self._remove(database, numbers)
            # The index keeps words of deleted texts until its parts are merged.
            database.execute("INSERT INTO search (search) VALUES ('optimize')")
            return len(numbers)

        if not self.file.exists():
            return 0
        removed = self._changing(change)
        self._reading(_truncate_log)
        return removed

    def forget(self) -> None:
        """Deletes all entries so that no byte of them is left in the folder.

        Raises:
            EpitomeError: If that cannot be done.
        """
        with self._explained():
            delete_damaged(self.file)
            if not self.file.is_file():
                delete_database(self.file)
                return
            try:
                with self._opened() as database:
                    with _transaction(database):
                        empty_tables(database)
                    database.execute("VACUUM")
                    _truncate_log(database)
            except sqlite3.Error as error:
                if not is_damage(error):
                    raise
                delete_database(self.file)

    def _set(self, id: str, **values: object) -> None:
        """Changes columns of an entry; what is searched follows."""

        def change(database: sqlite3.Connection) -> None:
            names = ", ".join(f"{name} = ?" for name in values)
            database.execute(f"UPDATE entries SET {names} WHERE id = ?", (*values.values(), id))
            for name in values.keys() & {"title", "note"}:
                database.execute(
                    f"UPDATE texts SET {name} = ? "
                    "WHERE number = (SELECT number FROM entries WHERE id = ?)",
                    (values[name], id),
                )

        self._changing(change)

    def _remove(self, database: sqlite3.Connection, numbers: Sequence[int]) -> None:
        for start in range(0, len(numbers), _MANY):
            part = tuple(numbers[start : start + _MANY])
            marks = ", ".join("?" * len(part))
            database.execute(f"DELETE FROM texts WHERE number IN ({marks})", part)
            database.execute(f"DELETE FROM entries WHERE number IN ({marks})", part)

    # SQLite

    def _changing(self, change: Callable[[sqlite3.Connection], T]) -> T:
        """Does something in a transaction: all of it, or nothing."""

        def do(database: sqlite3.Connection) -> T:
            with _transaction(database):
                return change(database)

        return self._reading(do)

    def _reading(self, do: Callable[[sqlite3.Connection], T]) -> T:
        """Does something; where the file is damaged, once more with what could be rescued."""
        with self._explained():
            try:
                with self._opened() as database:
                    return do(database)
            except sqlite3.Error as error:
                if not is_damage(error):
                    raise
            self._rescue()
            with self._opened() as database:
                return do(database)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with closing(connect(self.file)) as database:
            (schema,) = database.execute("PRAGMA user_version").fetchone()
            check_not_newer(f"The history {self.file}", schema, SCHEMA)
            if schema < SCHEMA:
                with locked(self.file.with_suffix(".lock")):
                    database.execute("PRAGMA journal_mode = WAL")
                with _transaction(database):
                    make_tables(database)
            yield database

    def _rescue(self) -> None:
        """Sets a damaged file aside, and puts what can be read of it into a new one."""
        with locked(self.file.with_suffix(".lock")):
            aside, count = rescue(self.file)
        if aside is not None:
            self._note = (
                f"The history was damaged. {format_quantity(count, 'summary', 'summaries')} of it "
                f"could be read; the damaged file is kept as {aside.name}."
            )

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Errors of SQLite and of the disk in a person's words."""
        what = f"The history {self.file} cannot be used"
        with explained(what, CHOOSE_HOME):
            try:
                yield
            except sqlite3.Error as error:
                if says_full(error, self.file):
                    raise EpitomeError(
                        "The history cannot be written: the disk is full. The summary is not lost.",
                        "Free some space on its disk.",
                        FULL,
                    ) from error
                raise EpitomeError(f"{what} ({error}).", "Check its disk and folder.") from error


def connect(file: Path) -> sqlite3.Connection:
    """Opens the file so that nothing deleted stays in it."""
    database = open_database(file, _PATIENCE_S)
    try:
        database.text_factory = lambda data: data.decode("utf-8", "replace")  # of a damaged file
        database.execute("PRAGMA secure_delete = ON")
        database.execute("PRAGMA temp_store = MEMORY")
        database.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        database.close()  # Windows renames no file that is open, and a damaged one is set aside
        raise
    return database


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


def _truncate_log(database: sqlite3.Connection) -> None:
    """Empties the write-ahead log, which still has what was deleted."""
    (busy, _, _) = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise EpitomeError(
            "Another window of Epitome reads the history at the moment.",
            "Close the other windows, and do the same again.",
        )


def _condition(wanted: str) -> tuple[str, tuple[str, ...]]:
    """What an entry must meet, and the values in it."""
    words = _WORD.findall(wanted)
    if words and not _WITHOUT_SPACES.search(wanted):
        match = " ".join(f'"{word}"*' for word in words)
        # The plus sign has SQLite go through the entries by time and end when it has enough.
        return "+e.number IN (SELECT rowid FROM search WHERE search MATCH ?)", (match,)
    if not wanted.strip():
        return "1", ()
    part = wanted.strip().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    like = " OR ".join(f"{name} LIKE ? ESCAPE '\\'" for name in ("title", "text", "note"))
    return f"+e.number IN (SELECT number FROM texts WHERE {like})", (f"%{part}%",) * 3
