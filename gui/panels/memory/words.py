"""Words of the Memory panel that state and widgets share."""

from PySide6.QtCore import QCoreApplication

from core.numbers import THIN_SPACE, format_count
from gui.widgets.support.ticks import readable

GB = 1e9


def tr(text: str) -> str:
    """A text of the panel in the person's language."""
    return QCoreApplication.translate("MemoryPanel", text)


def gigabytes(num_bytes: float) -> str:
    """A size as the panel tells it: "15.9 MB", "3.21 GB", "24.6 GB"."""
    if num_bytes < 0.9995 * GB:
        return f"{readable(1000 * num_bytes / GB)}{THIN_SPACE}MB"
    return f"{readable(num_bytes / GB)}{THIN_SPACE}GB"


def tokens(count: float) -> str:
    """A number in two digits: "42 000"."""
    return format_count(round(float(f"{count:.2g}")))


def lasting(seconds: float) -> str:
    """A time that is only roughly known: "40 s", "12 min", "3 h"."""
    for size, unit in ((3600, "h"), (60, "min")):
        if seconds >= 1.5 * size:
            return f"{round(seconds / size)}{THIN_SPACE}{unit}"
    return f"{max(5, 5 * round(seconds / 5))}{THIN_SPACE}s"
