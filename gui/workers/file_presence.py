"""Finds out which files are there, without waiting for a disk that does not answer."""

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress

from PySide6.QtCore import QObject, Signal


class FilePresence(QObject):
    """Looks for files, each in a thread of its own, which the program's end does not wait for.

    Args:
        is_missing: Says of a path whether its file is missing; may take as long as it likes.
    """

    known = Signal(str, bool)
    """A path, and whether its file is missing; comes on the window's thread."""

    def __init__(self, is_missing: Callable[[str], bool]) -> None:
        super().__init__()
        self._is_missing = is_missing
        self._asked: set[str] = set()
        self.known.connect(self._forget)

    def ask(self, paths: Iterable[str]) -> None:
        """Looks for files; one that is still being looked for is not looked for twice."""
        for path in set(paths) - self._asked:
            self._asked.add(path)
            # A thread of Qt would have to be waited for when the window closes.
            threading.Thread(target=self._look, args=(path,), daemon=True).start()

    def _look(self, path: str) -> None:
        is_missing = self._is_missing(path)
        with suppress(RuntimeError):  # the window was closed meanwhile
            self.known.emit(path, is_missing)

    def _forget(self, path: str) -> None:
        self._asked.discard(path)
