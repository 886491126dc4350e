"""Reports queued jobs to the list in the status bar, and takes that list's wishes to the queue."""

from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from PySide6.QtCore import QObject

from core.events import Failed
from core.jobs.listing import JobNow
from core.jobs.queued import State
from core.runs.control import request
from core.runs.folder import RunFolder, last_start
from gui.job_list import JobList, JobState, JobWish
from gui.widgets.toast import Tone
from gui.workers.queue_runner import QueueRunner

_SHOWN_AS: Final[dict[State, JobState]] = {
    "waiting": "waiting",
    "starting": "running",
    "running": "running",
    "paused": "paused",
    "stopped": "stopped",
    "finished": "done",
    "failed": "failed",
    "cancelled": "stopped",
}
_ENDED: Final[frozenset[JobState]] = frozenset({"done", "stopped", "failed"})
_RESUMABLE: Final[frozenset[State]] = frozenset({"stopped", "failed"})
_WORDS: Final[dict[JobState, str]] = {"done": "“{}” is done.", "stopped": "“{}” was stopped."}


class Tell(Protocol):
    """Shows a toast, as `gui.panel.Services.tell` does."""

    def __call__(
        self, tone: Tone, title: str, text: str = "", *, action: str = "",
        on_action: Callable[[], object] | None = None,
    ) -> None: ...  # fmt: skip


class QueueReporter(QObject):
    """Keeps the list of jobs as the queue is.

    Args:
        runner: Watches the queue.
        jobs: The list.
        tell: Shows what could not be done, and what can be undone.
    """

    def __init__(self, runner: QueueRunner, jobs: JobList, tell: Tell) -> None:
        super().__init__()
        self._runner, self._jobs, self._tell = runner, jobs, tell
        self._shown: dict[str, JobNow] = {}
        self._is_closed = False
        runner.listed.connect(self._take)
        runner.refused.connect(self._tell_refused)

    def close(self) -> None:
        """Reports no more, though news may still be on its way: the window closes."""
        self._is_closed = True

    def _take(self, listed: tuple[JobNow, ...]) -> None:
        if self._is_closed:
            return
        now = {_key(job): job for job in listed}
        for key, job in now.items():
            if job != self._shown.get(key):
                self._report(key, job, self._shown.get(key))
        for key in self._shown.keys() - now.keys():
            self._jobs.end(key, "stopped", stays=False)
        self._shown = now

    def _report(self, key: str, job: JobNow, before: JobNow | None) -> None:
        state = _SHOWN_AS[job.state]
        if state in _ENDED and before is not None and _SHOWN_AS[before.state] not in _ENDED:
            note = job.note or _WORDS.get(state, "").format(job.title)
            self._jobs.end(key, state, note, obey=self._obeyed(job))
            self._offer_undo(job)
            return
        self._jobs.report(
            key,
            job.title,
            state,
            share=job.share,
            note=job.note,
            can_pause=job.can_pause,
            obey=self._obeyed(job),
        )

    def _obeyed(self, job: JobNow) -> Callable[[JobWish], None] | None:
        """Takes the wishes of a job; None of one that neither runs nor can go on."""
        can_go_on = job.state in _RESUMABLE and bool(job.id)
        if _SHOWN_AS[job.state] in _ENDED and not can_go_on:
            return None
        return partial(self._obey, job)

    def _obey(self, job: JobNow, wish: JobWish) -> None:
        if not job.id:  # of the command line: it is asked through its folder
            self._runner.change(lambda queue: _ask_to_stop(RunFolder(job.folder)))
        elif wish == "resume":
            self._runner.change(lambda queue: queue.resume(job.id))
        else:
            self._runner.change(lambda queue: queue.ask(job.id, wish))

    def _offer_undo(self, job: JobNow) -> None:
        if job.state == "cancelled":
            self._tell(
                "info",
                self.tr("“{title}” was cancelled").format(title=job.title),
                self.tr("Its folder lies in the trash."),
                action=self.tr("Undo"),
                on_action=lambda: self._runner.change(lambda queue: queue.undo_cancel(job.id)),
            )

    def _tell_refused(self, failure: Failed) -> None:
        if self._is_closed:
            return
        self._tell("err", failure.message, failure.remedy)


def _key(job: JobNow) -> str:
    return f"queued {job.id}" if job.id else f"run {job.folder}"


def _ask_to_stop(folder: RunFolder) -> None:
    """Asks a run of the command line to keep what it has and to end."""
    request(folder.control_file, "stop", last_start(folder))
