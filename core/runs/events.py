"""What every run's file of events can hold."""

from dataclasses import dataclass

from core.events import Event


@dataclass(frozen=True)
class Resumed(Event):
    """A run goes on from a checkpoint: what was recorded later than that is not part of it.

    Args:
        after: The number of the last event that counts.
        step: The step the checkpoint was made at.
    """

    after: int
    step: int
