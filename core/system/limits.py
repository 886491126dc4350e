"""Limits that a child process sets on itself while it works on one document.

What grows step by step is counted where it grows (`core.documents.budget`). What a library does in
one call can only be ended from outside the call: by the system, and where that has no such limit,
by a thread that looks. The child ends with a status that its parent puts into words.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.errors import OutOfMemoryError
from core.numbers import format_seconds, format_size

SPLIT: Final = "Split it into smaller files, and open them one by one."

_TIME_STATUS, _MEMORY_STATUS = 83, 84
_LOOK_S = 0.1
_GRACE_S = 2  # after which the system ends what holds the interpreter
_GRACE_BYTES = 100_000_000  # of addresses that are not used
_MEMORY_MAP = Path("/proc/self/statm")


@dataclass(frozen=True)
class Limits:
    """What work on one document may take.

    Args:
        processor_s: Seconds of the processor, of all threads.
        memory_bytes: Memory beyond what the process holds when it begins.
    """

    processor_s: float = 55.0
    memory_bytes: int = 1_250_000_000


DOCUMENT: Final = Limits()


class _State:
    """Whether this process may be ended, and what watches it."""

    may_end = False
    watch: "_Watch | None" = None


def may_be_ended() -> None:
    """Says that this process is a child that is replaced; without it no limit is set."""
    _State.may_end = True


@contextmanager
def limited(limits: Limits = DOCUMENT) -> Iterator[None]:
    """Ends this process if the block takes more than limits allow; does nothing inside another.

    Args:
        limits: What it may take.

    Yields:
        None: the limits end with the block.

    Raises:
        OutOfMemoryError: Where the system refuses more memory and the process can go on.
    """
    if not _State.may_end or _State.watch is not None:
        yield
        return
    with ExitStack() as held:
        held.callback(_set_soft("RLIMIT_DATA", _data_bytes() + limits.memory_bytes + _GRACE_BYTES))
        until_s = time.process_time() + limits.processor_s
        held.callback(_set_soft("RLIMIT_CPU", int(until_s) + 1 + _GRACE_S))
        _State.watch = held.enter_context(_Watch(until_s, limits))
        try:
            yield
        except MemoryError as error:
            raise OutOfMemoryError(told_by_status(_MEMORY_STATUS), SPLIT) from error
        finally:
            _State.watch = None


@contextmanager
def without_time_limit() -> Iterator[None]:
    """Inside `limited`, gives a block all the time it takes: recognising pages takes minutes.

    Yields:
        None: the seconds of the block are not counted.
    """
    watch = _State.watch
    if watch is None:
        yield
        return
    started_s, until_s, watch.until_s = time.process_time(), watch.until_s, float("inf")
    restore = _set_soft("RLIMIT_CPU", None)
    try:
        yield
    finally:
        restore()
        watch.until_s = until_s + time.process_time() - started_s
        _set_soft("RLIMIT_CPU", int(watch.until_s) + 1 + _GRACE_S)


def share_taken() -> float:
    """Which share of its limits the block has taken so far, of time or of memory.

    Returns:
        The larger of both; 0 outside of a limited block, 1 where it is about to be ended.
    """
    watch = _State.watch
    return watch.share_taken() if watch else 0.0


def told_by_status(status: int, limits: Limits = DOCUMENT) -> str:
    """Which limit ended a process.

    Args:
        status: As `subprocess` gives it: negative for a signal.
        limits: What it was allowed.

    Returns:
        A sentence; empty if none did.
    """
    if status == _TIME_STATUS or status == -getattr(signal, "SIGXCPU", 0):
        told = format_seconds(limits.processor_s)
        return f"The document takes more than {told} of processor time, the most that is allowed."
    if status == _MEMORY_STATUS:
        told = format_size(limits.memory_bytes)
        return f"The document takes more than {told} of memory, the most that is allowed."
    return ""


class _Watch(threading.Thread):
    """Looks what the process takes, and ends it when that is too much."""

    def __init__(self, until_s: float, limits: Limits) -> None:
        super().__init__(name="limits", daemon=True)
        self.until_s = until_s
        self._limits = limits
        self._most_bytes = _resident_bytes() + limits.memory_bytes
        self._over = threading.Event()

    def share_taken(self) -> float:
        """See the function of this name."""
        left_s = self.until_s - time.process_time()
        left_bytes = self._most_bytes - _resident_bytes()
        limits = self._limits
        return 1 - min(left_s / limits.processor_s, left_bytes / limits.memory_bytes)

    def __enter__(self) -> "_Watch":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.join()

    def run(self) -> None:
        """The thread's own body."""
        while not self._over.wait(_LOOK_S):
            if time.process_time() > self.until_s:
                os._exit(_TIME_STATUS)
            if _resident_bytes() > self._most_bytes:
                os._exit(_MEMORY_STATUS)


def _set_soft(name: str, value: int | None) -> Callable[[], None]:
    """Sets a limit of the system where it has one; gives what sets it back."""
    if sys.platform == "win32" or (name == "RLIMIT_DATA" and sys.platform != "linux"):
        return lambda: None
    import resource

    kind = getattr(resource, name)
    soft, hard = resource.getrlimit(kind)
    value = hard if value is None else value
    if hard != resource.RLIM_INFINITY:
        value = hard if value == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, hard))
    return lambda: resource.setrlimit(kind, (soft, hard))


def _resident_bytes() -> int:
    """The memory that the process holds."""
    if sys.platform == "linux":
        return int(_MEMORY_MAP.read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    import psutil

    return int(psutil.Process().memory_info().rss)


def _data_bytes() -> int:
    """What the system counts against its limit of data; 0 where it has none."""
    if sys.platform != "linux":
        return 0
    return int(_MEMORY_MAP.read_bytes().split()[5]) * os.sysconf("SC_PAGE_SIZE")
