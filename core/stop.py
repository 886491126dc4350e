"""The wish that a job ends early."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

Wish = Literal["", "pause", "stop", "cancel"]


class StopToken:
    """Carries the wish to end from the person to the job, across threads.

    *pause* and *stop* ask a job to keep what it has; *cancel* asks it to leave nothing behind.
    """

    def __init__(self) -> None:
        self._event = threading.Event()
        self._wish: Wish = ""
        self._listeners: list[Callable[[], None]] = []

    @property
    def wish(self) -> Wish:
        """What was asked for; empty while the job may go on."""
        return self._wish

    def request(self, wish: Wish) -> None:
        """Asks the job to end; the first wish stands."""
        if not self._wish:
            self._wish = wish
            self._event.set()
            for listener in list(self._listeners):
                listener()

    @contextmanager
    def calling(self, listener: Callable[[], None]) -> Iterator[None]:
        """Calls a function as soon as an end is asked for, at once if it was before.

        Args:
            listener: It may be called from a signal handler, so it takes no locks.

        Yields:
            None: the function is not called after the block.
        """
        self._listeners.append(listener)
        try:
            if self:
                listener()
            yield
        finally:
            self._listeners.remove(listener)

    def wait(self, timeout_s: float) -> bool:
        """Waits until an end is asked for.

        Args:
            timeout_s: How long at most, in seconds.

        Returns:
            Whether it was.
        """
        return self._event.wait(timeout_s)

    def __bool__(self) -> bool:
        return self._event.is_set()

    def raise_if_set(self) -> None:
        """Leaves a deep loop at once.

        Raises:
            Stopping: If an end was asked for.
        """
        if self._event.is_set():
            raise Stopping(self._wish)


class Stopping(Exception):  # noqa: N818 - no error: it was asked for
    """Raised by `StopToken.raise_if_set`; whoever runs the job turns it into `Stopped`."""
