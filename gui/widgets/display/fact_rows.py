"""Names and values of facts under each other."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.support.leaving import let_go

_TWO_COLUMNS_PX = 500


class FactRows(QWidget):
    """Names and values, in two columns where there is room for them.

    Args:
        theme: The look.
        role: Font role.
        name_px: Least width of the names.
        gap_px: Between two rows.
        num_columns: Most columns.
        elide: True if a value is shortened to one line, with all of it in a tooltip.
    """

    def __init__(
        self,
        theme: Theme,
        role: str = "body",
        *,
        name_px: int = 96,
        gap_px: int = 4,
        num_columns: int = 1,
        elide: bool = False,
    ) -> None:
        super().__init__()
        self._theme, self._role, self._name_px = theme, role, name_px
        self._num_columns, self._elide = num_columns, elide
        self._rows: list[tuple[str, str]] = []
        self._cells: list[tuple[Label, Label]] = []
        self._placed = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(gap_px)
        self._grid.setHorizontalSpacing(16)

    def show_rows(self, rows: Sequence[tuple[str, str]]) -> None:
        """Shows names and values."""
        if list(rows) == self._rows:
            return
        self._rows, self._placed = list(rows), 0
        for cell in self._cells:
            let_go(*cell)
        self._cells = [self._cell(*row) for row in rows]
        self._place()
        self.setVisible(bool(rows))

    def _cell(self, name: str, value: str) -> tuple[Label, Label]:
        label = Label(self._theme, value, self._role, wrap=not self._elide, elide=self._elide)
        label.setAccessibleName(f"{name}: {value}")
        if self._elide:
            label.setToolTip(value)
        return Label(self._theme, name, self._role, "text2"), label

    def _place(self) -> None:
        columns = self._num_columns if self.width() >= _TWO_COLUMNS_PX else 1
        if columns == self._placed:
            return
        self._placed = columns
        height = -(-len(self._cells) // columns)
        for number, (name, value) in enumerate(self._cells):
            row, column = number % height, 2 * (number // height)
            self._grid.addWidget(name, row, column, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(value, row, column + 1)
        for column in range(2 * self._num_columns):
            used = column < 2 * columns
            least = self._name_px if used and not column % 2 else 0
            self._grid.setColumnMinimumWidth(column, least)
            self._grid.setColumnStretch(column, int(used and bool(column % 2)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()
