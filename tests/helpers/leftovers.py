"""What a test may not leave running: threads, Qt threads, child processes."""

import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
from PySide6.QtCore import QThread, QThreadPool

from core.system.bounded_child import BoundedService
from tests.helpers import warm_processes

GRACE_S = 30.0  # an upper bound on how long an ending thread or process is waited for
_started: list[QThread] = []
_start: Callable[..., None] = QThread.start


def _start_and_remember(thread: QThread, *arguments: QThread.Priority) -> None:
    _started.append(thread)
    _start(thread, *arguments)


QThread.start = _start_and_remember  # type: ignore[method-assign,assignment]


@contextmanager
def nothing_left_running() -> Iterator[None]:
    """Raises AssertionError if something that began inside still runs a while after the end."""
    threads = set(threading.enumerate())
    children = _all_children()
    _started.clear()
    yield
    if _all_children() - children:
        _end_services()
    left = [*_qt_threads(), *_threads(threads), *_children(children)]
    assert not left, f"left running: {', '.join(left)}"


def command_line(process: psutil.Process) -> str:
    """The words of a process's command, also of one that was forked."""
    return warm_processes.words_of_fork(process.pid) or " ".join(process.cmdline())


def _end_services() -> None:
    """Ends the processes of tokenizers and models that the test still refers to."""
    for each in gc.get_objects():
        if type(each) is BoundedService:
            each.end()


def living_children(pid: int | None = None) -> list[psutil.Process]:
    """The processes that one has started and that still run; none that waits to be reaped.

    Args:
        pid: The number of the one that started them; None for this process.
    """
    return [
        child
        for child in psutil.Process(pid).children()
        if child.status() != psutil.STATUS_ZOMBIE and not warm_processes.is_server(child.pid)
    ]


def _all_children() -> set[psutil.Process]:
    """The processes that this one has started; on Linux without a look at all others there are."""
    found = set[psutil.Process]()
    try:
        listed = [
            each.read_text("utf-8").split() for each in Path("/proc/self/task").glob("*/children")
        ]
    except OSError:
        listed = []
    if not listed:
        return set(psutil.Process().children())
    for pid in {int(word) for words in listed for word in words} - {warm_processes.server_pid()}:
        with suppress(psutil.NoSuchProcess):
            found.add(psutil.Process(pid))
    return found


def _qt_threads() -> Iterator[str]:
    if not QThreadPool.globalInstance().waitForDone(int(GRACE_S * 1000)):
        yield "the global QThreadPool"
    for thread in _started:
        try:
            ended = thread.wait(int(GRACE_S * 1000))
        except RuntimeError:
            continue  # Qt deleted it, which it does with ended threads only
        if not ended:
            yield f"{type(thread).__name__} {thread.objectName()}".strip()


def _threads(before: set[threading.Thread]) -> Iterator[str]:
    for thread in set(threading.enumerate()) - before:
        if isinstance(thread, threading._DummyThread):
            continue  # Python's shadow of a Qt thread
        thread.join(GRACE_S)
        if thread.is_alive():
            yield thread.name


def _children(before: set[psutil.Process]) -> Iterator[str]:
    new = _all_children() - before
    for child in psutil.wait_procs(filter(_matters, new), timeout=GRACE_S)[1]:
        command = command_line(child)
        child.kill()
        child.wait()
        yield f"process {child.pid} ({command})"


def _matters(child: psutil.Process) -> bool:
    try:
        # The interpreter's own helper for shared things ends with it.
        return "multiprocessing.resource_tracker" not in " ".join(child.cmdline())
    except psutil.NoSuchProcess:
        return False
