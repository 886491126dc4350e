"""Makes what the state wishes for: lets trained models write, and ranks in another language."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QTimer

from core.errors import NO_RUN, UNUSABLE_TEXT
from core.events import Event, Failed, Progress
from core.jobs.call import CallJob
from core.jobs.documents.open_document import DocumentRanked, RankJob
from core.jobs.models.list_models import list_models
from core.jobs.summaries.write_summary import WriteSummaryJob
from core.summaries.summary import Summary
from gui.panel import Services
from gui.panels.summarise.documents.open_documents import OpenDocuments
from gui.panels.summarise.saving.export_actions import tr
from gui.panels.summarise.state import SummariseState
from gui.panels.summarise.summary.choices import BUILT_IN, Choices
from gui.panels.summarise.summary.writing_row import share_done
from gui.workers.runner import Run

_WRITE_AFTER_MS = 250
"""A model is asked so long after the last wish: a held key is not a row of them."""


class ModelRequests:
    """Follows the wish of a summary that is shown: one run at a time, for the last wish, or none.

    A wish of another document waits until that is shown again.

    Args:
        services: Runs the jobs, tells failures, and knows where runs lie.
        documents: What is open; all of them are told which models there are.
        changed: Called when the state was changed.
        progressed: Called when the state knows better how far the wish is.
        state: Gives the state whose wish is followed; None while there is none.
        key: Names its line in the list of jobs.
    """

    def __init__(
        self,
        services: Services,
        documents: OpenDocuments,
        changed: Callable[[], object],
        progressed: Callable[[], object],
        state: Callable[[], SummariseState | None],
        key: str = "summarise.write",
    ) -> None:
        self._services, self._documents = services, documents
        self._changed, self._progressed = changed, progressed
        self._get_state, self._key = state, key
        self._wish: Choices | None = None
        self._run: Run | None = None
        self._is_stopping = False
        self._timer = QTimer(singleShot=True, interval=_WRITE_AFTER_MS)
        self._timer.timeout.connect(self._start)

    @property
    def _state(self) -> SummariseState:
        state = self._get_state()
        assert state is not None, "a wish belongs to a state"
        return state

    @property
    def _wished(self) -> Choices | None:
        state = self._get_state()
        return state.wish if state is not None else None

    # Which models there are

    def list_models(self) -> None:
        """Looks which models there are now; what was found is in the state soon."""
        run = self._services.controller.run_in_thread(
            CallJob(list_models, self._services.folders.runs)
        )
        run.finished.connect(self._take_models)

    def _take_models(self, models: dict[str, str]) -> None:
        if list(models.items()) != list(self._documents.shown.state.models.items()):
            self._documents.set_models(models)
            self._changed()

    # A model writes

    def follow(self) -> None:
        """Starts what the state wishes for now, and stops what it wishes for no longer."""
        if self._wished is self._wish:
            return
        was_writing, self._wish = self._wish is not None, self._wished
        self._timer.stop()
        if self._run is not None:
            self._run.stop("cancel")
            self._run = None
        self._is_stopping = False
        if self._wish is not None:
            self._timer.start()
            self._tell_progress()
        elif was_writing:
            self._services.jobs.end(self._key, "done", stays=False)

    def cancel(self) -> bool:
        """Stops the writing and keeps what is written; else takes the wish back.

        Where nothing is written yet, or this is the second time, the summary that was there before
        stays.

        Returns:
            Whether there was a wish.
        """
        if self._wished is None:
            return False
        if self._state.text and self._run is not None and not self._is_stopping:
            self._is_stopping = True
            self._run.stop("stop")
            return True
        self._state.give_up()
        self._changed()
        self._services.jobs.end(
            self._key, "stopped", tr("Stopped. Nothing was changed."), stays=False
        )
        return True

    def _start(self) -> None:
        opened, wish = self._state.opened, self._wish
        assert wish is not None and opened is not None and opened.ranked is not None
        document = self._state.wished_document()
        if wish.language in opened.rankings:
            folder = self._services.folders.runs / wish.model
            seconds = opened.rankings[wish.language].seconds
            self._begin(WriteSummaryJob(document, folder, wish.length, seconds))
        else:
            self._begin(RankJob(document))

    def _begin(self, job: WriteSummaryJob | RankJob) -> None:
        run = self._services.controller.run_in_engine(job)
        self._run = run
        run.happened.connect(lambda event: self._happened(run, event))
        run.finished.connect(lambda result: self._finished(run, result))
        run.failed.connect(lambda failure: self._failed(run, failure))
        run.stopped.connect(lambda reason: self._stopped(run))

    def _happened(self, run: Run, event: Event) -> None:
        if run is self._run and isinstance(event, Progress):
            self._state.take_progress(event)
            self._tell_progress()

    def _finished(self, run: Run, result: Summary | DocumentRanked) -> None:
        if run is not self._run:
            return
        self._run = None
        if isinstance(result, DocumentRanked):
            self._state.take_wished_ranking(result)
            if self._state.wish is not None:  # a model is to write in that language
                self._start()
                return
        else:
            self._state.take_written(result)
        self._changed()

    def _failed(self, run: Run, failure: Failed) -> None:
        if run is not self._run:
            return
        if failure.kind == "ended":
            failure = replace(failure, remedy=tr("Choose the model again, or another one."))
        elif failure.kind == NO_RUN:
            failure = self._missing_model()
        self._services.jobs.end(self._key, "failed", failure.message)
        self._run = None
        self._state.take_refusal(failure)
        self._changed()
        offers = failure.kind == UNUSABLE_TEXT and self._state.model != BUILT_IN
        self._services.notify(
            "err",
            failure.message,
            failure.remedy,
            action=tr("Use built-in") if offers else "",
            on_action=self._use_built_in if offers else None,
        )

    def _use_built_in(self) -> None:
        self._state.choose_model(BUILT_IN)
        self._changed()

    def _missing_model(self) -> Failed:
        assert self._wish is not None
        told = tr("The model “{model}” is not on this computer any more.")
        return Failed(
            told.format(model=self._state.title_of(self._wish.model)),
            tr("Choose another one, or restore it from the trash in Models."),
            kind=NO_RUN,
        )

    def _stopped(self, run: Run) -> None:
        if run is self._run:
            self._run = None
            self._state.give_up()
            self._changed()

    def _tell_progress(self) -> None:
        assert self._wish is not None
        ranks = self._wish.model == BUILT_IN
        words = tr("Ranking again") if ranks else tr("{model} writes")
        doing = words.format(model=self._state.title_of(self._wish.model))
        self._services.jobs.report(
            self._key,
            doing,
            share=share_done(self._state.progress) or None,
            by_escape=True,
            obey=lambda wish: self.cancel(),
        )
        self._progressed()
