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


class _Beginning:
    """Whether the modules of the program are still being imported, and what was lost meanwhile."""

    lasts = False
    lost = False


def hear_lost_interruptions() -> None:
    """Has each interruption that is lost come once more; for whole programs.

    One that is lost before `raise_lost` is raised there: modules that are being imported need not
    survive one. A later one comes again in a moment.
    """
    tell = sys.unraisablehook
    _Beginning.lasts = True

    def hear(lost: _Lost) -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            tell(lost)  # type: ignore[arg-type]
        elif _Beginning.lasts:
            _Beginning.lost = True
        else:
            with suppress(RuntimeError):  # the program ends anyway
                again = threading.Timer(_AGAIN_S, _thread.interrupt_main)
                again.daemon = True
                again.start()

    sys.unraisablehook = hear


def raise_lost() -> None:
    """Raises the interruption that was lost while the program's modules were imported, if any.

    Raises:
        KeyboardInterrupt: If there was one.
    """
    _Beginning.lasts = False
    if _Beginning.lost:
        _Beginning.lost = False
        raise KeyboardInterrupt
