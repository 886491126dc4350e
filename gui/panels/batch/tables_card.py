"""The tables of a batch: which columns are read, and their first rows to choose others."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from core.jobs.batches.tables import BatchTable
from core.numbers import format_quantity
from gui.panels.batch.state import BatchState
from gui.theme.theme import Theme
from gui.widgets.button import Button
from gui.widgets.card import Card
from gui.widgets.label import Label
from gui.widgets.leaving import put_into
from gui.widgets.preview_table import PreviewTable, Role
from gui.widgets.sign import Sign

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
        self._shown: object = None
        self._is_usable = True
        self._opened: set[str] = set()
        self.previews: dict[str, PreviewTable] = {}
        self.togglers: dict[str, Button] = {}
        self._area = QScrollArea()
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.viewport().setAutoFillBackground(False)
        self.column.addWidget(self._area)
        self.hide()

    def show_state(self, state: BatchState) -> None:
        """Shows the tables of the batch; none hides the card."""
        self.setVisible(bool(state.tables))
        shown = (state.tables, state.phase == "running", frozenset(self._opened))
        if shown == self._shown:
            return
        self._shown, self._is_usable = shown, state.phase != "running"
        self.previews, self.togglers = {}, {}
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(16, 6, 8, 2)
        rows.setSpacing(2)
        for table in state.tables:
            self._add(rows, table)
        put_into(self._area, content)
        self._area.setFixedHeight(min(content.sizeHint().height(), _MOST_PX))

    def _add(self, rows: QVBoxLayout, table: BatchTable) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        icon, color = ("table-2", "text2") if table.text else ("triangle-alert", "warn")
        row.addWidget(Sign(self._theme, icon, color))
        row.addWidget(Label(self._theme, told_of(table), "body", "text", elide=True), 1)
        is_open = not table.text or table.path in self._opened
        if table.text:
            words = self.tr("Hide columns") if is_open else self.tr("Columns")
            toggler = Button(self._theme, words, kind="ghost", height=28)
            toggler.triggered.connect(partial(self._toggle, table.path))
            self.togglers[table.path] = toggler
            row.addWidget(toggler)
        rows.addLayout(row)
        if is_open:
            rows.addWidget(self._preview(table))

    def _preview(self, table: BatchTable) -> PreviewTable:
        name, chosen = Path(table.path).name, {"text": table.text, "title": table.title}
        preview = PreviewTable(self._theme, name, table.columns, table.rows, self._roles(), chosen)
        preview.column_chosen.connect(partial(self.column_chosen.emit, table.path))
        for head in preview.heads.values():
            head.set_usable(self._is_usable, self.tr("Pause the batch first."))
        self.previews[table.path] = preview
        return preview

    def _toggle(self, path: str) -> None:
        self._opened ^= {path}
        self.toggled.emit()
        if path in self.togglers:  # the button was made anew: the keyboard stays on it
            self.togglers[path].setFocus(Qt.FocusReason.OtherFocusReason)

    toggled = Signal()
    """The first rows of a table were opened or closed: draw anew."""

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
