"""How a summary leaves the panel: copied, exported, or as the command that makes it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from core.events import Failed
from core.jobs.summaries.export_summary import ExportJob
from core.summaries.summary import Summary
from core.summaries.summary_lines import edits_line
from gui.panel import Services
from gui.panels.summarise.saving.export_actions import (
    ABOUT,
    PDF,
    ExportActions,
    copied_html,
    copied_text,
    export_menu,
    formats,
    reproduce_command,
)
from gui.panels.summarise.source.empty_page import is_sample
from gui.panels.summarise.state import SummariseState
from gui.panels.summarise.summary.choices import BUILT_IN
from gui.theme.theme import Theme
from gui.widgets.inputs.saving import ask_where


class SummaryExporter(QObject):
    """Copies and exports a summary that is shown.

    Args:
        theme: The look of the menu.
        services: Runs the writing and tells how it went.
        state: Gives the state of the summary.
        window: Over what the file dialog opens.
    """

    def __init__(
        self,
        theme: Theme,
        services: Services,
        state: Callable[[], SummariseState],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._theme, self._services, self._window = theme, services, window
        self._get_state = state
        self._copied: QMimeData | None = None
        self.quotations = True
        """Whether files hold the evidence of every sentence."""

    @property
    def _state(self) -> SummariseState:
        return self._get_state()

    def copy_summary(self) -> None:
        """Copies the summary with its page references."""
        if self._state.summary is not None:
            self._copy(self._state.summary)
            self._services.notify(
                "ok", self.tr("Copied the summary with its page references"), about=ABOUT
            )

    def copy_sentence(self, row: int) -> None:
        """Copies one sentence with its source reference."""
        if self._state.summary is not None:
            self._copy(self._state.summary, row)
            self._services.notify(
                "ok", self.tr("Copied the sentence with its reference"), about=ABOUT
            )

    def _copy(self, summary: Summary, row: int | None = None) -> None:
        data = QMimeData()
        data.setText(copied_text(summary, row))
        data.setHtml(copied_html(summary, row))
        self._copied = data
        QGuiApplication.clipboard().setMimeData(data)

    def end(self) -> None:
        """Leaves the copied text to Qt alone: data made in Python must not outlive Python."""
        if self._copied is not None and isValid(self._copied):
            QGuiApplication.clipboard().setText(self._copied.text())
        self._copied = None

    def copy_command(self) -> None:
        """Copies the command that makes the same summary."""
        opened = self._state.opened
        if opened is None:
            return
        choices = opened.choices
        command = reproduce_command(opened.source, choices.length, choices.model, choices.language)
        QGuiApplication.clipboard().setText(command)
        notes = []
        if opened.source.path is None:
            notes.append(self.tr("It reads the text from standard input: save or pipe it."))
        if choices.model == BUILT_IN and opened.summary is not None:
            edits = edits_line(opened.summary)
            if edits:
                told = self.tr("It leaves out what was edited by hand: {edits}.")
                notes.append(told.format(edits=edits))
        title = self.tr("Copied the command that does this")
        self._tell_done(title, " ".join(notes))

    def _tell_done(self, title: str, text: str = "") -> None:
        self._services.notify("ok", title, text, about=ABOUT)

    def open_menu(self, button: QWidget) -> None:
        """Offers the formats, under a button."""
        if self._state.summary is None:
            return

        def set_quotations(wanted: bool) -> None:
            self.quotations = wanted
            self.open_menu(button)  # a format is still to be chosen

        deeds = ExportActions(
            self._ask_where, self.print_it, self.copy_summary, self.copy_command, set_quotations
        )
        menu = export_menu(self._theme, button, deeds, quotations=self.quotations)
        menu.open_below(button, flush_right=True)

    def _ask_where(self, suffix: str, name: str) -> None:
        opened = self._state.opened
        assert opened is not None
        stem = Path(opened.document.source.name).stem or "summary"
        path = opened.source.path
        folder = Path.home() if path is None or is_sample(path) else path.parent
        chosen = ask_where(
            self._theme,
            self._window,
            self.tr("Export the summary"),
            f"{stem} summary",
            suffix,
            folder=folder,
            kind=name,
            known=formats(),
        )
        if chosen is not None:
            self.export_to(chosen)

    def export_to(self, path: Path) -> None:
        """Writes the summary to a file, which the dialog has asked to replace if it is there.

        Args:
            path: Where; its suffix says the format.
        """
        opened = self._state.opened
        assert opened is not None and opened.summary is not None
        summary, document = opened.summary, opened.document
        rendered = None
        if path.suffix.lower() == PDF:
            from gui.widgets.reading.paper import render_pdf

            rendered = render_pdf(summary, document, quotations=self.quotations)
        job = ExportJob(summary, document, path, self.quotations, rendered, replace=True)
        run = self._services.controller.run_in_thread(job)
        run.finished.connect(self._tell_exported)
        run.failed.connect(self._tell_failed)

    def print_it(self) -> None:
        """Lets the person choose a printer, and prints the summary."""
        opened = self._state.opened
        if opened is None or opened.summary is None:
            return
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        from gui.widgets.reading.paper import page_of

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(opened.summary.title)
        dialog = QPrintDialog(printer, self._window.window())
        if dialog.exec():
            page_of(opened.summary, opened.document, quotations=self.quotations).print_(printer)
            self._tell_done(self.tr("Sent to the printer"))

    def _tell_failed(self, failure: Failed) -> None:
        self._services.notify("err", failure.message, failure.remedy, about=ABOUT)

    def _tell_exported(self, path: Path) -> None:
        self._services.notify(
            "ok",
            self.tr("Exported to {name}").format(name=path.name),
            about=ABOUT,
            action=self.tr("Show"),
            on_action=partial(QDesktopServices.openUrl, QUrl.fromLocalFile(str(path))),
        )
