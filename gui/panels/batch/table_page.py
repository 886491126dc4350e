"""The page with the documents of a batch: how far it is, filters, and the table."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from core.numbers import format_count
from gui.panels.batch.banner import Banner
from gui.panels.batch.rows import BatchModel
from gui.panels.batch.state import BatchState
from gui.panels.batch.strip import Strip
from gui.panels.batch.tables_card import TablesCard
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.display.progress import ProgressBar
from gui.widgets.inputs.command_line import CommandLine
from gui.widgets.inputs.field import TextField
from gui.widgets.inputs.segmented import SegmentedControl
from gui.widgets.support import layouts
from gui.widgets.tables.table import Table

_SEARCH_PX, _EDGE_PX = 200, 24


class TablePage(QWidget):
    """Strip, progress, banner, filters and table, from top to bottom.

    Signals:
        filter_chosen: The name of a filter.
        searched: What the names are to contain.
    """

    filter_chosen = Signal(str)
    searched = Signal(str)

    def __init__(self, theme: Theme, state: BatchState) -> None:
        super().__init__()
        self._theme, self._state = theme, state
        self.strip = Strip(theme)
        self.command = CommandLine(theme, wrap=True)
        self._figure = Label(theme, "", "figure")
        self._told = Label(theme, "", "body", "text2")
        self._pace = Label(theme, "", "body", "text2")
        self.bar = ProgressBar(theme, name=self.tr("Progress of the batch"), height=6)
        self.banner = Banner(theme)
        self.tables = TablesCard(theme)
        self._titles = {
            "all": self.tr("All"),
            "done": self.tr("Done"),
            "failed": self.tr("Not read"),
            "note": self.tr("With a note"),
            "waiting": self.tr("Waiting"),
        }
        self.filters = SegmentedControl(
            theme, list(self._titles.items()), height=28, name=self.tr("Which files are shown")
        )
        self.search = TextField(
            theme, name=self.tr("Find a file"), placeholder=self.tr("Find a file"), icon="search",
            height=28,
        )  # fmt: skip
        self.model = BatchModel(state)
        self.table = Table(theme, self.model, name=self.tr("Documents of the batch"))
        self._none = Label(theme, "", "body", "text3")
        self._lay_out()
        self.filters.chosen.connect(self.filter_chosen)
        self.search.textChanged.connect(self.searched)
        self.strip.command_requested.connect(self._toggle_command)

    def _lay_out(self) -> None:
        self._command_row = Plane(self._theme, "window")
        layouts.row(self.command, into=self._command_row, margins=(24, 0, 16, 8))
        self._command_row.hide()
        body = Plane(self._theme, "surface")
        self.search.setFixedWidth(_SEARCH_PX)
        self.tools = QWidget()
        self._tools_row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self.tools)
        self._tools_row.setContentsMargins(0, 6, 0, 6)
        self._tools_row.setSpacing(8)
        self._tools_row.addWidget(self.filters)
        self._tools_row.addStretch(1)
        self._tools_row.addWidget(self.search)
        self._none.hide()
        inner = layouts.column(
            layouts.row(self._figure, self._told, layouts.stretch(), self._pace, spacing=12),
            6,
            self.bar,
            12,
            self.banner,
            6,
            self.tables,
            self.tools,
            self._none,
            margins=(24, 12, 24, 0),
        )
        table = QVBoxLayout()
        table.setContentsMargins(12, 0, 12, 0)  # the words of the first column stand at 24
        table.addWidget(self.table)
        layouts.column(inner, (table, 1), into=body)
        layouts.column(self.strip, self._command_row, Divider(self._theme), (body, 1), into=self)
        self.body = body

    def fold(self, small: bool) -> None:
        """Leaves out what the export menu has too, where there is little room.

        Args:
            small: Whether there is little width.
        """
        self.strip.fold(small)
        self._fold_tools()

    def _fold_tools(self) -> None:
        """Puts the search below the filters where both do not fit in a line."""
        needed = self.filters.sizeHint().width() + self.search.width() + 2 * _EDGE_PX + 16
        ways = QBoxLayout.Direction
        self._tools_row.setDirection(
            ways.TopToBottom if needed > self.width() else ways.LeftToRight
        )

    def _toggle_command(self) -> None:
        self._command_row.setVisible(self._command_row.isHidden())

    def show_counts(self) -> None:
        """Shows how far the batch is, and how many documents each filter leaves."""
        state = self._state
        self._figure.setText(state.head)
        self._told.setText(state.told)
        self._pace.setText(state.pace)
        self.bar.set_share(state.share)
        self.bar.set_paused(state.phase in ("paused", "failed"))
        for name, title in self._titles.items():
            self.filters.set_words(name, f"{title} {format_count(state.counts[name])}")
        self._fold_tools()
        self.tables.show_state(state)
        self.command.show_line(state.command)

    def show_rows(self) -> None:
        """Shows the documents that filter and search leave; what was selected stays so."""
        selected = set(self.table.selected_keys())
        current, scroll = self.table.current_key, self.table.verticalScrollBar().value()
        self.model.show(self._state.shown())
        self._select_again(selected, current)
        self.table.verticalScrollBar().setValue(scroll)
        is_none = not self.model.rowCount()
        self._none.setText(
            self.tr("No file has “{needle}” in its name.").format(needle=self._state.needle)
            if self._state.needle
            else self.tr("There is no such file.")
        )
        self._none.setVisible(is_none and self._state.phase != "empty")

    def _select_again(self, selected: set[object], current: object) -> None:
        if set(self.table.selected_keys()) == selected:
            return
        selection, model = self.table.selectionModel(), self.model
        flags = selection.SelectionFlag
        for key in selected:
            if isinstance(key, int) and model.has(key):
                index = model.index(model.row_of(key), 0)
                selection.select(index, flags.Select | flags.Rows)
        if isinstance(current, int) and model.has(current):
            index = model.index(model.row_of(current), 0)
            selection.setCurrentIndex(index, flags.NoUpdate)
