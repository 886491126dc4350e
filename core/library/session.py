"""What is open in each running window, kept for after a crash.

Every window has a folder of its own under the sessions' folder, and holds a lock on a file in it
for as long as its process lives. So a folder whose lock is free was left behind by a crash, and
one whose lock is held belongs to a second window. A window that is closed takes its folder away;
one that is left behind stays until the person has seen it and taken it over or discarded it.

    session/<id>/lock           held while the process lives
    session/<id>/state.json     what the window showed, written whole
    session/<id>/document.bin   the document, written whole
"""

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
from core.errors import EpitomeError
from core.files import CHOOSE_HOME, FileLock, locked, write_bytes, write_json

_STATE, _DOCUMENT, _LOCK, _DOOR = "state.json", "document.bin", "lock", "door.lock"
_ENDED = ".ended"
_NEWER = {"model": "built-in", "language": "auto"}  # what older windows did not write


@dataclass(frozen=True)
class SessionState:
    """What a window shows, small enough to be written after every change.

    Args:
        path: The document's file; empty for pasted text.
        title: The document's title.
        sha256: `Source.sha256` of the document that all this belongs to.
        length: The wished length, as ``str(Length)``.
        pinned: Sentences (indices) that stay in the summary.
        dropped: Sentences (indices) that were dropped or replaced.
        scroll_offset: The first code point on screen.
        model: What makes the summary, as `core.summary.Summary` names it.
        language: What the source is said to be in, as `OpenJob` takes it.
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
    saved: str = ""


@dataclass(frozen=True)
class LeftBehind:
    """A session that ended in a crash.

    Args:
        folder: Its folder.
        state: What the window showed; of the document alone when the rest was lost.
        has_document: Whether the document was kept.
    """

    folder: Path
    state: SessionState
    has_document: bool

    @property
    def document_file(self) -> Path:
        """The kept copy of the document."""
        return self.folder / _DOCUMENT


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
            raise EpitomeError(
                f"The folder {sessions} cannot be written ({error.strerror}), so nothing that "
                "is open can be kept for after a crash.",
                CHOOSE_HOME,
            ) from error
        return cls(folder, lock)

    @classmethod
    def adopt(cls, left: LeftBehind) -> "Session | None":
        """Takes over a session that was left behind, with all that is in it.

        Args:
            left: One of `left_behind`.

        Returns:
            The session, or None when another window took or discarded it first.
        """
        with locked(left.folder.parent / _DOOR):
            lock = _lock_of(left.folder)
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
        write_bytes(self.document_file, document.to_bytes())

    def keep_state(self, state: SessionState) -> None:
        """Keeps what the window shows.

        Args:
            state: All of it; its time is set here.

        Raises:
            EpitomeError: If it cannot be written.
        """
        saved = datetime.now(UTC).isoformat(timespec="seconds")
        write_json(self.folder / _STATE, asdict(replace(state, saved=saved)))

    def end(self) -> None:
        """Takes the session away, because the window was closed by the person."""
        with locked(self.folder.parent / _DOOR):
            self._lock.release()
            _remove(self.folder)


def left_behind(sessions: Path) -> list[LeftBehind]:
    """The sessions that ended in a crash, newest first; those of running windows are not listed.

    Args:
        sessions: The folder of all sessions (`Folders.sessions`).

    Returns:
        What was open. A session in which nothing was open is taken away instead.
    """
    if not sessions.is_dir():
        return []
    try:
        with locked(sessions / _DOOR):
            found = list(_found(sessions))
    except OSError:
        return []  # what cannot be written cannot be taken over; `begin` tells it
    return sorted(found, key=lambda left: (left.state.saved, left.folder.name), reverse=True)


def discard(left: LeftBehind) -> None:
    """Takes a left-behind session away, because the person saw it and does not want it.

    Args:
        left: One of `left_behind`; if another window has taken it over, it stays.
    """
    with locked(left.folder.parent / _DOOR):
        lock = _lock_of(left.folder)
        if lock:
            lock.release()
            _remove(left.folder)


def _found(sessions: Path) -> Iterator[LeftBehind]:
    for folder in sorted(path for path in sessions.iterdir() if path.is_dir()):
        if folder.name.endswith(_ENDED):
            shutil.rmtree(folder, ignore_errors=True)
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
    """What lies in a session's folder; None when nothing was open.

    What is there but damaged is listed too: it is not for us to take it away unseen.
    """
    state_file, document_file = folder / _STATE, folder / _DOCUMENT
    state = _kept_state(state_file)
    document = _kept_document(document_file)
    if document and (state is None or state.sha256 != document.source.sha256):
        # Killed between the two files: the state, if there is one, is of the document before.
        return LeftBehind(folder, _state_of(document, document_file), True)
    if state is None:
        is_there = state_file.exists() or document_file.exists()
        return LeftBehind(folder, SessionState(), False) if is_there else None
    if document is None and not document_file.exists() and not (state.path or state.title):
        return None
    return LeftBehind(folder, state, document is not None)


def _state_of(document: Document, kept: Path) -> SessionState:
    saved = datetime.fromtimestamp(kept.stat().st_mtime, UTC).isoformat(timespec="seconds")
    source = document.source
    return SessionState(source.path, document.title, source.sha256, saved=saved)


def _kept_state(path: Path) -> SessionState | None:
    try:
        values: dict[str, Any] = _NEWER | json.loads(path.read_bytes())
        known = {item.name: values[item.name] for item in fields(SessionState)}
        known["pinned"] = tuple(int(index) for index in known["pinned"])
        known["dropped"] = tuple(int(index) for index in known["dropped"])
        return SessionState(**known)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _kept_document(path: Path) -> Document | None:
    try:
        return Document.from_bytes(path.read_bytes())
    except (OSError, EpitomeError):
        return None
