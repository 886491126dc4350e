"""Lets a process that has been running for a while use parts that were installed meanwhile."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.events import Event, Finished
from core.parts import activate
from core.stop import StopToken


@dataclass(frozen=True)
class UsePartsJob:
    """Finds new parts in the process that runs this job."""

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with whether there was one."""
        yield Finished(activate())
