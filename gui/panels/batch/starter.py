"""Starts the work on the open batch, pauses and cancels it, and follows its job in the queue."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from core.jobs.batches.queued import work_on
from core.jobs.queue.listing import JobNow
from gui.panel import Services
from gui.panels.batch.follower import BatchFollower
from gui.panels.batch.state import BatchState


class Starter(QObject):
    """Sees to it that the batch is worked on.

    Args:
        services: Has the queue.
        state: The batch that is open.
        follower: Makes changes of the batch, which are waited for.
        parent: Qt's owner.

    Signals:
        changed: The job of the open batch is another one, or stands elsewhere.
        cancelled: The batch lies in the trash.
    """

    changed = Signal()
    cancelled = Signal()

    def __init__(
        self, services: Services, state: BatchState, follower: BatchFollower, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._services, self._state, self._follower = services, state, follower
        self._jobs: tuple[JobNow, ...] = ()
        self._wanted: list[Path] = []  # batches to be started once their changes are made
        self._looks_for_late = False
        follower.quiet.connect(self._start_wanted)

    def start(self) -> None:
        """Summarises the documents that wait; the job outlives the window."""
        if self._state.folder is None or self._state.phase == "running":
            return
        if self._state.folder not in self._wanted:
            self._wanted.append(self._state.folder)
        self._start_wanted()

    def _start_wanted(self) -> None:
        if not self._follower.is_quiet:
            return
        for folder in self._take_wanted():
            self._services.controller.watch_queue()
            self._services.controller.queue.change(partial(work_on, folder=folder))

    def _take_wanted(self) -> list[Path]:
        """The batches that are to be started; one that was moved to the trash meanwhile is not."""
        wanted, self._wanted = self._wanted, []
        return [folder for folder in wanted if folder.exists()]

    def close(self) -> None:
        """Starts what still waits; the changes have been made, and the controller is closed."""
        for folder in self._take_wanted():
            self._services.controller.queue.change_at_once(partial(work_on, folder=folder))

    def forget(self) -> None:
        """Starts nothing that waits: all is about to be deleted."""
        self._wanted.clear()

    def toggle_pause(self) -> None:
        """Pauses the batch, or lets it go on."""
        if self._state.phase == "running":
            self._ask("pause")
        else:
            self.start()

    def cancel(self) -> None:
        """Ends the work; the batch goes to the trash, which can be undone."""
        self._ask("cancel")

    def _ask(self, wish: str) -> None:
        if self._state.job is not None:
            self._services.jobs.wish(f"queued {self._state.job.id}", wish)  # type: ignore[arg-type]

    def leave(self) -> None:
        """Another batch is open; the one before is still started if that was asked for."""
        self._looks_for_late = False
        self.take_jobs(self._jobs)

    def take_jobs(self, jobs: Sequence[JobNow]) -> None:
        """Takes the jobs of the queue, of which one may be that of the batch."""
        self._jobs = tuple(jobs)
        folder = self._state.folder
        own = [job for job in jobs if job.kind == "batch" and job.folder == folder]
        before, self._state.job = self._state.job, own[-1] if own else None
        if before == self._state.job:
            return
        state = self._state.job.state if self._state.job is not None else ""
        if before and state == "cancelled":
            self.cancelled.emit()
            return
        was_active = before is not None and before.state in ("starting", "running")
        if was_active and state == "finished":
            self._looks_for_late = True
        if self._state.phase != "empty":
            self._follower.look()
        self.changed.emit()

    def take_late(self) -> None:
        """Begins once more where documents came when the job was about to end."""
        if self._looks_for_late:
            self._looks_for_late = False
            if self._state.counts["waiting"]:
                self.start()
