"""Opens what must be a regular file, and never waits for a pipe or a device in its place.

Also renames what another process may have open for a moment.
"""

import errno
import os
import stat
import time
from pathlib import Path
from typing import BinaryIO, Literal

_SHARING_PATIENCE_S = 1.0
_LOOK_S = 0.02
_SHARING = {5, 32, 33}  # Windows: access denied, sharing violation, lock violation
_NEVER_WAIT = getattr(os, "O_NONBLOCK", 0)


def open_regular(path: Path, mode: Literal["rb", "ab", "wb"], buffering: int = -1) -> BinaryIO:
    """Opens a regular file, as `Path.open` does.

    Args:
        path: The file; a link to one will do.
        mode: As `Path.open` takes it.
        buffering: As `Path.open` takes it.

    Returns:
        The open file.

    Raises:
        OSError: If it cannot be opened, or is a folder, pipe, socket or device.
    """
    if path.exists():
        _check(path.stat().st_mode)  # before it is opened: opening a device may act on it
    file = open(path, mode, buffering, opener=_open_at_once)  # noqa: SIM115, it is handed on
    try:
        _check(os.fstat(file.fileno()).st_mode)
    except OSError:
        file.close()
        raise
    return file


def read_regular(path: Path) -> bytes:
    """All bytes of a regular file; fails as `open_regular` does."""
    with open_regular(path, "rb") as file:
        return file.read()


def rename_patiently(source: Path, target: Path) -> None:
    """Renames a file or folder; a file at the target is replaced.

    Windows renames nothing that another process has open, such as one that follows a run: there it
    is tried again for a second.

    Args:
        source: What is renamed.
        target: Its new name.

    Raises:
        OSError: If it cannot be renamed.
    """
    until_s = time.monotonic() + _SHARING_PATIENCE_S
    while True:
        try:
            source.replace(target)
            return
        except PermissionError as error:
            is_shared = getattr(error, "winerror", None) in _SHARING
            if not is_shared or time.monotonic() >= until_s:
                raise
        time.sleep(_LOOK_S)


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | _NEVER_WAIT, 0o666)


def _check(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder, not a file")
    if not stat.S_ISREG(mode):
        kind = "named pipe" if stat.S_ISFIFO(mode) else "device or socket"
        raise OSError(errno.EINVAL, f"it is a {kind}, not a file")
