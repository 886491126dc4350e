"""Peaks are seen, also short ones; a limit holds."""

import ctypes
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core.profiling import memory
from core.profiling.memory import watched_peak

MEBIBYTE = 2**20


@pytest.fixture(autouse=True)
def gives_freed_memory_back() -> None:
    """A test before may have trained: what it freed would serve the next without being new."""
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)


def fill(size_mib: int) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """Memory that is really there: every page is written to."""
    return np.full(size_mib * MEBIBYTE, 1, np.uint8)


linux = pytest.mark.skipif(sys.platform != "linux", reason="Linux's own counters")


@linux
def test_a_short_peak_is_seen_and_an_earlier_one_is_not() -> None:
    del (earlier := [fill(256)])[:]
    with watched_peak() as peak:
        del (short := [fill(64)])[:]
    assert not earlier and not short
    assert peak.by == "high-water mark"
    assert 60 <= peak.peak_bytes / MEBIBYTE <= 80
    assert peak.baseline_bytes > 0
    assert peak.code_bytes is not None and peak.code_bytes < 16 * MEBIBYTE


def test_where_the_mark_cannot_be_reset_samples_are_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(memory, "_CLEAR", tmp_path / "none" / "clear_refs")
    with watched_peak() as peak:
        held = [fill(64)]
        for _ in range(10**7):
            if peak.peak_bytes >= 60 * MEBIBYTE:
                break
        held.clear()
    assert peak.by == "samples"
    assert peak.code_bytes is None
    assert 60 <= peak.peak_bytes / MEBIBYTE <= 80


GREEDY = """
import sys
import numpy as np
from core.profiling.memory import limit_memory
np.full(200 * 2**20, 1, np.uint8)
assert limit_memory(64 * 2**20) == 64 * 2**20
kept = np.full(40 * 2**20, 1, np.uint8)
try:
    np.full(40 * 2**20, 1, np.uint8)
except MemoryError:
    print("refused")
"""


@linux
def test_past_its_limit_a_process_is_refused_memory_and_lives() -> None:
    done = subprocess.run([sys.executable, "-c", GREEDY], capture_output=True, text=True)
    assert (done.stdout, done.stderr, done.returncode) == ("refused\n", "", 0)


@linux
def test_a_limited_process_is_the_first_that_the_kernel_would_end() -> None:
    code = (
        "from core.profiling.memory import limit_memory; limit_memory(None); "
        "print(open('/proc/self/oom_score_adj').read())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "1000"
