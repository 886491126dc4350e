"""Writes something small to disk away from the window's thread, where a slow disk is not felt."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.events import Event, Finished
from core.stop import StopToken


@dataclass(frozen=True)
class KeepJob:
    """Calls one function that writes.

    Args:
        write: What to call; its result is the job's.
    """

    write: Callable[[], object]

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with what the function gave."""
        yield Finished(self.write())
