"""Locks as on Windows: Wine 10's `_locking` sets no errno, and waits 10 ms in place of 10 s."""

import errno
import msvcrt
import time

WAIT_S = 10
_locking = msvcrt.locking


def locking(file: int, mode: int, size: int) -> None:
    """Locks or unlocks a part of a file, as `msvcrt.locking` does on Windows."""
    until_s = time.monotonic() + WAIT_S
    while True:
        try:
            return _locking(file, mode, size)
        except OSError as error:
            if error.errno:
                raise
            if mode not in (msvcrt.LK_LOCK, msvcrt.LK_RLCK):
                raise PermissionError(errno.EACCES, "Permission denied") from None
            if time.monotonic() > until_s:
                raise OSError(errno.EDEADLK, "Resource deadlock avoided") from None
        time.sleep(0.05)


msvcrt.locking = locking
