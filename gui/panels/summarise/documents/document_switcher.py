"""Turns from one open document to another: more are opened, others shown, some closed."""

from collections.abc import Callable, Sequence

from core.jobs.sources.sources import SourceRef
from gui.panel import Services
from gui.panels.summarise.document_view import DocumentView
from gui.panels.summarise.documents.open_documents import OpenDocument, OpenDocuments
from gui.panels.summarise.documents.reading_queue import ReadingQueue
from gui.panels.summarise.saving.export_actions import ABOUT
from gui.panels.summarise.saving.session_saver import SessionSaver
from gui.panels.summarise.state import Phase
from gui.panels.summarise.summary.choices import Choices


class DocumentSwitcher:
    """Changes which documents are open and which is shown; each is left as it will be found.

    Args:
        services: Takes toasts away that are about the document that was shown.
        documents: Those that are open.
        stage: Draws the shown one.
        opener: Reads them.
        saver: Keeps what was decided, and the session.
        redraw: Draws all that is shown.
    """

    def __init__(
        self,
        services: Services,
        documents: OpenDocuments,
        stage: DocumentView,
        opener: ReadingQueue,
        saver: SessionSaver,
        redraw: Callable[[], object],
    ) -> None:
        self._services, self._documents, self._stage = services, documents, stage
        self._opener, self._saver, self._redraw = opener, saver, redraw

    def add(
        self, sources: Sequence[SourceRef], choices: Choices | None = None
    ) -> list[OpenDocument]:
        """Lists more documents and shows the first of them, as `OpenDocuments.add`."""
        self.leave()
        added = self._documents.add(sources, choices)
        for document in added:
            if document.state.phase is Phase.WAITING:
                self._opener.stop(document)  # it was being read, without these choices
        self.arrive()
        return added

    def show(self, document: OpenDocument) -> None:
        """Shows another document."""
        if document is not self._documents.shown:
            self.leave()
            self._documents.show(document)
            self.arrive()

    def step(self, by: int) -> None:
        """Shows the next document (1) or the previous one (-1)."""
        self.show(self._documents.beside(by))

    def close(self, document: OpenDocument) -> None:
        """Closes one of several documents; what was decided about it is kept."""
        if document is self._documents.shown:
            self.leave()
        self._opener.stop(document)
        self._documents.close(document)
        self.arrive()
        self._saver.forget(document)

    def leave(self) -> None:
        """Finishes what is being done to the shown document, before another one comes."""
        self._stage.leave()
        self._saver.keep_decisions()

    def arrive(self) -> None:
        """Draws the shown document, which was not shown before, and keeps the session."""
        self._services.dismiss(ABOUT)
        self._redraw()
        self._saver.keep_session()
