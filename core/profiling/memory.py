"""How much memory this process takes at most, and how much it may take."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from core.system.processes import go_first_when_memory_ends

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")
_SAMPLE_S = 0.001


@dataclass
class Peak:
    """The most memory that was resident inside `watched_peak`; known at its end.

    Args:
        baseline_bytes: Resident memory when the watch began.
        peak_bytes: The most above it.
        code_bytes: What parts of files grew by meanwhile, which is libraries' code that was first
            used; None where the system does not tell.
        by: "high-water mark" or "samples".
    """

    baseline_bytes: int
    peak_bytes: int = 0
    code_bytes: int | None = None
    by: str = ""


@contextmanager
def watched_peak() -> Iterator[Peak]:
    """Finds the most memory that is resident in a block.

    Yields:
        What is filled in when the block ends. On Linux it is the kernel's own high-water mark,
        begun anew; where that cannot be had, memory is looked at every millisecond.
    """
    watch = _marked if _reset_mark() else _sampled
    with watch(Peak(psutil.Process().memory_info().rss)) as peak:
        yield peak


@contextmanager
def _marked(peak: Peak) -> Iterator[Peak]:
    code_bytes = _status_bytes("RssFile")
    yield peak
    peak.peak_bytes = max(0, _status_bytes("VmHWM") - peak.baseline_bytes)
    peak.code_bytes = max(0, _status_bytes("RssFile") - code_bytes)
    peak.by = "high-water mark"


@contextmanager
def _sampled(peak: Peak) -> Iterator[Peak]:
    process, ended = psutil.Process(), threading.Event()
    peak.by = "samples"

    def sample() -> None:
        while not ended.wait(_SAMPLE_S):
            above = process.memory_info().rss - peak.baseline_bytes
            peak.peak_bytes = max(peak.peak_bytes, above)

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    try:
        yield peak
    finally:
        ended.set()
        thread.join()


def limit_memory(limit_bytes: int | None) -> int | None:
    """Makes this process fail, rather than the machine, when it takes too much.

    Args:
        limit_bytes: How much it may take from now on; None for what is free.

    Returns:
        The limit in bytes; None where the system can set none.
    """
    go_first_when_memory_ends()
    if sys.platform != "linux":
        return None
    import resource

    limit = limit_bytes or psutil.virtual_memory().available
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = _status_bytes("VmData") + limit
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (allowed, hard))
    return limit


def _reset_mark() -> bool:
    """Whether the kernel's high-water mark could be set to what is resident now."""
    try:
        _CLEAR.write_text("5", "utf-8")
    except OSError:
        return False
    return True


def _status_bytes(name: str) -> int:
    for line in _STATUS.read_text("ascii", "replace").splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return int(value.split()[0]) * 1024
    raise KeyError(name)
