"""What the warm engine child executes: one job after another, until the window says good-bye.

The window sends a job, or the wish to stop the one that runs; the child sends the job's events.
Progress is thinned out here, so that a busy job cannot flood the window.
"""

import os
import queue
import sys
import threading
import time
from dataclasses import dataclass

from core.events import Progress
from core.jobs.job import Job
from core.jobs.run import run_inline
from core.processes import Channel, ChildEndedError, go_first_when_memory_ends, parent_channel
from core.stop import StopToken, Wish

PROGRESS_INTERVAL_S = 0.05


@dataclass(frozen=True)
class RunJob:
    """Asks the child to run a job."""

    job: Job


@dataclass(frozen=True)
class StopJob:
    """Asks the child to end the job that runs."""

    wish: Wish


def command() -> list[str]:
    """The command line that starts an engine child, from source and from a packaged program."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--engine-child"]
    # Not with -m: the messages' classes must be those of the module the window imported.
    # With -P: a folder "core" where the program was started from is not ours.
    return [sys.executable, "-P", "-c", "from core.jobs.child import main; main()"]


def main() -> None:
    """Serves jobs until the other side is gone."""
    go_first_when_memory_ends()
    channel = parent_channel()
    jobs: queue.SimpleQueue[tuple[Job, StopToken]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(channel, jobs), daemon=True).start()
    while True:
        job, stop = jobs.get()
        try:
            _serve(channel, job, stop)
        except ChildEndedError:
            return


def _listen(channel: Channel, jobs: "queue.SimpleQueue[tuple[Job, StopToken]]") -> None:
    stop = StopToken()
    while True:
        try:
            message = channel.receive()
        except ChildEndedError:
            # The window is gone, perhaps killed: nobody is left to work for.
            os._exit(0)
        if isinstance(message, RunJob):
            stop = StopToken()
            jobs.put((message.job, stop))
        elif isinstance(message, StopJob):
            stop.request(message.wish)


def _serve(channel: Channel, job: Job, stop: StopToken) -> None:
    last_sent_s = 0.0
    for event in run_inline(job, stop):
        now_s = time.monotonic()
        if isinstance(event, Progress):
            if now_s - last_sent_s < PROGRESS_INTERVAL_S:
                continue
            last_sent_s = now_s
        channel.send(event)
