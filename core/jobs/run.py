"""Runs a job where it is called, and turns whatever goes wrong into events."""

import traceback
from collections.abc import Iterator

from core.errors import EpitomeError
from core.events import Event, Failed, Stopped
from core.jobs.job import Job
from core.stop import Stopping, StopToken


def run_inline(job: Job, stop: StopToken) -> Iterator[Event]:
    """Runs a job here and now; never raises for what goes wrong inside it.

    Args:
        job: What to do.
        stop: The wish to end.

    Yields:
        The job's events; the last is `Finished`, `Stopped` or `Failed`.
    """
    try:
        yield from job.run(stop)
    except Stopping:
        yield Stopped(stop.wish)
    except Exception as error:
        yield failed(error)


def failed(error: Exception) -> Failed:
    """An error in words, with its traceback where nobody foresaw it."""
    if isinstance(error, EpitomeError):
        return Failed(error.message, error.remedy, kind=error.kind)
    if isinstance(error, MemoryError):
        return Failed(
            "There is not enough memory for this.",
            "Close other programs, or use a shorter document.",
        )
    return Failed(
        f"Something in the program went wrong ({type(error).__name__}).",
        "Try again; if it happens again, copy the technical details into a report.",
        "".join(traceback.format_exception(error)),
    )
