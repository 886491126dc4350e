"""What every lane gives a panel: a run with four signals and one wish."""

from PySide6.QtCore import QObject, Signal

from core.events import Event, Failed, Finished, Stopped
from core.stop import Wish
from gui.control_words import event_in_window
from gui.widgets.support.leaving import let_go


class Run(QObject):
    """One job on its way. Lives on the window's thread; so do its signals.

    Once it is over its signals are gone, with all that was connected to them.

    Signals:
        queued: The queue has taken it; comes first, of a job of the queue alone.
        happened: Every event that is not the last.
        finished: The job's result.
        failed: The `core.events.Failed` that ended it.
        stopped: It ended because it was asked to.
        ended: Comes after any of the last three.
    """

    queued = Signal()
    happened = Signal(object)
    finished = Signal(object)
    failed = Signal(object)
    stopped = Signal(str)
    ended = Signal()
    stop_wished = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.over = False

    def stop(self, wish: Wish = "cancel") -> None:
        """Asks the job to end."""
        if not self.over:
            self.stop_wished.emit(wish)

    def take(self, event: Event) -> None:
        """Passes an event on; called on the window's thread, in order."""
        if self.over:
            return
        event = event_in_window(event)
        if isinstance(event, Finished | Failed | Stopped):
            self.over = True
        match event:
            case Finished(result):
                self.finished.emit(result)
            case Failed():
                self.failed.emit(event)
            case Stopped(reason):
                self.stopped.emit(reason)
            case _:
                self.happened.emit(event)
        if self.over:
            self.ended.emit()
            # What is connected often holds this run, and so each would keep the other for ever:
            # Python's collector does not see what Qt holds.
            let_go(self)
