"""What is open in each running window, kept for after a crash.

Every window has a folder of its own under the sessions' folder, and holds a lock on a file in it
for as long as its process lives. So a folder whose lock is free was left behind by a crash, and
one whose lock is held belongs to a second window. A window that is closed removes its folder; one
that was left behind stays until it is taken over. What is damaged in it is moved aside then, and
nothing but the person removes it.

    session/<id>/lock             held while the process lives
    session/<id>/state.json       what the window showed (`core.library.session_state`)
    session/<id>/document.bin     the first document, with a checksum (`core.library.kept_copy`)
    session/<id>/document-2.bin   the second one, and so on
    session/<id>.damaged/         what could not be read of a session
"""

import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from uuid import uuid4

from core.documents.document import Document
from core.errors import EpitomeError, NewerFileError, explained, of_system
from core.library.kept_copy import read_copy, write_copy
from core.library.session_state import KeptStates, SessionState, read_states, write_states
from core.storage.files import CHOOSE_HOME, FileLock, locked, next_free, set_aside
from core.storage.regular_files import rename_patiently
from core.storage.temporary_names import original_name

_STATE = "state.json"
LOCK: Final = "lock"
"""Held in each session's folder while its window lives."""
DOOR: Final = "door.lock"
"""Held while sessions begin or end; beside their folders."""
_COPY = re.compile(r"document(?:-([2-9]|[1-9]\d{1,8}))?\.bin")
_ENDED, _DAMAGED = ".ended", ".damaged"
_FOLDER = re.compile(r"[0-9a-f]{12}(\.ended|\.damaged)?")
_OWN = re.compile(rf"(lock|state\.json|{_COPY.pattern})(-[0-9]+)?")


@dataclass(frozen=True)
class LeftDocument:
    """One document of a session that ended in a crash.

    Args:
        state: What the window showed of it; of the document alone when the rest was lost.
        file: Its kept copy; None when there is none that is whole.
    """

    state: SessionState
    file: Path | None = None

    @property
    def can_be_opened(self) -> bool:
        """Whether there is something to show: its kept copy, or its file."""
        return self.file is not None or bool(self.state.path)


@dataclass(frozen=True)
class LeftBehind:
    """A session that ended in a crash.

    Args:
        folder: Its folder.
        documents: What was open, in the order of the window.
        place: The place of the document that was shown, from 0.
        damaged: Names of its files that cannot be read or are not as they were written.
        is_newer: Whether a newer version of the program wrote it, and shall take it up again.
    """

    folder: Path
    documents: tuple[LeftDocument, ...]
    place: int = 0
    damaged: tuple[str, ...] = ()
    is_newer: bool = False

    @property
    def shown(self) -> LeftDocument:
        """The document that was shown; an empty one when nothing of it is left."""
        return self.documents[self.place] if self.documents else LeftDocument(SessionState())

    @property
    def can_be_opened(self) -> bool:
        """Whether there is something to show."""
        return any(document.can_be_opened for document in self.documents)

    @property
    def saved(self) -> str:
        """When it was written last, in UTC, as ISO 8601."""
        return max((document.state.saved for document in self.documents), default="")

    @property
    def aside_folder(self) -> Path:
        """Where what is damaged is moved to."""
        return self.folder.with_name(self.folder.name + _DAMAGED)


class Session:
    """The open documents of this window; made by `begin` or `adopt`.

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
            with locked(sessions / DOOR):
                folder.mkdir()
                lock = FileLock(folder / LOCK)
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
        with locked(left.folder.parent / DOOR):
            lock = _lock_of(left.folder)
            if lock and not _move_aside(left):
                lock.release()
                lock = None
        return cls(left.folder, lock) if lock else None

    def copy_file(self, number: int = 1) -> Path:
        """Where a document is kept; a job in another process may write it, whole.

        Args:
            number: Which of the open documents, from 1.

        Returns:
            The file.
        """
        return self.folder / ("document.bin" if number == 1 else f"document-{number}.bin")

    def keep_document(self, document: Document, number: int = 1) -> None:
        """Keeps a document; it writes all of it, so it is called away from the GUI thread.

        Args:
            document: What is open now.
            number: Which of the open documents, from 1.

        Raises:
            EpitomeError: If it cannot be written.
        """
        write_copy(self.copy_file(number), document)

    def keep_state(self, *documents: SessionState, shown: int = 0) -> None:
        """Keeps what the window shows.

        Args:
            *documents: All that is open, in the order of the window.
            shown: The place of the one that is shown, from 0.

        Raises:
            EpitomeError: If it cannot be written.
        """
        write_states(self.folder / _STATE, documents, shown)

    def end(self) -> None:
        """Removes the session, because the window was closed by the person."""
        try:
            with locked(self.folder.parent / DOOR):
                self._lock.release()
                _remove(self.folder)
        except OSError:
            self._lock.release()  # it is found again at the next start, as after a crash


def left_behind(sessions: Path) -> list[LeftBehind]:
    """The sessions that ended in a crash, newest first; those of running windows are not listed.

    Args:
        sessions: The folder of all sessions (`Folders.sessions`).

    Returns:
        What was open. A session in which nothing was open is removed instead; one of a newer
        program is listed and stays.
    """
    try:
        if not sessions.is_dir() or sessions.is_symlink():
            return []
        with locked(sessions / DOOR):
            found = list(_found(sessions))
    except OSError:
        return []  # what cannot be written cannot be taken over; `begin` tells it
    return sorted(found, key=lambda left: (left.saved, left.folder.name), reverse=True)


def set_session_aside(left: LeftBehind) -> Path | None:
    """Renames a session of which nothing can be shown, so that it is told once and not lost.

    Args:
        left: One of `left_behind`.

    Returns:
        Where it is now; None when another window has it, or it cannot be renamed.
    """
    with locked(left.folder.parent / DOOR):
        lock = _lock_of(left.folder)
        if not lock:
            return None
        lock.release()
        try:
            return rename_patiently(left.folder, left.aside_folder)
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
    with locked(left.folder.parent / DOOR):
        lock = _lock_of(left.folder)
        if lock:
            lock.release()
            _remove(left.folder)


def delete_all(sessions: Path) -> int:
    """Deletes what crashed windows and killed processes left behind, damaged or not.

    Args:
        sessions: The folder of all sessions (`Folders.sessions`).

    Returns:
        How many windows live that have something open; what they keep stays.

    Raises:
        EpitomeError: If something cannot be deleted.
    """
    if not sessions.is_dir() or sessions.is_symlink():
        return 0
    num_living = 0
    with (
        explained(f"{sessions} cannot be emptied", "Make it writable, and its folder."),
        locked(sessions / DOOR),
    ):
        for folder in list(sessions.iterdir()):
            if not is_session(folder):
                continue
            lock = None if folder.name.endswith((_ENDED, _DAMAGED)) else _lock_of(folder)
            if lock is None and not folder.name.endswith((_ENDED, _DAMAGED)):
                num_living += any(path.name != LOCK for path in folder.iterdir())
                continue
            if lock is not None:
                lock.release()
            shutil.rmtree(folder)
    return num_living


def is_session(path: Path) -> bool:
    """True if a folder is one of a session, and holds nothing else: it may be deleted."""
    return _has_name(path) and all(map(_is_own, _entries(path)))


def _has_name(path: Path) -> bool:
    return bool(_FOLDER.fullmatch(path.name)) and path.is_dir() and not path.is_symlink()


def _entries(folder: Path) -> list[Path]:
    """Returns what is in a folder; for one that cannot be read, the folder: nothing of ours."""
    try:
        return list(folder.iterdir())
    except OSError:
        return [folder]


def _is_own(file: Path) -> bool:
    return bool(_OWN.fullmatch(original_name(file.name)))


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
    for folder in sorted(filter(_has_name, sessions.iterdir())):
        if folder.name.endswith(_ENDED):
            if is_session(folder):
                shutil.rmtree(folder, ignore_errors=True)
            continue
        files = _entries(folder)
        if folder.name.endswith(_DAMAGED) or (files and not any(map(_is_own, files))):
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
    lock = FileLock(folder / LOCK)
    if _is_there(lock.path) and not lock.path.is_file():
        set_aside(lock.path)  # nobody can hold what is no file
    try:
        return lock if lock.acquire() else None
    except OSError:
        return None


def _remove(folder: Path) -> None:
    if not is_session(folder):  # what else is in it stays
        with suppress(OSError):
            for file in filter(_is_own, _entries(folder)):
                file.unlink()
        return
    # Renamed first: a power cut while it is taken apart leaves nothing that looks like a crash.
    with suppress(OSError):
        folder = rename_patiently(folder, folder.with_name(folder.name + _ENDED))
    shutil.rmtree(folder, ignore_errors=True)


def _look(folder: Path) -> LeftBehind | None:
    """What lies in a session's folder; None when nothing was open."""
    try:
        kept, copies = read_states(folder / _STATE), dict(_copies(folder))
    except NewerFileError:
        return LeftBehind(folder, (), is_newer=True)
    damaged = [folder.joinpath(_STATE)] if kept is None else []
    damaged += [file for file, state in copies.items() if state is None]
    whole = {state.copy: (file, state) for file, state in copies.items() if state is not None}
    documents, place = _paired(kept or KeptStates((), 0), whole)
    names = tuple(sorted((file.name for file in damaged if _is_there(file)), reverse=True))
    if not documents and not names:
        return None
    return LeftBehind(folder, documents, place, names)


def _paired(
    kept: KeptStates, copies: dict[int, tuple[Path, SessionState]]
) -> tuple[tuple[LeftDocument, ...], int]:
    """The documents of a session, and the place of the shown one."""
    found: list[LeftDocument] = []
    place = 0
    for index, state in enumerate(kept.documents):
        file, of_copy = copies.pop(state.copy, (None, state))
        if of_copy.sha256 != state.sha256:
            # Killed between the two files: the state is of the document before.
            state = of_copy
        if index == kept.shown:
            place = len(found)
        if file or state.path or state.title:
            found.append(LeftDocument(state, file))
    # Killed before the state was written; or the state is lost.
    found += [LeftDocument(state, file) for _, (file, state) in sorted(copies.items())]
    return tuple(found), min(place, max(0, len(found) - 1))


def _copies(folder: Path) -> Iterator[tuple[Path, SessionState | None]]:
    """The kept copies in a folder, each with what its document alone tells; None if damaged."""
    for file in sorted(folder.iterdir()):
        match = _COPY.fullmatch(file.name)
        if match:
            yield file, _state_of(file, int(match[1] or 1))


def _is_there(file: Path) -> bool:
    return file.exists() or file.is_symlink()


def _state_of(kept: Path, number: int) -> SessionState | None:
    try:
        document = read_copy(kept)
    except NewerFileError:
        raise
    except EpitomeError:
        return None
    saved = datetime.fromtimestamp(kept.stat().st_mtime, UTC).isoformat(timespec="seconds")
    source = document.source
    return SessionState(source.path, document.title, source.sha256, saved=saved, copy=number)
