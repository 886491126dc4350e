"""Connections to databases: those that a test has opened, and are not closed yet."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from core.storage.files import open_database


class OpenedDatabases:
    """Connections that a module opens from now on.

    Args:
        monkeypatch: Ends the watch with the test.
        module: The name of the module, which imports `open_database`.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: str) -> None:
        self._all: list[sqlite3.Connection] = []
        monkeypatch.setattr(f"{module}.open_database", self._open)

    def _open(self, file: Path, *arguments: Any) -> sqlite3.Connection:
        database = open_database(file, *arguments)
        self._all.append(database)
        return database

    def __len__(self) -> int:
        return len(self._all)

    def count_open(self) -> int:
        """Counts those that are not closed: on Windows their file cannot be renamed."""
        return sum(map(_is_open, self._all))


def _is_open(database: sqlite3.Connection) -> bool:
    try:
        database.interrupt()
    except sqlite3.ProgrammingError:
        return False
    return True
