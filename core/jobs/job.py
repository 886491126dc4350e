"""What every job is: a frozen description that can run anywhere."""

from collections.abc import Iterator
from typing import Protocol

from core.events import Event
from core.stop import StopToken


class Job(Protocol):
    """A frozen, picklable description of work.

    It knows neither the window nor the process it runs in; its engines are imported inside `run`,
    so that describing a job costs nothing. A job whose work can be made smaller says how in a class
    attribute `memory_remedy`, one sentence that is told when memory runs out; one that may end its
    process has an attribute `is_risky`, by which `core.jobs.pool.inline_pool` knows it.
    """

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Does the work; ends with `Finished` or `Stopped`, or raises.

        Args:
            stop: Read often; once set, the job ends soon.

        Yields:
            What happens, as it happens.
        """
        ...
