"""Reports queued jobs to the list in the status bar, and takes that list's wishes to the queue."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, Protocol

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices

from core.events import Failed
from core.jobs.queue.listing import JobNow
from core.jobs.queue.queued import State
from core.runs.control import request
from core.runs.folder import RunFolder, last_start
from gui.job_list import JobList, JobState, JobWish
from gui.widgets.chrome.toast import Severity
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
_WORDS: Final[dict[JobState, str]] = {"done": "“{}” is done.", "stopped": "“{}” was stopped."}
_ENDINGS: Final[dict[JobState, str]] = {"done": "“{}” is done", "failed": "“{}” failed"}


class Notifier(Protocol):
    """Shows a toast, as `gui.panel.Services.notify` does."""

    def __call__(
        self, severity: Severity, title: str, text: str = "", *, action: str = "",
        on_action: Callable[[], object] | None = None,
    ) -> None: ...  # fmt: skip


SystemNotifier = Callable[[str, str], object]
"""Shows a title and a text as a notification of the system."""


class QueueReporter(QObject):
    """Keeps the list of jobs as the queue is.

    Args:
        runner: Watches the queue.
        jobs: The list.
        notify: Shows what could not be done, and what can be undone.
        notify_system: Shows how a job ended by itself; None for no notification.
    """

    def __init__(
        self,
        runner: QueueRunner,
        jobs: JobList,
        notify: Notifier,
        notify_system: SystemNotifier | None = None,
    ) -> None:
        super().__init__()
        self._runner, self._jobs, self._notify, self._notify_system = (
            runner,
            jobs,
            notify,
            notify_system,
        )
        self._shown: dict[str, JobNow] = {}
        self._offered: dict[str, frozenset[JobWish]] = {}
        self._is_closed = False
        runner.listed.connect(self._take)
        runner.refused.connect(self._tell_refused)
        runner.located.connect(self._show_folder)

    def close(self) -> None:
        """Reports no more, though news may still be on its way: the window closes."""
        self._is_closed = True

    def _take(self, listed: tuple[JobNow, ...]) -> None:
        if self._is_closed:
            return
        now, before, offered = {_key(job): job for job in listed}, self._shown, self._offered
        self._shown = now
        self._offered = {key: self._offers(job) for key, job in now.items()}
        for key, job in now.items():
            if (job, self._offered[key]) != (before.get(key), offered.get(key)):
                self._report(key, job, before.get(key))
        for key in before.keys() - now.keys():
            self._jobs.remove(key)
        self._jobs.arrange(list(now))

    def _report(self, key: str, job: JobNow, before: JobNow | None) -> None:
        state = _SHOWN_AS[job.state]
        obey = partial(self._obey, job)
        if state in _ENDED and before is not None and _SHOWN_AS[before.state] not in _ENDED:
            note = job.note or _WORDS.get(state, "").format(job.title)
            self._jobs.end(key, state, note, offers=self._offered[key], obey=obey)
            self._offer_undo(job)
            if self._notify_system is not None and state != "stopped":
                self._notify_system(_ENDINGS[state].format(job.title), job.note)
            return
        self._jobs.report(
            key,
            job.title,
            state,
            share=job.share,
            note=job.note,
            can_pause=job.can_pause,
            is_pausing=job.wish == "pause",
            offers=self._offered[key],
            obey=obey,
        )

    def _offers(self, job: JobNow) -> frozenset[JobWish]:
        """What a job can be asked for beside pause, resume and cancel."""
        if not job.id:
            return frozenset({"show_folder"})
        if job.state == "cancelled":
            return frozenset({"restore"})  # also when its row was removed in haste
        offers: set[JobWish] = {"show_folder"}
        if job.kind in self._runner.kinds:
            offers.add("duplicate")
        if _SHOWN_AS[job.state] in _ENDED:
            offers.add("forget")
        line = self._line(job)
        if job.state == "waiting" and line[0] != job.id:
            offers.add("move_up")
        if job.state == "waiting" and line[-1] != job.id:
            offers.add("move_down")
        return frozenset(offers)

    def _line(self, job: JobNow) -> list[str]:
        """The ids of the jobs that wait in a job's lane, in their order."""
        waiting = (each for each in self._shown.values() if each.state == "waiting")
        return [each.id for each in waiting if each.lane == job.lane]

    def _obey(self, job: JobNow, wish: JobWish) -> None:
        change = self._runner.change
        match wish:
            case "show_folder":
                self._runner.locate(job)
            case _ if not job.id:  # of the command line: it is asked through its folder
                change(lambda queue: _ask_to_stop(RunFolder(job.folder)))
            case "pause" | "cancel" as asked:
                change(lambda queue: queue.ask(job.id, asked))
            case "resume":
                change(lambda queue: queue.resume(job.id))
            case "restore":
                change(lambda queue: queue.undo_cancel(job.id))
            case "forget":
                change(lambda queue: queue.forget(job.id))
            case "duplicate":
                self._runner.duplicate(job.id)
            case "move_up" | "move_down":
                self._move(job, -1 if wish == "move_up" else 1)

    def _move(self, job: JobNow, by: int) -> None:
        """Lets a waiting job and its neighbour in the line change places."""
        line = self._line(job)
        place = line.index(job.id) if job.id in line else len(line)
        first = min(place, place + by)
        if 0 <= first < len(line) - 1:
            later, before = line[first + 1], line[first]
            self._runner.change(lambda queue: queue.move(later, before))

    def _offer_undo(self, job: JobNow) -> None:
        if job.state == "cancelled":
            self._notify(
                "info",
                self.tr("“{title}” was cancelled").format(title=job.title),
                job.note,
                action=self.tr("Undo"),
                on_action=partial(self._obey, job, "restore"),
            )

    def _show_folder(self, folder: Path) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            self._notify("warn", self.tr("No program to open folders was found"), str(folder))

    def _tell_refused(self, failure: Failed) -> None:
        if self._is_closed:
            return
        self._notify("err", failure.message, failure.remedy)


def _key(job: JobNow) -> str:
    return f"queued {job.id}" if job.id else f"run {job.folder}"


def _ask_to_stop(folder: RunFolder) -> None:
    """Asks a run of the command line to keep what it has and to end."""
    request(folder.control_file, "stop", last_start(folder))
