"""What a running job says: the base kinds of event.

A job's own kinds live beside its settings and inherit from `Event`.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Event:
    """Base of all events."""


@dataclass(frozen=True)
class Started(Event):
    """The job began.

    Args:
        what: The job in a few words, as the status bar shows it.
    """

    what: str


@dataclass(frozen=True)
class Progress(Event):
    """How far the job is.

    Args:
        done: How many units are done.
        total: How many there are; 0 when that is not known.
        unit: What is counted, in the plural ("pages").
        what: What is being done ("Reading").
    """

    done: int
    total: int
    unit: str
    what: str


@dataclass(frozen=True)
class Message(Event):
    """Something worth saying while the job runs."""

    level: Literal["info", "note", "warning"]
    text: str


@dataclass(frozen=True)
class Finished(Event):
    """The job is done.

    Args:
        result: What it made; None when the result lies in a file or was sent before.
    """

    result: Any = None


@dataclass(frozen=True)
class Stopped(Event):
    """The job ended early because it was asked to ("pause", "stop" or "cancel")."""

    reason: str


@dataclass(frozen=True)
class Failed(Event):
    """The job could not go on.

    Args:
        message: What was wrong, one sentence.
        remedy: What to do, one sentence.
        details: Technical details (a traceback), folded away until asked for.
        kind: As in `core.errors.EpitomeError`.
    """

    message: str
    remedy: str
    details: str = ""
    kind: str = ""


def is_last(event: Event) -> bool:
    """Whether an event ends its job."""
    return isinstance(event, Finished | Stopped | Failed)


Steps = Generator[Progress, None, T]
"""Long work in pieces: yields how far it is, and returns what it made.

A caller that is itself long writes ``result = yield from steps``; others call `result_of`.
"""


def result_of(steps: Steps[T]) -> T:
    """Does all of the work at once and gives what it made."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
