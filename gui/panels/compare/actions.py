"""Actions on comparisons: make, export, print; all that takes time runs elsewhere."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from core.events import Failed
from core.jobs.call import CallJob
from core.jobs.evaluation.export_comparison import ExportComparisonJob, Form
from core.jobs.evaluation.score import ScoreJob
from core.jobs.queue.trash import discard_folder
from core.runs.judgements import Judgements
from gui.panel import Services
from gui.panel_kit import TrashUndo
from gui.panels.compare.state import CompareState
from gui.panels.compare.words import tr
from gui.widgets.inputs.menu import Menu
from gui.widgets.inputs.saving import ask_where
from gui.workers.runner import Run

_ABOUT = "compare"
_MOST_IN_REPORT = 50
_SUFFIXES: dict[Form, str] = {"html": ".html", "csv": ".csv"}


class CompareActions(QObject):
    """Makes comparisons and writes them for others.

    Args:
        services: The window.
        state: The state of the panel.
        parent: The panel.
    """

    made = Signal(object)
    """The folder of a comparison that was just made."""
    listed = Signal()
    """Other comparisons are there."""
    making = Signal(object)
    """What is being compared now: the names of the documents, the latest last."""

    def __init__(self, services: Services, state: CompareState, parent: QWidget) -> None:
        super().__init__(parent)
        self._window, self._services, self._state = parent, services, state
        self._number = 0
        self._made_now: dict[int, str] = {}
        self.trash = TrashUndo(services, _ABOUT, self)
        self.trash.changed.connect(self.listed)
        self.judgements: Callable[[], Judgements | None] = lambda: None
        """Gives the finished session that belongs in a report."""

    # Making

    def make(
        self, job: ScoreJob, title: str, failed: Callable[[Failed], object] | None = None
    ) -> Run:
        """Makes a comparison in a process of its own; it can be cancelled in the status bar.

        Args:
            job: What is compared.
            title: The name of the documents.
            failed: Takes the failure of the job; None shows a toast.

        Returns:
            The run of the job.
        """
        self._number += 1
        number = self._number
        run = self._services.run(
            job,
            lambda done: self.made.emit(job.out),
            tr("Comparing on {set}").format(set=title),
            lane="aside",
            about=_ABOUT,
            failed=failed,
            by_escape=False,
        )
        run.ended.connect(lambda: self._note_making(number, ""))
        self._note_making(number, title)
        return run

    def _note_making(self, number: int, title: str) -> None:
        """Remembers which comparisons are in the making, of which there may be several."""
        self._made_now.pop(number, "")
        if title:
            self._made_now[number] = title
        self.making.emit(tuple(self._made_now.values()))

    # Deleting

    def delete(self, folder: Path) -> None:
        """Moves a comparison to the trash; it can be taken back."""
        job = CallJob(discard_folder, folder, self._services.folders.trash)
        title = tr("The comparison is in the trash")
        self.trash.discard(folder, job, lambda place: (place, title, ""))

    # Writing

    def open_export_menu(self, button: QWidget) -> None:
        """Lists what can be written."""
        menu = Menu(self._services.theme, tr("Export"), self._window)
        menu.add(tr("Report, .html"), lambda: self.ask_where("html"), icon="file-code")
        menu.add(tr("Scores of the listed documents, .csv"), lambda: self.ask_where("csv"),
                 icon="table-2")  # fmt: skip
        menu.add(tr("Print this document…"), self.print_it, icon="printer", shortcut="Ctrl+P")
        menu.addSeparator()
        menu.add(tr("Open the folder"), self.open_folder, icon="folder-open")
        menu.open_below(button, flush_right=True)

    def ask_where(self, form: Form) -> None:
        """Lets the person choose a file, and writes it."""
        opened = self._state.opened
        if opened is None:
            return
        suffix = _SUFFIXES[form]
        theme, name, home = self._services.theme, opened.folder.name, Path.home()
        path = ask_where(theme, self._window, tr("Export"), name, suffix, folder=home)
        if path is not None:
            self.export(path, form)

    def export(self, path: Path, form: Form) -> None:
        """Writes the listed documents: all scores as CSV, the texts of the first in a report."""
        self._run_export(path, form, self._listed(form), self._tell_written)

    def _listed(self, form: Form) -> tuple[int, ...]:
        rows: list[int] = self._state.rows.tolist()
        return tuple(rows if form == "csv" else rows[:_MOST_IN_REPORT])

    def _run_export(
        self, path: Path | None, form: Form, documents: tuple[int, ...], done: Callable[[Any], None]
    ) -> None:
        opened = self._state.opened
        if opened is None:
            return
        judgements = self.judgements()
        job = ExportComparisonJob(opened.folder, path, form, documents, judgements, replace=True)
        self._services.run(job, done, lane="reader", about=_ABOUT)

    def _tell_written(self, path: Path) -> None:
        self._services.notify(
            "ok", tr("Written to {name}").format(name=path.name), about=_ABOUT,
            action=tr("Open"), on_action=lambda: _show(path),
        )  # fmt: skip

    def print_it(self) -> None:
        """Lets the person choose a printer, and prints the shown document with all scores."""
        self._run_export(None, "print", (self._state.number,), self._print)

    def _print(self, page: bytes) -> None:
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        dialog = QPrintDialog(printer, self._window.window())
        if dialog.exec():
            page_of(page).print_(printer)
            self._services.notify("ok", tr("Sent to the printer"), about=_ABOUT)

    def open_folder(self) -> None:
        """Shows the folder of the comparison."""
        if self._state.opened is not None:
            _show(self._state.opened.folder)


_ON_PAPER = """
h1 { font-size: 16pt; margin-bottom: 4px; }
h2 { font-size: 12pt; margin-top: 16px; margin-bottom: 4px; }
h3 { font-size: 10pt; margin-top: 8px; margin-bottom: 2px; }
p { margin-top: 0; margin-bottom: 4px; }
th, td { padding-right: 14px; padding-bottom: 2px; text-align: left; }
"""
"""What paper needs and Qt's text knows."""


def page_of(page: bytes):  # type: ignore[no-untyped-def]
    """A report as it is laid out on paper, a `QTextDocument`."""
    from PySide6.QtGui import QFont, QTextDocument

    from gui.theme.fonts import SERIF

    document = QTextDocument()
    document.setDefaultFont(QFont(SERIF, 10))
    document.setDefaultStyleSheet(_ON_PAPER)
    # Qt knows no grids and no variables: the plain rules of the page are enough on paper.
    document.setHtml(page.decode("utf-8", "replace").split("</style>", 1)[-1])
    return document


def _show(path: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
