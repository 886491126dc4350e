"""What this machine lets the program use."""

import math
import os
import platform
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path, PurePosixPath

from core.system.process_environment import find_program

SLOW_BF16 = (
    "This processor has no units for bf16: steps take far longer in it than in fp32, though less "
    "memory."
)
_CPUINFO = Path("/proc/cpuinfo")
_FLAGS = re.compile(r"^(?:flags|Features)\s*:(.*)$", re.MULTILINE)
_BF16 = {"avx512_bf16", "amx_bf16", "bf16"}


def usable_cores() -> int:
    """Returns how many cores this process may keep busy, at least one.

    A container may run on all cores of its machine, but for a share of their time only.
    """
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    quota = processor_quota()
    return cores if quota is None else max(1, min(cores, math.ceil(quota)))


def processor_quota(root: Path = Path("/")) -> float | None:
    """Returns how many cores' time the control groups of this process allow it.

    Args:
        root: The folder of `proc` and `sys`.

    Returns:
        The lowest quota of its group and of those around it, in cores; None where there is none.
    """
    found: list[float] = []
    with suppress(OSError, ValueError, IndexError):
        groups = [line.split(":", 2) for line in _lines(root / "proc/self/cgroup")]
        for line in _lines(root / "proc/self/mountinfo"):
            place, _, about = (part.split(" ") for part in line.partition(" - "))
            kind, options = about[0], about[2].split(",")
            if kind not in ("cgroup", "cgroup2") or (kind == "cgroup" and "cpu" not in options):
                continue
            own = next(
                (path for _, names, path in groups
                 if ("cpu" in names.split(",") if kind == "cgroup" else not names)),
                None,
            )  # fmt: skip
            if own is not None:
                mounted = root / _unescaped(place[4]).lstrip("/")
                found += _quotas(mounted, _unescaped(place[3]), own)
    return min(found, default=None)


def _quotas(mounted: Path, top: str, own: str) -> Iterator[float]:
    """The quotas of a group and of those around it, as far as they can be seen.

    Args:
        mounted: Where the tree of groups is mounted.
        top: The group that is mounted there; in a container often not the root.
        own: The group of this process.

    Yields:
        Each quota, in cores.
    """
    inside = PurePosixPath(own)
    is_seen = inside.is_relative_to(top) and ".." not in inside.parts
    within = inside.relative_to(top) if is_seen else PurePosixPath()
    for group in (within, *within.parents):
        with suppress(OSError, ValueError):
            yield from _quota(mounted / group)


def _quota(group: Path) -> Iterator[float]:
    """The quota of one group: of version 2, or of version 1."""
    if (group / "cpu.max").exists():
        (line,) = _lines(group / "cpu.max")
        quota, period = line.split()
    else:
        (quota,) = _lines(group / "cpu.cfs_quota_us")
        (period,) = _lines(group / "cpu.cfs_period_us")
    if quota != "max" and int(quota) > 0 and int(period) > 0:  # version 1 says -1 for none
        yield int(quota) / int(period)


def _lines(file: Path) -> list[str]:
    return file.read_text("utf-8", "replace").splitlines()


def _unescaped(field: str) -> str:
    """A path of `mountinfo`, which writes spaces and the like as octal digits."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), field)


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
