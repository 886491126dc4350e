"""Keeps what the panel knows of a batch as it is on disk, and makes its changes there."""

from collections import deque
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from core.events import Failed
from core.jobs.batches.news import BatchNews, change_batch, read_news
from core.jobs.batches.store import BatchStore
from core.jobs.call import CallJob
from core.jobs.run import run_inline
from core.stop import StopToken
from gui.workers.controller import Controller
from gui.workers.runner import Run

_LOOK_MS = 250
Change = Callable[[BatchStore], object]


class BatchFollower(QObject):
    """Looks at a batch as long as it is worked on, and after every change.

    Args:
        controller: Runs the looking and the changing, in threads.

    Signals:
        told: A `BatchNews`.
        failed: The `Failed` of a look or a change.
        quiet: All changes that were asked for are made.
    """

    told = Signal(object)
    failed = Signal(object)
    quiet = Signal()

    def __init__(self, controller: Controller) -> None:
        super().__init__()
        self._controller = controller
        self._folder: Path | None = None
        self._revision = self._after = self._until = 0
        self._looking: Run | None = None
        self._again = False
        self._changes: deque[tuple[Path, Change]] = deque()
        self._changing: Run | None = None
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self.look)

    def open(self, folder: Path | None) -> None:
        """Follows another batch from its first document on; None follows nothing.

        What was asked of the batch before is still done there.
        """
        self._folder = folder
        self._revision = self._after = self._until = 0
        self._looking = None
        self._timer.stop()
        self.look()

    def expect(self, folder: Path | None) -> None:
        """Follows a batch that is not there yet, once it is looked at."""
        self._folder = folder

    def set_busy(self, busy: bool) -> None:
        """Looks four times a second while the batch is worked on."""
        if busy and not self._timer.isActive():
            self._timer.start()
        elif not busy and self._timer.isActive():
            self._timer.stop()
            self.look()

    @property
    def is_quiet(self) -> bool:
        """Whether all changes that were asked for are made."""
        return self._changing is None and not self._changes

    def look(self) -> None:
        """Looks what has changed."""
        if self._folder is None:
            return
        if self._looking is not None:
            self._again = True
            return
        if not self._until:  # a further piece of an earlier look sees nothing new
            self._again = False
        job = CallJob(read_news, self._folder, self._revision, self._after, self._until)
        run = self._looking = self._controller.run_in_thread(job)
        run.finished.connect(lambda news: self._take(run, news))
        run.failed.connect(lambda failure: self._give_up(run, failure))

    def _take(self, run: Run, news: BatchNews) -> None:
        if run is not self._looking:
            return  # of a batch that was left
        self._looking = None
        self._after, self._until = news.after, news.revision if news.has_more else 0
        if not news.has_more:
            self._revision = news.revision
        self.told.emit(news)
        if news.has_more or self._again:
            self.look()

    def _give_up(self, run: Run, failure: Failed) -> None:
        if run is self._looking:
            self._looking = None
            self.failed.emit(failure)

    def change(self, change: Change) -> None:
        """Changes the batch, after all changes that were asked for before."""
        if self._folder is not None:
            self._changes.append((self._folder, change))
            self._make_next()

    def close(self) -> None:
        """Makes at once the changes that still wait; the controller must have been closed before.

        One that fails keeps no other one from being made; nobody is left to be told.
        """
        self._timer.stop()
        while self._changes:
            for _ in run_inline(CallJob(change_batch, *self._changes.popleft()), StopToken()):
                pass

    def _make_next(self) -> None:
        if self._controller.is_closed:
            self.close()
            return
        if self._changing is not None:
            return
        if not self._changes:
            self.quiet.emit()
            return
        folder, change = self._changes.popleft()
        run = self._controller.run_in_thread(CallJob(change_batch, folder, change))
        self._changing = run
        run.failed.connect(lambda failure: self._tell_refused(folder, failure))
        run.ended.connect(self._made)

    def _tell_refused(self, folder: Path, failure: Failed) -> None:
        if folder == self._folder or folder.exists():  # a batch that was left may be cancelled
            self.failed.emit(failure)

    def _made(self) -> None:
        self._changing = None
        self.look()
        self._make_next()
