"""What a window says, wherever it says it."""

from collections.abc import Iterator

from PySide6.QtCore import QAbstractItemModel, QAbstractTableModel, QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QLabel,
    QLineEdit,
    QWidget,
)

from gui.main_window import MainWindow

WENT_WRONG = "Something in the program went wrong"
"""How the sentence about a fault of the program's own begins."""


def at_work(window: MainWindow) -> list[str]:
    """The jobs that will end by themselves; some follow a file until the window closes."""
    jobs = [type(runner._job).__name__ for runner in window.controller._threads]
    return [name for name in jobs if not name.startswith(("Follow", "Watch"))]


def said_on(window: QWidget) -> Iterator[tuple[str, str]]:
    """Everything that the widgets in sight say, with their class."""
    for widget in window.findChildren(QWidget):
        if not widget.isVisible():
            continue
        told = [widget.toolTip(), widget.accessibleName(), widget.accessibleDescription()]
        if isinstance(widget, QLabel | QAbstractButton | QLineEdit):
            told.append(widget.text())
        if isinstance(widget, QComboBox):
            told += [widget.itemText(index) for index in range(widget.count())]
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            told += _cells_of(widget.model())
        yield from ((type(widget).__name__, words) for words in told)


def _cells_of(model: QAbstractItemModel) -> Iterator[str]:
    """What the cells of a list or a table show."""
    roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole,
             Qt.ItemDataRole.AccessibleTextRole)  # fmt: skip
    is_table = isinstance(model, QAbstractTableModel)
    for row in range(model.rowCount(QModelIndex())):
        for column in range(model.columnCount(QModelIndex()) if is_table else 1):
            index = model.index(row, column)
            yield from (str(told) for role in roles if (told := model.data(index, role)))
