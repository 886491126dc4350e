"""Collects garbage on the window's own thread.

Python collects cycles on whichever thread happens to allocate. A widget or timer in such a cycle
would then be destroyed on a thread that is not its own, which Qt does not allow.
"""

import gc

from PySide6.QtCore import QObject, QTimer

_INTERVAL_MS = 200
_OLDEST_AFTER = 200  # collections of the middle generation; each of the oldest takes 50 ms


class GarbageCollector(QTimer):
    """Takes the place of Python's own collections until it is stopped.

    What is there already is left aside for good: looking through the whole program again and again
    would stop the window for 30 ms each time.

    Args:
        parent: Qt's owner, on the window's thread.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent, interval=_INTERVAL_MS)
        gc.freeze()
        gc.disable()
        self.timeout.connect(collect_due)
        self.start()


def collect_due() -> None:
    """Collects, on this thread, the oldest generation that is due.

    The two young ones are due by Python's own thresholds, the oldest one later: Python lets it
    wait until it has grown by a quarter, which nobody else can see.
    """
    limits = (*gc.get_threshold()[:2], _OLDEST_AFTER)
    due = zip((0, 1, 2), gc.get_count(), limits, strict=True)
    oldest = max((number for number, count, limit in due if count > limit), default=None)
    if oldest is not None:
        gc.collect(oldest)
