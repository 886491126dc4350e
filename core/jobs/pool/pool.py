"""Workers that do numbered jobs, and the one way in which jobs are handed out to them.

Jobs are done in this process (`inline_pool`), in processes beside it (`process_pool`) or by the
workers of a cluster (`core.jobs.cluster.pool`). In each, a bounded number of jobs is in hand, a job
that ends its process fails alone, and a stop ends the waiting at once.
"""

import queue
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, Final

from core.events import Event, Failed, is_last
from core.stop import StopToken

_LOOK_S: Final = 0.2
_PER_WORKER: Final = 2  # a job that is being done, and one to go on with

NextJob = Callable[[], "tuple[int, Any] | None"]
"""Returns the next job and its number, or a `Failed` in its place; None if there is none now."""


class Pool(ABC):
    """Workers that do numbered jobs.

    Args:
        num_workers: The number of jobs that are done at a time.
        bundle: The number of small jobs that a worker takes at once.
    """

    def __init__(self, num_workers: int, bundle: int = 1) -> None:
        self.num_workers, self._bundle = num_workers, bundle
        self._events: queue.SimpleQueue[tuple[int, Event | Exception | None]] = queue.SimpleQueue()
        self._given_up = StopToken()

    def capacity(self, *, large: bool = False) -> int:
        """The number of jobs in hand at which no worker waits.

        Args:
            large: True if each job holds megabytes until it is done.

        Returns:
            The number.
        """
        return _PER_WORKER * self.num_workers * (1 if large else self._bundle)

    @abstractmethod
    def submit(self, number: int, job: Any) -> None:
        """Has a job done soon, the lowest number first."""

    def report(self, number: int, event: Event) -> None:
        """Adds an event of a job, also of one that was not submitted."""
        self._events.put((number, event))

    def next_event(self) -> tuple[int, Event | None]:
        """Waits for the next event.

        Returns:
            The number of its job, and the event; None if there is none in time.

        Raises:
            EpitomeError: If the workers can no longer be used.
        """
        try:
            number, event = self._events.get(timeout=_LOOK_S)
        except queue.Empty:
            return 0, None
        if isinstance(event, Exception):
            raise event
        return number, event

    def wake(self) -> None:
        """Ends the waiting of `next_event`; may be called from a signal handler."""
        self._events.put((0, None))

    def stop(self) -> None:
        """Gives up the jobs in hand."""
        self._given_up.request("cancel")

    @abstractmethod
    def close(self) -> None:
        """Gives up the jobs in hand, and ends the workers."""


class JobFeed:
    """Hands out jobs to a pool, a bounded number at a time, and takes their events.

    Args:
        pool: Does the jobs.
        next_job: Asked whenever there is room, again after it returned None.
        stop: Ends the work.
        large: As `Pool.capacity`.
    """

    def __init__(
        self, pool: Pool, next_job: NextJob, stop: StopToken, *, large: bool = False
    ) -> None:
        self._pool, self._next_job, self._stop, self._large = pool, next_job, stop, large
        self._in_hand: set[int] = set()

    def hand_out(self) -> bool:
        """Hands out jobs while there is room; False if none is in hand."""
        while len(self._in_hand) < self._pool.capacity(large=self._large):
            numbered = self._next_job()
            if numbered is None:
                break
            number, job = numbered
            self._in_hand.add(number)
            if isinstance(job, Failed):
                self._pool.report(number, job)
            else:
                self._pool.submit(number, job)
        return bool(self._in_hand)

    def take(self) -> tuple[int, Event] | None:
        """Waits for the next event, as `Pool.next_event`; None if there is none in time."""
        number, event = self._pool.next_event()
        if event is None:
            return None
        if is_last(event):
            self._in_hand.discard(number)
        return number, event

    def run(self) -> Iterator[tuple[int, Event]]:
        """Works until no job is left, or a stop is requested.

        Yields:
            The number of each job, and its event; another job may be next under the number of one
            that has ended.
        """
        with self._stop.calling(self._pool.wake):
            while not self._stop and self.hand_out():
                if taken := self.take():
                    yield taken
