"""How long a test waits at most; the one place for it.

It is an upper bound for what should have happened long before, so it is generous: a busy machine
must not fail a test, and a test that fails for another reason does not wait at all.
"""

from collections.abc import Callable
from typing import Any

from pytestqt.qtbot import QtBot

PATIENCE_S = 60
PATIENCE_MS = 1000 * PATIENCE_S


class PatientBot(QtBot):
    """The bot of pytest-qt, whose own waits end after five seconds."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE_MS) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE_MS, **options: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **options)

    def waitSignals(self, signals: Any, *, timeout: int = PATIENCE_MS, **options: Any) -> Any:
        return super().waitSignals(signals, timeout=timeout, **options)

    def waitExposed(self, widget: Any, *, timeout: int = PATIENCE_MS) -> Any:
        return super().waitExposed(widget, timeout=timeout)

    def waitActive(self, widget: Any, *, timeout: int = PATIENCE_MS) -> Any:
        return super().waitActive(widget, timeout=timeout)
