"""Runs jobs in a process of their own: whatever becomes of it never touches this one."""

import queue
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress

from core.events import Event, Failed, Finished, Stopped
from core.jobs.child import RunJob, command
from core.jobs.job import Job
from core.processes import Child, ChildEndedError
from core.stop import StopToken
from core.summary import format_quantity

_LOOK_S = 0.05


class OwnProcess:
    """A process beside this one that does one job after another, and is replaced when it dies.

    Args:
        patience_s: How long nothing may be heard of a job that has begun, in seconds; then the
            process is killed. None to wait for ever.
        remedy: What a person can do about a job that ended its process or was given up.
    """

    def __init__(
        self, patience_s: float | None = None, remedy: str = "Try again, or make it smaller."
    ) -> None:
        self._patience_s = patience_s
        self._remedy = remedy
        self._child: Child | None = None
        self._watcher: threading.Thread | None = None

    def run(self, job: Job, stop: StopToken) -> Iterator[Event]:
        """Runs a job there.

        Args:
            job: What to do.
            stop: Once set, the process is killed.

        Yields:
            The job's events; the last is `Finished`, `Failed` or `Stopped`. A process that dies
            gives `Failed` with what the system says of its end.

        Raises:
            Stopping: If an end was asked for.
        """
        if self._child is None or not self._child.alive():
            self.close()
            self._child = Child(command())
        events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._watcher = threading.Thread(
            target=self._follow, args=(self._child, job, events), daemon=True
        )
        self._watcher.start()
        patience_s, is_over = None, False
        try:
            while not is_over:
                event = self._next_of(events, stop, patience_s)
                patience_s = self._patience_s
                is_over = isinstance(event, Finished | Failed | Stopped)
                yield event
        finally:
            if not is_over:
                self.close()

    def _next_of(
        self, events: "queue.SimpleQueue[Event]", stop: StopToken, patience_s: float | None
    ) -> Event:
        since_s = time.monotonic()
        while patience_s is None or time.monotonic() - since_s < patience_s:
            stop.raise_if_set()
            with suppress(queue.Empty):
                return events.get(timeout=_LOOK_S)
        self.close()
        told = f"Nothing was heard of it for {format_quantity(int(patience_s), 'second')}"
        return Failed(f"{told}, so it was given up.", self._remedy, kind="silent")

    def _follow(self, child: Child, job: Job, events: "queue.SimpleQueue[Event]") -> None:
        try:
            child.channel.send(RunJob(job))
            while True:
                event: Event = child.channel.receive()
                events.put(event)
                if isinstance(event, Finished | Failed | Stopped):
                    return
        except ChildEndedError:
            told = f"Its process did not come to an end: {child.how_it_ended()}."
            events.put(Failed(told, self._remedy, kind="ended"))

    def close(self) -> None:
        """Ends the process at once, whatever it does."""
        if self._child is None:
            return
        self._child.kill()
        if self._watcher is not None:
            self._watcher.join()
        self._child.end()
        self._child = self._watcher = None


def run_fresh(job: Job, stop: StopToken) -> Iterator[Event]:
    """Runs a job in a process that begins with it and ends with it; else as `OwnProcess.run`."""
    with closing(OwnProcess()) as process:
        yield from process.run(job, stop)
