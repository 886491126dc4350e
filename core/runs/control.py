"""Requests to a running job from outside its process, through a file in its folder.

A request carries the number of the start it is meant for, so that a late one never ends the next
start. One without a number, written by hand, is for the process that is at work.
"""

import json
from pathlib import Path
from typing import get_args

from core.errors import of_system
from core.stop import StopToken, Wish
from core.storage.parsing import parse_json
from core.storage.regular_files import open_regular


def request(path: Path, wish: Wish, start: int | None = None) -> None:
    """Asks the process that works in a run's folder to end.

    Args:
        path: The run's control file.
        wish: How it should end.
        start: The number of the start it is meant for; None for the process that is at work now.

    Raises:
        EpitomeError: If it cannot be written.
    """
    values = {"wish": wish} if start is None else {"wish": wish, "start": start}
    try:
        with open_regular(path, "ab") as file:
            file.write(json.dumps(values).encode() + b"\n")
    except OSError as error:
        raise of_system(
            error, f"{path} cannot be written", "Make the run's folder writable."
        ) from error


class ControlFile:
    """Reads what is asked of one start.

    Args:
        path: The run's control file. Requests without a number that it holds already were meant
            for an earlier process.
        start: The number of this start.
    """

    def __init__(self, path: Path, start: int = 0) -> None:
        self._path, self._start = path, start
        self._old = self._size()
        self._read = 0

    def pass_on(self, stop: StopToken) -> None:
        """Puts a new wish, if there is one, to the job.

        Args:
            stop: The job's.
        """
        if self._size() <= self._read:
            return
        try:
            with open_regular(self._path, "rb") as file:
                file.seek(self._read)
                new = file.read()
        except OSError:
            return  # the folder was moved away; what is at work in it finds out when it writes
        for line in new[: new.rfind(b"\n") + 1].splitlines(keepends=True):
            wish, start = _request(line)
            if wish and (start == self._start or (start is None and self._read >= self._old)):
                stop.request(wish)
            self._read += len(line)

    def _size(self) -> int:
        try:
            return self._path.stat().st_size
        except OSError:
            return 0


def _request(line: bytes) -> tuple[Wish, int | None]:
    """What a line asks of which start; nothing where somebody wrote something else."""
    try:
        values = parse_json(line)
        wish, start = values["wish"], values.get("start")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return "", None
    is_known = isinstance(wish, str) and wish in get_args(Wish)
    return (wish, start) if is_known and isinstance(start, int | None) else ("", None)
