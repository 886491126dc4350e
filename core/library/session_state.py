"""What a window shows, as it is kept in a session for after a crash: one state per open document.

    {"schema_version": 1, "documents": [{"path": …, "copy": 1, …}, …], "shown": 0, "checksum": …}

Older programs had one document open and wrote its fields without the list.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.errors import EpitomeError, NewerFileError
from core.library.home_file import read_regular
from core.storage.files import check_known, write_json
from core.storage.parsing import parse_json
from core.storage.schema import KEY
from core.summaries.length import Length

_CHECKSUM = "checksum"
_FURTHEST = 2**31 - 1
# What older windows did not write.
_NEWER = {"model": "built-in", "language": "auto", "replaced": (), "copy": 1}


@dataclass(frozen=True)
class SessionState:
    """What a window shows of one document, small enough to be written after every change.

    Args:
        path: The document's file; empty for pasted text.
        title: The document's title.
        sha256: `Source.sha256` of the document that all this belongs to; empty if it has not
            been read yet.
        length: The requested length, as ``str(Length)``.
        pinned: Sentences (indices) that stay in the summary.
        dropped: Sentences (indices) that were dropped or replaced.
        scroll_offset: The first code point on screen.
        model: What makes the summary, as `core.summaries.summary.Summary` names it.
        language: What the source is said to be in, as `OpenJob` takes it.
        replaced: Those of `dropped` that were replaced.
        saved: When this was written, in UTC, as ISO 8601; set by `write_states`.
        copy: Number of the kept copy (`Session.copy_file`), from 1.
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
    copy: int = 1


@dataclass(frozen=True)
class KeptStates:
    """All open documents of a window.

    Args:
        documents: In the order of the window.
        shown: The place of the one that was shown, from 0.
    """

    documents: tuple[SessionState, ...]
    shown: int


def write_states(path: Path, documents: Sequence[SessionState], shown: int) -> None:
    """Keeps what a window shows; a reader sees all of it, or what was kept before.

    Args:
        path: The file.
        documents: In the order of the window; their time is set here.
        shown: The place of the one that is shown, from 0.

    Raises:
        EpitomeError: If it cannot be written.
    """
    saved = datetime.now(UTC).isoformat(timespec="seconds")
    states = [asdict(replace(state, saved=saved)) for state in documents]
    values: dict[str, Any] = {KEY: 1, "documents": states, "shown": shown}
    write_json(path, values | {_CHECKSUM: _checksum(values)})


def read_states(path: Path) -> KeptStates | None:
    """Reads what `write_states` wrote, or the window of an older program.

    Args:
        path: The file.

    Returns:
        All of it; None if the file is missing or not as it was written.

    Raises:
        NewerFileError: If a newer version of the program wrote it.
    """
    try:
        data = read_regular(path)
        check_known(f"The file {path}", data, 1)
        values: dict[str, Any] = parse_json(data)
        # The oldest programs wrote no checksum.
        checksum = values.pop(_CHECKSUM, None)
        if checksum is not None and checksum != _checksum(values):
            return None
        listed = values.get("documents", [values])
        states = tuple(_state(each) for each in listed)
        return KeptStates(states, int(values.get("shown", 0)))
    except NewerFileError:
        raise
    except (EpitomeError, OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    except (RecursionError, OverflowError):  # nested too deep; a number without end
        return None


def _state(values: dict[str, Any]) -> SessionState:
    known: dict[str, Any] = {**_NEWER, **values}
    known = {item.name: known[item.name] for item in fields(SessionState)}
    for name in ("pinned", "dropped", "replaced"):
        known[name] = tuple(int(index) for index in known[name])
    state = SessionState(**known)
    for item in fields(SessionState):
        if type(getattr(state, item.name)) is not type(item.default):
            raise TypeError(item.name)
    if not 0 <= state.scroll_offset <= _FURTHEST or not 1 <= state.copy <= _FURTHEST:
        raise ValueError(state)
    Length.parse(state.length)
    return state


def _checksum(values: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()
