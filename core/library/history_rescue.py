"""What becomes of a damaged history: it is set aside, and what can be read of it is kept."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from core.library.history_schema import make_tables
from core.storage.files import open_database, set_aside
from core.storage.regular_files import rename_patiently

_LOGS = ("-wal", "-shm")
_MOST_GAPS = 100_000
_ENTRY = (
    "id, mark, title, name, path, sha256, model, length, language, edits, sentences, words, "
    "origin, made, starred, note, first, trashed, bytes"
)
_DOCUMENTS = ", documents"  # files of older programs are without it


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error says that the file is not as it was written."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return True
    return "no such table" in str(error) or "no such column" in str(error)


def delete_database(file: Path) -> None:
    """Deletes the file of the history, with its logs."""
    for suffix in ("", *_LOGS):
        file.with_name(file.name + suffix).unlink(missing_ok=True)


def delete_damaged(file: Path) -> None:
    """Deletes all files that `rescue` set aside."""
    for path in file.parent.glob(f"{file.stem}.damaged*"):
        path.unlink(missing_ok=True)


def rescue(file: Path) -> tuple[Path | None, int]:
    """Sets a damaged file aside and makes a new one of what can be read of it.

    Args:
        file: The file; nobody else rescues it at the same time.

    Returns:
        Where the damaged file is now, and how many entries could be read. None when the file is
        whole: another window has rescued it.

    Raises:
        OSError: If it cannot be moved.
        sqlite3.Error: If the new file cannot be written.
    """
    if _is_whole(file):
        return None, 0
    aside = set_aside(file)
    if aside is None:
        raise OSError(f"{file} is damaged and cannot be renamed")
    for suffix in _LOGS:
        log = file.with_name(file.name + suffix)
        if log.exists():
            rename_patiently(log, aside.with_name(aside.name + suffix))
    with closing(open_database(file)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("BEGIN IMMEDIATE")
        make_tables(database)
        count = sum(_put(database, *found) for found in _rows(aside))
        database.execute("COMMIT")
    return aside, count


def _is_whole(file: Path) -> bool:
    try:
        with closing(open_database(file)) as database:
            (answer,) = database.execute("PRAGMA integrity_check(1)").fetchone()
            # The index is in tables of its own, which only it can check.
            database.execute("INSERT INTO search (search) VALUES ('integrity-check')")
            return bool(answer == "ok")
    except sqlite3.Error:
        return False


def _put(database: sqlite3.Connection, number: int, row: Any, text: Any) -> bool:
    try:
        marks = ", ".join("?" * len(row))
        columns = f"number, {_ENTRY}{_DOCUMENTS}"
        database.execute(f"INSERT INTO entries ({columns}) VALUES (?, {marks})", (number, *row))
        database.execute("INSERT INTO texts VALUES (?, ?, ?, ?, ?)", (number, *text))
    except sqlite3.IntegrityError:
        database.execute("DELETE FROM entries WHERE number = ?", (number,))
        return False
    return True


def _rows(file: Path) -> Iterator[tuple[int, Any, Any]]:
    """The entries of a damaged file that have both halves, one after the other."""
    with closing(open_database(file)) as database:
        database.text_factory = lambda data: data.decode("utf-8", "replace")
        columns = _columns(database)
        for number in _numbers(database):
            with suppress(sqlite3.Error):
                row = database.execute(
                    f"SELECT {columns} FROM entries WHERE number = ?", (number,)
                ).fetchone()
                text = database.execute(
                    "SELECT title, text, note, kept FROM texts WHERE number = ?", (number,)
                ).fetchone()
                if row and text:
                    yield number, row, text


def _columns(database: sqlite3.Connection) -> str:
    """What is read of an entry; each is of one document where the file does not say it."""
    with suppress(sqlite3.Error):
        database.execute(f"SELECT {_ENTRY}{_DOCUMENTS} FROM entries LIMIT 0")
        return f"{_ENTRY}{_DOCUMENTS}"
    return f"{_ENTRY}, 1"


def _numbers(database: sqlite3.Connection) -> list[int]:
    """The numbers of the entries, as far as any way to them can be read."""
    found: set[int] = set()
    for query in (
        "SELECT number FROM texts NOT INDEXED ORDER BY number",
        "SELECT number FROM texts NOT INDEXED ORDER BY number DESC",
        "SELECT number FROM entries NOT INDEXED ORDER BY number",
        "SELECT number FROM entries NOT INDEXED ORDER BY number DESC",
        "SELECT number FROM entries INDEXED BY by_time",
    ):
        with suppress(sqlite3.Error):
            for (number,) in database.execute(query):
                found.add(number)
    if not found:
        return []
    # What stands between two that were found may be on a page that only the way to it has lost.
    gaps = range(1, min(max(found), _MOST_GAPS) + 1)
    return sorted(found | set(gaps))
