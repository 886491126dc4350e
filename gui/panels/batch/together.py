"""Makes one summary of the open batch, shows it, and writes it to a file."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from core.events import Event, Failed, Progress
from core.export.combined import CombinedSummary
from core.jobs.batches.together import BatchTogetherJob, ExportTogetherJob
from core.jobs.history.keep_history import entry_of_combined
from gui.panel import Services
from gui.panels.batch.state import BatchState
from gui.panels.batch.together_page import TogetherPage
from gui.widgets.inputs.menu import Menu
from gui.widgets.inputs.saving import ask_where
from gui.workers.latest_run import LatestRun

_KEY, _ABOUT = "batch.together", "batch"
_FORMATS = {
    ".docx": "Word document",
    ".html": "Web page",
    ".md": "Markdown",
    ".txt": "Plain text",
    ".json": "JSON",
}


class Together(QObject):
    """The one summary of the batch that is open.

    Args:
        services: Runs the work, and tells how it went.
        state: The batch.
        page: Shows the summary.

    Signals:
        file_opened: The path of a document that shall be opened.
    """

    file_opened = Signal(str)

    def __init__(self, services: Services, state: BatchState, page: TogetherPage) -> None:
        super().__init__(page)
        self._services, self._state, self._page = services, state, page
        self._latest = LatestRun()
        self._numbers: tuple[int, ...] = ()
        page.length_wished.connect(lambda length: self.make(self._numbers))
        page.cancel_requested.connect(self.cancel)
        page.export_requested.connect(self._open_menu)
        page.document_opened.connect(self._open)

    def make(self, numbers: tuple[int, ...]) -> None:
        """Summarises documents together.

        Args:
            numbers: Which; empty for all that have a summary.
        """
        assert self._state.folder is not None
        self._numbers = numbers
        job = BatchTogetherJob(self._state.folder, str(self._page.length), numbers)
        self._page.show_progress(self.tr("Reading the documents"), None)
        run = self._services.controller.run_aside(job)
        self._services.jobs.report(
            _KEY, self.tr("One summary of several documents"), obey=lambda wish: self.cancel()
        )
        self._latest.follow(run, self._show, self._fail, self._follow)

    def cancel(self) -> None:
        """Gives the work up."""
        if self._latest.is_running:
            self._latest.stop()
            self._end()
            self._page.back_requested.emit()

    def _end(self) -> None:
        self._services.jobs.end(_KEY, "done", stays=False)

    def _follow(self, event: Event) -> None:
        if isinstance(event, Progress) and event.total:
            words = self.tr("Reading document {0} of {1}").format(event.done + 1, event.total)
            self._page.show_progress(words, event.done / event.total)

    def _show(self, combined: CombinedSummary) -> None:
        self._end()
        self._page.show_summary(combined)
        if self._services.preferences.keeps_history:
            new = entry_of_combined(combined, self._state.settings.language, "batch")
            limits = self._services.preferences.history_limits
            keep = partial(self._services.history.keep, new, limits=limits)
            self._services.keeper.keep(f"history {new.id}", keep)

    def _fail(self, failure: Failed) -> None:
        self._end()
        self._page.show_failure(failure)

    def _open(self, document: int) -> None:
        combined = self._page.combined
        if combined is not None:
            path = combined.documents[document].summary.source.path
            if path:
                self.file_opened.emit(path)

    def _open_menu(self, button: QWidget) -> None:
        menu = Menu(self._services.theme, self.tr("Export"), self._page)
        for suffix, name in _FORMATS.items():
            menu.add(f"{name}…", partial(self._ask_where, suffix, name), icon="file-text")
        menu.open_below(button)

    def _ask_where(self, suffix: str, name: str) -> None:
        first = f"{self._state.title or 'batch'} together"
        path = ask_where(
            self._services.theme,
            self._page,
            self.tr("Export the summary"),
            first,
            suffix,
            folder=Path.home(),
            kind=name,
            known=_FORMATS,
        )
        if path is not None:
            self.export_to(path)

    def export_to(self, path: Path) -> None:
        """Writes the summary to a file; its ending says the format."""
        assert self._page.combined is not None
        job = ExportTogetherJob(self._page.combined, path, replace=True)
        self._services.run(job, self._tell_exported, lane="reader")

    def _tell_exported(self, path: Path) -> None:
        self._services.notify(
            "ok",
            self.tr("Exported to {name}").format(name=path.name),
            about=_ABOUT,
            action=self.tr("Show"),
            on_action=partial(QDesktopServices.openUrl, QUrl.fromLocalFile(str(path))),
        )
