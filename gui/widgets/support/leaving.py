"""Widgets that go: hidden at once, deleted when nothing calls them any more.

What is deleted while it is shown hears that the pointer and the focus leave it when half of it is
gone; and what a click led to may delete the button that was clicked.
"""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLayout, QWidget


def let_go(*leaving: QObject) -> None:
    """Hides widgets, and deletes them and other objects after what happens now."""
    for each in leaving:
        if isinstance(each, QWidget):
            each.hide()
        each.deleteLater()


def clear(layout: QLayout) -> None:
    """Empties a layout; the widgets in it go."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            let_go(widget)
