"""A run's events on disk: one JSON object a line, appended, numbered from 1."""

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic_core import to_jsonable_python

from core.errors import of_system
from core.events import Event, Failed
from core.runs.events import Resumed
from core.runs.folder import not_written
from core.storage.parsing import json_text, parse_json
from core.storage.regular_files import open_regular, read_regular

MOST_BYTES = 1_000_000_000
"""Of a file of events: more than a run of months writes."""

_OWN = ("number", "time", "kind")
# An event's fields of these names stand under others, beside the file's own.
_SAID_AS = {name: f"{name}_" for name in _OWN}
_FIELDS = {said_as: name for name, said_as in _SAID_AS.items()}
_OF_FAILED = {"message", "remedy", "details"}


@dataclass(frozen=True)
class Recorded:
    """An event as it stands in the file.

    Args:
        number: From 1, in the order in which events were written.
        time: When, in UTC, ISO 8601.
        kind: Name of its class.
        values: Its fields.
    """

    number: int
    time: str
    kind: str
    values: dict[str, Any]


class EventsFile:
    """Appends events.

    Args:
        path: The file; what a crash left of a last line is taken away.

    Raises:
        EpitomeError: If it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.last_number = max((each.number for each in _lines(path)), default=0)
        try:
            _drop_torn_line(path)
        except OSError as error:
            raise not_written(str(path), path.parent, error) from error

    def append(self, event: Event) -> int:
        """Writes an event, for every reader to see at once.

        Args:
            event: A dataclass of plain values.

        Returns:
            Its number.

        Raises:
            EpitomeError: If it cannot be written.
        """
        self._write(recorded_line(event, self.last_number + 1))
        self.last_number += 1
        return self.last_number

    def _write(self, line: bytes) -> None:
        try:
            with open_regular(self.path, "ab", buffering=0) as file:
                size = file.tell()
                if file.write(line) < len(line):
                    file.truncate(size)  # no half of a line stays
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            raise not_written(str(self.path), self.path.parent, error) from error


def recorded_line(event: Event, number: int) -> bytes:
    """An event as a line of a file.

    Args:
        event: A dataclass of plain values; it happens now.
        number: Its number.

    Returns:
        The line, with its line feed.
    """
    about = (number, datetime.now(UTC).isoformat(), type(event).__name__)
    values = {_SAID_AS.get(name, name): value for name, value in asdict(event).items()}
    return _encoded(dict(zip(_OWN, about, strict=True)) | values) + b"\n"


def read_events(path: Path) -> list[Recorded]:
    """The events that count: without those a resumed run left behind, and without a torn line.

    Args:
        path: The file; one that is not there holds none.

    Returns:
        In their order; a `Resumed` stands where the run went on.
    """
    return that_count(_lines(path))


def that_count(events: Iterable[Recorded]) -> list[Recorded]:
    """The events that a resumed run did not leave behind.

    Args:
        events: All, or the last of a file, in their order.

    Returns:
        In their order; a `Resumed` stands where the run went on.
    """
    counting: list[Recorded] = []
    for recorded in events:
        if recorded.kind == Resumed.__name__:
            after: int = recorded.values["after"]
            while counting and counting[-1].number > after:
                counting.pop()
        counting.append(recorded)
    return counting


def _lines(path: Path) -> Iterator[Recorded]:
    try:
        data = read_regular(path, MOST_BYTES)
    except FileNotFoundError:
        return
    except OSError as error:
        raise of_system(error, f"{path} cannot be read", "Make it readable.") from error
    yield from recorded_in(data)


def recorded_in(data: bytes) -> Iterator[Recorded]:
    """What lines of a file of events hold.

    Args:
        data: The lines; what follows the last line feed is torn, or nothing.

    Yields:
        Each event; a damaged line hides itself alone.
    """
    *whole, _ = data.split(b"\n")
    for line in whole:
        with suppress(ValueError, KeyError, AttributeError, TypeError, RecursionError):
            values = parse_json(line)
            own = {name: values.pop(name) for name in _OWN}
            if not _FIELDS.keys().isdisjoint(values):
                values = {_FIELDS.get(name, name): value for name, value in values.items()}
            if values.keys() == _OF_FAILED:  # as it was written until its kind hid its class
                values, own["kind"] = values | {"kind": own["kind"]}, Failed.__name__
            recorded = Recorded(**own, values=values)
            if _is_sound(recorded):
                yield recorded


def _is_sound(recorded: Recorded) -> bool:
    """Whether what readers count with is of its type."""
    if recorded.kind == Resumed.__name__ and type(recorded.values.get("after")) is not int:
        return False
    texts = (recorded.time, recorded.kind)
    return type(recorded.number) is int and all(type(text) is str for text in texts)


def whole_bytes(path: Path) -> int:
    """The size of a file of events without a torn last line; 0 where none can be read."""
    try:
        return read_regular(path, MOST_BYTES).rfind(b"\n") + 1
    except OSError:
        return 0


def _encoded(values: dict[str, Any]) -> bytes:
    return json_text(values, _plain).encode()


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else to_jsonable_python(value)


def _drop_torn_line(path: Path) -> None:
    if not path.exists():
        return
    data = read_regular(path, MOST_BYTES)
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        os.truncate(path, whole)
