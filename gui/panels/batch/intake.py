"""What is added to a batch: files, folders and tables, dropped or chosen."""

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from core.events import Event, Progress
from core.jobs.batches.adding import AddToBatchJob, SourcesAdded
from core.jobs.batches.queued import new_batch_folder
from core.jobs.batches.rows import BatchSettings
from core.numbers import format_quantity
from gui.panel import Services
from gui.panels.batch.follower import BatchFollower
from gui.panels.batch.state import BatchState
from gui.widgets.inputs.menu import Menu

_ABOUT = "batch"
_KEY = "batch.add"
_ENDS = re.compile(r"\b\d+ (\.\w+)")
"""The ends of names in a note: "2 files passed over (1 .csv, 1 .jpg)"."""
_START = str(Path.home())  # where the dialogs begin, not where the program was started


class Intake(QObject):
    """Adds to the batch that is open, or begins one.

    Args:
        services: Runs the looking for documents, and tells what was found.
        state: The batch that is open.
        follower: Looks at it again.
        window: Over what the dialogs open.

    Signals:
        begun: The folder of a new batch, which is open from now on; it is not there yet.
        ended: Documents were added, and it is known what was passed over.
    """

    begun = Signal(object)
    ended = Signal()

    def __init__(
        self, services: Services, state: BatchState, follower: BatchFollower, window: QWidget
    ) -> None:
        super().__init__(window)
        self._services, self._state, self._window = services, state, window
        self._report = partial(services.report_failure, about=_ABOUT)
        self._follower = follower
        self.length = services.preferences.length
        """The length of the summaries of a new batch."""

    def add(self, paths: list[Path]) -> None:
        """Adds files, folders and tables to the batch that is open, or begins one."""
        if not paths:
            return
        settings = None
        if self._state.folder is None:
            settings = BatchSettings.checked({"length": self.length})
            self.begun.emit(new_batch_folder(self._services.folders.batches, paths[0]))
        assert self._state.folder is not None
        job = AddToBatchJob(self._state.folder, tuple(paths), settings)
        run = self._services.controller.run_in_reader(job)
        self._services.jobs.report(
            _KEY,
            self.tr("Looking for documents"),
            by_escape=True,
            obey=lambda wish: run.stop("cancel"),
        )
        run.happened.connect(self._follow)
        run.finished.connect(self._tell)
        run.failed.connect(self._report)
        run.ended.connect(lambda: self._services.jobs.end(_KEY, "done", stays=False))
        run.ended.connect(self._follower.look)

    def _follow(self, event: Event) -> None:
        if isinstance(event, Progress):  # before that the batch may not be there
            self._follower.look()

    def _tell(self, added: SourcesAdded) -> None:
        self._state.passed_over = " ".join(filter(None, [*added.notes, self._remedy(added.notes)]))
        notes = [self._state.passed_over] if added.notes else []
        if added.known:
            were = self.tr("was") if added.known == 1 else self.tr("were")
            known = format_quantity(added.known, "document")
            notes.insert(0, f"{known} {were} in the batch already.")
        if not added.added and not added.known and notes:
            title = self.tr("There is no document that can be read")
            self._services.notify("warn", title, " ".join(notes), about=_ABOUT)
        elif notes:
            title = self.tr("Added {0}").format(format_quantity(added.added, "document"))
            self._services.notify("info", title, " ".join(notes), about=_ABOUT)
        self.ended.emit()

    def _remedy(self, notes: Sequence[str]) -> str:
        """What to do where tables were passed over; "" where none was."""
        from core.jobs.batches.table_texts import is_table

        ends = (end for note in notes for end in _ENDS.findall(note))
        has_table = any(is_table(Path(f"a{end}")) for end in ends)
        return self.tr("Add tables one by one.") if has_table else ""

    def ask_for_files(self) -> None:
        """Lets the person choose files."""
        title = self.tr("Add documents or tables")
        paths, _ = QFileDialog.getOpenFileNames(self._window, title, _START)
        self.add([Path(path) for path in paths])

    def ask_for_folder(self) -> None:
        """Lets the person choose a folder."""
        path = QFileDialog.getExistingDirectory(self._window, self.tr("Add a folder"), _START)
        self.add([Path(path)] if path else [])

    def open_menu(self, button: QWidget) -> None:
        """Offers both, under a button."""
        menu = Menu(self._services.theme, self.tr("Add"), self._window)
        menu.add(self.tr("Files or tables…"), self.ask_for_files, icon="file-text")
        menu.add(self.tr("A folder…"), self.ask_for_folder, icon="folder-open")
        menu.open_below(button, flush_right=True)
