"""What is done with comparisons: made, exported, printed; all that takes time runs elsewhere."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from core.events import Event, Failed, Progress
from core.jobs.call import CallJob
from core.jobs.evaluation.export_comparison import ExportComparisonJob, Form
from core.jobs.evaluation.score import ScoreJob
from core.jobs.queue.trash import KEPT_DAYS, discard_folder, take_from_trash
from core.runs.judgements import Judgements
from gui.panel import Services, offer_again
from gui.panels.compare.state import CompareState
from gui.panels.compare.words import tr
from gui.widgets.inputs.menu import Menu
from gui.widgets.inputs.saving import ask_where
from gui.workers.runner import Run

_ABOUT = "compare"
_TRASH = f"{_ABOUT}.trash"
_MOST_IN_REPORT = 50
_SUFFIXES: dict[Form, str] = {"html": ".html", "csv": ".csv"}


class Deeds(QObject):
    """Makes comparisons and writes them for others.

    Args:
        services: Runs the jobs and tells how they ended.
        state: What is shown.
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
        self._trashed: list[tuple[Path, Path]] = []
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
        key = f"compare.make {number}"
        run = self._services.controller.run_aside(job)
        self._report(run, key, tr("Comparing on {set}").format(set=title))
        run.finished.connect(lambda done: self.made.emit(job.out))
        run.failed.connect(failed or self.tell_failed)
        run.ended.connect(lambda: self._note_making(number, ""))
        self._note_making(number, title)
        return run

    def _note_making(self, number: int, title: str) -> None:
        """Remembers which comparisons are in the making, of which there may be several."""
        self._made_now.pop(number, "")
        if title:
            self._made_now[number] = title
        self.making.emit(tuple(self._made_now.values()))

    def _report(self, run: Run, key: str, title: str) -> None:
        jobs = self._services.jobs

        def report(event: Event | None = None) -> None:
            share = None
            if isinstance(event, Progress) and event.total:
                share = event.done / event.total
            if event is None or share is not None:
                obey = partial(_stop, run)
                jobs.report(key, title, share=share, by_escape=False, obey=obey)

        report()
        run.happened.connect(report)
        run.finished.connect(lambda result: jobs.end(key, "done", stays=False))
        run.stopped.connect(lambda reason: jobs.end(key, "stopped", tr("Stopped."), stays=False))
        run.failed.connect(lambda failure: jobs.end(key, "failed", failure.message, stays=False))

    def tell_failed(self, failure: Failed) -> None:
        """Says what failed and what to do."""
        self._services.tell("err", failure.message, failure.remedy, about=_ABOUT)

    # Deleting

    def delete(self, folder: Path) -> None:
        """Moves a comparison to the trash; it can be taken back."""
        trash = self._services.folders.trash
        run = self._services.controller.run_in_thread(
            CallJob(lambda: discard_folder(folder, trash))
        )
        run.finished.connect(lambda place: self._tell_trashed(place, folder))
        run.failed.connect(self.tell_failed)
        run.ended.connect(self.listed)

    def _tell_trashed(self, place: Path, folder: Path) -> None:
        self._trashed.append((place, folder))
        self._services.tell(
            "info",
            tr("The comparison is in the trash"),
            tr("It stays there for {days} days.").format(days=KEPT_DAYS),
            action=tr("Undo"),
            on_action=self.undo,
            about=_TRASH,
        )

    def undo(self) -> None:
        """Takes back the comparison that was deleted last."""
        if not self._trashed:
            return
        place, folder = self._trashed.pop()
        self._services.dismiss(_TRASH)
        run = self._services.controller.run_in_thread(
            CallJob(lambda: take_from_trash(place, folder))
        )
        run.failed.connect(partial(self._tell_not_restored, place, folder))
        run.ended.connect(self.listed)

    def _tell_not_restored(self, place: Path, folder: Path, failure: Failed) -> None:
        if not place.exists():
            self.tell_failed(failure)
            return
        self._trashed.append((place, folder))
        offer_again(self._services, failure, self.undo, tr("Try again"), _TRASH)

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
        run = self._run_export(path, form, self._listed(form))
        if run is not None:
            run.finished.connect(self._tell_written)

    def _listed(self, form: Form) -> tuple[int, ...]:
        rows: list[int] = self._state.rows.tolist()
        return tuple(rows if form == "csv" else rows[:_MOST_IN_REPORT])

    def _run_export(self, path: Path | None, form: Form, documents: tuple[int, ...]) -> Run | None:
        opened = self._state.opened
        if opened is None:
            return None
        judgements = self.judgements()
        job = ExportComparisonJob(opened.folder, path, form, documents, judgements, replace=True)
        run = self._services.controller.run_in_reader(job)
        run.failed.connect(self.tell_failed)
        return run

    def _tell_written(self, path: Path) -> None:
        self._services.tell(
            "ok", tr("Written to {name}").format(name=path.name), about=_ABOUT,
            action=tr("Open"), on_action=lambda: _show(path),
        )  # fmt: skip

    def print_it(self) -> None:
        """Lets the person choose a printer, and prints the shown document with all scores."""
        run = self._run_export(None, "print", (self._state.number,))
        if run is not None:
            run.finished.connect(self._print)

    def _print(self, page: bytes) -> None:
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        dialog = QPrintDialog(printer, self._window.window())
        if dialog.exec():
            page_of(page).print_(printer)
            self._services.tell("ok", tr("Sent to the printer"), about=_ABOUT)

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


def _stop(run: Run, wish: object) -> None:
    run.stop()
