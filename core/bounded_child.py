"""Does something risky in a process of its own, with a budget of seconds and of memory.

Compiled code of others can end its process, fill the memory or never return over a file that was
made to do harm; nothing inside one process guards against that.
"""

import contextlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.processes import python_command, start_process

_BEGIN = "from core.bounded_child import limit; limit({memory_mib}); "
_NO_CORE = (0, 0)
_LOOK_S = 0.1
_TOO_MUCH = "it takes too much memory"

Outcome = Literal["done", "refused", "died", "timeout"]


@dataclass(frozen=True)
class Answer:
    """What came of it.

    Args:
        outcome: "refused" where the code itself found something wrong.
        text: What it printed; of one that died, what the system says of its end.
    """

    outcome: Outcome
    text: str


def ask(code: str, given: bytes, *, wait_s: float, memory_mib: int) -> Answer:
    """Runs a line of Python of this program in a child process.

    Args:
        code: The line: it reads `sys.stdin.buffer`, prints, and raises `SystemExit` with a text for
            what it refuses.
        given: What it reads.
        wait_s: How long it may take; then it is killed.
        memory_mib: How much memory it may take: of addresses on Linux, held elsewhere.

    Returns:
        What came of it.
    """
    begin = _BEGIN.format(memory_mib=memory_mib)
    command: Sequence[str] = python_command("-c", begin + code)
    # A file, not a pipe: `communicate` hands over no more of it once it is called again.
    with tempfile.TemporaryFile() as file:
        file.write(given)
        file.seek(0)
        process: subprocess.Popen[bytes] = start_process(
            command,
            stdin=file,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=sys.platform != "win32",  # Ctrl-C is the parent's to answer
        )
    with process:
        try:
            printed, errors = _watched(process, time.monotonic() + wait_s, memory_mib << 20)
        except TimeoutError:
            return Answer("timeout", "")
        except MemoryError:
            return Answer("died", _TOO_MUCH)
        finally:
            process.kill()
    if process.returncode == 0:
        return Answer("done", printed.decode("utf-8", "replace"))
    told = errors.decode("utf-8", "replace").strip()
    if process.returncode == 1 and "Traceback" not in told:
        return Answer("refused", told)
    return Answer("died", described(process.returncode, told))


def _watched(
    process: "subprocess.Popen[bytes]", until_s: float, most_bytes: int
) -> tuple[bytes, bytes]:
    """What a process prints, and its errors; `TimeoutError` and `MemoryError` say what it broke."""
    import psutil

    # Memory is looked at from outside: not every system limits it, and compiled code may hold the
    # interpreter, so that no thread of the process itself could look.
    child = psutil.Process(process.pid)
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=_LOOK_S)
        if time.monotonic() > until_s:
            raise TimeoutError
        with contextlib.suppress(psutil.Error):  # it has ended just now
            if child.memory_info().rss > most_bytes:
                raise MemoryError


def described(code: int, errors: str) -> str:
    """Why a process ended, as a clause."""
    if "MemoryError" in errors or "memory allocation" in errors:
        return _TOO_MUCH
    last = errors.rpartition("\n")[2][:200]
    return last if code > 0 and last else f"it ended the process that read it ({code})"


def limit(memory_mib: int) -> None:
    """Limits this process's memory, where the system can; else its parent looks."""
    if sys.platform in ("win32", "darwin"):
        return
    import resource

    with contextlib.suppress(ValueError, OSError):  # a lower limit may be set already
        size = memory_mib << 20
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, _NO_CORE)
