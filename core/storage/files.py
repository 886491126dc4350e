"""Small files that must survive a crash and a careless hand."""

import errno
import json
import os
import re
import shutil
import sqlite3
import sys
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from core.errors import EpitomeError, check_not_newer, explained, of_system
from core.storage.atomic_files import Links, write_whole
from core.storage.parsing import parse_json
from core.storage.regular_files import (
    check_regular,
    flush_to_disk,
    open_regular,
    read_regular,
    rename_patiently,
)

_VERSION = re.compile(rb'\s*\{?\s*"?schema_version"?\s*[:=]\s*(\d{1,9})')
_HEAD_BYTES = 1_000
_NO_ROOM_BYTES = 100_000  # SQLite takes 32 kB for what its processes share

CHOOSE_HOME = "Set EPITOME_HOME to a folder that can be written."
"""What to do when Epitome's own folders cannot be written."""


def write_json(path: Path, value: Any, *, flush: bool = True, makes_folder: bool = True) -> None:
    """Writes plain values as JSON into a file of Epitome's own, as `write_bytes` does."""
    write_bytes(path, json.dumps(value, indent=1).encode(), flush=flush, makes_folder=makes_folder)


def write_bytes(
    path: Path,
    data: bytes,
    *,
    links: Links = "replace",
    flush: bool = True,
    makes_folder: bool = True,
) -> None:
    """Writes a file of Epitome's own, or replaces it; otherwise as `write_whole` does."""
    write_whole(
        path, data, CHOOSE_HOME, replace=True, links=links, flush=flush, makes_folder=makes_folder
    )


def flush(path: Path) -> None:
    """Waits until a file, or a folder's names, lie on the disk, so that a power cut spares them.

    Args:
        path: The file, or the folder.

    Raises:
        OSError: If it cannot be opened, or the disk fails.
    """
    if os.name == "nt" and path.is_dir():
        return  # Windows opens no folders
    number = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        flush_to_disk(number)
    finally:
        os.close(number)


def check_known(what: str, data: bytes, known: int) -> None:
    """Refuses what a newer version of the program wrote.

    Args:
        what: The file, as a sentence begins.
        data: What is in it: JSON or TOML; its version, if it names one, comes first.
        known: The newest version that this program knows.

    Raises:
        NewerFileError: If the file's is newer.
    """
    found = _VERSION.match(data)
    check_not_newer(what, int(found[1]) if found else 1, known)


def check_file_known(path: Path, known: int) -> None:
    """Refuses to replace a file that a newer version of the program wrote.

    Args:
        path: The file; it need not be there.
        known: The newest version of it that this program knows.

    Raises:
        NewerFileError: If the file's is newer.
    """
    with suppress(OSError), open_regular(path, "rb") as file:
        check_known(f"The file {path}", file.read(_HEAD_BYTES), known)


def make_way(path: Path, known: int) -> None:
    """Readies a file of JSON to be replaced: nothing in it that somebody may want back is lost.

    Args:
        path: The file; it need not be there. A damaged one is renamed, as by `set_aside`.
        known: The newest version of it that this program knows.

    Raises:
        NewerFileError: If the file's is newer.
    """
    check_file_known(path, known)
    try:
        is_whole = isinstance(parse_json(read_regular(path)), dict)
    except FileNotFoundError:
        return
    except (OSError, ValueError, RecursionError):
        is_whole = False
    if not is_whole:
        set_aside(path)


def append_whole(path: Path, data: bytes) -> None:
    """Appends to a file: all of the data, or none of it.

    Args:
        path: The file; made if it is not there.
        data: What is appended.

    Raises:
        EpitomeError: If it cannot be written, or the disk is full.
    """
    with (
        explained(f"{path} cannot be written", "Make it writable, and its folder."),
        open_regular(path, "ab", buffering=0) as file,
    ):
        size = file.tell()
        if file.write(data) < len(data):
            file.truncate(size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def says_full(error: sqlite3.Error, file: Path) -> bool:
    """Whether an error of SQLite says that the disk is full.

    It says so itself where the database grows; where one of the files beside it cannot be made, it
    only speaks of reading and writing.

    Args:
        error: The error.
        file: The database.

    Returns:
        Whether there is no room where it lies.
    """
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN):
        with suppress(OSError):
            return shutil.disk_usage(file.parent).free < _NO_ROOM_BYTES
    return code == sqlite3.SQLITE_FULL


def open_database(file: Path, patience_s: float = 5.0) -> sqlite3.Connection:
    """Opens a database of SQLite in which each statement is a transaction unless one is begun.

    Args:
        file: Its file; made if it is not there.
        patience_s: How long another process that writes is waited for, in seconds.

    Returns:
        The connection.

    Raises:
        OSError: If the file, or one that SQLite keeps beside it, is a folder, pipe or device.
        sqlite3.Error: If it cannot be opened.
    """
    for ending in ("", "-journal", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            check_regular(file.with_name(file.name + ending))
    return sqlite3.connect(file, timeout=patience_s, isolation_level=None)


def set_aside(path: Path) -> Path | None:
    """Renames a damaged file, so that nothing is lost and it is not read again.

    Args:
        path: The file.

    Returns:
        Its new name: "settings.damaged.toml", or "settings.damaged-2.toml" and so on; None when
        it cannot be renamed.
    """
    number, aside = 1, path.with_name(f"{path.stem}.damaged{path.suffix}")
    try:
        while os.path.lexists(aside):
            number += 1
            aside = path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")
        return rename_patiently(path, aside)
    except OSError:
        return None


def next_free(folder: Path, taken: Collection[Path] = ()) -> Path:
    """The next name after a folder's that is free: "run-2", "run-3".

    Args:
        folder: The folder.
        taken: Places that are not free, although nothing is there yet.

    Returns:
        The place beside it.
    """
    number = 2
    while os.path.lexists(place := folder.with_name(f"{folder.name}-{number}")) or place in taken:
        number += 1
    return place


def folder_size(folder: Path) -> int:
    """The size of all files in a folder, in bytes; links are not followed."""
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            total += 0 if path.is_dir() else path.lstat().st_size
    return total


def entries_of(folder: Path) -> list[Path]:
    """What lies in a folder of the program; nothing where the folder is not there yet.

    Args:
        folder: The folder.

    Returns:
        The paths, sorted.

    Raises:
        EpitomeError: If something else is in its place, or it may not be read: that there is
            nothing would be said wrongly.
    """
    try:
        return sorted(folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise of_system(
            error, f"The folder {folder} cannot be read", "Make it a folder that can be read."
        ) from error


class SourceFiles:
    """Files that no result may replace: those that a call reads.

    They are known by where they lie and, however they are named, by what they are: a link to a
    source, its name in capitals where the disk does not tell them apart, and another hard link to
    it are the source.

    Args:
        paths: The files; some may not be there.
    """

    def __init__(self, paths: Iterable[Path | str] = ()) -> None:
        self._places: set[str] = set()
        self._files: set[tuple[int, int]] = set()
        for path in paths:
            self.add(path)

    def add(self, path: Path | str) -> None:
        """Takes in one more, as it is now."""
        self._places.add(os.path.realpath(path))
        self._files |= _identity(path)

    def __contains__(self, path: Path | str) -> bool:
        return os.path.realpath(path) in self._places or bool(_identity(path) & self._files)

    def check(self, path: Path | str) -> None:
        """Refuses to replace a source.

        Args:
            path: Where a result is to go.

        Raises:
            EpitomeError: If one of the sources is there.
        """
        if path in self:
            raise EpitomeError(
                f"{path} is one of the sources, and would be lost.", "Choose another name."
            )


def _identity(path: Path | str) -> set[tuple[int, int]]:
    """What the system knows a file by; nothing where there is none."""
    with suppress(OSError, ValueError):
        status = os.stat(path)  # noqa: PTH116 - takes names that are no paths, too
        return {(status.st_dev, status.st_ino)}
    return set()


_TRY_AGAIN_S = 0.02
_BUSY = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)


class FileLock:
    """A lock on a file that ends with the process that holds it, however that process ends.

    Args:
        path: A file that is there for the lock alone; made if it is not there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: BinaryIO | None = None

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return self._file is not None

    def acquire(self, *, wait: bool = False, patience_s: float = 0.0) -> bool:
        """Takes the lock.

        Args:
            wait: Whether to wait until it is free.
            patience_s: How long to try again when it is not, in seconds: somebody may hold it only
                for as long as `is_held` looks.

        Returns:
            Whether it is held now.

        Raises:
            OSError: If the file cannot be opened, is no regular file, or its file system knows no
                locks.
        """
        until_s = time.monotonic() + patience_s
        while not self._try(wait):
            if time.monotonic() >= until_s:
                return False
            time.sleep(_TRY_AGAIN_S)
        return True

    def _try(self, wait: bool) -> bool:
        while True:
            file = open_regular(self.path, "ab")
            try:
                _lock(file, wait)
            except OSError as error:
                file.close()
                if error.errno not in _BUSY:
                    raise
                return False
            if _is_at(file, self.path):
                self._file = file
                return True
            file.close()  # its last owner deleted it after it was opened here: it locks nothing

    def release(self, *, delete: bool = False) -> None:
        """Gives the lock back.

        Args:
            delete: Whether the file is deleted too; one that is open elsewhere stays on Windows.
        """
        if self._file is None:
            return
        if delete and sys.platform != "win32":
            self.path.unlink(missing_ok=True)  # while it is held, so that nobody else's is deleted
        self._file.close()
        self._file = None
        if delete and sys.platform == "win32":
            with suppress(OSError):  # Windows deletes no file that is open
                self.path.unlink(missing_ok=True)


def _is_at(file: BinaryIO, path: Path) -> bool:
    """Whether an open file still is the one of that path."""
    opened = os.fstat(file.fileno())
    return _identity(path) == {(opened.st_dev, opened.st_ino)}


def is_held(path: Path) -> bool:
    """Whether a process holds the lock of that file.

    Args:
        path: The lock's file; one that is not there is held by nobody.

    Returns:
        Whether it is held; also False where it cannot be told.
    """
    if not path.exists():
        return False
    lock = FileLock(path)
    try:
        return not lock.acquire()
    except OSError:
        return False
    finally:
        lock.release()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Waits for a lock and holds it: for changes that two windows must not make at once.

    Args:
        path: The lock's own file; its folder is made if it is not there.

    Yields:
        None: the lock is held until the block ends.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path)
    while not lock.acquire(wait=True):
        pass  # on Windows, waiting gives up after ten seconds
    try:
        yield
    finally:
        lock.release()


if sys.platform == "win32":
    import msvcrt

    def _lock(file: BinaryIO, wait: bool) -> None:
        os.lseek(file.fileno(), 0, os.SEEK_SET)
        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: BinaryIO, wait: bool) -> None:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
