"""The export menu of the Batch panel, and what is done by it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from core.events import Event, Progress
from core.jobs.batches.export import BatchExported, ExportBatchJob, ExportKind
from core.jobs.job import Job
from core.numbers import format_quantity
from gui.panel import Services
from gui.panels.batch.state import BatchState
from gui.widgets.inputs.menu import Menu
from gui.widgets.inputs.saving import ask_where

PDF = ".pdf"
_KEY, _ABOUT = "batch.export", "batch"
_START = Path.home()


class Exporter(QObject):
    """Writes the summaries of the batch that is open.

    Args:
        services: Runs the writing, and tells how it went.
        state: The batch.
        selected: Gives the documents that are selected; none means all.
        window: Over what the dialogs open.

    Signals:
        quotations_chosen: Whether files have page references.
        command_requested: The command that does the same shall be copied.
    """

    quotations_chosen = Signal(bool)
    command_requested = Signal()

    def __init__(
        self,
        services: Services,
        state: BatchState,
        selected: Callable[[], list[int]],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._services, self._state, self._window = services, state, window
        self._report = partial(services.report_failure, about=_ABOUT)
        self._selected = selected

    def open_menu(self, button: QWidget) -> None:
        """Offers what can be written, under a button."""
        if not self._state.counts["done"]:
            return
        menu = Menu(self._services.theme, self.tr("Export"), self._window)
        whole = self.tr("one file with a table of contents")
        for suffix, name in (
            (".docx", self.tr("Word document")),
            (PDF, self.tr("PDF")),
            (".html", self.tr("Web page")),
            (".md", self.tr("Markdown")),
            (".txt", self.tr("Plain text")),
        ):
            act = partial(self._ask_file, "document", suffix, name)
            menu.add(f"{name}…", act, icon="file-text", detail=whole)
        menu.addSeparator()
        each = self.tr("a file for each")
        for suffix, name in (
            (".docx", self.tr("Word documents")),
            (".html", self.tr("Web pages")),
            (".md", self.tr("Markdown files")),
            (".json", self.tr("JSON files")),
        ):
            menu.add(f"{name}…", partial(self._ask_folder, suffix), icon="files", detail=each)
        menu.addSeparator()
        table = self.tr("a row for each")
        csv, jsonl = self.tr("CSV table"), self.tr("JSON Lines")
        menu.add(
            f"{csv}…", partial(self._ask_file, "csv", ".csv", csv), icon="table-2", detail=table
        )
        menu.add(
            f"{jsonl}…", partial(self._ask_file, "jsonl", ".jsonl", jsonl), icon="table-2",
            detail=table,
        )  # fmt: skip
        menu.addSeparator()
        wanted = self._state.settings.quotations
        references = menu.add(
            self.tr("Page references"), lambda: self.quotations_chosen.emit(not wanted)
        )
        references.setCheckable(True)
        references.setChecked(wanted)
        menu.add(self.tr("Copy the command"), self.command_requested.emit, icon="terminal")
        menu.open_below(button, flush_right=True)

    def _ask_file(self, kind: ExportKind, suffix: str, name: str) -> None:
        first = f"{self._state.title or 'batch'} summaries"
        theme, title = self._services.theme, self.tr("Export the summaries")
        path = ask_where(theme, self._window, title, first, suffix, folder=_START, kind=name)
        if path is not None:
            self.export(kind, path, suffix)

    def _ask_folder(self, suffix: str) -> None:
        chosen = QFileDialog.getExistingDirectory(
            self._window, self.tr("Folder for the summaries"), str(_START)
        )
        if chosen:
            self.export("folder", Path(chosen), suffix)

    def export(self, kind: ExportKind, path: Path, suffix: str) -> None:
        """Writes the summaries.

        Args:
            kind: What is written.
            path: The file, or the folder of the files.
            suffix: The format.
        """
        run = self._services.controller.run_in_reader(self._job(kind, path, suffix))
        report = partial(
            self._services.jobs.report,
            _KEY,
            self.tr("Exporting to {name}").format(name=path.name),
            by_escape=True,
            obey=lambda wish: run.stop("cancel"),
        )
        report()

        def follow(event: Event) -> None:
            if isinstance(event, Progress) and event.total:
                report(share=event.done / event.total)

        run.happened.connect(follow)
        run.finished.connect(self._tell_exported)
        run.failed.connect(self._report)
        run.ended.connect(lambda: self._services.jobs.end(_KEY, "done", stays=False))

    def _job(self, kind: ExportKind, path: Path, suffix: str) -> Job:
        assert self._state.folder is not None
        numbers = self._state.meant(self._selected())
        if kind == "document" and suffix == PDF:
            from gui.panels.batch.pdf import ExportPdfJob

            return ExportPdfJob(self._state.folder, path, numbers, replace=True)
        return ExportBatchJob(self._state.folder, kind, path, suffix, numbers, replace=True)

    def _tell_exported(self, exported: BatchExported) -> None:
        number = format_quantity(exported.number, "summary", "summaries")
        self._services.notify(
            "ok",
            self.tr("Exported {number} to {name}").format(number=number, name=exported.path.name),
            self._describe_renamed(exported.num_renamed),
            about=_ABOUT,
            action=self.tr("Show"),
            on_action=partial(QDesktopServices.openUrl, QUrl.fromLocalFile(str(exported.path))),
        )

    def _describe_renamed(self, number: int) -> str:
        """The files that stay in a folder beside the new ones; empty for none."""
        if not number:
            return ""
        files = format_quantity(number, "file was", "files were")
        return self.tr("{files} there already and stayed: the new ones have a number.").format(
            files=files
        )
