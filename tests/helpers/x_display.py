"""A screen of its own with a real pointer: Xvfb and xdotool."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from core.distribution.system_libraries import libraries_for, missing_libraries

PROGRAMS = ("Xvfb", "xdotool")
_ON_X = {"QT_QPA_PLATFORM": "xcb"}


def why_missing() -> str:
    """What there must be for a real pointer and is not; "" if all is there."""
    lacking = [name for name in PROGRAMS if not shutil.which(name)]
    lacking += [library.name for library in missing_libraries(libraries_for(_ON_X))]
    return f"no real pointer without {', '.join(lacking)}" if lacking else ""


@contextmanager
def x_display() -> Iterator[dict[str, str]]:
    """A screen as long as the block lasts; gives the environment of a window on it."""
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert server.stdout is not None
        number = server.stdout.readline().strip()  # written once it takes connections
        assert number, "Xvfb did not start"
        yield {**os.environ, **_ON_X, "DISPLAY": f":{number}"}
    finally:
        server.terminate()
        server.communicate()


def move_pointer(at: QPoint) -> None:
    """Moves the pointer of this process's screen; it moves also if it is there already."""
    _do("mousemove", str(at.x() + 1), str(at.y()), "mousemove", str(at.x()), str(at.y()))


def click_pointer(at: QPoint) -> None:
    """Moves the pointer and presses its first button."""
    _do("mousemove", str(at.x()), str(at.y()), "click", "1")


def middle_of(widget: QWidget) -> QPoint:
    """Where a widget is on the screen."""
    return widget.mapToGlobal(widget.rect().center())


def _do(*arguments: str) -> None:
    subprocess.run(["xdotool", *arguments], check=True)
