"""Reads documents, one at a time: the shown one first, then those beside it."""

from collections.abc import Callable

from core.events import Event, Failed, Message, Progress
from core.jobs.documents.open_document import DocumentRanked, DocumentRead, OpenJob
from core.jobs.sources.sources import SourceRef
from core.library.session import Session
from gui.job_list import JobState
from gui.panel import Services
from gui.panels.summarise.documents.open_documents import OpenDocument, OpenDocuments, Position
from gui.panels.summarise.saving.export_actions import ABOUT, tr
from gui.panels.summarise.saving.session_saver import SessionSaver
from gui.panels.summarise.state import Phase
from gui.panels.summarise.summary.choices import Choices
from gui.panels.summarise.summary.writing_row import share_done
from gui.workers.runner import Run

_KEY = "summarise.read"
_ON_THE_WAY = (Phase.WAITING, Phase.READING, Phase.RANKING)


class ReadingQueue:
    """Reads what waits to be read, and puts what comes of it into the document's state.

    Args:
        services: Runs the jobs, and tells messages.
        documents: Those that are open.
        saver: Saves a copy of what is open.
        changed: Called with a document whose state was changed.
        progressed: Called when a reading begins, or gets on.
    """

    def __init__(
        self,
        services: Services,
        documents: OpenDocuments,
        saver: SessionSaver,
        changed: Callable[[OpenDocument], object],
        progressed: Callable[[], object],
    ) -> None:
        self._services, self._documents, self._saver = services, documents, saver
        self._changed, self._progressed = changed, progressed
        self.run: Run | None = None
        self._document: OpenDocument | None = None
        self._is_told = False

    def open(self, source: SourceRef, choices: Choices | None = None) -> None:
        """Reads a source in place of the shown document.

        Args:
            source: What to read.
            choices: Decisions to restore.
        """
        shown = self._documents.shown
        self.stop(shown)
        self._services.dismiss(ABOUT)
        if source is not shown.state.pending:
            shown.left = None
        shown.position = Position()
        shown.state.wait(source, choices)
        self._changed(shown)

    def read_on(self) -> None:
        """Reads what is to be read next; what a person waits for does not wait for the rest."""
        shown, target = self._documents.shown, self._documents.next_to_read()
        reading = self._document
        is_waited_for = target is shown or shown.state.wish is not None
        if reading not in (None, shown) and is_waited_for:
            assert reading is not None
            if reading.state.phase is Phase.READING:
                self.stop(reading)
                reading.state.put_off()
        if self.run is None and target is not None:
            self._read(target)
        self._tell_progress()

    def stop(self, document: OpenDocument) -> bool:
        """Stops the reading of a document; whether it was being read."""
        if self.run is None or document is not self._document:
            return False
        self.run.stop("cancel")
        self.run = self._document = None
        return True

    def give_up(self) -> None:
        """Stops whatever is being read, also ahead of the shown document."""
        if self._document is not None:
            self.stop(self._document)
            self._end("stopped")

    def cancel(self) -> bool:
        """Stops the reading of the shown document; it goes, and what was there before comes back.

        Returns:
            Whether it was being read, or was about to be.
        """
        shown = self._documents.shown
        # A run may have given all it has and not be over yet: then there is nothing to stop.
        if shown.state.phase not in _ON_THE_WAY:
            return False
        if not self.stop(shown) and shown.state.phase is not Phase.WAITING:
            return False
        if self._documents.are_several:
            self._documents.close(shown)
            self._end("stopped", tr("Stopped. The document was closed."))
            self._changed(self._documents.shown)
            self._saver.forget(shown)
        else:
            shown.state.go_back()
            self._end("stopped", tr("Stopped. Nothing was changed."))
            self._changed(shown)
        return True

    def _read(self, document: OpenDocument) -> None:
        state, session = document.state, self._saver.session
        state.start_reading()
        source = state.pending
        assert source is not None
        keep = session.copy_file(document.copy) if session and source.kept is None else None
        run = self._services.controller.run_in_engine(OpenJob(source, keep, state.language))
        self.run, self._document = run, document
        run.happened.connect(lambda event: self.take(run, event))
        run.failed.connect(lambda failure: self._failed(run, failure))
        run.stopped.connect(lambda reason: self._stopped(run))
        run.finished.connect(lambda result: self._finished(run))
        if source.kept is None:
            run.ended.connect(lambda: self._after(run, document, session))
        self._progressed()

    def take(self, run: Run, event: Event) -> None:
        """Takes what a run says, if it is the last one."""
        document = self._document
        if run is not self.run or document is None:
            return
        if isinstance(event, Progress):
            document.state.progress = event
            self._tell_progress()
        elif isinstance(event, Message):
            self._services.notify("warn", event.text)
        elif isinstance(event, DocumentRead):
            kept = self._saver.find_decisions(document, event.document)
            document.state.take_document(event.document, kept)
            self._changed(document)
        elif isinstance(event, DocumentRanked):
            document.state.take_ranking(event)
            document.left = None
            self._changed(document)

    def _failed(self, run: Run, failure: Failed) -> None:
        document = self._over(run)
        if document is not None:
            document.state.fail(failure)
            self._end("failed", failure.message)
            self._changed(document)
            self.read_on()

    def _stopped(self, run: Run) -> None:
        """Someone else ended it: the window closes."""
        document = self._over(run)
        if document is None or document.state.phase is Phase.READY:
            return
        if not self._documents.are_several:
            document.state.go_back()
            self._changed(document)
        self._end("done")

    def _finished(self, run: Run) -> None:
        document = self._over(run)
        if document is not None:
            document.read_by = run if document.state.phase is Phase.READY else None
            self._end("done")
            self.read_on()

    def _over(self, run: Run) -> OpenDocument | None:
        """The document that the last run read; None for another run."""
        if run is not self.run:
            return None
        document, self.run, self._document = self._document, None, None
        return document

    def _after(self, run: Run, document: OpenDocument, session: Session | None) -> None:
        # It may have kept its document and yet not be shown: failed, stopped, cancelled late. Or
        # another session began meanwhile: private mode was turned on and off.
        is_right = document.read_by is run and session is self._saver.session
        if document in self._documents.all and self._document is not document and not is_right:
            self._saver.restore_document(document)

    def _tell_progress(self) -> None:
        """Tells in the status bar how far the shown document is; others are read quietly."""
        shown = self._documents.shown
        source = shown.state.pending
        if shown.state.phase not in (Phase.READING, Phase.RANKING) or source is None:
            self._end("done")
            return
        self._is_told = True
        name = source.path.name if source.path else tr("pasted text")
        self._services.jobs.report(
            _KEY,
            tr("Reading {name}").format(name=name),
            share=share_done(shown.state.progress),
            by_escape=True,
            obey=lambda wish: self.cancel(),
        )
        self._progressed()

    def _end(self, how: JobState, note: str = "") -> None:
        if self._is_told:
            self._is_told = False
            self._services.jobs.end(_KEY, how, note, stays=how == "failed")
