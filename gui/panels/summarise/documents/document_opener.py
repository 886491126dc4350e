"""How documents come in: chosen, pasted, dropped, tried again, or left behind by a crash."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from core.documents.line_mode import LineMode
from core.events import Failed
from core.jobs.documents.find_documents import DocumentsFound, FindDocumentsJob
from core.jobs.sources.source_files import has_document_name
from core.jobs.sources.sources import MOST_PASTED_CHARACTERS, SourceRef, openable_formats
from core.library.recent import file_is_missing
from core.library.session import LeftBehind, LeftDocument
from core.library.session_state import SessionState
from core.numbers import format_count
from core.summaries.length import Length
from gui.panel import Services, joined
from gui.panels.summarise.documents.document_switcher import DocumentSwitcher
from gui.panels.summarise.documents.open_documents import MOST_DOCUMENTS, OpenDocuments, Position
from gui.panels.summarise.documents.reading_queue import ReadingQueue
from gui.panels.summarise.documents.recent_menu import RecentMenu
from gui.panels.summarise.state import Phase
from gui.panels.summarise.summary.choices import Choices
from gui.workers.file_presence import FilePresence

_KEY = "summarise.find"


class DocumentOpener(QObject):
    """Turns files, folders, clipboard and drops into documents that are read.

    Args:
        services: Tells messages, and knows the recent documents.
        documents: Those that are open.
        opener: Reads a source in place of the shown document.
        turner: Lists several.
        window: Over what the file dialog opens.
    """

    def __init__(
        self,
        services: Services,
        documents: OpenDocuments,
        opener: ReadingQueue,
        turner: DocumentSwitcher,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._services, self._documents, self._window = services, documents, window
        self._opener, self._turner = opener, turner
        self._presence = FilePresence(file_is_missing)

    def open_source(self, source: SourceRef, choices: Choices | None = None) -> None:
        """Reads a source and shows it: in place of a single document, beside several.

        Args:
            source: What to read.
            choices: Decisions to restore.
        """
        if self._documents.are_several:
            self._list([source], choices)
        else:
            self._turner.leave()
            self._opener.open(source, choices)

    def open_text(self, text: str) -> None:
        """Reads a text that was pasted or dropped."""
        self.open_source(SourceRef(text=text))

    def open_files(self, paths: Sequence[Path]) -> None:
        """Opens files, and the documents in folders; a single file as `open_source`."""
        if len(paths) == 1 and has_document_name(paths[0]):
            self.open_source(SourceRef(path=Path(paths[0])))
        elif paths:
            # Only the disk knows which of them are folders, and it may take its time.
            job = FindDocumentsJob(tuple(paths), self._documents.room)
            run = self._services.controller.run_in_thread(job)
            self._services.jobs.report(
                _KEY,
                self.tr("Looking for documents"),
                by_escape=True,
                obey=lambda wish: run.stop("cancel"),
            )
            run.finished.connect(lambda found: self._open_found(found, paths))
            run.failed.connect(self._tell_failed)
            run.ended.connect(lambda: self._services.jobs.end(_KEY, "done", stays=False))

    def _open_found(self, found: DocumentsFound, asked: Sequence[Path]) -> None:
        sources = [SourceRef(path=path) for path in found.paths]
        if len(sources) == 1:
            self.open_source(sources[0])
        elif sources:
            self._list(sources)
        if found.is_cut:
            names = joined(asked)
            self._services.notify(
                "warn",
                found.title,
                found.text,
                action=self.tr("Summarise all in Batch"),
                on_action=lambda: self._services.show_panel("batch", add=names),
            )
        elif found.title:
            self._services.notify("warn", found.title, found.text)

    def _tell_failed(self, failure: Failed) -> None:
        self._services.notify("err", failure.message, failure.remedy)

    def _list(self, sources: Sequence[SourceRef], choices: Choices | None = None) -> None:
        """Opens sources beside what is open, as far as there is room."""
        if len(self._turner.add(sources, choices)) < len(sources):
            self._services.notify(
                "warn",
                self.tr("{count} documents are open").format(count=MOST_DOCUMENTS),
                self.tr("Close some of them to open others."),
            )

    def ask_for_file(self) -> None:
        """Lets the person choose files."""
        suffixes = [f"*{suffix}" for _, several in openable_formats() for suffix in several]
        chosen, _ = QFileDialog.getOpenFileNames(
            self._window,
            self.tr("Open documents"),
            "",
            self.tr("Documents ({suffixes});;All files (*)").format(suffixes=" ".join(suffixes)),
        )
        self.open_files([Path(path) for path in chosen])

    def paste(self) -> None:
        """Opens what the clipboard holds: files, a web page's part, or text."""
        self.take(QGuiApplication.clipboard().mimeData(), self.tr("The clipboard contains no text"))

    def take(self, data: QMimeData | None, nothing: str) -> None:
        """Opens files or text, as they were dropped or copied.

        Args:
            data: The files or the text.
            nothing: What is said when there is neither.
        """
        files = (
            [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()] if data else []
        )
        # Fetched once: Qt makes each of them anew every time, and they may be long.
        text, html = (data.text(), data.html()) if data and not files else ("", "")
        if max(len(text), len(html)) > MOST_PASTED_CHARACTERS:
            self._tell_too_long(max(len(text), len(html)))
        elif files:
            self.open_files(files)
        elif _has_words(text) or _has_words(html):
            self.open_source(SourceRef(text=text, html=html))
        else:
            self._services.notify("warn", nothing, self.tr("Copy some text, or open a file."))

    def _tell_too_long(self, size: int) -> None:
        """Said here: to hand so much on would stop the window, and fill the memory twice."""
        self._services.notify(
            "warn",
            self.tr("The text is too long"),
            self.tr("It has {size} characters; up to {most} can be pasted or dropped.").format(
                size=format_count(size), most=format_count(MOST_PASTED_CHARACTERS)
            ),
        )

    def unlock(self, password: str) -> None:
        """Reads the encrypted file again, with its password."""
        state = self._documents.shown.state
        assert state.pending is not None
        source = SourceRef(path=state.pending.path, password=password)
        self._opener.open(source, state.choices_again)

    def retry(self) -> None:
        """Reads again what could not be read."""
        state = self._documents.shown.state
        assert state.pending is not None
        self._opener.open(state.pending, state.choices_again)

    def read_again(self, source: SourceRef) -> None:
        """Reads a source once more, in the place of its document."""
        if self._documents.are_several:
            self._turner.add([source])
        if self._documents.shown.state.phase in (Phase.READY, Phase.FAILED):
            self._turner.leave()
            self._opener.open(source)

    def read_lines_as(self, mode: LineMode) -> None:
        """Reads the plain text that is shown once more, with its lines joined or kept."""
        opened = self._documents.shown.state.opened
        if opened is not None:
            self._turner.leave()
            self._opener.open(replace(opened.source, lines=mode, kept=None))

    def take_up(self, left: LeftBehind) -> None:
        """Opens what a crashed window had open."""
        openable = [document for document in left.documents if document.can_be_opened]
        openable = openable[:MOST_DOCUMENTS]
        self._documents.use_copies_from(max(document.state.copy for document in openable))
        added = self._documents.add([_source_of(document) for document in openable])
        for document, was in zip(added, openable, strict=True):
            state = was.state
            document.copy, document.left = state.copy, state
            document.position = Position(state.scroll_offset)
            document.state.model = state.model
            source = document.state.pending
            assert source is not None
            document.state.wait(source, _choices_of(state))
        if left.shown in openable:
            self._documents.show(added[openable.index(left.shown)])
        self._turner.arrive()

    def open_recents(self, button: QWidget) -> None:
        """Offers the recent documents, under a button."""
        recents = self._services.recents.read()
        if self._services.recents.note:
            self._services.notify("warn", self._services.recents.note)
        menu = RecentMenu(
            self._services.theme,
            button,
            recents,
            self._presence,
            lambda path: self.open_source(SourceRef(path=Path(path))),
        )
        menu.open_below(button, flush_right=True)


def _source_of(left: LeftDocument) -> SourceRef:
    path = Path(left.state.path) if left.state.path else None
    return SourceRef(path=path, kept=left.file)


def _choices_of(state: SessionState) -> Choices | None:
    """The decisions that were in force; None for what had not been read."""
    if state == SessionState(state.path, state.title, saved=state.saved, copy=state.copy):
        return None
    return Choices(
        Length.parse(state.length),
        frozenset(state.pinned),
        frozenset(state.dropped),
        frozenset(state.replaced),
        state.model,
        state.language,
    )


def _has_words(text: str) -> bool:
    return bool(text) and not text.isspace()
