"""A pool that does its jobs one after the other in this process."""

from collections import deque
from collections.abc import Callable

from core.events import Event
from core.jobs.job import Job
from core.jobs.pool.pool import Pool
from core.jobs.run import run_inline
from core.stop import StopToken


class InlinePool(Pool):
    """Does a job when its last event is taken; a user may do something before.

    Args:
        meanwhile: Called once, when two jobs are in hand and neither is done.
    """

    def __init__(self, meanwhile: Callable[[], object] = lambda: None) -> None:
        super().__init__(1)
        self._meanwhile: Callable[[], object] | None = meanwhile
        self._jobs: deque[tuple[int, Job | Event]] = deque()
        self.done: list[int] = []

    def submit(self, number: int, job: Job) -> None:
        """Has a job done soon."""
        self._jobs.append((number, job))

    def report(self, number: int, event: Event) -> None:
        """Adds an event of a job that was not submitted."""
        self._jobs.append((number, event))

    def next_event(self) -> tuple[int, Event | None]:
        """The last event of the next job."""
        if self._meanwhile is not None:
            meanwhile, self._meanwhile = self._meanwhile, None
            meanwhile()
        number, job = self._jobs.popleft()
        self.done.append(number)
        if isinstance(job, Event):
            return number, job
        *_, last = run_inline(job, StopToken())
        return number, last

    def close(self) -> None:
        """Nothing is left."""
