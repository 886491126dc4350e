"""The first page of the Corpus panel: the corpora there are, and those in preparation."""

from collections.abc import Iterator, Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from core.data.corpus_facts import CorpusFacts
from core.events import Failed
from core.jobs.queue.listing import JobNow
from core.jobs.queue.queued import State as QueueState
from core.numbers import format_share
from gui.control_words import in_window
from gui.panels.corpus.notice import Notice
from gui.panels.corpus.state import KIND_WORDS
from gui.theme.theme import Theme
from gui.widgets.display.plane import Plane
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.drop_zone import DropZone
from gui.widgets.inputs.menu import Menu
from gui.widgets.inputs.start_area import StartArea
from gui.widgets.support import layouts
from gui.widgets.tables.table import Table
from gui.widgets.tables.table_model import Cell, Column, Progress, Record, State, TableModel

_STATES: Final[dict[QueueState, str]] = {
    "waiting": "waiting",
    "starting": "starting",
    "running": "preparing",
    "paused": "paused",
    "stopped": "stopped",
}


class ListPage(QWidget):
    """The corpora as a table; where there are none, the place to drop documents.

    Signals:
        opened: The `CorpusFacts` a person opened.
        resume_requested: The `JobNow` that shall go on.
        preparing_opened: The `JobNow` that a person wants to see.
        files_requested: Files shall be chosen.
        folder_requested: A folder shall be chosen.
        dropped: Paths that were dropped.
        menu_made: The menu of a corpus, and its folder, before it opens.
        rename_requested: The folder of a corpus that gets another name.
        delete_requested: The folder of a corpus that is to go to the trash.
    """

    opened = Signal(object)
    resume_requested = Signal(object)
    preparing_opened = Signal(object)
    files_requested = Signal()
    folder_requested = Signal()
    dropped = Signal(list)
    menu_made = Signal(object, object)
    rename_requested = Signal(object)
    delete_requested = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._corpora: dict[str, CorpusFacts] = {}
        self._jobs: dict[str, JobNow] = {}
        self.model = TableModel(_columns(self))
        self.table = Table(theme, self.model, name=self.tr("Corpora"))
        self.table.opened.connect(self._open)
        self.table.remedy_wanted.connect(self._mend)
        self.table.menu_made.connect(self._fill_menu)
        self.empty = self._empty_page()
        self.notice = Notice(theme)
        self._pages = QStackedWidget()
        for page in (self.empty, self._table_page(), self.notice):
            self._pages.addWidget(page)
        layouts.column(self._pages, into=self)

    def _table_page(self) -> QWidget:
        page = Plane(self._theme, "surface")
        layouts.column(self.table, into=page, margins=(12, 4, 12, 0))
        self._table_holder = page
        return page

    def _empty_page(self) -> StartArea:
        theme = self._theme
        files = Button(theme, self.tr("Add files"), kind="primary", icon="file-text", height=36)
        folder = Button(theme, self.tr("Add a folder"), icon="folder-open", height=36)
        files.triggered.connect(self.files_requested)
        folder.triggered.connect(self.folder_requested)
        zone = DropZone(
            theme,
            self.tr("Drop documents, folders or tables here"),
            self.tr("PDF, Word, e-book, web page or text; Parquet, JSON Lines or CSV."),
            [files, folder],
        )
        zone.files_dropped.connect(self.dropped)
        area = StartArea(
            theme,
            self.tr("Make your documents into something a model can learn from."),
            self.tr(
                "A corpus is prepared once: read, checked and split into training, validation and "
                "test. Nothing leaves this computer."
            ),
        )
        area.add(zone)
        return area

    def show_corpora(self, corpora: Sequence[CorpusFacts], jobs: Sequence[JobNow]) -> None:
        """Shows corpora and jobs that prepare others.

        Args:
            corpora: Those that are there.
            jobs: Those of the queue that have not come to their end.
        """
        self._corpora = {str(each.folder): each for each in corpora}
        self._jobs = {each.id: each for each in jobs}
        kept = self.table.current_key
        records = [*map(_job_record, jobs), *map(_corpus_record, corpora)]
        if [r.key for r in records] == [r.key for r in self._records()]:
            for record in records:
                self.model.update(record)
        else:
            self.model.set_records(records)
            if kept in {record.key for record in records}:
                self.table.select(kept)
        shown = self._table_holder if records else self.empty
        self._pages.setCurrentWidget(shown)

    def show_failure(self, failure: Failed) -> None:
        """Says in place of the table why the corpora cannot be listed."""
        self.notice.show_failure(failure)
        self._pages.setCurrentWidget(self.notice)

    def _records(self) -> Iterator[Record]:
        return (self.model.record(row) for row in range(self.model.rowCount()))

    def _open(self, key: str) -> None:
        if key in self._jobs:
            self.preparing_opened.emit(self._jobs[key])
        elif key in self._corpora and not self._corpora[key].fault:
            self.opened.emit(self._corpora[key])

    @property
    def _current(self) -> CorpusFacts | None:
        """The corpus of the row with the keyboard."""
        return self._corpora.get(str(self.table.current_key))

    def _fill_menu(self, menu: Menu) -> None:
        if (corpus := self._current) is not None:
            menu.addSeparator()
            self.menu_made.emit(menu, corpus.folder)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        corpus = self._current
        asks = {Qt.Key.Key_F2: self.rename_requested, Qt.Key.Key_Delete: self.delete_requested}
        if corpus is not None and (ask := asks.get(Qt.Key(event.key()))) is not None:
            ask.emit(corpus.folder)
            return
        super().keyPressEvent(event)

    def _mend(self, key: str) -> None:
        if key in self._jobs:
            self.resume_requested.emit(self._jobs[key])


def _columns(page: QWidget) -> list[Column]:
    return [
        Column("name", page.tr("Corpus"), kept=True, strong=True),
        Column("kind", page.tr("Holds"), width=170),
        Column("documents", page.tr("Documents"), number=True, width=100),
        Column("words", page.tr("Words"), number=True, width=120),
        Column("skipped", page.tr("Skipped"), number=True, width=80),
        Column("state", page.tr("State"), width=210, kept=True),
    ]


def _corpus_record(corpus: CorpusFacts) -> Record:
    if corpus.fault:
        told = in_window(f"{corpus.fault} {corpus.remedy}")
        return Record(str(corpus.folder), {"name": corpus.name}, "failed", told)
    cells: dict[str, Cell] = {
        "name": corpus.name,
        "kind": KIND_WORDS.get(corpus.make, corpus.make),
        "documents": corpus.documents,
        "words": corpus.words or None,
        "skipped": corpus.skipped,
        "state": State("done", "ready"),
    }
    return Record(str(corpus.folder), cells)


def _job_record(job: JobNow) -> Record:
    if job.state == "failed":
        return Record(job.id, {"name": job.title}, "failed", job.note, "Try again")
    state: Cell = State("waiting", _STATES.get(job.state, job.state))
    if job.state in ("starting", "running"):
        share = "" if job.share is None else format_share(job.share, 1)
        words = " ".join(filter(None, (share, job.note if job.share is None else "")))
        state = Progress(job.share, words)
    elif job.state in ("paused", "stopped"):
        state = State("paused", _STATES[job.state])
    row_state = "running" if job.state in ("starting", "running") else "plain"
    return Record(job.id, {"name": job.title, "state": state}, row_state)  # type: ignore[arg-type]
