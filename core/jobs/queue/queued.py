"""A detached job as the queue knows it, and what may become of it.

::

    waiting ── starting ── running ── finished, failed, stopped
       │                      │
       └────── paused ────────┘        and from anywhere: cancelled, which can be undone
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal

from core.errors import EpitomeError
from core.events import Event, Failed, Finished, Stopped
from core.runs.folder import RunFolder, check_no_run
from core.storage.atomic_files import write_whole

State = Literal[
    "waiting", "starting", "running", "paused", "stopped", "finished", "failed", "cancelled"
]
Request = Literal["", "pause", "stop", "cancel", "resume"]

ACTIVE: Final = frozenset({"starting", "running"})
"""A process is at work, or about to be."""
LASTING: Final = ACTIVE | {"waiting", "paused"}
"""It has not ended."""

_REMEDIES: Final = {"cancelled": "Take it back from the trash first."}


@dataclass(frozen=True)
class JobSpec:
    """A job to be queued, as data.

    Args:
        kind: Name of its kind, as in `core.jobs.lanes.kinds`.
        title: Its title for the user.
        lane: The device it works on, as `core.system.machine.lane_of` names it.
        folder: Its own folder.
        files: The files with its settings, by name; empty if they are in the folder already.
        draft: As in `QueuedJob`.
        makes_run: Whether its folder becomes a run, so that no other may have begun there.
    """

    kind: str
    title: str
    lane: str
    folder: Path
    files: Mapping[str, str] = field(default_factory=dict)
    draft: Path | None = None
    makes_run: bool = False

    def save(self) -> None:
        """Writes the files into the folder.

        Raises:
            EpitomeError: If one cannot be written, or a run has begun in the folder.
        """
        if self.makes_run:
            check_no_run(RunFolder(self.folder))
        for name, text in self.files.items():
            # A source whose name is not UTF-8 is kept byte for byte.
            data = text.encode("utf-8", "surrogateescape")
            write_whole(self.folder / name, data, "Choose another folder.", replace=True)


@dataclass(frozen=True)
class QueuedJob:
    """A job in the queue.

    Args:
        id: Told apart from all others by this.
        kind: Name of its kind, as in `core.jobs.lanes.kinds`.
        title: What a person reads.
        lane: The device it works on; of each lane one job runs at a time.
        folder: Its own folder; there its frozen settings lie.
        state: Where it stands.
        start: The number of its last start, from 1; 0 before the first.
        wish: What was asked of its process and is not done yet.
        failure: Why it failed.
        was: What it was before it was cancelled.
        trashed: Where its folder lies since then; it is on its way while *state* is another.
        events_from: The size of its file of events when its last start began, in bytes.
        end_number: Counts the ends of all jobs: the one that ended last has the highest number.
        draft: A folder elsewhere in which it builds its result, locked as by
            `core.data.staging.exclusive`; None where it works in its own folder alone.
        home: The home in which it was queued, as `core.jobs.queue.trash.get_home` gives it: in a
            copy of that home, its folders are those of another one.
    """

    id: str
    kind: str
    title: str
    lane: str
    folder: Path
    state: State = "waiting"
    start: int = 0
    wish: Request = ""
    failure: Failed | None = None
    was: State | None = None
    trashed: Path | None = None
    events_from: int = 0
    end_number: int = 0
    draft: Path | None = None
    home: Path | None = None

    def started(self, start: int) -> "QueuedJob":
        """With a process on its way, the start of that number."""
        return replace(self, state="starting", start=start, wish="", failure=None)

    def asked(self, wish: Literal["pause", "stop", "cancel"]) -> "QueuedJob":
        """After a wish: its process is to heed it, or, without one, it is heeded at once.

        Args:
            wish: How it should end.

        Returns:
            The job as it is then.

        Raises:
            EpitomeError: If it has ended already, and cannot be paused or stopped.
        """
        if self.state in ACTIVE:
            return replace(self, wish="cancel" if self.wish == "cancel" else wish)
        if wish == "cancel" and self.state != "cancelled":
            return self.cancelled()
        if self.state not in LASTING:
            done = {"pause": "paused", "stop": "stopped", "cancel": "cancelled"}
            raise _not_possible(self, f"be {done[wish]}")
        return replace(self, state="paused" if wish == "pause" else "stopped")

    def resumed(self) -> "QueuedJob":
        """In line again, also after it failed or was stopped.

        Returns:
            The job as it is then.

        Raises:
            EpitomeError: If it is finished, or in the trash.
        """
        if self.state in ACTIVE:
            return replace(self, wish="resume" if self.wish in ("pause", "stop") else self.wish)
        if self.state in ("finished", "cancelled"):
            raise _not_possible(self, "go on")
        return replace(self, state="waiting", failure=None)

    def ended(self, last: Event) -> "QueuedJob":
        """After its process told its last event.

        Args:
            last: `Finished`, `Failed` or `Stopped`.

        Returns:
            The job as it is then. A pause or stop that was taken back puts it in line again.

        Raises:
            TypeError: If that event ends no job.
        """
        if isinstance(last, Finished):
            return replace(self, state="finished", wish="")
        if self.wish == "cancel" or last == Stopped("cancel"):
            return self.cancelled()
        match last:
            case Stopped(reason):
                if self.wish == "resume":
                    return replace(self, state="waiting", wish="")
                # Of two wishes the process heeds the first, and a person means the last.
                state: State = "paused" if (self.wish or reason) == "pause" else "stopped"
                return replace(self, state=state, wish="")
            case Failed():
                return replace(self, state="failed", wish="", failure=last)
        raise TypeError(f"{last} ends no job")

    def never_started(self) -> "QueuedJob":
        """In line again, its start having come to nothing; what was asked meanwhile is heeded."""
        waiting = replace(self, state="waiting", wish="")
        if self.wish == "" or self.wish == "resume":
            return waiting
        return waiting.asked(self.wish)

    def cancelled(self) -> "QueuedJob":
        """Cancelled, remembering what it was; one with a process counts as stopped."""
        was: State = "stopped" if self.state in ACTIVE else self.state
        return replace(self, state="cancelled", was=was, wish="")

    def restored(self) -> "QueuedJob":
        """Taken back from the trash.

        Returns:
            The job as it was.

        Raises:
            EpitomeError: If it was not cancelled.
        """
        if self.state != "cancelled":
            raise _not_possible(self, "be taken back from the trash")
        return replace(self, state=self.was or "stopped", was=None, trashed=None)


def _not_possible(job: QueuedJob, what: str) -> EpitomeError:
    remedy = _REMEDIES.get(job.state, "Queue the same work once more.")
    return EpitomeError(f"“{job.title}” cannot {what}: it is {job.state}.", remedy)
