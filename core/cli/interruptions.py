"""Ctrl-C is heard also where Python loses it.

An exception that a signal's handler raises while Python clears an object away, as it often does
while modules are imported, goes nowhere: Python prints it as "ignored", and the program goes on.
"""

import _thread
import sys
import threading
from contextlib import suppress
from types import TracebackType
from typing import Protocol

_AGAIN_S = 0.02


class _Lost(Protocol):
    """What `sys.unraisablehook` is told."""

    exc_type: type[BaseException]
    exc_value: BaseException | None
    exc_traceback: TracebackType | None


def hear_lost_interruptions() -> None:
    """Has each interruption that is lost come once more, a moment later; for whole programs."""
    tell = sys.unraisablehook

    def hear(lost: _Lost) -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            tell(lost)  # type: ignore[arg-type]
            return
        with suppress(RuntimeError):  # the program ends anyway
            again = threading.Timer(_AGAIN_S, _thread.interrupt_main)
            again.daemon = True
            again.start()

    sys.unraisablehook = hear
