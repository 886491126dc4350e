"""Opens what must be a regular file, and never waits for a pipe or a device in its place."""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO, Literal

_NEVER_WAIT = getattr(os, "O_NONBLOCK", 0)


def open_regular(path: Path, mode: Literal["rb", "ab", "wb"]) -> BinaryIO:
    """Opens a regular file, as `Path.open` does.

    Args:
        path: The file; a link to one will do.
        mode: As `Path.open` takes it.

    Returns:
        The open file.

    Raises:
        OSError: If it cannot be opened, or is a folder, pipe, socket or device.
    """
    if path.exists():
        _check(path.stat().st_mode)  # before it is opened: opening a device may act on it
    file = open(path, mode, opener=_open_at_once)  # noqa: SIM115, it is handed on
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


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | _NEVER_WAIT, 0o666)


def _check(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder, not a file")
    if not stat.S_ISREG(mode):
        kind = "named pipe" if stat.S_ISFIFO(mode) else "device or socket"
        raise OSError(errno.EINVAL, f"it is a {kind}, not a file")
