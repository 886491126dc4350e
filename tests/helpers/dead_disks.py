"""A disk that does not answer, as a network drive whose server is gone."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_CALLS = ("stat", "lstat", "open", "scandir", "listdir", "access", "readlink")


class DeadDisk:
    """A folder below which nothing answers until it is brought back.

    Args:
        folder: The folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._is_back = threading.Event()
        self.waiting: list[threading.Thread] = []
        """The threads that asked it for something."""
        self.asked_by_main: list[str] = []
        """What the main thread asked for; there it is an error, for it would wait for ever."""

    def ask(self, path: object) -> None:
        """Does not return before the disk is back, if a path lies on it."""
        if not isinstance(path, str | os.PathLike) or not Path(path).is_relative_to(self.folder):
            return
        if threading.current_thread() is threading.main_thread():
            self.asked_by_main.append(str(path))
            raise TimeoutError(path)
        self.waiting.append(threading.current_thread())
        self._is_back.wait()

    def come_back(self) -> None:
        """Answers all that wait, and waits for their end."""
        self._is_back.set()
        for thread in self.waiting:
            thread.join()


@contextmanager
def dead_disk(folder: Path) -> Iterator[DeadDisk]:
    """Takes away the disk on which a folder lies: calls of this process that ask for it block.

    Python's calls of the operating system are held up, not a function of the program, so whatever
    part of it looks at a file is met.

    Args:
        folder: The folder; it need not be there.
    """
    disk = DeadDisk(folder)
    usual = {name: getattr(os, name) for name in _CALLS}

    def held_up(name: str) -> Any:
        def call(path: Any = ".", *args: Any, **options: Any) -> Any:
            disk.ask(path)
            return usual[name](path, *args, **options)

        return call

    for name in _CALLS:
        setattr(os, name, held_up(name))
    try:
        yield disk
    finally:
        for name, call in usual.items():
            setattr(os, name, call)
        disk.come_back()
