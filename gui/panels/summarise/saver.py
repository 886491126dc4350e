"""Saves what the panel shows: the session, the recent documents, and the decisions about them."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QTimer

from core.documents.document import Document
from core.errors import EpitomeError
from core.jobs.open_document import KeepCopyJob
from core.library.decisions import Decisions
from core.library.recent import Recent
from core.library.session import Session, SessionState
from gui.panel import Services
from gui.panels.summarise.opened import Opened
from gui.panels.summarise.state import Phase, SummariseState

_KEEP_AFTER_MS = 150
"""Decisions are written this long after the last one."""


class Saver(QObject):
    """Saves what a state shows, off the window's thread.

    Args:
        services: Writes, and knows the recents.
        state: What is shown.
        first_visible: Gives the first code point on screen.
        parent: Qt's owner.
    """

    def __init__(
        self,
        services: Services,
        state: SummariseState,
        first_visible: Callable[[], int],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._services, self._state, self._first_visible = services, state, first_visible
        self.session: Session | None = None
        self._timer = QTimer(self, singleShot=True, interval=_KEEP_AFTER_MS)
        self._timer.timeout.connect(self._keep)
        self._kept = Decisions("")

    def end(self) -> None:
        """Ends the session: the window closes, and nothing of it is needed any more."""
        decisions = self._new_decisions()
        if decisions is not None:
            with suppress(EpitomeError):  # not worth keeping the window open for
                self._services.decisions.keep(decisions)
        session, self.session = self.session, None
        if session is not None:
            session.end()

    def touch(self) -> None:
        """Something changed: it is written soon."""
        self._timer.start()

    def find_decisions(self, document: Document) -> Decisions | None:
        """What was decided about a document when it was open before."""
        decisions = self._services.decisions
        found = decisions.find(document.source.sha256)
        if decisions.note:
            self._services.tell("warn", decisions.note)
        self._kept = replace(found or Decisions(document.source.sha256), saved="")
        return found

    def keep_decisions(self) -> None:
        """Keeps what was decided about the open document, if that is new."""
        decisions = self._new_decisions()
        if decisions is not None:
            self._kept = decisions
            self._services.keeper.keep(
                f"decisions {decisions.sha256}",
                partial(self._services.decisions.keep, decisions),
            )

    def _new_decisions(self) -> Decisions | None:
        """What was decided since it was kept; None when nothing was."""
        opened = self._state.opened
        if opened is None or opened.ranked is None or not opened.done + opened.undone:
            return None
        # A language that is still wished for counts: the wish comes to nothing, or is met.
        decisions = replace(opened.decisions(), language=self._state.language)
        return decisions if decisions != self._kept else None

    def list_as_recent(self) -> None:
        """Puts the open document first among the recents; pasted text is not one."""
        assert self._state.opened is not None
        document = self._state.opened.document
        if document.source.path:
            recent = Recent(
                document.source.path,
                document.title,
                document.reading.words,
                document.reading.of_pages,
            )
            self._services.keeper.keep("recents", partial(self._services.recents.add, recent))

    def restore_document(self) -> None:
        """Puts the kept copy right after a reading that came to nothing: it may have written."""
        opened, session = self._to_keep(), self.session
        if session is None:
            return
        document = opened.document if opened is not None else None
        self._services.controller.run_in_engine(KeepCopyJob(session.document_file, document))
        if opened is not None:
            self._timer.start()
        else:
            empty = partial(session.keep_state, SessionState())
            self._services.keeper.keep("session", empty)

    def _to_keep(self) -> Opened | None:
        """What a next start shall show: after a failure what was open before it."""
        failed = self._state.phase is Phase.FAILED
        return self._state.before if failed else self._state.opened

    def _keep(self) -> None:
        self.keep_decisions()
        self._keep_state()

    def _keep_state(self) -> None:
        opened, session = self._to_keep(), self.session
        if opened is None or session is None:
            return
        document = opened.document
        state = SessionState(
            path=document.source.path,
            title=document.title,
            sha256=document.source.sha256,
            length=str(opened.choices.length),
            pinned=tuple(sorted(opened.choices.pinned)),
            dropped=tuple(sorted(opened.choices.banned)),
            replaced=tuple(sorted(opened.choices.replaced)),
            model=self._state.model,
            language=opened.choices.language,
            scroll_offset=self._first_visible(),
        )
        self._services.keeper.keep("session", partial(session.keep_state, state))
