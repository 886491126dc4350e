"""Follows queued jobs from a thread of the window: they run in processes that outlive it.

All that touches the disk happens here: freezing settings, changing the queue, reading events.
"""

import queue
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from math import inf

from PySide6.QtCore import QThread, Signal

from core.events import Failed, is_last
from core.jobs.call import CallJob
from core.jobs.lanes.following import JobFollower
from core.jobs.lanes.kinds import KINDS, JobKind, outputs_of, specify_again
from core.jobs.lanes.lane import attend
from core.jobs.queue.job_queue import JobQueue
from core.jobs.queue.listing import JobLister, JobNow
from core.jobs.queue.queued import ACTIVE, JobSpec
from core.jobs.run import failed, run_inline
from core.library.folders import Folders
from core.stop import StopToken
from gui.control_words import event_in_window, in_window

_LOOK_S = 0.1  # at most ten redraws a second
_IDLE_LOOK_S = 0.5
_ATTEND_S = 5.0  # whoever starts jobs may have been killed
_ATTEND_AGAIN_S = 1.0  # at the soonest: whoever starts jobs may fail at each start

Act = Callable[[JobQueue], object]


class QueueRunner(QThread):
    """The thread that watches the queue.

    Args:
        folders: Where the queue and the runs lie; its processes look in those of this user.
        attend: Sees to it that somebody starts the jobs.
        kinds: The known kinds of job.

    Signals:
        happened: Number of a run, and its new events.
        queued: Number of a run, and the id its job has in the queue.
        listed: All jobs, a tuple of `core.jobs.queue.listing.JobNow`, when something has changed.
        located: The folder in which a person finds what a job has made, as `locate` was asked.
        refused: The `Failed` of something that was asked of the queue and could not be done.
    """

    happened = Signal(int, object)
    queued = Signal(int, str)
    listed = Signal(object)
    located = Signal(object)
    refused = Signal(object)

    def __init__(
        self,
        folders: Folders,
        attend: Callable[[JobQueue], None] = attend,
        kinds: Mapping[str, JobKind] = KINDS,
    ) -> None:
        super().__init__()
        self._attend, self.kinds = attend, kinds
        self._acts: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._queue = JobQueue(folders.job_queue, folders.trash)
        self._lister = JobLister(self._queue, folders.runs)
        self._followers: dict[int, JobFollower] = {}
        self._ids: dict[int, str] = {}
        self._shown: tuple[JobNow, ...] = ()
        self._has_listed = False
        self._has_emptied_trash = False
        self._trouble: Failed | None = None
        self._attended_s = -inf
        self._attended: tuple[int, int, int] | None = None

    # --- called on the window's thread ---

    @property
    def jobs(self) -> tuple[JobNow, ...]:
        """All jobs as they were last listed."""
        return self._shown

    def submit(self, number: int, order: JobSpec) -> None:
        """Queues a job and follows it.

        Args:
            number: The caller's number for this run.
            order: What to do.
        """
        self._acts.put(lambda: self._add(number, order))

    def attach(self, number: int, id: str) -> None:
        """Follows a job that is in the queue, from its first event on.

        Args:
            number: The caller's number for this run.
            id: The job's.
        """
        self._acts.put(lambda: self._follow(number, id))

    def ask_of_run(self, number: int, wish: str) -> None:
        """Asks the job of a run to end: "pause", "stop" or "cancel"."""
        self._acts.put(lambda: self._ask(number, wish))

    def change(self, act: Act) -> None:
        """Changes the queue soon: ``change(lambda queue: queue.resume(id))``."""
        self._acts.put(lambda: act(self._queue))

    def change_at_once(self, act: Act) -> None:
        """Changes the queue here and now; the runner must have been closed before.

        Nobody is left to be told what goes wrong.
        """
        for step in (act, self._attend):
            for _ in run_inline(CallJob(partial(step, self._queue)), StopToken()):
                pass

    def duplicate(self, id: str) -> None:
        """Queues the same work once more, in a folder of its own."""
        self.change(lambda queue: self._duplicate(queue, id))

    def locate(self, job: JobNow) -> None:
        """Looks for the folder of what a job has made, and emits `located`."""
        self._acts.put(lambda: self._locate(job))

    def close(self) -> None:
        """Ends the thread; the jobs go on."""
        self._acts.put(None)
        self.wait()

    # --- the thread ---

    def run(self) -> None:
        """The thread's own body."""
        wait_s = 0.0
        while True:
            try:
                act = self._acts.get(timeout=wait_s)
            except queue.Empty:
                pass
            else:
                if act is None:
                    return
                self._do(act)
                wait_s = 0.0
                continue  # all that was asked for, before anybody looks
            self._look_or_tell()
            is_busy = self._followers or any(job.state in ACTIVE for job in self._shown)
            wait_s = _LOOK_S if is_busy else _IDLE_LOOK_S

    def _do(self, act: Callable[[], object]) -> None:
        try:
            act()
        except Exception as error:
            self.refused.emit(failed(error))

    def _look_or_tell(self) -> None:
        """Looks; a trouble that stays is told once."""
        try:
            self._look()
        except Exception as error:
            trouble = failed(error)
            if trouble != self._trouble:
                self.refused.emit(trouble)
            self._trouble = trouble
        else:
            self._trouble = None

    def _add(self, number: int, order: JobSpec) -> None:
        try:
            job = self._queue.add(order)
        except Exception as error:
            self.happened.emit(number, [failed(error)])
            return
        self._follow(number, job.id)

    def _duplicate(self, queue: JobQueue, id: str) -> None:
        jobs = queue.jobs()
        for job in jobs:
            if job.id == id:
                queue.add(specify_again(job, self.kinds, outputs_of(jobs, self.kinds)))

    def _locate(self, job: JobNow) -> None:
        kind = self.kinds.get(job.kind)
        made = kind.output(job.folder) if kind and kind.output else job.folder
        self.located.emit(made if made.exists() else job.folder)

    def _follow(self, number: int, id: str) -> None:
        self._ids[number] = id
        self._followers[number] = JobFollower(self._queue, id, self.kinds)
        self.queued.emit(number, id)

    def _ask(self, number: int, wish: str) -> None:
        if number in self._ids:  # its job may have ended before this was asked
            self._queue.ask(self._ids[number], wish)  # type: ignore[arg-type]

    def _look(self) -> None:
        self._attend_when_due()
        troubles = [
            trouble
            for number, follower in list(self._followers.items())
            if (trouble := self._pass_on(number, follower))
        ]
        self._list()
        if not self._has_emptied_trash:  # after the first list, which need not wait for it
            self._has_emptied_trash = True
            self._queue.empty_trash()
        if troubles:
            raise troubles[0]

    def _attend_when_due(self) -> None:
        """At once when the queue has changed, else now and then."""
        stamp = self._queue.stamp()
        wait_s = _ATTEND_S if stamp == self._attended else _ATTEND_AGAIN_S
        if time.monotonic() >= self._attended_s + wait_s:
            self._attended, self._attended_s = stamp, time.monotonic()
            self._attend(self._queue)

    def _pass_on(self, number: int, follower: JobFollower) -> Exception | None:
        """Emits what a job has told; gives what kept it from being read, to be tried again."""
        try:
            events = follower.poll()
        except Exception as error:
            return error
        if events:
            self.happened.emit(number, events)
        if events and is_last(events[-1]):
            del self._followers[number], self._ids[number]
        return None

    def _list(self) -> None:
        shown = tuple(map(_in_window, self._lister.list()))
        if shown != self._shown or not self._has_listed:
            self._shown, self._has_listed = shown, True
            self.listed.emit(shown)


def _in_window(job: JobNow) -> JobNow:
    """A job whose note and failure are in the words of the window."""
    failure = event_in_window(job.failure) if job.failure else None
    return replace(job, note=in_window(job.note), failure=failure)
