"""The newest of several runs for the same purpose."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject
from shiboken6 import isValid

from gui.workers.runner import Run

Hear = Callable[[Any], object]


class LatestRun:
    """The newest run of its kind: it ends the one before, which is not heard any more."""

    def __init__(self) -> None:
        self._run: Run | None = None

    @property
    def is_running(self) -> bool:
        """True while a result is expected."""
        return self._run is not None

    def follow(
        self,
        run: Run,
        finished: Hear,
        failed: Hear | None = None,
        happened: Hear | None = None,
    ) -> None:
        """Listens to a run instead of the one before.

        Args:
            run: The run.
            finished: Takes its result.
            failed: Takes its `Failed`; None to ignore it.
            happened: Takes its other events; None to ignore them.
        """
        self.stop()
        self._run = run
        if happened is not None:
            run.happened.connect(lambda event: self._hear(run, happened, event, over=False))
        run.finished.connect(lambda result: self._hear(run, finished, result, over=True))
        on_failure = failed or (lambda failure: None)
        run.failed.connect(lambda failure: self._hear(run, on_failure, failure, over=True))

    def stop(self) -> None:
        """Ends the run, and hears no more of it."""
        run, self._run = self._run, None
        if run is not None:
            run.stop()

    def _hear(self, run: Run, hear: Hear, value: object, *, over: bool) -> None:
        if run is self._run:
            if over:
                self._run = None
            listener = getattr(hear, "__self__", None)
            if not isinstance(listener, QObject) or isValid(listener):  # it may have closed
                hear(value)
