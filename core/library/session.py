"""What is open in each running window, kept for after a crash.

Every window has a folder of its own under the sessions' folder, and holds a lock on a file in it
for as long as its process lives. So a folder whose lock is free was left behind by a crash, and
one whose lock is held belongs to a second window. A window that is closed removes its folder; one
that was left behind stays until it is taken over. What is damaged in it is moved aside then, and
nothing but the person removes it.

    session/<id>/lock           held while the process lives
    session/<id>/state.json     what the window showed, with a checksum
    session/<id>/document.bin   the document, with a checksum (`core.library.kept_copy`)
    session/<id>.damaged/       what could not be read of a session
"""

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from core.documents.document import Document
from core.errors import EpitomeError, of_system
from core.files import CHOOSE_HOME, FileLock, locked, next_free, set_aside, write_json
from core.length import Length
from core.library.home_file import read_regular
from core.library.kept_copy import read_copy, write_copy
from core.regular_files import rename_patiently

_STATE, _DOCUMENT, _LOCK, _DOOR = "state.json", "document.bin", "lock", "door.lock"
_ENDED, _DAMAGED = ".ended", ".damaged"
_CHECKSUM = "checksum"
_FURTHEST = 2**31 - 1
# What older windows did not write.
_NEWER = {"model": "built-in", "language": "auto", "replaced": ()}


@dataclass(frozen=True)
class SessionState:
    """What a window shows, small enough to be written after every change.

    Args:
        path: The document's file; empty for pasted text.
        title: The document's title.
        sha256: `Source.sha256` of the document that all this belongs to.
        length: The requested length, as ``str(Length)``.
        pinned: Sentences (indices) that stay in the summary.
        dropped: Sentences (indices) that were dropped or replaced.
        scroll_offset: The first code point on screen.
        model: What makes the summary, as `core.summary.Summary` names it.
        language: What the source is said to be in, as `OpenJob` takes it.
        replaced: Those of `dropped` that were replaced.
        saved: When this was written, in UTC, as ISO 8601; set by `Session.keep_state`.
    """

    path: str = ""
    title: str = ""
    sha256: str = ""
    length: str = "9s"
    pinned: tuple[int, ...] = ()
    dropped: tuple[int, ...] = ()
    scroll_offset: int = 0
    model: str = "built-in"
    language: str = "auto"
    replaced: tuple[int, ...] = ()
    saved: str = ""


@dataclass(frozen=True)
class LeftBehind:
    """A session that ended in a crash.

    Args:
        folder: Its folder.
        state: What the window showed; of the document alone when the rest was lost.
        has_document: Whether the document was kept, and is whole.
        damaged: Names of its files that cannot be read or are not as they were written.
    """

    folder: Path
    state: SessionState
    has_document: bool
    damaged: tuple[str, ...] = ()

    @property
    def document_file(self) -> Path:
        """The kept copy of the document."""
        return self.folder / _DOCUMENT

    @property
    def can_be_opened(self) -> bool:
        """Whether there is a document to show: its kept copy, or its file."""
        return self.has_document or bool(self.state.path)

    @property
    def aside_folder(self) -> Path:
        """Where what is damaged is moved to."""
        return self.folder.with_name(self.folder.name + _DAMAGED)


class Session:
    """The open document of this window; made by `begin` or `adopt`.

    Args:
        folder: Its own folder.
        lock: The lock on it, held.
    """

    def __init__(self, folder: Path, lock: FileLock) -> None:
        self.folder = folder
        self._lock = lock

    @classmethod
    def begin(cls, sessions: Path) -> "Session":
        """Starts a session of its own.

        Args:
            sessions: The folder of all sessions (`Folders.sessions`).

        Returns:
            The session; it ends with `end`, or stays behind when the process dies.

        Raises:
            EpitomeError: If nothing can be written there.
        """
        folder = sessions / uuid4().hex[:12]
        try:
            with locked(sessions / _DOOR):
                folder.mkdir()
                lock = FileLock(folder / _LOCK)
                lock.acquire()
        except OSError as error:
            what = f"The open document cannot be saved for recovery: {sessions} cannot be written"
            raise of_system(error, what, CHOOSE_HOME) from error
        return cls(folder, lock)

    @classmethod
    def adopt(cls, left: LeftBehind) -> "Session | None":
        """Takes over a session that was left behind; what is damaged in it is moved aside.

        Args:
            left: One of `left_behind`.

        Returns:
            The session, or None when another window took it first, or what is damaged cannot be
            moved aside: then all of it stays where it is.
        """
        with locked(left.folder.parent / _DOOR):
            lock = _lock_of(left.folder)
            if lock and not _move_aside(left):
                lock.release()
                lock = None
        return cls(left.folder, lock) if lock else None

    @property
    def document_file(self) -> Path:
        """Where the document is kept; a job in another process may write it, whole."""
        return self.folder / _DOCUMENT

    def keep_document(self, document: Document) -> None:
        """Keeps a document; it writes all of it, so it is called away from the GUI thread.

        Args:
            document: What is open now.

        Raises:
            EpitomeError: If it cannot be written.
        """
        write_copy(self.document_file, document)

    def keep_state(self, state: SessionState) -> None:
        """Keeps what the window shows.

        Args:
            state: All of it; its time is set here.

        Raises:
            EpitomeError: If it cannot be written.
        """
        saved = datetime.now(UTC).isoformat(timespec="seconds")
        values = asdict(replace(state, saved=saved))
        write_json(self.folder / _STATE, values | {_CHECKSUM: _checksum(values)})

    def end(self) -> None:
        """Removes the session, because the window was closed by the person."""
        try:
            with locked(self.folder.parent / _DOOR):
                self._lock.release()
                _remove(self.folder)
        except OSError:
            self._lock.release()  # it is found again at the next start, as after a crash


def left_behind(sessions: Path) -> list[LeftBehind]:
    """The sessions that ended in a crash, newest first; those of running windows are not listed.

    Args:
        sessions: The folder of all sessions (`Folders.sessions`).

    Returns:
        What was open. A session in which nothing was open is removed instead.
    """
    try:
        if not sessions.is_dir():
            return []
        with locked(sessions / _DOOR):
            found = list(_found(sessions))
    except OSError:
        return []  # what cannot be written cannot be taken over; `begin` tells it
    return sorted(found, key=lambda left: (left.state.saved, left.folder.name), reverse=True)


def set_session_aside(left: LeftBehind) -> Path | None:
    """Renames a session of which nothing can be shown, so that it is told once and not lost.

    Args:
        left: One of `left_behind`.

    Returns:
        Where it is now; None when another window has it, or it cannot be renamed.
    """
    with locked(left.folder.parent / _DOOR):
        lock = _lock_of(left.folder)
        if not lock:
            return None
        lock.release()
        try:
            return left.folder.rename(left.aside_folder)
        except OSError:
            return None


def delete_aside(folder: Path) -> None:
    """Deletes what was set aside, because the person was told of it and does not want it."""
    if folder.name.endswith(_DAMAGED):
        _remove(folder)


def discard(left: LeftBehind) -> None:
    """Removes a left-behind session, because the person saw it and does not want it.

    Args:
        left: One of `left_behind`; if another window has taken it over, it stays.
    """
    with locked(left.folder.parent / _DOOR):
        lock = _lock_of(left.folder)
        if lock:
            lock.release()
            _remove(left.folder)


def _move_aside(left: LeftBehind) -> bool:
    """Moves the damaged files of a session out of it; whether all of them went."""
    try:
        for name in left.damaged:
            left.aside_folder.mkdir(exist_ok=True)
            aside = left.aside_folder / name
            rename_patiently(left.folder / name, next_free(aside) if aside.exists() else aside)
    except OSError:
        return False
    return True


def _found(sessions: Path) -> Iterator[LeftBehind]:
    for folder in sorted(path for path in sessions.iterdir() if path.is_dir()):
        if folder.name.endswith(_ENDED):
            shutil.rmtree(folder, ignore_errors=True)
            continue
        if folder.name.endswith(_DAMAGED):
            continue
        lock = _lock_of(folder)
        if not lock:
            continue
        left = _look(folder)
        lock.release()
        if left:
            yield left
        else:
            _remove(folder)


def _lock_of(folder: Path) -> FileLock | None:
    """The lock of a session, held now; None when its window lives or its folder is gone."""
    lock = FileLock(folder / _LOCK)
    if _is_there(lock.path) and not lock.path.is_file():
        set_aside(lock.path)  # nobody can hold what is no file
    try:
        return lock if lock.acquire() else None
    except OSError:
        return None


def _remove(folder: Path) -> None:
    # Renamed first: a power cut while it is taken apart leaves nothing that looks like a crash.
    with suppress(OSError):
        folder = folder.rename(folder.with_name(folder.name + _ENDED))
    shutil.rmtree(folder, ignore_errors=True)


def _look(folder: Path) -> LeftBehind | None:
    """What lies in a session's folder; None when nothing was open."""
    state_file, document_file = folder / _STATE, folder / _DOCUMENT
    state, document = _kept_state(state_file), _kept_document(document_file)
    pairs = ((state_file, state), (document_file, document))
    damaged = tuple(file.name for file, value in pairs if value is None and _is_there(file))
    if document and (state is None or state.sha256 != document.source.sha256):
        # Killed between the two files: the state, if there is one, is of the document before.
        return LeftBehind(folder, _state_of(document, document_file), True, damaged)
    if state is None or not (document or damaged or state.path or state.title):
        return LeftBehind(folder, SessionState(), False, damaged) if damaged else None
    return LeftBehind(folder, state, document is not None, damaged)


def _is_there(file: Path) -> bool:
    return file.exists() or file.is_symlink()


def _state_of(document: Document, kept: Path) -> SessionState:
    saved = datetime.fromtimestamp(kept.stat().st_mtime, UTC).isoformat(timespec="seconds")
    source = document.source
    return SessionState(source.path, document.title, source.sha256, saved=saved)


def _checksum(values: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def _kept_state(path: Path) -> SessionState | None:
    try:
        values: dict[str, Any] = json.loads(read_regular(path))
        # Older programs wrote no checksum.
        checksum = values.pop(_CHECKSUM, None)
        if checksum is not None and checksum != _checksum(values):
            return None
        values = _NEWER | values
        known = {item.name: values[item.name] for item in fields(SessionState)}
        for name in ("pinned", "dropped", "replaced"):
            known[name] = tuple(int(index) for index in known[name])
        state = SessionState(**known)
        _check_types(state)
        return state
    except (EpitomeError, OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    except (RecursionError, OverflowError):  # nested too deep; a number without end
        return None


def _check_types(state: SessionState) -> None:
    for item in fields(SessionState):
        value = getattr(state, item.name)
        if type(value) is not type(item.default):
            raise TypeError(item.name)
    if not 0 <= state.scroll_offset <= _FURTHEST:
        raise ValueError(state.scroll_offset)
    Length.parse(state.length)


def _kept_document(path: Path) -> Document | None:
    try:
        return read_copy(path)
    except EpitomeError:
        return None
