"""Requests to a running job from outside its process, through a file in its folder."""

import json
from pathlib import Path
from typing import get_args

from core.errors import EpitomeError
from core.stop import StopToken, Wish


def request(path: Path, wish: Wish) -> None:
    """Asks the process that works in a run's folder to end.

    Args:
        path: The run's control file.
        wish: How it should end.

    Raises:
        EpitomeError: If it cannot be written.
    """
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"wish": wish}) + "\n")
    except OSError as error:
        raise EpitomeError(
            f"{path} cannot be written ({error.strerror or error}).",
            "Make the run's folder writable.",
        ) from error


class ControlFile:
    """Reads what is asked for from now on.

    Args:
        path: The run's control file; what it holds already was meant for an earlier process.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read = self._size()

    def pass_on(self, stop: StopToken) -> None:
        """Puts a new wish, if there is one, to the job.

        Args:
            stop: The job's.
        """
        if self._size() <= self._read:
            return
        with self._path.open("rb") as file:
            file.seek(self._read)
            new = file.read()
        whole = new[: new.rfind(b"\n") + 1]
        self._read += len(whole)
        for line in whole.splitlines():
            if wish := _wish(line):
                stop.request(wish)

    def _size(self) -> int:
        try:
            return self._path.stat().st_size
        except OSError:
            return 0


def _wish(line: bytes) -> Wish:
    """What a line asks for; nothing where somebody wrote something else."""
    try:
        wish = json.loads(line)["wish"]
    except (ValueError, KeyError, TypeError):
        return ""
    return wish if wish in get_args(Wish) else ""
