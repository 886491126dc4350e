"""Opens what must be a regular file, and never waits for a pipe or a device in its place.

Every reading has a limit in bytes; that of a pipe which a person names has one in seconds, too.
Also renames what another process may have open for a moment.
"""

import contextlib
import errno
import os
import select
import stat
import sys
import time
from pathlib import Path
from typing import IO, BinaryIO, Literal

MOST_BYTES = 64_000_000
"""More than any settings, list or state file holds."""

PIPE_PATIENCE_S = 60.0
"""How long a pipe that a person names may take to deliver all it has."""

_PIECE_BYTES = 1 << 20
_SHARING_PATIENCE_S = 1.0
_LOOK_S = 0.02
_SHARING = {5, 32, 33}  # Windows: access denied, sharing violation, lock violation
_NEVER_WAIT = getattr(os, "O_NONBLOCK", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)  # Windows has none

LINK_REFUSED = "it is a link, and nothing is written through links"
"""Why a file is not written."""


def open_regular(path: Path, mode: Literal["rb", "ab", "wb"], buffering: int = -1) -> BinaryIO:
    """Opens a regular file, as `Path.open` does.

    Args:
        path: The file; to be read, a link to one will do.
        mode: As `Path.open` takes it.
        buffering: As `Path.open` takes it.

    Returns:
        The open file.

    Raises:
        OSError: If it cannot be opened, is a folder, pipe, socket or device, or a link that would
            be written through.
    """
    if mode != "rb" and path.is_symlink():
        raise OSError(errno.ELOOP, LINK_REFUSED)
    if path.exists():
        _check(path.stat().st_mode)  # before it is opened: opening a device may act on it
    opener = _open_at_once if mode == "rb" else _open_no_link
    file = open(path, mode, buffering, opener=opener)  # noqa: SIM115, it is handed on
    try:
        _check(os.fstat(file.fileno()).st_mode)
    except OSError:
        file.close()
        raise
    return file


def check_regular(path: Path) -> None:
    """Refuses what a library would open itself and wait for; fails as `open_regular` does."""
    open_regular(path, "rb").close()


def read_regular(path: Path, most_bytes: int | None = MOST_BYTES) -> bytes:
    """All bytes of a regular file.

    Args:
        path: The file; a link to one will do.
        most_bytes: The largest size that is read; None for any.

    Returns:
        What is in it.

    Raises:
        OSError: As `open_regular` does, and if it is larger.
    """
    with open_regular(path, "rb") as file:
        if most_bytes is None:
            return file.read()
        if os.fstat(file.fileno()).st_size > most_bytes:  # before any of it is in memory
            raise _too_large(most_bytes)
        return read_limited(file, most_bytes)


def read_limited(stream: IO[bytes], most_bytes: int) -> bytes:
    """All bytes of a stream.

    Args:
        stream: A file, or a pipe that is waited for.
        most_bytes: The most that is read.

    Returns:
        What came, to its end.

    Raises:
        OSError: If there is more (`EFBIG`).
    """
    pieces = bytearray()
    while piece := stream.read(min(_PIECE_BYTES, most_bytes + 1 - len(pieces))):
        pieces += piece
        if len(pieces) > most_bytes:
            raise _too_large(most_bytes)
    return bytes(pieces)


def read_given(
    path: Path, most_bytes: int = MOST_BYTES, patience_s: float = PIPE_PATIENCE_S
) -> bytes:
    """All bytes of a small file that a person names, which may be a pipe or a device.

    Args:
        path: The file, such as `/dev/stdin` or what a shell puts in the place of `<(command)`.
        most_bytes: The most that is read.
        patience_s: How long its end is waited for, in seconds.

    Returns:
        What came, to its end.

    Raises:
        OSError: If it cannot be opened, is a folder, holds more (`EFBIG`), or does not end in time
            (`ETIMEDOUT`).
    """
    if sys.platform == "win32":  # which has no pipes among its files
        return read_regular(path, most_bytes)
    until_s = time.monotonic() + patience_s
    with open(path, "rb", 0, opener=_open_at_once) as file:
        poll = select.poll()
        poll.register(file, select.POLLIN)
        pieces = bytearray()
        while len(pieces) <= most_bytes:
            left_s = until_s - time.monotonic()
            if left_s <= 0 or not poll.poll(1000 * left_s):
                raise TimeoutError(errno.ETIMEDOUT, f"it did not end within {patience_s:g} seconds")
            piece = file.read(min(_PIECE_BYTES, most_bytes + 1 - len(pieces)))
            if piece == b"":
                return bytes(pieces)
            pieces += piece or b""
    raise _too_large(most_bytes)


def rename_patiently(source: Path, target: Path) -> Path:
    """Renames a file or folder; a file at the target is replaced. Every renaming is done here.

    Windows renames nothing that another process has open, such as one that follows a run: there it
    is tried again for a second.

    Args:
        source: What is renamed.
        target: Its new name.

    Returns:
        The target.

    Raises:
        OSError: If it cannot be renamed.
    """
    until_s = time.monotonic() + _SHARING_PATIENCE_S
    while True:
        try:
            return source.replace(target)
        except PermissionError as error:
            is_shared = getattr(error, "winerror", None) in _SHARING
            if not is_shared or time.monotonic() >= until_s:
                raise
        time.sleep(_LOOK_S)


def flush_to_disk(descriptor: int) -> None:
    """Waits until what was written into an open file survives a power cut.

    Args:
        descriptor: The file's.

    Raises:
        OSError: If the disk fails.
    """
    if sys.platform == "darwin":  # whose `fsync` leaves it in the memory of the disk
        import fcntl

        with contextlib.suppress(OSError):  # not every file system can
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    os.fsync(descriptor)


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | _NEVER_WAIT, 0o666)


def _open_no_link(path: str, flags: int) -> int:
    return _open_at_once(path, flags | _NO_LINK)


def _too_large(most_bytes: int) -> OSError:
    size = f"{most_bytes / 10**6:g} MB" if most_bytes >= 10**6 else f"{most_bytes} bytes"
    return OSError(errno.EFBIG, f"it is larger than {size}")


def _check(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder, not a file")
    if not stat.S_ISREG(mode):
        kind = "named pipe" if stat.S_ISFIFO(mode) else "device or socket"
        raise OSError(errno.EINVAL, f"it is a {kind}, not a file")
