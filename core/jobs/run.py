"""Runs a job where it is called, and turns whatever goes wrong into events."""

import traceback
from collections.abc import Generator

from core.errors import USE_LESS_MEMORY, EpitomeError, foreign
from core.events import Event, Failed, Stopped
from core.jobs.job import Job
from core.stop import Stopping, StopToken

_PANIC = "PanicException"  # how a library written in Rust says so; it is no `Exception`
_OTHER_FILE = "Try it with another file or model; one of them may be damaged."


def run_inline(job: Job, stop: StopToken) -> Generator[Event, None, None]:
    """Runs a job here and now; never raises for what goes wrong inside it.

    Args:
        job: What to do.
        stop: The wish to end.

    Yields:
        The job's events; the last is `Finished`, `Stopped` or `Failed`.

    Raises:
        BaseException: What ends the process, such as a second Ctrl-C.
    """
    try:
        yield from job.run(stop)
    except Stopping:
        yield Stopped(stop.wish)
    except Exception as error:
        yield failed(error, getattr(job, "memory_remedy", USE_LESS_MEMORY))
    except BaseException as error:
        if type(error).__name__ != _PANIC:
            raise
        details = "".join(traceback.format_exception(error))
        yield Failed("A library that was used for this broke down.", _OTHER_FILE, details)


def failed(error: Exception, memory_remedy: str = USE_LESS_MEMORY) -> Failed:
    """An error as an event, with its traceback where no code explained it.

    Args:
        error: What was raised.
        memory_remedy: What makes the work smaller; a job names its own.

    Returns:
        The event.
    """
    if isinstance(error, EpitomeError):
        return Failed(error.message, error.remedy, kind=error.kind)
    details = "".join(traceback.format_exception(error))
    if told := foreign(error, memory_remedy):
        return Failed(told.message, told.remedy, details, told.kind)
    return Failed(
        f"Something in the program went wrong ({type(error).__name__}).",
        "Try again; if it happens again, copy the technical details into a report.",
        details,
    )
