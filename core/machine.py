"""What this machine lets the program use."""

import os
import platform
import shutil
import sys


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
        if shutil.which("nvidia-smi"):
            return "cuda:0"
        is_apple = sys.platform == "darwin" and platform.machine() == "arm64"
        return "mps" if is_apple else "cpu"
    return "cuda:0" if device == "cuda" else device
