"""Runs one job, in this process or in one of its own, and shows what happens."""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from core.cli.console import Console
from core.events import Event, Failed, Finished, Stopped
from core.jobs.job import Job
from core.jobs.lanes.child_process import ChildProcess
from core.jobs.run import run_inline
from core.stop import Stopping, StopToken

Ending = Finished | Failed | Stopped
INTERRUPTED = "Interrupted. Nothing was written."


def run_job(job: Job, name: str, console: Console, process: ChildProcess | None = None) -> Ending:
    """Runs a job to its end; Ctrl-C asks it to stop, and a second one ends it at once.

    Args:
        job: What to do.
        name: What to call it in messages.
        console: Where progress and messages go.
        process: Where the job runs; None for here.

    Returns:
        Its last event; `Stopped` after Ctrl-C, unless the job could still finish: what it has made
        is there then, and nobody shall read that nothing was written.
    """
    stop = StopToken()
    ending: Ending = Stopped("stop")
    with stopped_by_ctrl_c(stop), suppress(Stopping):
        ending = follow(process.run(job, stop) if process else run_inline(job, stop), name, console)
    console.clear()
    return Stopped("stop") if stop and not isinstance(ending, Finished) else ending


def follow(
    events: Iterable[Event],
    name: str,
    console: Console,
    take: Callable[[Event], object] = lambda event: None,
) -> Ending:
    """Shows the events of a job.

    Args:
        events: What happens.
        name: What to call the job in messages.
        console: Where progress and messages go.
        take: Called with each event after it is shown.

    Returns:
        The last event; `Stopped` where the job told none.
    """
    ending: Ending = Stopped("stop")
    for event in events:
        console.show(event, name)
        take(event)
        if isinstance(event, Finished | Failed | Stopped):
            ending = event
    console.clear()
    return ending


@contextmanager
def stopped_by_ctrl_c(stop: StopToken, *others: signal.Signals) -> Iterator[None]:
    """Turns the first Ctrl-C into a wish to stop; the second is a `KeyboardInterrupt`.

    Args:
        stop: Where the wish is put.
        *others: Signals that are answered in the same way.

    Yields:
        None: until the block ends, and Ctrl-C does again what it did before.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ask(number: int, frame: FrameType | None) -> None:
        if stop and number == signal.SIGINT:
            raise KeyboardInterrupt
        stop.request("stop")  # a launcher may send SIGTERM after the terminal's Ctrl-C

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, *others)}
    try:
        yield
    finally:
        for number, answer in before.items():
            signal.signal(number, answer)


@contextmanager
def ended_by_ctrl_c(stop: StopToken) -> Iterator[None]:
    """While a person or a pipe is waited for, Ctrl-C is a `KeyboardInterrupt`.

    It is one nowhere else inside `stopped_by_ctrl_c`: raised while Python clears something away, it
    would be lost.

    Args:
        stop: An earlier wish to end, which ends the waiting too.

    Yields:
        None: until the block ends, and Ctrl-C does again what it did before.

    Raises:
        KeyboardInterrupt: If an end was asked for.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        if stop:
            raise KeyboardInterrupt
        yield
    finally:
        signal.signal(signal.SIGINT, before)
