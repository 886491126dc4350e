"""Has hostile files read in processes of their own, which may hang, crash or fill the memory."""

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty, Queue, SimpleQueue
from tempfile import TemporaryDirectory
from typing import Any

from core.system.limits import told_by_status
from tests.helpers.fuzz_seeds import seeds
from tests.helpers.hostile_files import SECRET, format_of_case
from tests.helpers.hostile_models import KINDS

ROOT = Path(__file__).parents[2]
_WAITING = 20
_START_S = 120  # on a machine with other work
READER = "core.documents.readers.door:read_bytes"


@dataclass(frozen=True)
class Outcome:
    """What came of a case.

    Args:
        number: The case.
        format: What its suffix promises.
        outcome: "document", "refusal" or "finding".
        what: What was found.
        seconds: How long it took the processor.
        peak_mib: The most memory that its process has held so far.
    """

    number: int
    format: str
    outcome: str
    what: str = ""
    seconds: float = 0.0
    peak_mib: float = 0.0


def run_cases(
    numbers: Iterable[int],
    seed: int,
    *,
    processes: int = 1,
    limit_s: float = 30.0,
    reader: str = READER,
    goes_on: bool = False,
) -> Iterator[Outcome]:
    """Reads cases, each process those of one format.

    Args:
        numbers: The cases.
        seed: Of all chance.
        processes: How many read at a time.
        limit_s: How long a case may take the processor; after `_WAITING` times as long by the
            clock it is given up.
        reader: Module and function that read.
        goes_on: Whether a process goes on with the next format, which saves its start; the memory
            that is told is then that of all formats so far.

    Yields:
        What came of each, as it comes.
    """
    by_format: dict[str, list[int]] = {key: [] for key in sorted(seeds())}
    for number in numbers:
        by_format[format_of_case(number)].append(number)
    with _listener() as (port, asked), TemporaryDirectory() as folder:
        secret = Path(folder) / "secret.txt"
        secret.write_text(SECRET, "utf-8")
        words = ["tests.helpers.fuzz_child", reader, str(seed), str(port), str(secret)]
        yield from _run(by_format, words, processes, limit_s, goes_on)
        if asked:
            yield Outcome(-1, "all", "finding", f"{len(asked)} connections to a named address")


def run_models(
    numbers: Iterable[int], seed: int, whole: Path, *, processes: int = 1, limit_s: float = 60.0
) -> Iterator[Outcome]:
    """Takes in hostile models, each process one kind after the other.

    Args:
        numbers: The cases.
        seed: Of all chance.
        whole: What `tests.helpers.model_child.bases` wrote.
        processes: How many work at a time.
        limit_s: As of `run_cases`.

    Yields:
        What came of each, as it comes.
    """
    by_kind: dict[str, list[int]] = {kind: [] for kind in KINDS}
    for number in numbers:
        by_kind[KINDS[number % len(KINDS)]].append(number)
    words = ["tests.helpers.model_child", str(seed), str(whole)]
    yield from _run(by_kind, words, processes, limit_s)


def _run(
    cases: dict[str, list[int]],
    words: list[str],
    processes: int,
    limit_s: float,
    goes_on: bool = False,
) -> Iterator[Outcome]:
    done: Queue[Outcome] = Queue()
    idle: SimpleQueue[_Child] = SimpleQueue()
    with ThreadPoolExecutor(processes) as pool:
        running = [
            pool.submit(_run_format, key, numbers, words, limit_s, done, idle, goes_on)
            for key, numbers in cases.items()
        ]
        while not all(task.done() for task in running) or not done.empty():
            try:
                yield done.get(timeout=0.2)
            except Empty:
                continue
        while not idle.empty():
            idle.get().end()
        for task in running:
            task.result()


def _run_format(
    key: str,
    cases: list[int],
    words: list[str],
    limit_s: float,
    done: "Queue[Outcome]",
    idle: "SimpleQueue[_Child]",
    goes_on: bool,
) -> None:
    child = None
    with suppress(Empty):
        child = idle.get_nowait()
    for number in cases:
        child = child or _Child(words)
        answer = child.ask(number, _WAITING * limit_s)
        if answer is None:
            how, is_limit = child.end()
            what = Outcome(number, key, "finding", how, limit_s)
            done.put(replace(what, outcome="refusal", what="") if is_limit else what)
            child = None
            continue
        outcome = Outcome(**answer)
        if outcome.seconds > limit_s and not outcome.what:
            outcome = replace(outcome, outcome="finding", what="took too long")
        done.put(outcome)
    if child and goes_on:
        idle.put(child)
    elif child:
        child.end()


class _Child:
    """One process that reads."""

    def __init__(self, words: list[str]) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env=environment,
        )
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self._line(_START_S) == b"ready", "the process did not start"

    def ask(self, number: int, limit_s: float) -> dict[str, Any] | None:
        """What came of a case; None if the process did not answer in time, or is gone."""
        pipe = self._process.stdin
        assert pipe
        try:
            pipe.write(f"{number}\n".encode())
            pipe.flush()
        except OSError:
            return None
        line = self._line(limit_s)
        return None if line is None else json.loads(line)

    def end(self) -> tuple[str, bool]:
        """Ends the process; says how it stood, and whether one of its own limits had ended it."""
        code = self._process.poll()
        if code is None:
            self._process.kill()
        self._process.wait()
        self._reader.join()
        assert self._process.stdin and self._process.stdout
        with suppress(OSError):  # what was not sent
            self._process.stdin.close()
        self._process.stdout.close()
        how = "ran past its time" if code is None else f"the process ended with {code}"
        return how, code is not None and bool(told_by_status(code))

    def _read(self) -> None:
        """Passes on what the process says; a thread does, since Windows waits for no pipes."""
        assert self._process.stdout
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def _line(self, limit_s: float) -> bytes | None:
        with suppress(Empty):
            if line := self._lines.get(timeout=limit_s):
                return line.strip()
            self._process.wait()
        return None


@contextmanager
def _listener() -> Iterator[tuple[int, list[object]]]:
    """A port on this machine, and who asked there."""
    asked: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            while True:
                try:
                    connection, address = server.accept()
                except OSError:
                    return
                asked.append(address)
                connection.close()

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1], asked
        with suppress(OSError):  # on Windows, a port that listens is only closed
            server.shutdown(socket.SHUT_RDWR)
