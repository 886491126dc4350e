"""The tables of the history."""

import sqlite3

SCHEMA = 2

COLUMNS = (
    "e.id, e.title, e.name, e.path, e.sha256, e.model, e.length, e.language, e.edits, "
    "e.sentences, e.words, e.origin, e.made, e.starred, e.note, e.first, e.trashed, "
    "e.documents"
)
"""In the order of the fields of `Entry`."""

_TABLES = (
    """
    CREATE TABLE entries (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, mark TEXT NOT NULL,
        title TEXT NOT NULL, name TEXT NOT NULL, path TEXT NOT NULL, sha256 TEXT NOT NULL,
        model TEXT NOT NULL, length TEXT NOT NULL, language TEXT NOT NULL,
        edits INTEGER NOT NULL, sentences INTEGER NOT NULL, words INTEGER NOT NULL,
        origin TEXT NOT NULL, made REAL NOT NULL, starred INTEGER NOT NULL DEFAULT 0,
        note TEXT NOT NULL DEFAULT '', first TEXT NOT NULL, trashed REAL, bytes INTEGER NOT NULL,
        documents INTEGER NOT NULL DEFAULT 1
    )
    """,
    "CREATE INDEX by_time ON entries (made)",
    "CREATE INDEX by_mark ON entries (mark)",
    """
    CREATE TABLE texts (
        number INTEGER PRIMARY KEY,
        title TEXT NOT NULL, text TEXT NOT NULL, note TEXT NOT NULL, kept TEXT NOT NULL
    )
    """,
)
_REMOVED = (
    "INSERT INTO search (search, rowid, title, text, note) "
    "VALUES ('delete', old.number, old.title, old.text, old.note);"
)
_ADDED = (
    "INSERT INTO search (rowid, title, text, note) "
    "VALUES (new.number, new.title, new.text, new.note);"
)
_NO_INDEX = (
    "DROP TRIGGER IF EXISTS text_added",
    "DROP TRIGGER IF EXISTS text_removed",
    "DROP TRIGGER IF EXISTS text_changed",
    "DROP TABLE IF EXISTS search",
)
_INDEX = (
    "CREATE VIRTUAL TABLE search USING fts5(title, text, note, content = 'texts', "
    "content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3')",
    f"CREATE TRIGGER text_added AFTER INSERT ON texts BEGIN {_ADDED} END",
    f"CREATE TRIGGER text_removed AFTER DELETE ON texts BEGIN {_REMOVED} END",
    "CREATE TRIGGER text_changed AFTER UPDATE OF title, text, note ON texts "
    f"BEGIN {_REMOVED} {_ADDED} END",
)


_FROM_1 = "ALTER TABLE entries ADD COLUMN documents INTEGER NOT NULL DEFAULT 1"


def make_tables(database: sqlite3.Connection) -> None:
    """Makes all tables, or brings those of an older program up to date."""
    (schema,) = database.execute("PRAGMA user_version").fetchone()
    if schema == SCHEMA:  # another window was faster
        return
    if schema == 1:
        database.execute(_FROM_1)
    else:
        for statement in _TABLES:
            database.execute(statement)
        make_index(database)
    database.execute(f"PRAGMA user_version = {SCHEMA}")


def make_index(database: sqlite3.Connection) -> None:
    """Makes the index; texts that are added, changed or removed from now on are followed by it."""
    for statement in _INDEX:
        database.execute(statement)


def empty_tables(database: sqlite3.Connection) -> None:
    """Removes all entries, their texts, and all that the index knows of them."""
    # Without its triggers, which would write the removed words into it once more.
    for statement in _NO_INDEX:
        database.execute(statement)
    for table in ("entries", "texts"):
        database.execute(f"DELETE FROM {table}")
    make_index(database)
