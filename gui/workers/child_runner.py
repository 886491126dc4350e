"""Runs jobs in the warm engine child, and follows it from a thread.

A child that dies is told, and another one is started at once; the job that ran is lost, nothing
else is.
"""

import queue
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QThread, Signal

from core.events import Failed
from core.jobs.job import Job
from core.jobs.lanes.child_process import ChildProcess
from core.stop import StopToken, Wish

_HEEDS_S = 2.0
_KEEPS_S = 60.0
"""A summary that is stopped gets its evidence before it is shown."""
_NAME = "The part of the program that reads documents"
_REMEDY = "Nothing else is lost, and it has been started again; open the document once more."


@dataclass(frozen=True)
class _Order:
    number: int
    job: Job
    stop: StopToken


class ChildRunner(QThread):
    """The engine child and the thread that follows it. One job at a time, in order.

    Args:
        log: A file for the child's error output; None throws it away.
        name: What the child is called when it ends early; begins a sentence.
        remedy: What a person can do then.

    Signals:
        happened: Number of the run, and its event.
        restarted: The child had died and another one is there.
    """

    happened = Signal(int, object)
    restarted = Signal()

    def __init__(self, log: Path | None = None, name: str = _NAME, remedy: str = _REMEDY) -> None:
        super().__init__()
        self.process = ChildProcess(name, remedy, log=log, heeds_s=_HEEDS_S, keeps_s=_KEEPS_S)
        self._orders: queue.SimpleQueue[_Order | None] = queue.SimpleQueue()
        self._stops: dict[int, StopToken] = {}
        self._closing = False

    def submit(self, number: int, job: Job) -> None:
        """Puts a job in line.

        Args:
            number: The caller's number for this run.
            job: What to do.
        """
        stop = self._stops[number] = StopToken()
        self._orders.put(_Order(number, job, stop))

    def request_stop(self, number: int, wish: Wish) -> None:
        """Asks a run to end, also one that has not begun; one that is over is left alone.

        Args:
            number: The run.
            wish: How.
        """
        if (stop := self._stops.get(number)) is not None:
            stop.request(wish)

    @property
    def child_pid(self) -> int:
        """The child's process number; 0 while there is none."""
        return self.process.pid

    def close(self) -> None:
        """Ends the child and the thread."""
        self._closing = True
        self._orders.put(None)
        for stop in list(self._stops.values()):
            stop.request("cancel")
        self.process.close()
        self.wait()

    def run(self) -> None:
        """The thread's own body."""
        while (order := self._orders.get()) is not None and not self._closing:
            self._execute(order)
        self.process.close()

    def _execute(self, order: _Order) -> None:
        died = False
        for event in self.process.run(order.job, order.stop):
            died = isinstance(event, Failed) and event.kind == "ended"
            self.happened.emit(order.number, event)
        del self._stops[order.number]
        if died and not self._closing:
            self._restart()

    def _restart(self) -> None:
        with suppress(OSError):  # the next job tries again, and tells
            self.process.start()
            self.restarted.emit()
