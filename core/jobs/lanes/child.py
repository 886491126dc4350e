"""What a child process executes: one job after another, until the other side says good-bye.

`core.jobs.lanes.child_process` is the other side. Every message carries the number of its run, so
that a request to stop that comes late never ends the next run. Progress is thinned out here, so
that a busy job cannot flood the window.
"""

import os
import queue
import sys
import threading
import time
import traceback
from dataclasses import dataclass

from core.events import Event, Progress
from core.jobs.job import Job
from core.jobs.run import run_inline
from core.library.folders import Folders
from core.stop import StopToken, Wish
from core.system import crash_reports
from core.system.limits import may_be_ended
from core.system.processes import (
    Channel,
    ChildEndedError,
    go_first_when_memory_ends,
    parent_channel,
    python_command,
)

PROGRESS_INTERVAL_S = 0.05


@dataclass(frozen=True)
class RunJob:
    """Asks the child to run a job under a number that was not used before."""

    number: int
    job: Job


@dataclass(frozen=True)
class StopJob:
    """Asks the child to end the run of that number."""

    number: int
    wish: Wish


@dataclass(frozen=True)
class Happened:
    """Tells an event of the run of that number."""

    number: int
    event: Event


@dataclass(frozen=True)
class Order:
    """A job that the child was asked to run, and the wish to end it."""

    number: int
    job: Job
    stop: StopToken


class Inbox:
    """The jobs that a child was sent. A wish to stop reaches the run it is meant for, or none."""

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[Order] = queue.SimpleQueue()
        self._stops: dict[int, StopToken] = {}

    def take(self, message: RunJob | StopJob) -> None:
        """Puts a message where it belongs; a wish for a run that is over is dropped."""
        if isinstance(message, RunJob):
            stop = self._stops[message.number] = StopToken()
            self._waiting.put(Order(message.number, message.job, stop))
        elif (running := self._stops.get(message.number)) is not None:
            running.request(message.wish)

    def next(self) -> Order:
        """Waits for the next job."""
        return self._waiting.get()

    def is_over(self, order: Order) -> None:
        """Forgets a run that has ended."""
        del self._stops[order.number]


def command() -> list[str]:
    """The command line that starts a child, from source and from a packaged program."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--engine-child"]
    # Not with -m: the messages' classes must be those of the module the window imported.
    return python_command("-c", "from core.jobs.lanes.child import main; main()")


def main() -> None:
    """Serves jobs until the other side is gone."""
    crash_reports.begin("child", Folders.of_this_user().crashes)
    go_first_when_memory_ends()
    may_be_ended()
    channel, inbox = parent_channel(), Inbox()
    threading.Thread(target=_listen, args=(channel, inbox), daemon=True).start()
    while True:
        order = inbox.next()
        try:
            _serve(channel, order)
        except ChildEndedError:
            return
        inbox.is_over(order)


def _listen(channel: Channel, inbox: Inbox) -> None:
    while True:
        try:
            inbox.take(channel.receive())
        except ChildEndedError:
            # The other side is gone, perhaps killed: nobody is left to work for.
            crash_reports.end()
            os._exit(0)
        except Exception:
            # A job that cannot be read here; whoever waits for it must not wait for ever.
            traceback.print_exc()
            os._exit(1)


def _serve(channel: Channel, order: Order) -> None:
    last_sent_s = 0.0
    for event in run_inline(order.job, order.stop):
        if isinstance(event, Progress):
            now_s = time.monotonic()
            if now_s - last_sent_s < PROGRESS_INTERVAL_S:
                continue
            last_sent_s = now_s
        channel.send(Happened(order.number, event))
