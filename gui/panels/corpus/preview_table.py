"""The first rows of a table of sources, whose columns are chosen by clicking their heads."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from core.jobs.preview_sources import SourcePreview
from gui.theme.theme import Theme
from gui.widgets.button import Button
from gui.widgets.chip import Chip
from gui.widgets.label import Label
from gui.widgets.menu import Menu
from gui.widgets.plane import Divider, Plane

_COLUMN_PX = 208
_CELL_PX = 32
_CHIP_PX = 20


class PreviewTable(QWidget):
    """A few rows of a table; a press on a column's name says what it is read as."""

    column_chosen = Signal(str, str)
    """The role, "document" or "summary", and the column; an empty one is read as nothing."""

    def __init__(self, theme: Theme, preview: SourcePreview) -> None:
        super().__init__()
        self._theme, self._preview = theme, preview
        self.heads: dict[str, Button] = {}
        row_holder = Plane(theme, "surface")
        row = QHBoxLayout(row_holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for at, name in enumerate(preview.columns):
            row.addWidget(self._column(at, name))
        row.addStretch(1)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(row_holder)
        height = 28 + _CHIP_PX + 12 + len(preview.rows) * (_CELL_PX + 1) + 14
        area.setFixedHeight(height)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(area)
        self.setAccessibleName(self.tr("First rows of {name}").format(name=preview.name))

    def role(self, name: str) -> str:
        """What a column is read as: "document", "summary" or ""."""
        if name == self._preview.document:
            return "document"
        return "summary" if name == self._preview.summary else ""

    def _column(self, at: int, name: str) -> QWidget:
        holder = QWidget()
        holder.setFixedWidth(_COLUMN_PX)
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(0)
        column.addWidget(self._head(name))
        column.addSpacing(4)
        column.addLayout(self._chip(self.role(name)))
        column.addSpacing(8)
        for row in self._preview.rows:
            column.addWidget(Divider(self._theme))
            color = "text" if self.role(name) else "text3"
            cell = Label(self._theme, row[at], "small", color, elide=True)
            cell.setFixedHeight(_CELL_PX)
            column.addWidget(cell)
        column.addStretch(1)
        return holder

    def _head(self, name: str) -> Button:
        head = Button(
            self._theme, name or "–", kind="ghost", trailing_icon="chevron-down", height=28
        )
        words = {
            "document": self.tr("is read as documents"),
            "summary": self.tr("is read as summaries"),
            "": self.tr("is not read"),
        }[self.role(name)]
        head.setAccessibleDescription(words)
        head.triggered.connect(lambda: self._open_menu(name, head))
        self.heads[name] = head
        return head

    def _chip(self, role: str) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(9, 0, 0, 0)
        words = {"document": self.tr("documents"), "summary": self.tr("summaries")}
        if role:
            row.addWidget(Chip(self._theme, words[role], "ok"))
        else:
            row.addSpacing(1)
        row.addStretch(1)
        holder = QWidget()
        holder.setFixedHeight(_CHIP_PX)
        row.addWidget(holder)
        return row

    def _open_menu(self, name: str, head: Button) -> None:
        menu = Menu(self._theme, name, head)
        role = self.role(name)
        for value, words in (
            ("document", self.tr("Read as documents")),
            ("summary", self.tr("Read as summaries")),
        ):
            icon = "check" if role == value else ""
            menu.add(words, lambda v=value: self.column_chosen.emit(v, name), icon=icon)  # type: ignore[misc]
        if role:
            menu.add(self.tr("Guess by name"), lambda: self.column_chosen.emit(role, ""))
        menu.open_below(head)
