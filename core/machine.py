"""What this machine lets the program use."""

import os
import platform
import re
import sys
from functools import cache
from pathlib import Path

from core.process_environment import find_program

SLOW_BF16 = (
    "This processor has no units for bf16: steps take far longer in it than in fp32, though less "
    "memory."
)
_CPUINFO = Path("/proc/cpuinfo")
_FLAGS = re.compile(r"^(?:flags|Features)\s*:(.*)$", re.MULTILINE)
_BF16 = {"avx512_bf16", "amx_bf16", "bf16"}


def usable_cores() -> int:
    """The cores that this process may run on, one at least."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def lane_of(device: str) -> str:
    """The device that jobs of a device setting share, told without loading torch.

    Args:
        device: As in the settings: auto, cpu, cuda, cuda:N or mps.

    Returns:
        "cpu", "mps" or "cuda:N". Of the jobs of one lane, one runs at a time.
    """
    if device == "auto":
        if find_program("nvidia-smi"):
            return "cuda:0"
        is_apple = sys.platform == "darwin" and platform.machine() == "arm64"
        return "mps" if is_apple else "cpu"
    return "cuda:0" if device == "cuda" else device


@cache  # a chart asks hundreds of times
def bf16_units(told: Path = _CPUINFO) -> bool | None:
    """Whether the processor multiplies numbers in bfloat16 itself, told without loading torch.

    Args:
        told: What Linux tells of the processor.

    Returns:
        Whether; None where the system does not tell.
    """
    try:
        found = _FLAGS.search(told.read_text("utf-8", "replace"))
    except OSError:
        return None
    return not _BF16.isdisjoint(found[1].split()) if found else None
