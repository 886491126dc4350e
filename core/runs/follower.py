"""Follows a file of events that grows: each call reads what is new, never the whole again."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.errors import EpitomeError, of_system
from core.events import Event
from core.runs.event_kinds import EventKinds
from core.runs.events import Resumed
from core.runs.events_file import Recorded, recorded_in
from core.storage.regular_files import open_regular

_AT_ONCE_BYTES = 1 << 19  # some 2,000 steps: a window takes them without a stutter
_LONGEST_LINE_BYTES = 1 << 26  # longer than any event; more of a damaged file is not read


@dataclass(frozen=True)
class Followed:
    """An event that was read.

    Args:
        number: Its number in the file.
        time: When it was written, in UTC, ISO 8601.
        event: The event.
    """

    number: int
    time: str
    event: Event


class Follower:
    """Reads a run's events as they are appended.

    Args:
        path: The file; it need not be there yet.
        kinds: The classes of the events it holds.
        offset: Where to begin, in bytes: at the start of a line.
    """

    def __init__(self, path: Path, kinds: EventKinds, offset: int = 0) -> None:
        self._path, self._kinds = path, kinds
        self._inode: int | None = None
        self.offset = offset

    def poll(self) -> list[Followed]:
        """The events that came since the last call.

        Of a long file half a mebibyte is read at once: call again until nothing comes. A torn last
        line waits until it is whole.

        Returns:
            The events in their order. A `Resumed` says that those numbered higher than its
            `after` no longer count: here they are left out, and whoever has got some of them
            before leaves them out then. A file that was begun anew gives `Resumed(0, 0)` first.

        Raises:
            EpitomeError: If the file is there and cannot be read, or has a line without end.
        """
        with suppress(FileNotFoundError):
            about = self._path.stat()
            is_new = self._inode not in (None, about.st_ino) or about.st_size < self.offset
            self._inode = about.st_ino
            if is_new and self.offset:
                self.offset = 0
                return [Followed(0, "", Resumed(after=0, step=0)), *self.poll()]
        found: list[Followed] = []
        for recorded in self._new_lines():
            event = self._kinds.event_of(recorded)
            if isinstance(event, Resumed):
                # One before it stays: it may take back what was given out by an earlier call.
                found = [
                    each
                    for each in found
                    if each.number <= event.after or isinstance(each.event, Resumed)
                ]
            found.append(Followed(recorded.number, recorded.time, event))
        return found

    def _new_lines(self) -> list[Recorded]:
        data = self._piece(_AT_ONCE_BYTES)
        if len(data) == _AT_ONCE_BYTES and b"\n" not in data:
            data = self._piece(_LONGEST_LINE_BYTES)  # one line longer than a piece
            if len(data) == _LONGEST_LINE_BYTES and b"\n" not in data:
                told = f"{self._path} is damaged: it holds a line longer than any event."
                raise EpitomeError(told, "Move the file to another folder.")
        whole = data[: data.rfind(b"\n") + 1]
        self.offset += len(whole)
        return list(recorded_in(whole))

    def _piece(self, size: int) -> bytes:
        try:
            with open_regular(self._path, "rb") as file:
                file.seek(self.offset)
                return file.read(size)
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise of_system(error, f"{self._path} cannot be read", "Make it readable.") from error
