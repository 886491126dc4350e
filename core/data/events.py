"""What happens while a corpus is prepared."""

from dataclasses import dataclass

from core.events import Event


@dataclass(frozen=True)
class FileBegun(Event):
    """A process begins to read a file, whose reading may never end, or end the process.

    Args:
        row: Which row of its block it is; None when it is read and others follow.
    """

    row: int | None
