"""From what a file of events holds back to the events.

`core.runs` knows the base kinds only; whoever reads a job's events hands over the job's own.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError

from core.events import Event, Failed, Finished, Message, Progress, Started, Stopped
from core.runs.events import Resumed
from core.runs.events_file import Recorded

BASE_KINDS: tuple[type[Event], ...] = (
    Started, Progress, Message, Finished, Stopped, Failed, Resumed,
)  # fmt: skip


@dataclass(frozen=True)
class UnknownEvent(Event):
    """An event that this program cannot read: another version wrote it.

    Args:
        kind: Name of its class.
        values: Its fields.
    """

    kind: str
    values: dict[str, Any]


class EventKinds:
    """The classes of events by their names.

    Args:
        kinds: A job's own, beside the base kinds.
    """

    def __init__(self, kinds: Iterable[type[Event]] = ()) -> None:
        self._adapters: dict[str, TypeAdapter[Any]] = {
            kind.__name__: TypeAdapter(kind) for kind in (*BASE_KINDS, *kinds)
        }

    def event_of(self, recorded: Recorded) -> Event:
        """The event that was recorded; an `UnknownEvent` where its class is not known.

        Args:
            recorded: As it stands in the file.

        Returns:
            The event, equal to the one that was written where its fields are of plain types.
        """
        adapter = self._adapters.get(recorded.kind)
        if adapter is not None:
            try:
                event: Event = adapter.validate_python(recorded.values)
                return event
            except ValidationError:
                pass  # of another version
        return UnknownEvent(recorded.kind, recorded.values)
