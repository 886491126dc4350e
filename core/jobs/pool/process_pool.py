"""Processes of this machine that do one job after another."""

import queue
import threading
from collections.abc import Callable
from contextlib import closing
from math import inf

from core.jobs.job import Job
from core.jobs.lanes.child_process import ChildProcess
from core.jobs.pool.pool import Pool
from core.jobs.sources.sources import reading_process


class ProcessPool(Pool):
    """Processes that do one job after another, each followed by a thread.

    A job that ends its process fails alone; the process is replaced.

    Args:
        size: The number of processes.
        process: Makes a process.
    """

    def __init__(self, size: int, process: Callable[[], ChildProcess] = reading_process) -> None:
        super().__init__(size)
        self._process = process
        self._jobs: queue.PriorityQueue[tuple[float, int, Job | None]] = queue.PriorityQueue()
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

    def close(self) -> None:
        """Ends the processes."""
        self.stop()
        for _ in self._threads:
            self._put(inf, None)
        for thread in self._threads:
            thread.join()

    def _serve(self) -> None:
        with closing(self._process()) as process:
            while not self._given_up:
                number, _, job = self._jobs.get()
                if job is None:
                    return
                for event in process.run(job, self._given_up):
                    self.report(int(number), event)
