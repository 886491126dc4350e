"""Runs a job in a process of its own, which begins with it and ends with it."""

import queue
import threading
from collections.abc import Iterator

from core.events import Event, Failed, Finished, Stopped
from core.jobs.child import RunJob, command
from core.jobs.job import Job
from core.processes import Child, ChildEndedError
from core.stop import StopToken

_LOOK_S = 0.05


def run_fresh(job: Job, stop: StopToken) -> Iterator[Event]:
    """Runs a job in a fresh process; what becomes of that process never touches this one.

    Args:
        job: What to do there.
        stop: Once set, the process is killed.

    Yields:
        The job's events; the last is `Finished`, `Failed` or `Stopped`. A process that dies
        gives `Failed` with what the system says of its end.

    Raises:
        Stopping: If an end was asked for.
    """
    child = Child(command())
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    watcher = threading.Thread(target=_follow, args=(child, job, events), daemon=True)
    watcher.start()
    try:
        yield from _until_the_last(events, stop)
    finally:
        child.kill()
        watcher.join()
        child.end()


def _until_the_last(events: "queue.SimpleQueue[Event]", stop: StopToken) -> Iterator[Event]:
    while True:
        stop.raise_if_set()
        try:
            event = events.get(timeout=_LOOK_S)
        except queue.Empty:
            continue
        yield event
        if isinstance(event, Finished | Failed | Stopped):
            return


def _follow(child: Child, job: Job, events: "queue.SimpleQueue[Event]") -> None:
    try:
        child.channel.send(RunJob(job))
        while True:
            events.put(child.channel.receive())
    except ChildEndedError:
        told = f"Its process did not come to an end: {child.how_it_ended()}."
        events.put(Failed(told, "Try again, or make it smaller.", kind="ended"))
