"""What the line above the table says: why the work ended, what is old, done, or not taken."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject

from core.jobs.batches.store import BatchStore
from core.numbers import format_quantity
from gui.panel import Services
from gui.panels.batch.banner import Banner, BannerKind
from gui.panels.batch.follower import BatchFollower
from gui.panels.batch.row_actions import RowActions
from gui.panels.batch.state import BatchState
from gui.widgets.inputs.dialog import ConfirmDialog


class Notices(QObject):
    """Chooses the one sentence that matters most, with the deed that belongs to it.

    Args:
        services: Has the look of the dialog.
        state: The batch that is open.
        follower: Changes it.
        actions: Does documents again.
        start: Starts the work.
        banner: Shows the sentence.
    """

    def __init__(
        self,
        services: Services,
        state: BatchState,
        follower: BatchFollower,
        actions: RowActions,
        start: Callable[[], object],
        banner: Banner,
    ) -> None:
        super().__init__(banner)
        self._services, self._state, self._follower = services, state, follower
        self._actions, self._start, self._banner = actions, start, banner
        self._closed: set[str] = set()
        self._deed: Callable[[], object] = lambda: None
        banner.asked.connect(lambda: self._deed())
        banner.closed.connect(lambda: self._closed.add(banner.words.text()))

    def forget(self) -> None:
        """Another batch is open: what was closed may be said of it."""
        self._closed.clear()

    def show(self) -> None:
        """Shows what is to be said of the batch as it stands, if anything is."""
        state = self._state
        stale = state.stale() if state.phase != "running" else []
        if state.phase == "failed" and state.job is not None and state.job.failure is not None:
            failure = state.job.failure
            told = self.tr("{0} What is done is kept. {1}")
            words = told.format(failure.message, failure.remedy)
            self._say("err", words, self.tr("Resume"), self._start)
        elif state.history_problem and self._history_told not in self._closed:
            self._say("warn", self._history_told)
        elif stale:
            number = format_quantity(len(stale), "summary", "summaries")
            words = self.tr("{0} made with other settings than these.").format(
                f"{number} {'was' if len(stale) == 1 else 'were'}"
            )
            again = partial(self._actions.do_again, stale)
            self._say("info", words, self.tr("Summarise again"), again)
        elif state.resumed and state.resumed not in self._closed:
            self._say("info", state.resumed, self.tr("Start over"), self.ask_to_start_over)
        else:  # a toast has said it too, and is gone
            self._say("warn", state.passed_over)

    @property
    def _history_told(self) -> str:
        told = self.tr("The summaries are here, but not all are in the history. {0}")
        return told.format(self._state.history_problem)

    def _say(
        self,
        kind: BannerKind,
        words: str,
        deed: str = "",
        on_deed: Callable[[], object] = lambda: None,
    ) -> None:
        self._deed = on_deed
        self._banner.say(kind, "" if words in self._closed else words, deed)

    def ask_to_start_over(self) -> None:
        """Asks, and summarises all documents once more."""
        number = format_quantity(self._state.counts["done"], "summary", "summaries")
        if ConfirmDialog.ask(
            self._services.theme,
            self.tr("Start over?"),
            self.tr("{0} of this batch will be deleted and made again.").format(number),
            deed=self.tr("Delete {0}").format(number),
            parent=self._banner.window(),
        ):
            self.start_over()

    def start_over(self) -> None:
        """Summarises all documents once more."""

        def change(store: BatchStore) -> None:
            store.start_over()
            store.note_resumed("")

        self._follower.change(change)
        self._start()
