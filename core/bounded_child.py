"""Does something risky in a process of its own, with a budget of seconds and of memory.

Compiled code of others can end its process, fill the memory or never return over a file that was
made to do harm; nothing inside one process guards against that.
"""

import contextlib
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

_NO_CORE = (0, 0)

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
        memory_mib: How much address space it may take; not limited on Windows and macOS.

    Returns:
        What came of it.
    """
    begin = f"from core.bounded_child import limit; limit({memory_mib}); "
    command: Sequence[str] = [sys.executable, "-P", "-c", begin + code]
    try:
        done = subprocess.run(
            command,
            input=given,
            capture_output=True,
            timeout=wait_s,
            start_new_session=sys.platform != "win32",  # Ctrl-C is the parent's to answer
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Answer("timeout", "")
    if done.returncode == 0:
        return Answer("done", done.stdout.decode("utf-8", "replace"))
    told = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode == 1 and "Traceback" not in told:
        return Answer("refused", told)
    return Answer("died", described(done.returncode, told))


def described(code: int, errors: str) -> str:
    """Why a process ended, as a clause."""
    if "MemoryError" in errors or "memory allocation" in errors:
        return "it takes too much memory"
    last = errors.rpartition("\n")[2][:200]
    return last if code > 0 and last else f"it ended the process that read it ({code})"


def limit(memory_mib: int) -> None:
    """Limits this process's memory, where the system can."""
    if sys.platform in ("win32", "darwin"):
        return
    import resource

    with contextlib.suppress(ValueError, OSError):  # a lower limit may be set already
        size = memory_mib << 20
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, _NO_CORE)
