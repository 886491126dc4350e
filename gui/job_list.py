"""The jobs that the status bar shows, whoever runs them. Plain Python, without Qt.

A panel, or whatever runs jobs, reports to the list; the list knows nothing of how a job runs, and
hands wishes (pause, resume, cancel) back through a function that came with the report.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.numbers import format_quantity

JobState = Literal["waiting", "running", "paused", "done", "stopped", "failed"]
JobWish = Literal[
    "pause",
    "resume",
    "cancel",
    "restore",
    "move_up",
    "move_down",
    "duplicate",
    "show_folder",
    "forget",
]

MOST_EARLIER = 8
"""How many jobs that ended before the window was opened are listed."""

_ENDED: tuple[JobState, ...] = ("done", "stopped", "failed")
_ORDER: tuple[JobState, ...] = ("running", "paused", "waiting", "failed", "done", "stopped")
_LEAST_SHARE, _LEAST_S = 0.02, 2.0
"""So much of a job must be done, for so long, before the rest of its time is estimated."""


@dataclass(frozen=True)
class ListedJob:
    """One job as it is shown.

    Args:
        key: Its name in the program; unique among all jobs.
        title: What it does: "Reading report.pdf".
        state: How it is.
        share: How much is done, 0 to 1; None when nobody knows.
        note: A sentence on how it stands or ended; may be empty.
        left_s: Estimate of the time it still takes, in seconds; None when nobody knows.
        can_pause: Whether it can be paused and resumed.
        is_pausing: Whether it still runs, but has been asked to pause.
        by_escape: Whether Escape cancels it: for short work that loses nothing.
        offers: What else it can be asked for as it stands, such as "duplicate".
        obey: Takes a wish; None when the job cannot be asked for anything.
    """

    key: str
    title: str
    state: JobState
    share: float | None = None
    note: str = ""
    left_s: float | None = None
    can_pause: bool = False
    is_pausing: bool = False
    by_escape: bool = False
    offers: frozenset[JobWish] = frozenset()
    obey: Callable[[JobWish], object] | None = None

    @property
    def has_ended(self) -> bool:
        """Whether it is over."""
        return self.state in _ENDED

    @property
    def can_cancel(self) -> bool:
        """Whether it can be cancelled."""
        return self.obey is not None and not self.has_ended

    @property
    def pause_wish(self) -> JobWish | None:
        """What its pause button asks of it now: one that failed or was stopped can go on too."""
        if not self.can_pause or self.obey is None or self.state in ("waiting", "done"):
            return None
        if "restore" in self.offers:  # it lies in the trash
            return None
        return "pause" if self.state == "running" and not self.is_pausing else "resume"

    @property
    def wishes(self) -> frozenset[JobWish]:
        """All that can be asked of it now."""
        if self.obey is None:
            return frozenset()
        own: set[JobWish] = {"cancel"} if self.can_cancel else set()
        return self.offers | own | ({self.pause_wish} if self.pause_wish else set())


class JobList:
    """The jobs, those that run first; listeners are told of every change.

    Args:
        clock: Gives seconds that only ever grow.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._jobs: dict[str, ListedJob] = {}
        self._began: dict[str, tuple[float, float]] = {}  # time and share when it began to run
        self._earlier: set[str] = set()  # ended before they were first reported
        self._paused_last = ""  # key of the job that the next press of the key resumes
        self._listeners: list[Callable[[], object]] = []
        self.last_word = ""
        """What is said while no job is shown: how the last one ended; may be empty."""
        self.last_state: JobState = "done"
        """How the job of the last word ended."""

    def listen(self, listener: Callable[[], object]) -> None:
        """Calls a function after every change."""
        self._listeners.append(listener)

    @property
    def jobs(self) -> tuple[ListedJob, ...]:
        """All of them: running, paused, waiting, then ended ones, the newest of these first."""
        living = [job for job in self._jobs.values() if not job.has_ended]
        ended = [job for job in reversed(self._jobs.values()) if job.has_ended]
        return (*sorted(living, key=lambda job: _ORDER.index(job.state)), *ended)

    @property
    def front(self) -> ListedJob | None:
        """The job of the one line in the status bar; None when all have ended."""
        return next((job for job in self.jobs if not job.has_ended), None)

    def report(
        self,
        key: str,
        title: str,
        state: JobState = "running",
        *,
        share: float | None = None,
        note: str = "",
        can_pause: bool = False,
        is_pausing: bool = False,
        by_escape: bool = False,
        offers: frozenset[JobWish] = frozenset(),
        obey: Callable[[JobWish], object] | None = None,
    ) -> None:
        """Says how a job stands; one that is new is put into the list.

        Args:
            key: As in `ListedJob`; so are all others.
            title: What it does.
            state: How it is.
            share: How much is done.
            note: How it stands.
            can_pause: Whether it can be paused.
            is_pausing: Whether it has been asked to pause.
            by_escape: Whether Escape cancels it.
            offers: What else it can be asked for.
            obey: Takes its wishes.
        """
        job = ListedJob(
            key,
            title,
            state,
            share,
            note,
            self._left_s(key, state, share),
            can_pause,
            is_pausing,
            by_escape,
            offers,
            obey,
        )
        before = self._jobs.get(key)
        if job.has_ended:
            self._jobs.pop(key, None)  # the newest comes last
            if before is None:
                self._earlier.add(key)
        else:
            self._earlier.discard(key)
            was_paused = before is not None and before.state == "paused"
            if key == self._paused_last and was_paused and state != "paused":
                self._paused_last = ""  # it was resumed elsewhere
        self._jobs[key] = job
        self._forget_old()
        self._tell()

    def end(
        self,
        key: str,
        state: JobState,
        note: str = "",
        *,
        stays: bool = True,
        offers: frozenset[JobWish] = frozenset(),
        obey: Callable[[JobWish], object] | None = None,
    ) -> None:
        """Says that a job is over.

        Args:
            key: The job; of one that has ended already nothing changes, and one that is not listed
                only gives the last word.
            state: "done", "stopped" or "failed".
            note: How it ended, in a sentence.
            stays: Whether it stays in the list until it is dismissed.
            offers: What it can still be asked for, such as "restore".
            obey: Takes the wish to go on with it, and the others; None when there are none.
        """
        job = self._jobs.get(key)
        if job is not None and job.has_ended:
            return
        self._jobs.pop(key, None)
        self._began.pop(key, None)
        self.last_word, self.last_state = note, state
        if stays and job is not None:
            ended = replace(job, state=state, note=note, left_s=None, is_pausing=False)
            self._jobs[key] = replace(ended, offers=offers, obey=obey)
        self._tell()

    def remove(self, key: str) -> None:
        """Takes a job out of the list that whoever runs jobs does not know any more."""
        if self._jobs.pop(key, None) is not None:
            self._began.pop(key, None)
            self._tell()

    def arrange(self, keys: Sequence[str]) -> None:
        """Lists jobs in another order; what has another state still comes before or after.

        Args:
            keys: Jobs in their new order; all others keep their places before them.
        """
        living = [key for key in keys if key in self._jobs and not self._jobs[key].has_ended]
        moved = [key for key in self._jobs if key not in set(living)] + living
        if [key for key in self._jobs if key in set(living)] != living:
            self._jobs = {key: self._jobs[key] for key in moved}
            self._tell()

    def dismiss(self, key: str) -> None:
        """Takes an ended job out of the list, and out of that of whoever runs jobs."""
        job = self._jobs.get(key)
        if job is not None and job.has_ended:
            if job.obey is not None and "forget" in job.wishes:
                job.obey("forget")
            self.remove(key)

    def wish(self, key: str, wish: JobWish) -> None:
        """Hands a wish to a job that can follow it."""
        job = self._jobs.get(key)
        if job is None or job.obey is None or wish not in job.wishes:
            return
        if wish == "pause":
            self._paused_last = key
        elif wish == "resume" and key == self._paused_last:
            self._paused_last = ""
        job.obey(wish)

    def toggle_pause(self) -> bool:
        """Resumes the job that was paused last, else pauses or resumes the first that can be.

        Returns:
            Whether there was one.
        """
        last = self._jobs.get(self._paused_last)
        if last is not None and last.obey is not None and last.can_pause and not last.has_ended:
            self._paused_last = ""
            last.obey("resume")  # also when it has not yet said that it pauses
            return True
        for job in self.jobs:
            if job.pause_wish is not None and not job.has_ended:
                self.wish(job.key, job.pause_wish)
                return True
        return False

    def escape(self) -> bool:
        """Cancels the first job that Escape may cancel; whether there was one."""
        for job in self.jobs:
            if job.by_escape and job.can_cancel:
                self.wish(job.key, "cancel")
                return True
        return False

    def _left_s(self, key: str, state: JobState, share: float | None) -> float | None:
        if state != "running" or share is None:
            self._began.pop(key, None)  # what was paused is measured anew
            return None
        began_s, began_at = self._began.setdefault(key, (self._clock(), share))
        if share < began_at:  # a new part of the work, counted from its own beginning
            began_s, began_at = self._began[key] = (self._clock(), share)
        passed_s, done = self._clock() - began_s, share - began_at
        if done < _LEAST_SHARE or passed_s < _LEAST_S:
            return None
        return passed_s * (1 - share) / done

    def _forget_old(self) -> None:
        """Those that ended in this sitting all stay."""
        earlier = [k for k, job in self._jobs.items() if job.has_ended and k in self._earlier]
        for key in earlier[:-MOST_EARLIER]:
            del self._jobs[key]

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()


def time_left(seconds: float | None) -> str:
    """An estimate in few digits: "about 40 s left", "about 3 min left", "about 2 h 10 min left"."""
    if seconds is None:
        return ""
    if seconds < 55:
        return f"about {max(10, round(seconds / 10) * 10)}\u202fs left"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"about {minutes}\u202fmin left"
    tens = round(minutes / 10) * 10
    rest = f" {tens % 60}\u202fmin" if tens % 60 else ""
    return f"about {tens // 60}\u202fh{rest} left"


def counts(jobs: tuple[ListedJob, ...]) -> str:
    """How many jobs there are in each state: "1 running, 2 waiting"."""
    numbers = {state: sum(job.state == state for job in jobs) for state in _ORDER}
    return ", ".join(f"{number} {state}" for state, number in numbers.items() if number)


def num_jobs(jobs: tuple[ListedJob, ...]) -> str:
    """How many jobs there are: "3 jobs"."""
    return format_quantity(len(jobs), "job")
