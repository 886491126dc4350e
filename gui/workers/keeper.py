"""Writes small things in the order they were asked for, off the window's thread."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from core.events import Failed
from core.jobs.call import CallJob
from core.jobs.run import run_inline
from core.stop import StopToken
from gui.workers.controller import Controller


class Keeper(QObject):
    """A queue of writes, one at a time; a newer write of the same thing replaces a waiting one.

    Args:
        controller: Runs them.
    """

    failed = Signal(object)
    """The `Failed` of a write that did not go."""
    kept = Signal(str)
    """The name of what was written, or could not be."""

    def __init__(self, controller: Controller) -> None:
        super().__init__()
        self._controller = controller
        self._waiting: dict[str, Callable[[], object]] = {}
        self._busy = False

    @property
    def is_busy(self) -> bool:
        """Whether something is being written, or waits for it."""
        return self._busy or bool(self._waiting)

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
        if self._controller.is_closed:
            self.close()
            return
        if self._busy or not self._waiting:
            return
        self._busy = True
        what = next(iter(self._waiting))
        run = self._controller.run_in_thread(CallJob(self._waiting.pop(what)))
        run.failed.connect(self._tell)
        run.ended.connect(lambda: self._done(what))

    def _tell(self, failure: Failed) -> None:
        self.failed.emit(failure)

    def _done(self, what: str) -> None:
        self._busy = False
        self.kept.emit(what)
        self._next()

    def close(self) -> None:
        """Writes at once what still waits; the controller must have been closed before.

        A write that fails keeps no other one from being done; nobody is left to be told.
        """
        waiting, self._waiting = self._waiting, {}
        for write in waiting.values():
            for _ in run_inline(CallJob(write), StopToken()):
                pass
