"""How documents come in: chosen, pasted, dropped, tried again, or left behind by a crash."""

from pathlib import Path

from PySide6.QtCore import QMimeData, QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from core.jobs.sources import SourceRef, openable_formats
from core.length import Length
from core.library.recent import file_is_missing
from core.library.session import LeftBehind, Session
from gui.panel import Services
from gui.panels.summarise.choices import Choices
from gui.panels.summarise.opener import Opener
from gui.panels.summarise.recent_menu import RecentMenu
from gui.panels.summarise.saver import Saver
from gui.panels.summarise.stage import Stage
from gui.workers.presence import Presence


class Intake(QObject):
    """Turns files, clipboard and drops into sources that are read.

    Args:
        services: Tells messages, and knows the recent documents.
        stage: Where documents are shown.
        opener: Reads sources into the state.
        saver: Keeps the session.
    """

    def __init__(self, services: Services, stage: Stage, opener: Opener, saver: Saver) -> None:
        super().__init__(stage)
        self._services, self._stage = services, stage
        self._opener, self._saver = opener, saver
        self._presence = Presence(file_is_missing)

    def open_source(self, source: SourceRef, choices: Choices | None = None) -> None:
        """Reads a source and shows it with its summary.

        Args:
            source: What to read.
            choices: Decisions to restore, after a crash.
        """
        self._stage.scroll_back = 0
        self._opener.open(source, choices)

    def open_text(self, text: str) -> None:
        """Reads a text that was pasted or dropped."""
        self.open_source(SourceRef(text=text))

    def open_files(self, paths: list[Path]) -> None:
        """Opens the first of some files; says so when there are more."""
        if not paths:
            return
        self.open_source(SourceRef(path=Path(paths[0])))
        if len(paths) > 1:
            self._services.tell(
                "warn",
                self.tr("Opened the first of {count} files").format(count=len(paths)),
                self.tr("The command “epitome summarise” takes several at once."),
            )

    def ask_for_file(self) -> None:
        """Lets the person choose a file."""
        suffixes = [f"*{suffix}" for _, several in openable_formats() for suffix in several]
        chosen, _ = QFileDialog.getOpenFileName(
            self._stage,
            self.tr("Open a document"),
            "",
            self.tr("Documents ({suffixes});;All files (*)").format(suffixes=" ".join(suffixes)),
        )
        if chosen:
            self.open_source(SourceRef(path=Path(chosen)))

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
        if files:
            self.open_files(files)
        elif _has_words(text) or _has_words(html):
            self.open_source(SourceRef(text=text, html=html))
        else:
            self._services.tell("warn", nothing, self.tr("Copy some text, or open a file."))

    def unlock(self, password: str) -> None:
        """Reads the encrypted file again, with its password."""
        pending = self._stage.state.pending
        assert pending is not None
        self.open_source(SourceRef(path=pending.path, password=password))

    def retry(self) -> None:
        """Reads again what could not be read."""
        pending = self._stage.state.pending
        assert pending is not None
        self.open_source(pending)

    def take_up(self, left: LeftBehind, session: Session) -> None:
        """Opens what a crashed window had open, in the session it had."""
        self._saver.session = session
        state = left.state
        self._stage.state.model = state.model
        choices = Choices(
            Length.parse(state.length),
            frozenset(state.pinned),
            frozenset(state.dropped),
            frozenset(state.replaced),
            language=state.language,
        )
        path = Path(state.path) if state.path else None
        if left.has_document:
            self.open_source(SourceRef(path=path, kept=left.document_file), choices)
        elif path:
            self.open_source(SourceRef(path=path), choices)
        self._stage.scroll_back = state.scroll_offset

    def open_recents(self, button: QWidget) -> None:
        """Offers the recent documents, under a button."""
        recents = self._services.recents.read()
        if self._services.recents.note:
            self._services.tell("warn", self._services.recents.note)
        menu = RecentMenu(
            self._services.theme,
            button,
            recents,
            self._presence,
            lambda path: self.open_source(SourceRef(path=Path(path))),
        )
        menu.open_below(button, flush_right=True)


def _has_words(text: str) -> bool:
    return bool(text) and not text.isspace()
