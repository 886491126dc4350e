"""Follows a queued job from outside its process: its events as they come, and its end."""

from collections.abc import Mapping
from contextlib import suppress

from core.errors import EpitomeError
from core.events import Event, Failed, Finished, Progress, Stopped, is_last
from core.jobs.lanes.kinds import KINDS, JobKind, event_kinds
from core.jobs.queue.job_queue import JobQueue
from core.jobs.queue.queued import QueuedJob
from core.runs.folder import RunFolder
from core.runs.follower import Follower
from core.storage.parsing import parse_json
from core.storage.regular_files import read_regular

_MOST_REFUSED = 20  # so many looks at events that cannot be read


class JobFollower:
    """Reads what a queued job tells, from its first event on.

    Args:
        queue: The queue.
        id: The job.
        kinds: The known kinds of job.
    """

    def __init__(self, queue: JobQueue, id: str, kinds: Mapping[str, JobKind] = KINDS) -> None:
        self._queue, self._id, self._kinds = queue, id, kinds
        self._events: Follower | None = None
        self._job: QueuedJob | None = None
        self._is_listed = False
        self._refused = 0
        self._last: Event | None = None
        self._stamp: tuple[int, int, int] | None = None
        self._progress: Progress | None = None
        self._result: object = None
        self.over = False

    def poll(self) -> list[Event]:
        """What happened since the last call.

        Returns:
            Events in their order. The last event of an earlier start is left out; that of this one
            comes when its process is done, and nothing comes after it.

        Raises:
            EpitomeError: If something cannot be read.
        """
        if self.over:
            return []
        is_listed, job = self._looked_up()
        if job is None:
            return self._end(Stopped("cancel"))
        ended = not is_listed or _ending(job, None) is not None
        found, has_more = self._new_events_or_none(job) if ended else self._new_events(job)
        ending = _ending(job, self._result) if is_listed else self._last or Stopped("cancel")
        if ending is None:
            return found + self._new_progress(job)
        if has_more:  # all that happened was written before the end was, and comes first
            return found
        return self._end(ending)

    def _looked_up(self) -> tuple[bool, QueuedJob | None]:
        """Whether the job is still in the queue, and how it was when it last was."""
        stamp = self._queue.stamp()
        if stamp != self._stamp:
            job, self._stamp = self._queue.job(self._id), stamp
            self._is_listed, self._job = job is not None, job or self._job
        return self._is_listed, self._job

    def _new_events_or_none(self, job: QueuedJob) -> tuple[list[Event], bool]:
        """Of a job that has ended, its end is told also when its events stay unreadable."""
        try:
            return self._new_events(job)
        except EpitomeError:
            self._refused += 1
            if self._refused < _MOST_REFUSED:
                raise
            return [], False

    def _new_events(self, job: QueuedJob) -> tuple[list[Event], bool]:
        """New events without those that end a start, and whether there may be more."""
        if self._events is None:
            kinds = event_kinds(job.kind, self._kinds)
            self._events = Follower(RunFolder(job.folder).events_file, kinds)
        events = [each.event for each in self._events.poll()]
        for event in events:
            self._last = event if is_last(event) else None
            if isinstance(event, Finished):
                self._result = event.result
        return [event for event in events if not is_last(event)], bool(events)

    def _new_progress(self, job: QueuedJob) -> list[Event]:
        progress = progress_of(job)
        if progress is None or progress == self._progress:
            return []
        self._progress = progress
        return [progress]

    def _end(self, ending: Event) -> list[Event]:
        self.over = True
        return [ending]


def last_event_of(job: QueuedJob, kinds: Mapping[str, JobKind] = KINDS) -> Event | None:
    """How the last start of a job ended, as its process has recorded it.

    Args:
        job: The job.
        kinds: The known kinds of job.

    Returns:
        Its last event; None where the process has recorded no end.
    """
    file = RunFolder(job.folder).events_file
    follower, last = Follower(file, event_kinds(job.kind, kinds), job.events_from), None
    while found := follower.poll():
        last = found[-1].event
    return last if last is not None and is_last(last) else None


def progress_of(job: QueuedJob) -> Progress | None:
    """How far the process of a job is; None where it has not said so."""
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        told = parse_json(read_regular(RunFolder(job.folder).progress_file))
        if told.pop("start") == job.start:
            return Progress(**told)
    return None


def _ending(job: QueuedJob, result: object) -> Event | None:
    """The last event of a job that has ended, or was paused."""
    match job.state:
        case "finished":
            return Finished(result)
        case "failed":
            return job.failure or Failed("The job failed.", "See log.txt in its folder.")
        case "paused":
            return Stopped("pause")
        case "stopped":
            return Stopped("stop")
        case "cancelled":
            return Stopped("cancel")
    return None
