"""The first rows of a table, whose columns are chosen by clicking their heads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QWidget

from gui.theme.theme import Theme
from gui.widgets.display.chip import Chip
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.menu import Menu
from gui.widgets.support import layouts

_COLUMN_PX = 208
_CELL_PX = 32
_CHIP_PX = 20
_INSET_PX = 9  # the words of a head stand so far in its button


@dataclass(frozen=True)
class Role:
    """What a column can be read as.

    Args:
        name: Its name in the program.
        chip: What stands below the column's name: "documents".
        deed: What the menu says: "Read as documents".
        undo: What the menu says that ends it: "Guess by name".
        told: What is read aloud: "is read as documents".
    """

    name: str
    chip: str
    deed: str
    undo: str
    told: str


class PreviewTable(QWidget):
    """A few rows of a table; a press on a column's name says what it is read as.

    Args:
        theme: The look.
        name: What the table is called.
        columns: The names of its columns.
        rows: Its first rows, a cell for each column.
        roles: What columns can be read as.
        chosen: By name of role, the column that is read as it; empty for none.

    Signals:
        column_chosen: The role, and the column; an empty one ends it.
    """

    column_chosen = Signal(str, str)

    def __init__(
        self,
        theme: Theme,
        name: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[str]],
        roles: Sequence[Role],
        chosen: Mapping[str, str],
    ) -> None:
        super().__init__()
        self._theme, self._rows, self._roles, self._chosen = theme, rows, roles, chosen
        self.heads: dict[str, Button] = {}
        row_holder = Plane(theme, "surface")
        row = layouts.row(into=row_holder)
        for at, column_name in enumerate(columns):
            row.addWidget(self._column(at, column_name), 1)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(row_holder)
        height = 28 + _CHIP_PX + 12 + len(rows) * (_CELL_PX + 1) + 14
        area.setFixedHeight(height)
        layouts.column(area, into=self)
        self.setAccessibleName(self.tr("First rows of {name}").format(name=name))

    def role(self, column: str) -> str:
        """What a column is read as, the name of a role; empty if it is not read."""
        role = self._role(column)
        return role.name if role else ""

    def _role(self, column: str) -> Role | None:
        chosen = (role for role in self._roles if column and self._chosen[role.name] == column)
        return next(chosen, None)

    def _column(self, at: int, name: str) -> QWidget:
        holder = QWidget()
        holder.setMinimumWidth(_COLUMN_PX)
        column = layouts.column(
            self._head(name), 4, self._chip(self._role(name)), 8, into=holder, margins=(0, 0, 8, 0)
        )
        for row in self._rows:
            column.addWidget(Divider(self._theme))
            color = "text" if self.role(name) else "text3"
            cell = Label(self._theme, row[at], "small", color, elide=True)
            cell.setFixedHeight(_CELL_PX)
            column.addLayout(layouts.row(cell, margins=(_INSET_PX, 0, 0, 0)))
        column.addStretch(1)
        return holder

    def _head(self, name: str) -> Button:
        head = Button(
            self._theme, name or "–", kind="ghost", trailing_icon="chevron-down", height=28
        )
        role = self._role(name)
        head.setAccessibleDescription(role.told if role else self.tr("is not read"))
        head.triggered.connect(lambda: self._open_menu(name, head))
        self.heads[name] = head
        return head

    def _chip(self, role: Role | None) -> QHBoxLayout:
        row = layouts.row(margins=(_INSET_PX, 0, 0, 0), spacing=None)
        if role:
            row.addWidget(Chip(self._theme, role.chip, "ok"))
        else:
            row.addSpacing(1)
        row.addStretch(1)
        holder = QWidget()
        holder.setFixedHeight(_CHIP_PX)
        row.addWidget(holder)
        return row

    def _open_menu(self, name: str, head: Button) -> None:
        menu = Menu(self._theme, name, head)
        current = self._role(name)
        for role in self._roles:
            choose = partial(self.column_chosen.emit, role.name, name)
            menu.add(role.deed, choose, icon="check" if role is current else "")
        if current and current.undo:
            menu.add(current.undo, partial(self.column_chosen.emit, current.name, ""))
        menu.open_below(head)
