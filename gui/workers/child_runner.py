"""Runs jobs in the warm engine child, and watches over it from a thread.

A child that dies is told, and another one is started at once; the job that ran is lost, nothing
else is.
"""

import queue
import threading
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QThread, Signal

from core.events import Event, Failed, Finished, Stopped
from core.jobs.child import RunJob, StopJob, command
from core.jobs.job import Job
from core.processes import Child, ChildEndedError
from core.stop import Wish

PATIENCE_S = 2.0
"""So long a job may take to heed a wish to end; then the child is ended and started anew."""


@dataclass(frozen=True)
class _Order:
    number: int
    job: Job


class ChildRunner(QThread):
    """The engine child and the thread that follows it. One job at a time, in order.

    Args:
        log: A file for the child's error output; None throws it away.

    Signals:
        happened: Number of the run, and its event.
        restarted: The child had died and another one is there; a sentence.
    """

    happened = Signal(int, object)
    restarted = Signal(str)

    def __init__(self, log: Path | None = None) -> None:
        super().__init__()
        self._log = log
        self._orders: queue.SimpleQueue[_Order | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._current = 0
        self._wishes: dict[int, Wish] = {}
        self._closing = False
        self._patience: threading.Timer | None = None

    def submit(self, number: int, job: Job) -> None:
        """Puts a job in line.

        Args:
            number: The caller's number for this run.
            job: What to do.
        """
        self._orders.put(_Order(number, job))

    def request_stop(self, number: int, wish: Wish) -> None:
        """Asks a run to end, also one that has not begun.

        Args:
            number: The run.
            wish: How.
        """
        with self._lock:
            self._wishes[number] = wish
            child = self._child if number == self._current else None
        if child is None:
            return
        try:
            child.channel.send(StopJob(wish))
        except ChildEndedError:
            return  # the watching thread sees it too, and tells
        with self._lock:
            if number != self._current or self._patience is not None:
                return  # it is over already, or was asked before
            self._patience = threading.Timer(PATIENCE_S, self._lose_patience, (number, child))
            self._patience.daemon = True
            self._patience.start()

    def _lose_patience(self, number: int, child: Child) -> None:
        with self._lock:
            late = number == self._current
        if late:
            child.kill()

    @property
    def child_pid(self) -> int:
        """The child's process number; 0 while there is none."""
        with self._lock:
            return self._child.pid if self._child else 0

    def close(self) -> None:
        """Ends the child and the thread."""
        self._closing = True
        self._orders.put(None)
        with self._lock:
            child = self._child if self._current else None
        if child is not None:
            child.kill()
        self.wait()

    def run(self) -> None:
        """The thread's own body."""
        while (order := self._orders.get()) is not None and not self._closing:
            self._execute(order)
        if self._child is not None:
            self._child.end()
            self._child = None

    def _execute(self, order: _Order) -> None:
        with self._lock:
            wish = self._wishes.pop(order.number, None)
            self._current = 0 if wish else order.number
        if wish:
            self.happened.emit(order.number, Stopped(wish))
            return
        child: Child | None = None
        try:
            child = self._living_child()
            child.channel.send(RunJob(order.job))
            with self._lock:
                wish = self._wishes.get(order.number)
            if wish:  # it came before the job was on its way
                child.channel.send(StopJob(wish))
            self._follow(order.number, child)
        except (ChildEndedError, OSError) as error:
            self._tell_death(order.number, child, error)
        with self._lock:
            self._current = 0
            self._wishes.pop(order.number, None)
            if self._patience is not None:
                self._patience.cancel()
                self._patience = None

    def _living_child(self) -> Child:
        if self._child is None or not self._child.alive():
            child = Child(command(), self._log)
            with self._lock:
                self._child = child
        return self._child

    def _follow(self, number: int, child: Child) -> None:
        while True:
            event: Event = child.channel.receive()
            self.happened.emit(number, event)
            if isinstance(event, Finished | Failed | Stopped):
                return

    def _tell_death(self, number: int, child: Child | None, error: Exception) -> None:
        why = child.how_it_ended() if child else str(error)
        with self._lock:
            wish = self._wishes.get(number)
            self._child = None
        if child is not None:
            child.end()
        if wish or self._closing:
            self.happened.emit(number, Stopped(wish or "cancel"))
            return
        self.happened.emit(
            number,
            Failed(
                f"The part of the program that reads documents ended early: {why}.",
                "Nothing else is lost, and it has been started again; open the document once more.",
                kind="ended",
            ),
        )
        self._restart(why)

    def _restart(self, why: str) -> None:
        try:
            self._living_child()
        except OSError:
            return  # the next job tries again, and tells
        self.restarted.emit(why)
