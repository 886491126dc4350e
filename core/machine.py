"""What this machine lets the program use."""

import os


def usable_cores() -> int:
    """The cores that this process may run on, one at least."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
