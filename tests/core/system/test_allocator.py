"""Memory that the window frees goes back to the system."""

import subprocess
import sys

import pytest

CODE = """
import ctypes
from core.system.allocator import return_freed_memory

class Counts(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "abcdefghij"]  # mallinfo2 of malloc.h

heap = ctypes.CDLL(None)
heap.mallinfo2.restype = Counts
{asked}
bytearray(3 * 2**20)  # the first block that is freed teaches glibc to keep the next ones
large, small = [], []
for _ in range(20):
    large.append(bytearray(2 * 2**20))
    small.append(bytearray(100_000))  # too large for a hole that is there already
large.clear()
print(heap.mallinfo2().i)  # fordblks: free, but kept
"""


def kept_mib(asked: str) -> float:
    """What a process keeps of 40 MiB that it has freed."""
    command = [sys.executable, "-c", CODE.format(asked=asked)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return int(told) / 2**20


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc can be asked for it")
def test_freed_images_are_not_kept() -> None:
    assert kept_mib("return_freed_memory()") < 2
    assert kept_mib("") > 20  # or there would be nothing to see
