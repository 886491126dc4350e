"""The batches there are: another one is opened, a new one begun, one is moved to the trash."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from core.jobs.batches.news import ListBatchesJob, ListedBatch
from core.jobs.batches.queued import discard_batch, restore_batch, title_of_batch
from core.jobs.queue.listing import JobNow
from core.numbers import format_count
from gui.panel import Services
from gui.panels.batch.state import BatchState
from gui.widgets.inputs.menu import Menu

_ABOUT = "batch"
_MOST_BATCHES = 8


class Shelf(QObject):
    """Offers the other batches, and moves the open one to the trash and back.

    Args:
        services: Lists batches, and tells of the trash.
        state: The batch that is open.
        window: Over what the menu opens.

    Signals:
        chosen: The folder of a batch that shall be opened; None for a new one.
        cancel_requested: The open batch shall be cancelled.
    """

    chosen = Signal(object)
    cancel_requested = Signal()

    def __init__(self, services: Services, state: BatchState, window: QWidget) -> None:
        super().__init__(window)
        self._services, self._state, self._window = services, state, window
        self._to_reopen: Path | None = None

    def open_menu(self, button: QWidget) -> None:
        """Lists the batches, and offers them under a button."""
        folder = self._services.folders.batches
        run = self._services.controller.run_in_thread(ListBatchesJob(folder))
        run.finished.connect(lambda found: self._offer(button, found))

    def _offer(self, button: QWidget, found: Sequence[ListedBatch]) -> None:
        menu = Menu(self._services.theme, self.tr("Batches"), self._window)
        begin = partial(self.chosen.emit, None)
        menu.add(self.tr("New batch"), begin, icon="plus", shortcut="Ctrl+N")
        others = [each for each in found if each.folder != self._state.folder and each.sources]
        if others:
            menu.addSeparator()
        for batch in others[:_MOST_BATCHES]:
            counts = batch.counts
            detail = f"{format_count(counts['done'])} of {format_count(counts['all'])} done"
            words, choose = title_of_batch(batch.sources), partial(self.chosen.emit, batch.folder)
            menu.add(words, choose, icon="files", detail=detail)
        if self._state.phase == "running":
            menu.addSeparator()
            menu.add(self.tr("Cancel this batch"), self.cancel_requested.emit, icon="x")
        elif self._state.phase != "empty":
            menu.addSeparator()
            words = self.tr("Move this batch to the trash")
            menu.add(words, self.discard, icon="trash-2")
        menu.open_below(button, flush_right=True)

    def discard(self) -> None:
        """Moves the batch to the trash, with undo; its sources stay where they are."""
        folder, title = self._state.folder, self._state.title
        if folder is None:
            return
        self.chosen.emit(None)
        queue = self._services.controller.queue
        queue.change(partial(discard_batch, folder=folder))

        def undo() -> None:
            self._to_reopen = folder
            queue.change(partial(restore_batch, folder=folder))

        self._services.notify(
            "info",
            self.tr("“{title}” is in the trash").format(title=title),
            self.tr("It is deleted after 30 days. The documents themselves were not touched."),
            action=self.tr("Undo"),
            on_action=undo,
            about=_ABOUT,
        )

    def reopen(self, jobs: Sequence[JobNow]) -> None:
        """Opens the batch that was taken back from the trash, once it is there."""
        folder = self._to_reopen
        if folder and any(job.folder == folder and job.state != "cancelled" for job in jobs):
            self._to_reopen = None
            self.chosen.emit(folder)
