"""Starts, watches and ends a child process, and passes objects to and fro. Knows no jobs.

Objects cross as length-prefixed pickles over the child's own standard input and output, between
two processes of the same program; nothing of this ever lies in a file.
"""

import contextlib
import os
import pickle
import queue
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import IO, Any

from core.stop import StopToken
from core.storage.regular_files import open_regular
from core.system.process_environment import safe_environment

_OOM_SCORE = Path("/proc/self/oom_score_adj")
_SESSION_PRIORITY = Path("/proc/self/autogroup")
_LOW_PRIORITY = 5
_VM_COUNTERS = Path("/proc/vmstat")
_LONGEST_LOG_BYTES = 1_000_000
_LOOK_S = 0.05
_NEW_PROCESS_GROUP, _NO_WINDOW = 0x00000200, 0x08000000  # of CreateProcess
_LENGTH = struct.Struct("<Q")


def python_command(*arguments: str, python: Path | None = None) -> list[str]:
    """Returns the command line of a Python process; every one that is started is made here.

    Args:
        *arguments: As Python takes them, such as ``-c`` and code.
        python: The Python; None for the running one.

    Returns:
        The command. The process imports nothing from the folder in which it is started, and heeds
        the user's environment and packages only where this process does.
    """
    options = ["-P"]
    if sys.flags.ignore_environment:
        options.append("-E")
    if sys.flags.no_user_site:
        options.append("-s")
    return [str(python or sys.executable), *options, *arguments]


def start_process(
    command: Sequence[str], *, memory_bytes: int | None = None, **options: Any
) -> "subprocess.Popen[Any]":
    """Starts a process; every one that does not outlive this one is started here.

    Windows ends it with this process, however this one ends.

    Args:
        command: The program and its arguments.
        memory_bytes: Memory that Windows lets it take, with all that it starts; None for any.
        **options: As `subprocess.Popen` takes them.

    Returns:
        The process.

    Raises:
        OSError: If it cannot be started.
    """
    own = own_process_options(command)
    if sys.platform == "win32":  # not "!=" and a return: mypy then looks for names of Windows here
        from core.system.job_objects import SUSPENDED, contain

        own["creationflags"] |= SUSPENDED
        process = subprocess.Popen(**own, **options)
        try:
            contain(int(process._handle), memory_bytes)  # type: ignore[attr-defined]
        except BaseException:
            process.kill()
            raise
        return process
    return subprocess.Popen(**own, **options)


def _start_apart(command: Sequence[str], **options: Any) -> "subprocess.Popen[Any]":
    """Starts a process that stays when this one ends, also one that is ended with its parent."""
    own = own_process_options(command)
    if sys.platform == "win32":
        from core.system.job_objects import BREAKAWAY

        flags = own["creationflags"]
        with contextlib.suppress(PermissionError):  # of a job of another program
            return subprocess.Popen(**own | {"creationflags": flags | BREAKAWAY}, **options)
    return subprocess.Popen(**own, **options)


def own_process_options(command: Sequence[str], system: str = sys.platform) -> dict[str, Any]:
    """Returns options of `subprocess.Popen` for a process that is apart from this one.

    Ctrl-C in the terminal does not reach it, since it is its parent's to answer; on Windows it
    opens no console window.

    Args:
        command: The program and its arguments.
        system: As `sys.platform` names it.

    Returns:
        Command, environment and flags.
    """
    words, environment = list(command), safe_environment(os.environ)
    if system != "win32":
        return {"args": words, "env": environment, "start_new_session": True}
    base = str(getattr(sys, "_base_executable", sys.executable))
    if words[0] == sys.executable != base:
        # Python in a virtual environment is a launcher that starts the real one as its child: the
        # launcher's number, memory and end would be taken for those of the child. The variable has
        # the real one use the environment, as `multiprocessing` does it.
        words[0] = base
        environment["__PYVENV_LAUNCHER__"] = sys.executable
    return {"args": words, "env": environment, "creationflags": _NEW_PROCESS_GROUP | _NO_WINDOW}


def run_program(
    command: Sequence[str], timeout_s: float | None = None
) -> "subprocess.CompletedProcess[str]":
    """Runs a program to its end.

    Args:
        command: The program and its arguments.
        timeout_s: How long it may take; then it is killed. None for ever.

    Returns:
        Its exit status, what it printed, and its errors.

    Raises:
        OSError: If it cannot be started.
        subprocess.TimeoutExpired: If it takes longer.
    """
    process: subprocess.Popen[str] = start_process(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    with process:
        try:
            printed, errors = process.communicate(timeout=timeout_s)
        finally:
            _end_group(process)
    return subprocess.CompletedProcess(process.args, process.returncode, printed, errors)


class ChildEndedError(Exception):
    """The other side is gone."""


class Channel:
    """One end of a two-way line of objects.

    Args:
        incoming: Where the other side's objects arrive.
        outgoing: Where ours go.
    """

    def __init__(self, incoming: IO[bytes], outgoing: IO[bytes]) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._lock = threading.Lock()

    def send(self, value: Any) -> None:
        """Sends one object; may be called from several threads.

        Args:
            value: Anything that pickles.

        Raises:
            ChildEndedError: If the other side is gone.
        """
        data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        try:
            with self._lock:
                self._outgoing.write(_LENGTH.pack(len(data)))
                self._outgoing.write(data)
                self._outgoing.flush()
        except (OSError, ValueError) as error:
            raise ChildEndedError from error

    def receive(self) -> Any:
        """Waits for the next object.

        Returns:
            What the other side sent.

        Raises:
            ChildEndedError: If the other side is gone, or was cut off in the middle.
        """
        (length,) = _LENGTH.unpack(self._read(_LENGTH.size))
        return pickle.loads(self._read(length))

    def _read(self, length: int) -> bytes:
        try:
            data = self._incoming.read(length)
        except (OSError, ValueError) as error:
            raise ChildEndedError from error
        if len(data) < length:
            raise ChildEndedError
        return data

    def close(self) -> None:
        """Closes our outgoing end, which the other side takes as good-bye."""
        # A broken pipe while flushing: the other side went first.
        with contextlib.suppress(OSError):
            self._outgoing.close()


class Child:
    """A child process at the other end of a channel.

    Args:
        command: The program and its arguments.
        log: A file to which its error output is appended; None throws it away.
    """

    def __init__(self, command: Sequence[str], log: Path | None = None) -> None:
        errors = _opened(log) if log else None
        self._process: subprocess.Popen[bytes] = start_process(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors or subprocess.DEVNULL,
        )
        if errors:
            errors.close()
        assert self._process.stdin and self._process.stdout
        self.channel = Channel(self._process.stdout, self._process.stdin)

    @property
    def pid(self) -> int:
        """The child's process number."""
        return self._process.pid

    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def kill(self) -> None:
        """Ends it at once."""
        self._process.kill()

    def end(self, patience_s: float = 2.0) -> None:
        """Says good-bye, waits, and kills it only if it does not go.

        Args:
            patience_s: How long to wait, in seconds.
        """
        self.channel.close()
        try:
            self._process.wait(patience_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()

    def leave(self) -> None:
        """Leaves its end to a thread: what it waits for itself may never come."""
        threading.Thread(target=self.end, name=f"reaper of {self.pid}", daemon=True).start()

    def status(self) -> int:
        """Waits for its end; gives its exit status, negative for a signal."""
        return self._process.wait()

    def how_it_ended(self) -> str:
        """What the system says of its end, as a clause ("it was ended by signal 9, SIGKILL")."""
        return describe_exit(self.status())


def start_detached(command: Sequence[str], log: Path) -> "Detached":
    """Starts a process that outlives this one, whatever ends this one.

    Args:
        command: The program and its arguments.
        log: Where all that it prints is appended; thrown away where that cannot be written.

    Returns:
        The process; it need not be kept.

    Raises:
        OSError: If it cannot be started.
    """
    output = _opened(log)
    try:
        process: subprocess.Popen[bytes] = _start_apart(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output or subprocess.DEVNULL,
            stderr=subprocess.STDOUT if output else subprocess.DEVNULL,
            close_fds=True,
        )
    finally:
        if output:
            output.close()
    # It leaves no zombie when it ends, and `subprocess` does not warn when nobody waits for it.
    threading.Thread(target=process.wait, name=f"reaper of {process.pid}", daemon=True).start()
    return Detached(process)


class Detached:
    """A process that this one has started and that outlives it.

    Args:
        process: The process.
    """

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    @property
    def pid(self) -> int:
        """Its process number."""
        return self._process.pid

    def ended(self, wait_s: float) -> bool:
        """Waits for its end, so many seconds at most; whether it came."""
        try:
            self._process.wait(wait_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    def kill(self) -> None:
        """Ends it at once."""
        self._process.kill()

    def how_it_ended(self) -> str:
        """What the system says of its end, as a clause."""
        return describe_exit(self._process.wait())

    def was_killed(self) -> bool:
        """Whether SIGKILL ended it: the signal that the system sends when memory runs out."""
        return sys.platform != "win32" and self._process.wait() == -signal.SIGKILL


def _opened(log: Path) -> IO[bytes] | None:
    """The log to append to, begun anew when it is long; None when it cannot be written."""
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        grown = log.exists() and log.stat().st_size > _LONGEST_LOG_BYTES
        return open_regular(log, "wb" if grown else "ab")
    except OSError:
        return None


def describe_exit(code: int) -> str:
    """An exit status in words.

    Args:
        code: As `subprocess` gives it: negative for a signal.

    Returns:
        A clause whose subject is "it".
    """
    if code == 0:
        return "it exited with status 0"
    if code > 0:
        return f"it ended with status {code}"
    name = signal.Signals(-code).name if -code in set(signal.Signals) else "unknown"
    hint = ": memory ran out, or somebody ended it" if name == "SIGKILL" else ""
    return f"it was ended by signal {-code}, {name}{hint}"


def parent_channel() -> Channel:
    """The child's end of the line; what the child prints from then on goes to its error output."""
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return Channel(incoming, outgoing)


def count_memory_kills() -> int | None:
    """How many processes the kernel has ended since boot because memory ran out; Linux only."""
    with contextlib.suppress(OSError, ValueError):
        counters = dict(line.split() for line in _VM_COUNTERS.read_text("utf-8").splitlines())
        return int(counters["oom_kill"]) if "oom_kill" in counters else None
    return None


def go_first_when_memory_ends() -> None:
    """Where memory runs out, the system ends this process before any other; Linux only."""
    with contextlib.suppress(OSError):
        _OOM_SCORE.write_text("1000", "utf-8")


def give_way() -> None:
    """Lets programs that a person waits for use the processor before this process.

    The process must lead a session of its own: where Linux shares out the processor by session, the
    priority of the whole session is lowered. What it starts from then on inherits the priority.
    """
    if sys.platform == "win32":
        import psutil  # which the window's first paint does not wait for

        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
        return
    own = max(_LOW_PRIORITY, os.getpriority(os.PRIO_PROCESS, 0))
    os.setpriority(os.PRIO_PROCESS, 0, own)
    with contextlib.suppress(OSError):
        _SESSION_PRIORITY.write_text(str(own), "utf-8")


def lines_of(command: Sequence[str], stop: StopToken) -> Generator[str, None, int]:
    """Runs a program, and gives what it prints line by line; it ends with this generator.

    Args:
        command: The program and its arguments.
        stop: Ends it at once, with all that it has started.

    Yields:
        Each line of its output and of its errors, without its end.

    Returns:
        Its exit status.

    Raises:
        OSError: If it cannot be started.
        Stopping: If an end was asked for.
    """
    process: subprocess.Popen[str] = start_process(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    reader = threading.Thread(target=_pass_on, args=(process, lines), name="reader of lines")
    reader.start()
    try:
        while (line := _next_line(lines, stop)) is not None:
            yield line
        return process.wait()
    finally:
        _end_group(process)
        reader.join()


def _pass_on(process: "subprocess.Popen[str]", lines: "queue.SimpleQueue[str | None]") -> None:
    assert process.stdout
    with process.stdout:
        for line in process.stdout:
            lines.put(line.rstrip("\r\n"))
    lines.put(None)


def _next_line(lines: "queue.SimpleQueue[str | None]", stop: StopToken) -> str | None:
    while True:
        stop.raise_if_set()
        with contextlib.suppress(queue.Empty):
            return lines.get(timeout=_LOOK_S)


def _end_group(process: "subprocess.Popen[str]") -> None:
    """Kills a program and what it has started, if it still runs."""
    if process.poll() is None:
        if sys.platform == "win32":  # which knows no groups to kill
            kill_tree(process.pid)
        else:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def kill_tree(pid: int) -> None:
    """Kills a process and all that it has started, and they again.

    Args:
        pid: Its number; nothing happens where it has ended.
    """
    import psutil

    with contextlib.suppress(psutil.NoSuchProcess):
        first = psutil.Process(pid)
        for process in (first, *first.children(recursive=True)):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
