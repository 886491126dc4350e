"""Reads documents into the state, one at a time: the last that was asked for."""

from collections.abc import Callable

from core.events import Event, Failed, Message, Progress
from core.jobs.open_document import DocumentRanked, DocumentRead, OpenJob
from core.jobs.sources import SourceRef
from gui.panel import Services
from gui.panels.summarise.actions import ABOUT, tr
from gui.panels.summarise.choices import Choices
from gui.panels.summarise.saver import Saver
from gui.panels.summarise.state import Phase, SummariseState
from gui.panels.summarise.waiting import share_done
from gui.workers.runner import Run

_KEY = "summarise.read"


class Opener:
    """Opens sources, and puts what comes of them into the state.

    Args:
        services: Runs the jobs, and tells messages.
        state: Takes what was read.
        saver: Saves a copy of what is open.
        changed: Called when the state was changed.
        progressed: Called when the state knows better how far the reading is.
    """

    def __init__(
        self,
        services: Services,
        state: SummariseState,
        saver: Saver,
        changed: Callable[[], object],
        progressed: Callable[[], object],
    ) -> None:
        self._services, self._state, self._saver = services, state, saver
        self._changed, self._progressed = changed, progressed
        self.run: Run | None = None
        self._shown_run: Run | None = None

    def open(self, source: SourceRef, choices: Choices | None = None) -> None:
        """Reads a source instead of what is being read.

        Args:
            source: What to read.
            choices: Decisions to take up again, after a crash.
        """
        if self.run is not None:
            self.run.stop("cancel")
        self._saver.keep_decisions()
        self._services.dismiss(ABOUT)
        self._state.begin(source, choices)
        session = self._saver.session
        keep = session.document_file if session and source.kept is None else None
        run = self._services.controller.run_in_engine(OpenJob(source, keep, self._state.language))
        self.run = run
        run.happened.connect(lambda event: self.take(run, event))
        run.failed.connect(lambda failure: self._failed(run, failure))
        run.stopped.connect(lambda reason: self._over(run))
        run.finished.connect(lambda result: self._over(run))
        if keep is not None:
            run.ended.connect(lambda: self._after(run))
        self._changed()
        self._tell_progress(None)

    def cancel(self) -> bool:
        """Stops the reading.

        Returns:
            Whether something was being read.
        """
        # A run may have given all it has and not be over yet: then there is nothing to stop.
        if self.run is None or self._state.phase not in (Phase.READING, Phase.RANKING):
            return False
        self.run.stop("cancel")
        self.run = None
        self._go_back()
        self._services.jobs.end(_KEY, "stopped", tr("Stopped. Nothing was changed."), stays=False)
        return True

    def take(self, run: Run, event: Event) -> None:
        """Takes what a run says, if it is the last one."""
        if run is not self.run:
            return
        if isinstance(event, Progress):
            self._state.progress = event
            self._tell_progress(share_done(event))
        elif isinstance(event, Message):
            self._services.tell("warn", event.text)
        elif isinstance(event, DocumentRead):
            kept = self._saver.find_decisions(event.document)
            self._state.take_document(event.document, kept)
            self._changed()
        elif isinstance(event, DocumentRanked):
            self._state.take_ranking(event)
            self._saver.list_as_recent()
            self._changed()

    def _failed(self, run: Run, failure: Failed) -> None:
        if run is not self.run:
            return
        self.run = None
        self._state.fail(failure)
        self._changed()
        self._services.jobs.end(_KEY, "failed", failure.message)

    def _over(self, run: Run) -> None:
        if run is not self.run:
            return
        self.run = None
        if self._state.phase in (Phase.READING, Phase.RANKING):
            self._go_back()
        elif self._state.phase is Phase.READY:
            self._shown_run = run
        self._services.jobs.end(_KEY, "done", stays=False)

    def _after(self, run: Run) -> None:
        # It may have kept its document and yet not be shown: failed, stopped, cancelled late.
        if self.run is None and self._shown_run is not run:
            self._saver.restore_document()

    def _go_back(self) -> None:
        self._state.go_back()
        self._changed()

    def _tell_progress(self, share: float | None) -> None:
        source = self._state.pending
        name = source.path.name if source and source.path else tr("pasted text")
        title = tr("Reading {name}").format(name=name)
        self._services.jobs.report(
            _KEY, title, share=share, by_escape=True, obey=lambda wish: self.cancel()
        )
        self._progressed()
