"""Writes small things in the order they were asked for, off the window's thread."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from core.events import Failed
from core.jobs.keep import KeepJob
from gui.workers.controller import Controller


class Keeper(QObject):
    """A queue of writes, one at a time; a newer write of the same thing replaces a waiting one.

    Args:
        controller: Runs them.
    """

    failed = Signal(object)
    """The `Failed` of a write that did not go."""

    def __init__(self, controller: Controller) -> None:
        super().__init__()
        self._controller = controller
        self._waiting: dict[str, Callable[[], object]] = {}
        self._busy = False

    def keep(self, what: str, write: Callable[[], object]) -> None:
        """Writes soon.

        Args:
            what: Names what is written.
            write: Does it; it is called in another thread.
        """
        self._waiting.pop(what, None)
        self._waiting[what] = write
        self._next()

    def _next(self) -> None:
        if self._busy or not self._waiting:
            return
        self._busy = True
        write = self._waiting.pop(next(iter(self._waiting)))
        run = self._controller.run_in_thread(KeepJob(write))
        run.failed.connect(self._tell)
        run.ended.connect(self._done)

    def _tell(self, failure: Failed) -> None:
        self.failed.emit(failure)

    def _done(self) -> None:
        self._busy = False
        self._next()

    def close(self) -> None:
        """Writes at once what still waits; the controller must have been closed before."""
        for write in self._waiting.values():
            write()
        self._waiting.clear()
