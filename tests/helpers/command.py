"""Runs `epitome` in a process of its own, as a person would."""

import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
_LOOK_S = 0.005
PROGRAM = [sys.executable, "-m", "core.cli"]


def start(*arguments: str, before: tuple[str, ...] = ()) -> subprocess.Popen[bytes]:
    """Starts the command with pipes on all three sides.

    Args:
        *arguments: What is typed after ``epitome``.
        before: A command that starts the command.
    """
    pipe = subprocess.PIPE
    command = [*before, *PROGRAM, *arguments]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=ROOT)


def wait_until(
    process: "subprocess.Popen[bytes] | subprocess.Popen[str]", is_so: Callable[[], object]
) -> None:
    """Waits for what a process brings about, without taking the processor from it.

    Args:
        process: Fails the test when it ends before.
        is_so: What is waited for; looked at often.
    """
    while not is_so():
        with suppress(subprocess.TimeoutExpired):
            code = process.wait(_LOOK_S)
            raise AssertionError(f"the process has ended before, with {code}")


def epitome(
    *arguments: str, given: bytes = b"", before: tuple[str, ...] = ()
) -> tuple[int, str, str]:
    """Runs the command to its end.

    Args:
        *arguments: What is typed after ``epitome``.
        given: What comes through the pipe.
        before: A command that starts the command.

    Returns:
        Exit code, standard output, standard error.
    """
    with start(*arguments, before=before) as process:
        out, err = process.communicate(given)
    return process.returncode, out.decode(), err.decode()
