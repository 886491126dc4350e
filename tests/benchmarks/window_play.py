"""How a scene of `window.py` is played, and what watches the window meanwhile.

A script works the window a step at a time; what it waits for is asked every few milliseconds from
the event loop, as a person's hand would come in between.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtWidgets import QWidget

from core.jobs.documents.warm_up import WarmUpJob
from core.library.folders import Folders
from core.library.preferences import Preferences
from gui.main_window import MainWindow
from gui.theme.theme import Theme
from gui.workers.garbage import GarbageCollector

BEAT_MS = 5
LATE_MS = 16
_POLL_MS = 5
_PATIENCE_MS = 180_000

Script = Iterator[Callable[[], bool]]
"""Gives what has to be so before it goes on."""


@contextmanager
def window_at(home: Path) -> Iterator[MainWindow]:
    """The window as it starts, with a home, its engine warm; closed after the block."""
    theme = Theme(scheme="light")
    theme.apply()
    window = MainWindow(theme, Preferences(theme="light"), Folders.under(home))
    window.show()
    GarbageCollector(window)  # as `gui.app` does
    window.warm_up()
    window.begin([])
    play(warm(window))
    yield window
    window.close()


def warm(window: MainWindow) -> Script:
    """Waits until the engine can work at once."""
    run = window.controller.run_in_engine(WarmUpJob())
    yield lambda: run.over


def play(script: Script) -> None:
    """Works through a script; fails when what it waits for does not come."""
    loop, timer, limit = QEventLoop(), QTimer(), QTimer(singleShot=True)
    condition: Callable[[], bool] = bool
    failed: list[BaseException] = []

    def go_on() -> None:
        nonlocal condition
        try:
            if condition is bool or condition():
                condition = next(script)
        except StopIteration:
            loop.quit()
        except BaseException as error:
            failed.append(error)
            loop.quit()

    timer.timeout.connect(go_on)
    limit.timeout.connect(lambda: failed.append(TimeoutError("it did not come")) or loop.quit())
    timer.start(_POLL_MS)
    limit.start(_PATIENCE_MS)
    loop.exec()
    timer.stop()
    if failed:
        raise failed[0]


class Paints(QObject):
    """Knows when a widget was painted last.

    Args:
        widget: The widget.
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        self.last_s = 0.0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            # All of the window is painted in one go; then comes the next turn of the event loop.
            QTimer.singleShot(0, self._painted)
        return False

    def _painted(self) -> None:
        self.count += 1
        self.last_s = time.perf_counter()


class Heartbeat(QObject):
    """How late a timer of 5 ms is on the window's own thread."""

    def __init__(self) -> None:
        super().__init__()
        self._late_ms: list[float] = []
        self._timer = QTimer(self, timerType=Qt.TimerType.PreciseTimer, interval=BEAT_MS)
        self._timer.timeout.connect(self._beat)
        self._last_s = self._started_s = time.perf_counter()
        self._last_own_s, self._own_max_ms = time.thread_time(), 0.0
        self._timer.start()

    def _beat(self) -> None:
        now_s = time.perf_counter()
        self._late_ms.append(max(0.0, 1000 * (now_s - self._last_s) - BEAT_MS))
        self._last_s = now_s
        own_s = time.thread_time()
        self._own_max_ms = max(self._own_max_ms, 1000 * (own_s - self._last_own_s))
        self._last_own_s = own_s

    def stop(self) -> dict[str, float]:
        """Ends it and gives what it saw."""
        self._timer.stop()
        late_ms = sorted(self._late_ms)
        return {
            "seconds": round(time.perf_counter() - self._started_s, 2),
            "beats": len(late_ms),
            "p50_ms": round(statistics.median(late_ms), 2),
            "p99_ms": round(late_ms[int(0.99 * (len(late_ms) - 1))], 2),
            "max_ms": round(late_ms[-1], 2),
            "own_max_ms": round(self._own_max_ms, 2),
            "over_16_ms": sum(late > LATE_MS for late in late_ms),
        }
