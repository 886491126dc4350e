"""Several processes that read and summarise documents, one document each at a time."""

import queue
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from math import inf
from typing import Any, Protocol

from core.events import Event, Progress, is_last
from core.jobs.job import Job
from core.jobs.run import failed
from core.jobs.sources.sources import reading_process
from core.jobs.summaries.summarise import BUILT_IN
from core.stop import StopToken
from core.system.machine import usable_cores

_LOOK_S = 0.2
_AHEAD = 4  # jobs for each process that may be handed out, or done, before their turn


def num_processes(wanted: int | None, models: Iterable[str], num_jobs: int | None = None) -> int:
    """How many processes a team has.

    Args:
        wanted: How many a person asked for; None for one for each core.
        models: The models that write. A trained model uses all cores itself, and much memory.
        num_jobs: How many jobs there are, where that is known.

    Returns:
        At least 1; 1 for trained models.
    """
    if set(models) != {BUILT_IN}:
        return 1
    number = wanted or usable_cores()
    return number if num_jobs is None else max(1, min(number, num_jobs))


class Team(Protocol):
    """Whoever does numbered jobs: processes of this machine, or the workers of a cluster."""

    size: int
    """How many jobs are well handed out at a time."""

    def submit(self, number: int, job: Any) -> None:
        """Has a job done soon, the lowest number first."""

    def say(self, number: int, event: Event) -> None:
        """Tells an event of a job that was not handed out."""

    def hear(self) -> tuple[int, Event | None]:
        """The next event and the job it is of; None when nothing is told in time."""
        ...

    def wake(self) -> None:
        """Ends the waiting of `hear`; may be called from a signal handler."""

    def stop(self) -> None:
        """Gives up what is being done."""

    def close(self) -> None:
        """Ends the team."""


class ProcessTeam:
    """Processes that do one job after another, each followed by a thread.

    A job that ends its process fails alone; the process is replaced.

    Args:
        size: How many processes.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._jobs: queue.PriorityQueue[tuple[float, int, Job | None]] = queue.PriorityQueue()
        self._said: queue.SimpleQueue[tuple[int, Event | None]] = queue.SimpleQueue()
        self._given_up = StopToken()
        self._num_submitted = 0
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(size)]
        for thread in self._threads:
            thread.start()

    def submit(self, number: int, job: Job) -> None:
        """Has a job done as soon as a process is free, the lowest number first."""
        self._put(number, job)

    def _put(self, number: float, job: Job | None) -> None:
        self._num_submitted += 1  # keeps jobs of the same number from being compared
        self._jobs.put((number, self._num_submitted, job))

    def say(self, number: int, event: Event) -> None:
        """Tells an event of a job that was not handed out."""
        self._said.put((number, event))

    def hear(self, timeout_s: float = _LOOK_S) -> tuple[int, Event | None]:
        """The next event and the job it is of; None when nothing is told in time."""
        try:
            return self._said.get(timeout=timeout_s)
        except queue.Empty:
            return 0, None

    def wake(self) -> None:
        """Ends the waiting of `hear`; may be called from a signal handler."""
        self._said.put((0, None))

    def stop(self) -> None:
        """Gives up what is being done."""
        self._given_up.request("cancel")

    def close(self) -> None:
        """Ends the processes."""
        self.stop()
        for _ in self._threads:
            self._put(inf, None)
        for thread in self._threads:
            thread.join()

    def _serve(self) -> None:
        with closing(reading_process()) as process:
            while not self._given_up:
                number, _, job = self._jobs.get()
                if job is None:
                    return
                for event in process.run(job, self._given_up):
                    self._said.put((int(number), event))


class OrderedTeam:
    """Has numbered jobs done by a team, and tells their events in the order of the jobs.

    A few jobs are done ahead of their turn; what they tell is held until then. So the events do not
    depend on who does the jobs, and the memory does not depend on how many jobs there are.

    Args:
        team: Does the jobs; it is closed with this.
        total: How many jobs there are.
        make: Gives the job of a number, from 0, and is told whether its turn has come; what it
            raises is the job's failure. None puts the job off until its turn.
        stop: The wish to end early.
    """

    def __init__(
        self, team: Team, total: int, make: Callable[[int, bool], Job | None], stop: StopToken
    ) -> None:
        self._team, self._total, self._make, self._stop = team, total, make, stop
        self._next = 0
        self._heard: defaultdict[int, deque[Event]] = defaultdict(deque)

    def close(self) -> None:
        """Ends the team."""
        self._team.close()

    def again(self, number: int, job: Job) -> None:
        """Does another job in the place of one that was followed to its end."""
        self._team.submit(number, job)

    def follow(self, number: int) -> Iterator[Event]:
        """The events of a job, to its last one; call it for each number in turn.

        Of the progress before its turn only the latest is told.

        Args:
            number: The job.

        Yields:
            The events.

        Raises:
            Stopping: If an end was wished for.
        """
        with self._stop.calling(self._team.wake):
            while True:
                self._stop.raise_if_set()
                self._hand_out(number)
                heard = self._heard[number]
                while heard:
                    event = heard.popleft()
                    if is_last(event):
                        del self._heard[number]  # before it is told: nobody may ask for more
                    yield event
                    if is_last(event):
                        return
                self._note(*self._team.hear())

    def _hand_out(self, turn: int) -> None:
        """Hands out the job whose turn it is, and some of those after it."""
        while self._next < min(self._total, turn + 1 + _AHEAD * self._team.size):
            number = self._next
            try:
                job = self._make(number, number == turn)
            except Exception as error:
                self._heard[number].append(failed(error))
            else:
                if job is None:
                    return
                self._team.submit(number, job)
            self._next += 1

    def _note(self, number: int, event: Event | None) -> None:
        if event is None:
            return
        heard = self._heard[number]
        if isinstance(event, Progress) and heard and isinstance(heard[-1], Progress):
            heard.pop()
        heard.append(event)
