"""The keyboard goes where the eye goes: as things are laid out, whenever they were made."""

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QScrollArea, QWidget


def put_in_order(widget: QWidget) -> None:
    """Makes Tab go through all that a widget holds in the order of its layouts.

    Qt's own order is that of making. What is made later than its neighbours, such as the rows of
    a form, would come last. The first stop keeps its place among those outside. A page whose parts
    are made anew while it is open calls this in `focusNextPrevChild`, before Tab is heeded.
    """
    for before, after in pairwise(_stops(widget)):
        QWidget.setTabOrder(before, after)


def _stops(widget: QWidget) -> Iterator[QWidget]:
    if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None:
        yield widget
    if isinstance(widget, QScrollArea):
        content = widget.widget()
        parts = [content] if content is not None else []
    else:
        layout = widget.layout()
        parts = list(_laid_out(layout)) if layout is not None else []
    for part in parts:
        yield from _stops(part)


def _laid_out(layout: QLayout) -> Iterator[QWidget]:
    for place in range(layout.count()):
        item = layout.itemAt(place)
        if item is None:
            continue
        if (part := item.widget()) is not None:
            yield part
        elif (inner := item.layout()) is not None:
            yield from _laid_out(inner)
