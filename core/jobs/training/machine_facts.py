"""What the machine lets a training job use, found without loading torch."""

import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import psutil

from core.profiling.training_suggestions import Machine
from core.system.machine import usable_cores
from core.system.process_environment import find_program
from core.system.processes import run_program

_ASK_S = 5.0
_SIDE, _TIMES = 1024, 4


def read_machine(runs: Path) -> Machine:
    """Reads the sizes of memory, cores, GPU and disk.

    Args:
        runs: Where runs lie, for the free space on its disk.

    Returns:
        The machine.
    """
    memory = psutil.virtual_memory()
    gpu, gpu_bytes = _gpu()
    free, cores = _free(runs), usable_cores()
    rate = _rate(cores)
    return Machine(memory.total, memory.available, cores, gpu, gpu_bytes, free, rate)


def _gpu() -> tuple[str, int]:
    """Name and memory of the first NVIDIA GPU; empty where there is none."""
    tool = find_program("nvidia-smi")
    if tool is None:
        return "", 0
    ask = [tool, "--query-gpu=name,memory.total", "--format=csv,noheader,nounits"]
    with suppress(OSError, ValueError, subprocess.SubprocessError, IndexError):
        told = run_program(ask, _ASK_S)
        told.check_returncode()
        name, _, mib = told.stdout.splitlines()[0].rpartition(",")
        return name.strip(), int(mib) * 2**20
    return "", 0


def _rate(cores: int) -> float:
    """Operations a second of one core: the best of a few products of large matrices."""
    sides = np.ones((2, _SIDE, _SIDE), np.float32)
    times_s = []
    for _ in range(_TIMES):
        start_s = time.perf_counter()
        np.matmul(sides[0], sides[1])
        times_s.append(time.perf_counter() - start_s)
    return 2 * _SIDE**3 / min(times_s) / cores


def _free(folder: Path) -> int:
    """Free space on the disk of a folder, which need not be there yet."""
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    with suppress(OSError):
        return shutil.disk_usage(place).free
    return 0
