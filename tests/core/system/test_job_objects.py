"""On Windows, children end with their parent and have a limit of memory."""

import contextlib
import ctypes
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from core.system.job_objects import ExtendedLimits, job_limits
from core.system.processes import run_program, start_process
from tests.helpers.systems import is_wine, on_windows

STARTER = (
    "import sys, time; from pathlib import Path\n"
    "from core.system.processes import start_detached, start_process\n"
    "sleep = [sys.executable, '-c', 'import time; time.sleep(600)']\n"
    "outer = [sys.executable, '-c', f'import subprocess; subprocess.run({sleep!r})']\n"
    "child, apart = start_process(outer), start_detached(sleep, Path(sys.argv[1]))\n"
    "print(child.pid, apart.pid, flush=True)\n"
    "time.sleep(600)"
)


@pytest.mark.skipif(ctypes.sizeof(ctypes.c_void_p) != 8, reason="the sizes of 64 bits")
def test_limits_are_laid_out_as_windows_reads_them() -> None:
    assert ctypes.sizeof(ExtendedLimits) == 144
    assert ExtendedLimits.job_memory.offset == 120


def test_a_job_either_ends_its_processes_or_limits_their_memory() -> None:
    assert job_limits().basic.flags == 0x2000 | 0x0800
    bounded = job_limits(1 << 29)
    assert (bounded.basic.flags, bounded.job_memory) == (0x0200, 1 << 29)


@on_windows
def test_what_a_killed_process_has_started_ends_but_not_what_outlives_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", STARTER, str(tmp_path / "log.txt")]
    starter = start_process(command, stdout=subprocess.PIPE)
    with starter:
        assert starter.stdout
        child, apart = (psutil.Process(int(each)) for each in starter.stdout.readline().split())
        while not (inner := child.children()):  # it is starting
            pass
        starter.kill()
    _, alive = psutil.wait_procs([child, *inner], timeout=60)
    assert not alive and apart.is_running()
    apart.kill()


@on_windows
@pytest.mark.skipif(is_wine(), reason="Wine limits no memory")
def test_what_takes_more_memory_than_it_may_fails_by_itself() -> None:
    process = start_process(
        [sys.executable, "-c", "bytearray(1 << 30)"],
        memory_bytes=1 << 29,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    with process:
        assert process.stderr and b"MemoryError" in process.stderr.read()


def test_the_number_of_a_child_is_its_own() -> None:
    code = "import os, sys; sys.stdout.write(str(os.getpid()))"
    process = start_process([sys.executable, "-c", code], stdout=subprocess.PIPE)
    with process:
        assert process.stdout and int(process.stdout.read()) == process.pid


def test_a_program_that_takes_too_long_is_ended_with_what_it_has_started(tmp_path: Path) -> None:
    note = tmp_path / "child.txt"
    inner = "import time; time.sleep(600)"
    code = (
        "import subprocess, sys; from pathlib import Path\n"
        f"child = subprocess.Popen([sys.executable, '-c', {inner!r}])\n"
        f"Path({str(note)!r}).write_text(str(child.pid), 'utf-8'); child.wait()"
    )
    with pytest.raises(subprocess.TimeoutExpired):
        run_program([sys.executable, "-c", code], timeout_s=1)
    if note.exists():  # else it was ended before it had started anything
        with contextlib.suppress(psutil.NoSuchProcess):
            psutil.Process(int(note.read_text("utf-8"))).wait(60)
