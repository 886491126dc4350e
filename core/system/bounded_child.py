"""Does something risky in a process of its own, with a budget of seconds and of memory.

Compiled code of others can end its process, fill the memory or never return over a file that was
made to do harm; nothing inside one process guards against that.
"""

import contextlib
import faulthandler
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Collection
from dataclasses import dataclass
from typing import IO, Any, Final, Literal, NamedTuple

from core.storage.parsing import parse_json
from core.system import crash_reports
from core.system.processes import kill_tree, python_command, start_process

MEMORY_MIB: Final = 1536
"""Memory that a child may take by default."""

WAIT_S: Final = 60.0
"""Seconds that an answer of a child may take by default."""

_BEGIN = "from core.system.bounded_child import limit; limit({memory_mib}, {wait_s}); "
_GRACE_S = 10.0  # after which a child whose parent was killed ends by itself
_NO_CORE = (0, 0)
_LOOK_S = 0.1
_TOO_MUCH = "it takes too much memory"
_MOST_ERRORS = 100_000  # bytes of what a child wrote before its end

Outcome = Literal["done", "refused", "died", "timeout"]


@dataclass(frozen=True)
class Answer:
    """What came of it.

    Args:
        outcome: "refused" where the code itself found something wrong.
        text: What it printed; the reason of a refusal; of one that died, what the system says of
            its end.
        wait_s: How long it could take.
        errors: What it, and the libraries in it, wrote to standard error.
    """

    outcome: Outcome
    text: str
    wait_s: float = WAIT_S
    errors: str = ""

    @property
    def why(self) -> str:
        """Why it failed, a clause."""
        late = f"it took more than {self.wait_s:g} seconds"
        return late if self.outcome == "timeout" else self.text.strip().rstrip(".")


def ask(code: str, given: bytes, *, wait_s: float = WAIT_S, memory_mib: int = MEMORY_MIB) -> Answer:
    """Runs a line of Python of this program in a child process.

    Args:
        code: The line: it reads `sys.stdin.buffer`, prints, and raises `SystemExit` with a text for
            what it refuses.
        given: What it reads.
        wait_s: How long it may take; then it is killed.
        memory_mib: How much memory it may take.

    Returns:
        What came of it.
    """
    # A file, not a pipe: `communicate` hands over no more of it once it is called again.
    with tempfile.TemporaryFile() as file:
        file.write(given)
        file.seek(0)
        process = _started(code, wait_s, memory_mib, file, subprocess.PIPE)
    with process:
        try:
            printed, errors = _watched(process, time.monotonic() + wait_s, memory_mib << 20)
        except TimeoutError:
            return Answer("timeout", "", wait_s)
        except MemoryError:
            return Answer("died", _TOO_MUCH)
        finally:
            process.kill()
    told = errors.decode("utf-8", "replace").strip()
    if process.returncode == 0:
        return Answer("done", printed.decode("utf-8", "replace"), wait_s, told)
    if process.returncode == 1 and "Traceback" not in told:
        return Answer("refused", told, wait_s, told)
    return Answer("died", described(process.returncode, told), wait_s, told)


def _started(
    code: str, wait_s: float, memory_mib: int, given: IO[bytes] | int, errors: IO[bytes] | int
) -> "subprocess.Popen[bytes]":
    begin = _BEGIN.format(memory_mib=memory_mib, wait_s=wait_s)
    return start_process(
        python_command("-c", begin + code),
        memory_bytes=memory_mib << 20,
        stdin=given,
        stdout=subprocess.PIPE,
        stderr=errors,
    )


def _watched(
    process: "subprocess.Popen[bytes]", until_s: float, most_bytes: int
) -> tuple[bytes, bytes]:
    """What a process prints, and its errors; `TimeoutError` and `MemoryError` say what it broke."""
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=_LOOK_S)
        _check_budget(process.pid, until_s, most_bytes)


def _check_budget(pid: int, until_s: float, most_bytes: int) -> None:
    """Ends a process that took too much, with what it started: `TimeoutError` or `MemoryError`.

    Memory is looked at from outside: not every system limits it, and compiled code may hold the
    interpreter, so that no thread of the process itself could look.
    """
    import psutil

    if time.monotonic() > until_s:
        kill_tree(pid)
        raise TimeoutError
    with contextlib.suppress(psutil.Error):  # it has ended just now
        process = psutil.Process(pid)
        tree = [process, *process.children(recursive=True)]  # a launcher's memory is its child's
        if sum(each.memory_info().rss for each in tree) > most_bytes:
            kill_tree(pid)
            raise MemoryError


def described(code: int, errors: str) -> str:
    """Why a process ended, as a clause."""
    if "MemoryError" in errors or "memory allocation" in errors:
        return _TOO_MUCH
    last = errors.rpartition("\n")[2][:200]
    return last if code > 0 and last else f"it ended the process that read it ({code})"


def limit(memory_mib: int, wait_s: float) -> None:
    """Limits this process's memory, where a process can do so itself.

    Windows is asked for the limit at its start (`start_process`); elsewhere its parent looks, too.

    Args:
        memory_mib: How much it may take.
        wait_s: After how many seconds it ends, and a little more: its parent is sooner, if it
            still lives.
    """
    crash_reports.begin("helper")
    faulthandler.dump_traceback_later(wait_s + _GRACE_S, exit=True)
    if sys.platform == "win32":
        return
    import resource

    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    size = memory_mib << 20
    limits = {resource.RLIMIT_CORE: _NO_CORE, resource.RLIMIT_CPU: (hard, hard)}
    if sys.platform == "linux":  # what is reserved, and never used, does not count
        limits[resource.RLIMIT_DATA] = (size, size)
    for kind, value in limits.items():
        with contextlib.suppress(ValueError, OSError):  # a lower limit may be set already
            resource.setrlimit(kind, value)


class CallFailedError(Exception):
    """A call that a `BoundedService` could not answer.

    Args:
        answer: Why.
    """

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.why)
        self.answer = answer


class BoundedService:
    """An object in a child process; each call of its methods has a budget.

    The process starts with the first call, and anew with the next one after a call that ended it.

    Args:
        code: A line of Python that ends in `serve`.
        wait_s: How long a call may take.
        memory_mib: How much memory the process may take.
    """

    def __init__(self, code: str, *, wait_s: float = WAIT_S, memory_mib: int = MEMORY_MIB) -> None:
        self._code, self._wait_s, self._memory_mib = code, wait_s, memory_mib
        self._lock = threading.Lock()
        self._running: _Running | None = None

    def is_running(self) -> bool:
        """True if the process has been started and still lives."""
        return self._running is not None and self._running.process.poll() is None

    def end(self) -> None:
        """Ends the process; the next call starts another."""
        with self._lock:
            running, self._running = self._running, None
        if running is not None:
            running.end()

    def call(self, name: str, *arguments: Any) -> Any:
        """Calls a method of the object in the child.

        Args:
            name: The method's.
            *arguments: Plain values.

        Returns:
            Its result, as plain values.

        Raises:
            CallFailedError: If the method fails, or goes beyond the budget.
        """
        with self._lock:
            running = self._running or self._start()
            try:
                with contextlib.suppress(OSError):  # it has ended: its errors say why
                    running.process.stdin.write(json.dumps([name, arguments]).encode() + b"\n")
                    running.process.stdin.flush()
                outcome, value = self._answer(running)
            except BaseException:
                self._running = None
                running.end()
                raise
        if outcome == "refused":
            raise CallFailedError(Answer("refused", value))
        return value

    def _start(self) -> "_Running":
        errors = tempfile.TemporaryFile()  # noqa: SIM115, it is closed with the process
        process = _started(self._code, self._wait_s, self._memory_mib, subprocess.PIPE, errors)
        self._running = _Running(process, errors, queue.SimpleQueue())
        weakref.finalize(self, self._running.end)
        reading = (process.stdout, self._running.lines)
        threading.Thread(target=_read_lines, args=reading, name="answers", daemon=True).start()
        return self._running

    def _answer(self, running: "_Running") -> tuple[str, Any]:
        until_s, most_bytes = time.monotonic() + self._wait_s, self._memory_mib << 20
        while True:
            with contextlib.suppress(queue.Empty):
                line = running.lines.get(timeout=_LOOK_S)
                break
            try:
                _check_budget(running.process.pid, until_s, most_bytes)
            except TimeoutError:
                raise CallFailedError(Answer("timeout", "", self._wait_s)) from None
            except MemoryError:
                raise CallFailedError(Answer("died", _TOO_MUCH)) from None
        if not line:
            why = described(running.process.wait(), running.read_errors())
            raise CallFailedError(Answer("died", why))
        outcome, value = parse_json(line)
        return outcome, value


class _Running(NamedTuple):
    """The living process of a service.

    Args:
        process: The process.
        errors: Its error output.
        lines: Its answers; an empty one once it has ended.
    """

    process: Any
    errors: IO[bytes]
    lines: "queue.SimpleQueue[bytes]"

    def read_errors(self) -> str:
        """Returns the end of its error output."""
        size = self.errors.seek(0, os.SEEK_END)
        self.errors.seek(max(0, size - _MOST_ERRORS))
        return self.errors.read().decode("utf-8", "replace").strip()

    def end(self) -> None:
        """Ends the process; does nothing a second time."""
        self.process.kill()
        self.process.wait()
        with contextlib.suppress(OSError):  # what was not sent
            self.process.stdin.close()
        self.errors.close()


def _read_lines(file: IO[bytes], lines: "queue.SimpleQueue[bytes]") -> None:
    with file:
        for line in file:
            lines.put(line)
    lines.put(b"")


def serve(target: object, names: Collection[str], wait_s: float = WAIT_S) -> None:
    """Answers the calls of a `BoundedService` until it ends.

    Args:
        target: The object whose methods are called.
        names: Of those that may be.
        wait_s: How long a call may take.

    Raises:
        ValueError: If another method is called.
    """
    calls, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    faulthandler.cancel_dump_traceback_later()
    for line in calls:
        faulthandler.dump_traceback_later(wait_s + _GRACE_S, exit=True)
        name, arguments = parse_json(line)
        if name not in names:
            raise ValueError(name)
        try:
            answer = json.dumps(["done", getattr(target, name)(*arguments)])
        except MemoryError:
            raise
        except Exception as error:  # libraries raise nothing more exact
            answer = json.dumps(["refused", str(error) or type(error).__name__])
        answers.write(answer.encode() + b"\n")
        answers.flush()
        faulthandler.cancel_dump_traceback_later()
