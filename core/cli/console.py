"""What a command says besides its result: everything here goes to standard error."""

import shutil
import sys
import time
from contextlib import suppress

from core.display_names import shown
from core.events import Failed, Message, Progress
from core.numbers import format_count

_BAR_WIDTH = 24
_REDRAW_S = 0.1


class Console:
    """Messages, and a progress bar when a person is watching.

    Args:
        quiet: Whether only failures are told.
        debug: Whether failures bring their technical details.
    """

    def __init__(self, *, quiet: bool = False, debug: bool = False) -> None:
        self.quiet = quiet
        self.debug = debug
        self._has_bar = sys.stderr.isatty() and not quiet
        self._drawn = 0
        self._next_s = 0.0

    def say(self, text: str) -> None:
        """Something worth knowing; not told when quiet."""
        if not self.quiet:
            self._write(shown(text))

    def show(self, event: object, name: str) -> None:
        """Shows an event of a running job.

        Args:
            event: What happened; other kinds than progress and messages are passed over.
            name: The source it happened to.
        """
        if isinstance(event, Progress):
            self._draw(event, name)
        elif isinstance(event, Message):
            self.say(f"{name}: {event.text}")

    def fail(self, failed: Failed, name: str = "") -> None:
        """Tells a failure: one sentence and the remedy, always."""
        start = f"{name}: " if name else ""
        self._write(shown(f"{start}{failed.message} {failed.remedy}"))
        if failed.details:
            self._write(failed.details if self.debug else "(--debug shows the technical details.)")

    def clear(self) -> None:
        """Takes the bar away."""
        if self._drawn:
            print("\r" + " " * self._drawn + "\r", end="", file=sys.stderr, flush=True)
            self._drawn = 0

    def _write(self, text: str) -> None:
        self.clear()
        with suppress(OSError):  # whoever reads the messages may have gone; the work goes on
            print(text, file=sys.stderr, flush=True)

    def _draw(self, progress: Progress, name: str) -> None:
        now_s = time.monotonic()
        if not self._has_bar or now_s < self._next_s:
            return
        self._next_s = now_s + _REDRAW_S
        room = shutil.get_terminal_size().columns - 1
        line = shown(f"{name}: {_told(progress)}")
        line = line if len(line) <= room else _told(progress)[:room]
        print("\r" + line.ljust(self._drawn), end="", file=sys.stderr, flush=True)
        self._drawn = len(line)


def _told(progress: Progress) -> str:
    done = format_count(progress.done)
    if not progress.total:
        return f"{progress.what}, {done} {progress.unit}"
    filled = _BAR_WIDTH * progress.done // progress.total
    bar = "█" * filled + "░" * (_BAR_WIDTH - filled)
    return f"{progress.what} {bar} {done} of {format_count(progress.total)} {progress.unit}"
