"""The order in which Tab goes through the parts of a page."""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def tab_through(parts: Sequence[QWidget]) -> None:
    """Lets Tab go through parts one after another; inside each its own order stays.

    What is made while a page is open comes last in Qt's order, wherever it is seen. A page whose
    parts are made anew therefore calls this from `focusNextPrevChild`, before Tab is heeded.

    Args:
        parts: Widgets of one window, none inside another, in the order in which they are seen.
    """
    if not parts:
        return
    found: list[list[QWidget]] = [[] for _ in parts]
    now: list[QWidget] = []
    for widget in _chain(parts[0].window()):
        # A viewport, for one, hands the focus on to its view: it is no stop of its own.
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or widget.focusProxy() is not None:
            continue
        for stops, part in zip(found, parts, strict=True):
            if part is widget or part.isAncestorOf(widget):
                stops.append(widget)
                now.append(widget)
                break
    wanted = [stop for stops in found for stop in stops]
    if wanted != now:
        for before, after in pairwise(wanted):
            QWidget.setTabOrder(before, after)


def _chain(window: QWidget) -> list[QWidget]:
    """All widgets of a window in the order of Tab."""
    found = [window]
    while (widget := found[-1].nextInFocusChain()) is not None and widget is not window:
        found.append(widget)
    return found
