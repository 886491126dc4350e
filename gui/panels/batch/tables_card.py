"""The tables of a batch: which columns are read, and their first rows to choose others."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from core.jobs.batches.tables import BatchTable
from core.numbers import format_quantity
from gui.panels.batch.state import BatchState
from gui.theme.theme import Theme
from gui.widgets.display.card import Card
from gui.widgets.display.label import Label
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import Button
from gui.widgets.support import layouts
from gui.widgets.support.leaving import clear
from gui.widgets.tables.preview_table import PreviewTable, Role

_MOST_PX = 260


class TablesCard(Card):
    """A line for each table; its first rows stand below it while a column is asked for.

    Signals:
        column_chosen: The path of a table, "text" or "title", and the column.
    """

    column_chosen = Signal(str, str, str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.setAccessibleName(self.tr("Tables of the batch"))
        self._tables: tuple[BatchTable, ...] = ()
        self._is_usable = True
        self._opened: set[str] = set()
        self.previews: dict[str, PreviewTable] = {}
        self.togglers: dict[str, Button] = {}
        self._places: dict[str, QVBoxLayout] = {}
        self._rows = QVBoxLayout()
        self._area = QScrollArea()
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.viewport().setAutoFillBackground(False)
        content = QWidget()
        content.setLayout(self._rows)
        self._rows.setContentsMargins(16, 6, 8, 2)
        self._rows.setSpacing(2)
        self._area.setWidget(content)
        content.setAutoFillBackground(False)  # the area has just turned it on
        self.column.addWidget(self._area)
        self.hide()

    def show_state(self, state: BatchState) -> None:
        """Shows the tables of the batch; none hides the card."""
        self.setVisible(bool(state.tables))
        if state.tables != self._tables:
            self._tables = state.tables
            self._fill()
        self._is_usable = state.phase != "running"
        for preview in self.previews.values():
            self._allow(preview)
        self._fit()

    def _fill(self) -> None:
        self.previews, self.togglers, self._places = {}, {}, {}
        clear(self._rows)
        for table in self._tables:
            self._add(table)

    def _add(self, table: BatchTable) -> None:
        holder = QWidget()
        place = self._places[table.path] = QVBoxLayout(holder)
        place.setContentsMargins(0, 0, 0, 0)
        icon, color = ("table-2", "text2") if table.text else ("triangle-alert", "warn")
        row = layouts.row(
            Sign(self._theme, icon, color),
            (Label(self._theme, told_of(table), "body", "text", elide=True), 1),
            spacing=8,
        )
        if table.text:
            toggler = Button(self._theme, self.tr("Columns"), kind="ghost", height=28)
            toggler.triggered.connect(partial(self._toggle, table))
            self.togglers[table.path] = toggler
            row.addWidget(toggler)
        place.addLayout(row)
        self._rows.addWidget(holder)
        if not table.text or table.path in self._opened:
            self._open(table)

    def _toggle(self, table: BatchTable) -> None:
        self._opened ^= {table.path}
        if table.path in self._opened:
            self._open(table)
        else:
            self.previews[table.path].hide()
            self.togglers[table.path].setText(self.tr("Columns"))
        self._fit()

    def _open(self, table: BatchTable) -> None:
        """Shows the first rows of a table; they are made when they are first looked at."""
        if table.path not in self.previews:
            self.previews[table.path] = preview = self._preview(table)
            self._allow(preview)
            self._places[table.path].addWidget(preview)
        self.previews[table.path].show()
        if table.path in self.togglers:
            self.togglers[table.path].setText(self.tr("Hide columns"))

    def _preview(self, table: BatchTable) -> PreviewTable:
        name, chosen = Path(table.path).name, {"text": table.text, "title": table.title}
        preview = PreviewTable(self._theme, name, table.columns, table.rows, self._roles(), chosen)
        preview.column_chosen.connect(partial(self.column_chosen.emit, table.path))
        return preview

    def _allow(self, preview: PreviewTable) -> None:
        for head in preview.heads.values():
            head.set_usable(self._is_usable, self.tr("Pause the batch first."))

    def _fit(self) -> None:
        content = self._area.widget()
        if content is not None:
            self._area.setFixedHeight(min(content.sizeHint().height(), _MOST_PX))

    def _roles(self) -> tuple[Role, ...]:
        return (
            Role(
                "text",
                self.tr("documents"),
                self.tr("Read as documents"),
                "",
                self.tr("is read as documents"),
            ),
            Role(
                "title",
                self.tr("titles"),
                self.tr("Read as titles"),
                self.tr("Read no titles"),
                self.tr("is read as titles"),
            ),
        )


def told_of(table: BatchTable) -> str:
    """What is read of a table: "papers.csv: 120 documents from the column “abstract” of 5"."""
    name = Path(table.path).name
    if not table.text:
        return f"Which column of {name} holds the texts? Click its name."
    documents = format_quantity(table.count, "document")
    titles = f", titles from “{table.title}”" if table.title else ""
    return f"{name}: {documents} from the column “{table.text}” of {len(table.columns)}{titles}"
