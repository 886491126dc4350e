"""Jobs whose events come in the order of the jobs, whichever workers do them."""

from collections import defaultdict, deque
from collections.abc import Callable, Iterator

from core.events import Event, Progress, is_last
from core.jobs.job import Job
from core.jobs.pool.pool import JobFeed, Pool
from core.jobs.run import failed
from core.stop import StopToken


class OrderedJobs:
    """Has numbered jobs done by a pool, and yields their events in the order of the jobs.

    A few jobs are done ahead of their turn; their events are held until then. So the events do not
    depend on the workers, and the memory does not depend on the number of jobs.

    Args:
        pool: Does the jobs; it is closed with this.
        total: The number of jobs.
        make: Makes the job of a number, from 0; its second argument is True when the turn of the
            job has come. What it raises is the job's failure. None puts the job off until its turn.
        stop: Ends the work.
    """

    def __init__(
        self, pool: Pool, total: int, make: Callable[[int, bool], Job | None], stop: StopToken
    ) -> None:
        self._pool, self._total, self._make, self._stop = pool, total, make, stop
        self._feed = JobFeed(pool, self._next_job, stop)
        self._next = self._turn = 0
        self._again: deque[tuple[int, Job]] = deque()
        self._held: defaultdict[int, deque[Event]] = defaultdict(deque)

    def close(self) -> None:
        """Ends the pool."""
        self._pool.close()

    def again(self, number: int, job: Job) -> None:
        """Does another job in the place of one that was followed to its end."""
        self._again.append((number, job))

    def follow(self, number: int) -> Iterator[Event]:
        """Yields the events of a job, to its last one; call it for each number in turn.

        Of the progress before its turn only the latest is yielded.

        Args:
            number: The job.

        Yields:
            The events.

        Raises:
            Stopping: If a stop was requested.
        """
        self._turn = number
        with self._stop.calling(self._pool.wake):
            while True:
                self._stop.raise_if_set()
                self._feed.hand_out()
                held = self._held[number]
                while held:
                    event = held.popleft()
                    if is_last(event):
                        del self._held[number]  # before it is yielded: nothing may be asked after
                    yield event
                    if is_last(event):
                        return
                if taken := self._feed.take():
                    self._hold(*taken)

    def _next_job(self) -> tuple[int, Job | Event] | None:
        """The job whose turn it is, or one of a few after it."""
        if self._again:
            return self._again.popleft()
        number = self._next
        if number >= min(self._total, self._turn + 1 + 2 * self._pool.capacity()):
            return None
        try:
            job: Job | Event | None = self._make(number, number == self._turn)
        except Exception as error:
            job = failed(error)
        if job is None:
            return None
        self._next += 1
        return number, job

    def _hold(self, number: int, event: Event) -> None:
        held = self._held[number]
        if isinstance(event, Progress) and held and isinstance(held[-1], Progress):
            held.pop()
        held.append(event)
