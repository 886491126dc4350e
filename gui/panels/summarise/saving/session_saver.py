"""Saves what the panel shows: the session, the recent documents, and the decisions about them."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QTimer

from core.documents.document import Document
from core.errors import EpitomeError
from core.jobs.call import CallJob
from core.jobs.documents.open_document import correct_copy
from core.library.decisions import Decisions
from core.library.recent import Recent
from core.library.session import Session
from core.library.session_state import SessionState
from gui.panel import Services
from gui.panels.summarise.documents.document_words import name_of
from gui.panels.summarise.documents.open_documents import OpenDocument, OpenDocuments
from gui.panels.summarise.documents.opened_document import OpenedDocument
from gui.panels.summarise.saving.recovery import begin_session

_KEEP_AFTER_MS = 150
"""Decisions are written this long after the last one."""


class SessionSaver(QObject):
    """Saves what is open, off the window's thread.

    Args:
        services: Writes, and knows the recents.
        documents: What is open, and what is shown of it.
        first_visible: Gives the first code point on screen.
        parent: Qt's owner.
    """

    def __init__(
        self,
        services: Services,
        documents: OpenDocuments,
        first_visible: Callable[[], int],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._services, self._documents = services, documents
        self._first_visible = first_visible
        self.session: Session | None = None
        self._timer = QTimer(self, singleShot=True, interval=_KEEP_AFTER_MS)
        self._timer.timeout.connect(self._keep)

    def end(self) -> None:
        """Ends the session: the window closes, and nothing of it is needed any more."""
        decisions = self._new_decisions()
        if decisions is not None:
            with suppress(EpitomeError):  # not worth keeping the window open for
                self._services.decisions.keep(decisions)
        session, self.session = self.session, None
        if session is not None:
            session.end()

    def follow_privacy(self, private: bool) -> None:
        """Ends the session and all it kept in private mode; begins one after it."""
        if private and self.session is not None:
            self._timer.stop()
            session, self.session = self.session, None
            self._keep_of(session, session.end)
        elif not private and self.session is None:
            self.session = begin_session(self._services)
            for document in self._documents.all:
                if document.to_keep is not None:
                    self.restore_document(document)

    def forget_all(self) -> None:
        """Ends the session with all it kept, and begins an empty one."""
        self._timer.stop()
        if self.session is not None:
            # Off the window's thread, after what still waits to be written into it.
            self._keep_of(self.session, self.session.end)
            self.session = begin_session(self._services)

    def touch(self) -> None:
        """Something changed: it is written soon."""
        self._timer.start()

    def find_decisions(self, document: OpenDocument, read: Document) -> Decisions | None:
        """What was decided about a document when it was open before.

        Args:
            document: Its place among the open ones.
            read: What was read.

        Returns:
            The decisions; None when there are none.
        """
        decisions = self._services.decisions
        found = decisions.find(read.source.sha256)
        if decisions.note:
            self._services.notify("warn", decisions.note)
        document.kept = replace(found or Decisions(read.source.sha256), saved="")
        return found

    def keep_decisions(self) -> None:
        """Keeps what was decided about the shown document, if that is new."""
        decisions = self._new_decisions()
        if decisions is not None:
            self._documents.shown.kept = decisions
            self._services.keeper.keep(
                f"decisions {decisions.sha256}",
                partial(self._services.decisions.keep, decisions),
            )

    def _new_decisions(self) -> Decisions | None:
        """What was decided since it was kept; None when nothing was."""
        shown = self._documents.shown
        opened = shown.state.opened
        if self._services.preferences.private:
            return None
        if opened is None or opened.ranked is None:
            return None
        if not opened.done + opened.undone and opened.reference == shown.kept.reference:
            return None
        # A language that is still wished for counts: the wish comes to nothing, or is met.
        decisions = replace(opened.decisions(), language=shown.state.language)
        return decisions if decisions != shown.kept else None

    def list_as_recent(self) -> None:
        """Puts the shown document first among the recents, once; pasted text is not one."""
        opened = self._documents.shown.state.opened
        assert opened is not None
        if self._services.preferences.private:
            return
        document, is_listed, opened.is_recent = opened.document, opened.is_recent, True
        if document.source.path and not is_listed:
            recent = Recent(
                document.source.path,
                document.title,
                document.reading.words,
                document.reading.of_pages,
            )
            self._services.keeper.keep("recents", partial(self._services.recents.add, recent))

    def restore_document(self, document: OpenDocument) -> None:
        """Puts the kept copy right after a reading that came to nothing: it may have written."""
        if self.session is None:
            return
        opened = document.to_keep
        read = opened.document if opened is not None else None
        job = CallJob(correct_copy, self.session.copy_file(document.copy), read)
        self._services.controller.run_in_engine(job)
        self.keep_session()

    def forget(self, document: OpenDocument) -> None:
        """Removes the copy of a document that was closed, once another one is shown."""
        if self.session is not None:
            job = CallJob(correct_copy, self.session.copy_file(document.copy), None)
            self._services.controller.run_in_engine(job)
            self.keep_session()

    def _keep(self) -> None:
        self.keep_decisions()
        if self._documents.are_several or self._documents.shown.to_keep is not None:
            self.keep_session()

    def keep_session(self) -> None:
        """Keeps what a next start shall show after a crash."""
        if self.session is None:
            return
        states: list[SessionState] = []
        shown = 0
        for document in self._documents.all:
            if document is self._documents.shown:
                shown = len(states)
            state = self._session_state(document)
            states += [state] if state is not None else []
        keep = partial(self.session.keep_state, *states, shown=shown)
        self._keep_of(self.session, keep)

    def _keep_of(self, session: Session, write: Callable[[], object]) -> None:
        # What is kept of a session takes the place of nothing that waits for another one: it ends.
        self._services.keeper.keep(f"session {session.folder.name}", write)

    def _session_state(self, document: OpenDocument) -> SessionState | None:
        """What a next start shall show of a document; None for nothing."""
        opened, source = document.to_keep, document.state.source
        if opened is not None:
            return self._state_of(document, opened)
        if document.left is not None:
            return document.left
        if source is not None and source.path and self._documents.are_several:
            return SessionState(str(document.path), name_of(source), copy=document.copy)
        return None

    def _state_of(self, document: OpenDocument, opened: OpenedDocument) -> SessionState:
        read, choices = opened.document, opened.choices
        is_shown = document is self._documents.shown
        return SessionState(
            path=read.source.path,
            title=read.title,
            sha256=read.source.sha256,
            length=str(choices.length),
            pinned=tuple(sorted(choices.pinned)),
            dropped=tuple(sorted(choices.banned)),
            replaced=tuple(sorted(choices.replaced)),
            model=document.state.model,
            language=choices.language,
            scroll_offset=self._first_visible() if is_shown else document.position.scroll_offset,
            copy=document.copy,
        )
