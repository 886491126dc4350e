"""Jobs that are done in this process, one after the other."""

import heapq
from collections.abc import Callable, Iterator

from core.events import Event, is_last
from core.jobs.job import Job
from core.jobs.lanes.child_process import ChildProcess
from core.jobs.pool.pool import Pool
from core.jobs.run import run_inline
from core.jobs.sources.sources import reading_process
from core.stop import StopToken


class InlinePool(Pool):
    """Does a job while its events are taken; one that may end its process, in another process.

    Args:
        stop: Ends the job that is being done.
        process: Makes the other process.
    """

    def __init__(
        self, stop: StopToken, process: Callable[[], ChildProcess] = reading_process
    ) -> None:
        super().__init__(1)
        self._stop, self._process = stop, process()
        self._jobs: list[tuple[int, int, Job]] = []
        self._num_submitted = 0
        self._current: tuple[int, Iterator[Event]] | None = None

    def submit(self, number: int, job: Job) -> None:
        """Has a job done after those of lower numbers."""
        self._num_submitted += 1  # keeps jobs of the same number from being compared
        heapq.heappush(self._jobs, (number, self._num_submitted, job))

    def next_event(self) -> tuple[int, Event | None]:
        """Does the current job, or the next one, up to its next event."""
        if not self._current:
            if not self._jobs or not self._events.empty():
                return super().next_event()
            number, _, job = heapq.heappop(self._jobs)
            run = self._process.run if getattr(job, "is_risky", False) else run_inline
            self._current = number, run(job, self._stop)
        number, events = self._current
        event = next(events)
        if is_last(event):
            self._current = None
        return number, event

    def close(self) -> None:
        """Ends the other process."""
        self.stop()
        self._process.close()
