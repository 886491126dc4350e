"""What an open corpus holds, read from beside the window: titles, documents, found words."""

from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from core.events import Event, Failed
from core.jobs.call import CallJob
from core.jobs.corpora.browse_corpus import (
    FindRowsJob,
    OpenCorpusJob,
    OpenedCorpus,
    ReadRowJob,
    RowsFound,
    read_titles,
)
from gui.panels.corpus.document_list import DocumentModel
from gui.workers.controller import Controller
from gui.workers.latest_run import LatestRun

_FIND_AFTER_MS = 250


class Browser(QObject):
    """Asks for what is looked at; of two wishes for the same the newer one wins.

    Signals:
        opened: The `OpenedCorpus`.
        row_shown: The `RowShown` that was asked for last.
        failed: The `Failed` of opening the corpus.
        row_failed: The `Failed` of reading a document.
        found: How many rows were found so far, and whether all were looked at.
    """

    opened = Signal(object)
    row_shown = Signal(object)
    failed = Signal(object)
    row_failed = Signal(object)
    found = Signal(int, bool)

    def __init__(self, controller: Controller, documents: DocumentModel) -> None:
        super().__init__()
        self._controller, self.documents = controller, documents
        self.corpus: OpenedCorpus | None = None
        self.folder: Path | None = None
        self.number = -1
        self._opening, self._reading, self._finding = LatestRun(), LatestRun(), LatestRun()
        self._words = ""
        self._num_found = 0
        self._find_soon = QTimer(self, singleShot=True, interval=_FIND_AFTER_MS)
        self._find_soon.timeout.connect(self._find)
        documents.wanted.connect(self._ask_titles)

    def open(self, folder: Path) -> None:
        """Opens another corpus."""
        self.close()
        self.folder = folder
        run = self._controller.run_in_reader(OpenCorpusJob(folder))
        self._opening.follow(run, self._take, self.failed.emit)

    def close(self) -> None:
        """Shows nothing any more."""
        for each in (self._opening, self._reading, self._finding):
            each.stop()
        self.corpus, self.folder, self.number, self._words = None, None, -1, ""
        self.documents.show_corpus([])

    def _take(self, opened: OpenedCorpus) -> None:
        self.corpus = opened
        self.documents.show_corpus(opened.lengths[:, 0])
        self.opened.emit(opened)

    def show(self, number: int) -> None:
        """Reads a document."""
        if self.folder is None or number == self.number:
            return
        self.number = number
        run = self._controller.run_in_reader(ReadRowJob(self.folder, number))
        self._reading.follow(run, self.row_shown.emit, self._not_shown)

    def _not_shown(self, failure: Failed) -> None:
        self.number = -1
        self.row_failed.emit(failure)

    # Finding

    def find(self, words: str) -> None:
        """Looks for words in all documents soon; no words show all documents again."""
        words = words.strip()
        if words != self._words:
            self._words = words
            self._find_soon.start()

    @property
    def words(self) -> str:
        """What is looked for."""
        return self._words

    def _find(self) -> None:
        self._finding.stop()
        if self.folder is None:
            return
        self._num_found = 0
        if not self._words:
            self.documents.show_all()
            self.found.emit(0, True)
            return
        self.documents.show_rows([])
        run = self._controller.run_in_reader(FindRowsJob(self.folder, self._words))
        all_found = self.found.emit
        self._finding.follow(
            run,
            lambda _: all_found(self._num_found, True),
            self.row_failed.emit,
            self._take_found,
        )

    def _take_found(self, event: Event) -> None:
        if isinstance(event, RowsFound) and event.numbers:
            self.documents.append(event.numbers)
            self._num_found += len(event.numbers)
            self.found.emit(self._num_found, False)

    # Titles

    def _ask_titles(self, numbers: tuple[int, ...]) -> None:
        if self.folder is None:
            return
        folder = self.folder
        run = self._controller.run_in_reader(CallJob(read_titles, folder, numbers))
        run.finished.connect(lambda titles: self._take_titles(folder, numbers, titles))

    def _take_titles(self, folder: Path, numbers: tuple[int, ...], titles: tuple[str, ...]) -> None:
        if folder == self.folder:
            self.documents.take_titles(numbers, titles)
