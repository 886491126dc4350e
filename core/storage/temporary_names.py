"""Names under which a file is written before it is renamed, and what a kill leaves of them.

A name is that of the file, the number of the process that writes it and random digits, such as
"report.md.epitome-4711-0b5e8f3a.tmp": nobody can put a file or a link there beforehand. A process
that is killed leaves it behind; the next one that writes the same file deletes it.
"""

import os
import re
import secrets
import sys
import threading
import time
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

MOST_NAME_BYTES = 255
"""Of a file's name, on nearly every file system."""

_NAME = re.compile(r"(?P<of>.+)\.epitome-(?P<pid>[0-9]{1,10})-[0-9a-f]{8}\.tmp", re.DOTALL)
_EARLIER_NAME = re.compile(r"(?P<of>.+)\.[0-9]{1,10}\.tmp", re.DOTALL)  # of earlier builds
_DAMAGED = re.compile(r"\.damaged(-[0-9]+)?(?=\.[^.]*$|$)")
_AGE_S = 600.0  # a number may be that of a process of another machine, on a disk that both use
_ROOM = len(".epitome-4294967295-01234567.tmp")
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)  # Windows has none

Leftovers = dict[str, list[Path]]
_FOUND: dict[Path, Leftovers] = {}
_LOCK = threading.Lock()


def open_temporary(path: Path, permissions: int = 0o666) -> BinaryIO:
    """Opens a new file to be renamed when it is whole; no link or other file is opened instead.

    Args:
        path: The file that it will become; its folder is there.
        permissions: Those of the new file, before the process's mask.

    Returns:
        The open file; its `name` is the one by which it is renamed.

    Raises:
        OSError: If it cannot be made.
    """

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags | _NO_LINK, permissions)

    return open(temporary_name(path), "xb", opener=opener)


def is_temporary_name(name: str) -> bool:
    """True if a file has a name of this module, or one that earlier versions gave.

    Only in the program's own folders is that reason enough to delete one of an earlier version.
    """
    return bool(_NAME.fullmatch(name) or _EARLIER_NAME.fullmatch(name))


def original_name(name: str) -> str:
    """Returns the name of the file of which this is a temporary or a damaged copy, or the name."""
    match = _NAME.fullmatch(name) or _EARLIER_NAME.fullmatch(name)
    return _DAMAGED.sub("", match["of"] if match else name)


def temporary_name(path: Path) -> Path:
    """Returns the name under which a file is written; deletes what earlier kills left of it.

    Args:
        path: The file; its folder is there.

    Returns:
        A place beside it, for this process and this call only.
    """
    name = fitting_name(path.name, "", MOST_NAME_BYTES - _ROOM)
    for left in _leftovers(path.parent).pop(name, ()):
        with suppress(OSError):
            left.unlink()
    return path.with_name(f"{name}.epitome-{os.getpid()}-{secrets.token_hex(4)}.tmp")


def fitting_name(stem: str, ending: str, most_bytes: int = MOST_NAME_BYTES) -> str:
    """A file's name that a file system takes.

    Args:
        stem: What it is called, of any length.
        ending: What stays whole behind it, such as "-2.md".
        most_bytes: How long the name may be, in bytes.

    Returns:
        Stem and ending; of a stem that is too long, the beginning.
    """
    stem = stem[:most_bytes]  # no character takes less than a byte
    while stem and len(os.fsencode(stem + ending)) > most_bytes:
        stem = stem[:-1]
    return stem + ending


def _leftovers(folder: Path) -> Leftovers:
    """What killed processes left in a folder, by the file it was to become; looked up once."""
    with _LOCK:
        if folder not in _FOUND:
            _FOUND[folder] = _look(folder)
        return _FOUND[folder]


def _look(folder: Path) -> Leftovers:
    found: Leftovers = defaultdict(list)
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            match = _NAME.fullmatch(entry.name)
            if match and _is_left(entry, int(match["pid"])):
                found[match["of"]].append(folder / entry.name)
    return dict(found)


def _is_left(entry: "os.DirEntry[str]", pid: int) -> bool:
    try:
        old = time.time() - entry.stat(follow_symlinks=False).st_mtime > _AGE_S
        return old and entry.is_file(follow_symlinks=False) and not _is_alive(pid)
    except OSError:
        return False


def _is_alive(pid: int) -> bool:
    if sys.platform == "win32":  # where `os.kill` would end it
        import psutil  # which the start does not wait for

        return psutil.pid_exists(pid)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # somebody else's; or no number of a process
        return True
    return True
