"""Keeps the computer awake while long work runs."""

import os
import select
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from core.system.process_environment import find_program
from core.system.processes import start_process

_PATIENCE_S = 2.0
_CONTINUOUS, _SYSTEM_REQUIRED = 0x80000000, 0x00000001  # of SetThreadExecutionState


@contextmanager
def kept_awake(why: str, system: str = sys.platform) -> Iterator[str]:
    """Keeps the computer from going to sleep inside the block, also if this process is killed.

    Args:
        why: What runs, as the system tells it to the person.
        system: As `sys.platform` names it.

    Yields:
        Why the computer may go to sleep; empty if it stays awake.
    """
    if system == "win32":
        with _kept_awake_by_windows() as refused:
            yield refused
        return
    command = _command(why, system)
    if not command or find_program(command[0]) is None:
        yield f"{command[0]} is not installed" if command else "not supported on this system"
        return
    with _running(command) as refused:
        yield refused


def _command(why: str, system: str) -> list[str]:
    """A program that keeps the computer awake until its standard input is closed."""
    # It prints a line once it holds the lock. Its input is closed however this process ends.
    waits = ["sh", "-c", "echo && exec cat"]
    if system == "linux":
        about = ("--what=idle:sleep", "--who=Epitome", f"--why={why}", "--mode=block")
        return ["systemd-inhibit", *about, *waits]
    return ["caffeinate", "-i", *waits] if system == "darwin" else []


@contextmanager
def _running(command: Sequence[str]) -> Iterator[str]:
    try:
        process: subprocess.Popen[bytes] = start_process(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except OSError as error:
        yield f"{command[0]}: {error.strerror or error}"
        return
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        ready, _, _ = select.select([process.stdout], [], [], _PATIENCE_S)
        is_held = bool(ready and os.read(process.stdout.fileno(), 1))
        yield "" if is_held else f"{command[0]}: {_told(process)}"
    finally:
        with suppress(OSError):
            process.stdin.close()
        _end(process)


def _told(process: "subprocess.Popen[bytes]") -> str:
    """The last line of what a program that failed has printed."""
    if process.poll() is None:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_PATIENCE_S)
    if process.poll() is None:
        return "it does not answer"
    assert process.stderr is not None
    lines = process.stderr.read().decode("utf-8", "replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "it ended early")


def _end(process: "subprocess.Popen[bytes]") -> None:
    try:
        process.wait(_PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()


@contextmanager
def _kept_awake_by_windows() -> Iterator[str]:
    import ctypes

    set_state = ctypes.windll.kernel32.SetThreadExecutionState  # type: ignore[attr-defined, unused-ignore]
    is_held = bool(set_state(_CONTINUOUS | _SYSTEM_REQUIRED))
    try:
        yield "" if is_held else "Windows refused it"
    finally:
        set_state(_CONTINUOUS)
