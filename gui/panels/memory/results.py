"""What the Memory panel shows of a model: the bar of its parts, two charts, tables, the command."""

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QLayout, QVBoxLayout, QWidget

from core.numbers import THIN_SPACE, format_count
from core.profiling.forecast import part_bytes
from gui.panels.memory.charts import MemoryCharts
from gui.panels.memory.measuring import commands_of
from gui.panels.memory.points import Cell, Row
from gui.panels.memory.state import PARTS, MemoryState
from gui.panels.memory.tables import What, paper_table, table_of
from gui.panels.memory.telling import foot, hashing, headline, paper_lines
from gui.panels.memory.words import GB, gigabytes, tr
from gui.theme.theme import Theme
from gui.widgets.charts.chart import Chart
from gui.widgets.charts.mark_box import draw_key
from gui.widgets.display.area import Area
from gui.widgets.display.label import Label
from gui.widgets.display.memory_bar import PART_COLORS, MemoryBar, Share, Swatch
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.inputs.command_line import CommandLine
from gui.widgets.inputs.segmented import SegmentedControl
from gui.widgets.support import layouts
from gui.widgets.support.leaving import clear
from gui.widgets.support.paint import painter_on
from gui.widgets.tables.table import Table

_EDGE_PX = 24
_CHART_PX, _SMALL_CHART_PX = 224, 220
_BESIDE_PX = 820
"""From this width on, the charts stand side by side."""
_COLUMNS = (6, 3, 2)
"""In how many columns the parts may stand; the last where none has room."""
_COLUMN_GAP_PX = 20
_KEY_PX, _KEY_GAP_PX = 26, 16


class _Signs(QWidget):
    """What filled and hollow markers mean."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._words = (tr("measured"), tr("forecast"))
        self.setAccessibleName(tr("Filled: measured. Hollow and dashed: forecast."))
        self.setFixedSize(self.sizeHint())
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(self._theme.font("small"))
        words = sum(metrics.horizontalAdvance(each) for each in self._words)
        return QSize(round(words) + 2 * _KEY_PX + _KEY_GAP_PX + 4, 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, x = painter_on(self), 0.0
        metrics = QFontMetricsF(self._theme.font("small"))
        for hollow, words in enumerate(self._words):
            at = QPointF(x, 10)
            draw_key(painter, self._theme, at, "text2", "circle", hollow=bool(hollow))
            painter.setFont(self._theme.font("small"))
            painter.setPen(self._theme.color("text2"))
            painter.drawText(QPointF(x + _KEY_PX, 14.5), words)
            x += _KEY_PX + metrics.horizontalAdvance(words) + _KEY_GAP_PX
        painter.end()


class PartsBar(Plane):
    """The parts of one point as a bar against the machine's memory, with their numbers."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self._theme = theme
        self._title = Label(theme, "", "section", elide=True)
        self._total = Label(theme, "", "body", "text2", elide=True)
        self.bar = MemoryBar(theme)
        self._values: dict[str, Label] = {}
        self._parts = QGridLayout()
        self._parts.setHorizontalSpacing(_COLUMN_GAP_PX)
        self._parts.setVerticalSpacing(2)
        self._items: list[QWidget] = []
        for name, words in self._names().items():
            self._items.append(self._part(name, words))
        layouts.column(
            layouts.row(self._title, (self._total, 1), spacing=8),
            self.bar,
            self._parts,
            into=self,
            margins=(_EDGE_PX, 10, _EDGE_PX, 10),
            spacing=4,
        )
        self._columns = self._room_px = 0
        self.fit(0)

    def _names(self) -> dict[str, str]:
        return {
            "weights": tr("Weights"),
            "gradients": tr("Gradients"),
            "optimizer": tr("Optimiser state"),
            "activations": tr("Activations"),
            "attention": tr("Attention"),
            "workspace": tr("Workspace and program"),
        }

    def _part(self, name: str, words: str) -> QWidget:
        part = QWidget()
        self._values[name] = Label(self._theme, "", "small", "text2")
        layouts.row(
            Swatch(self._theme, PART_COLORS[name]),
            Label(self._theme, words, "small", "text"),
            self._values[name],
            layouts.stretch(0),
            into=part,
            spacing=6,
        )
        return part

    def fit(self, width: int) -> None:
        """Puts the numbers in as many columns as have room, in px."""
        self._room_px = width
        columns = next((each for each in _COLUMNS if self._needed_px(each) <= width), _COLUMNS[-1])
        if columns == self._columns:
            return
        self._columns = columns
        for item in self._items:
            self._parts.removeWidget(item)
        for at, item in enumerate(self._items):
            self._parts.addWidget(item, at // columns, at % columns)
        for column in range(len(self._items) + 1):
            self._parts.setColumnStretch(column, 0)
        self._parts.setColumnStretch(columns, 1)

    def _needed_px(self, columns: int) -> int:
        """The width of so many columns, each as wide as the widest of its parts."""
        widths = [item.sizeHint().width() for item in self._items]
        held = sum(max(widths[at::columns]) for at in range(columns))
        return held + columns * _COLUMN_GAP_PX + 2 * _EDGE_PX

    @property
    def words(self) -> str:
        """What it says."""
        return f"{self._title.text()} {self._total.text()}"

    def show_cell(self, row: Row, cell: Cell, state: MemoryState) -> None:
        """Shows the parts of a point."""
        told = cell.told
        if told is None:
            return
        limit, peak = state.machine.limit_bytes, cell.peak_bytes or 0.0
        self._title.setText(_named(row, cell, state))
        sign = "" if cell.is_measured else f"≈{THIN_SPACE}"
        of = tr("of {0}").format(gigabytes(limit)) if limit else ""
        by = tr("measured") if cell.is_measured else tr("forecast")
        words = f"{sign}{gigabytes(peak)} {of}, {by}"
        words += "" if cell.is_measured else f", {format_count(told.parameters)} {tr('weights')}"
        self._total.setText(words.replace(" ,", ","))
        parts = part_bytes(told, peak if cell.is_measured else None)
        names, shares = self._names(), []
        for name, size in parts.items():
            self._values[name].setText(gigabytes(size))
            shares.append(Share(names[name], PART_COLORS[name], size / GB))
        self.fit(self._room_px)
        name = tr("GPU") if state.machine.on_gpu else tr("memory")
        self.bar.show_shares(tuple(shares), 0.0, limit / GB, name)


def _named(row: Row, cell: Cell, state: MemoryState) -> str:
    if state.axis == PARTS:
        return cell.value
    value = format_count(int(cell.value)) if cell.value.isdecimal() else cell.value
    return f"{row.variant.title}, {state.varied.title.lower()} {value}"


class Results(Area):
    """The page; `refresh` draws the state anew."""

    failed = Signal(object)
    """An `EpitomeError`: a file could not be written."""
    saved = Signal(object)
    """The path of a file that was written."""
    copied = Signal()

    def __init__(self, theme: Theme, state: MemoryState) -> None:
        super().__init__()
        self._theme, self._state = theme, state
        self.models = MemoryCharts()
        self.models.show(state)
        self.charts = (Chart(theme, self.models.memory), Chart(theme, self.models.time))
        for chart in self.charts:
            chart.failed.connect(self.failed)
            chart.saved.connect(self.saved)
        self._headline = Label(theme, "", "section", wrap=True)
        self._hashing = Label(theme, "", "body", "text2", wrap=True)
        self.parts = PartsBar(theme)
        self.table: Table | None = None
        self.paper: Table | None = None
        self.what = SegmentedControl(
            theme,
            [("memory", tr("Memory")), ("time", tr("Time")), ("all", tr("All numbers"))],
            value="memory",
            height=28,
            name=tr("Table of"),
        )
        self.what.chosen.connect(lambda _: self._show_table())
        self._foot = Label(theme, "", "small", "text2", wrap=True)
        self.command = CommandLine(theme, wrap=True)
        self.command.copied.connect(self.copied)
        self._chosen: tuple[str, str] | None = None
        self._lay_out()

    def _lay_out(self) -> None:
        page = Plane(self._theme, "surface")
        strip = layouts.row(
            (layouts.column(self._headline, self._hashing, spacing=2), 1),
            (_Signs(self._theme), 0, Qt.AlignmentFlag.AlignTop),
            margins=(_EDGE_PX, 12, _EDGE_PX, 12),
            spacing=16,
        )
        column = layouts.column(strip, Divider(self._theme), into=page, margins=(0, 0, 0, 16))
        self._paper_place = _place(column)
        column.addWidget(self.parts)
        column.addWidget(Divider(self._theme))
        self._pair = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._pair.setContentsMargins(_EDGE_PX, 0, 16, 8)
        self._pair.setSpacing(16)
        for chart in self.charts:
            self._pair.addWidget(chart, 1)
        column.addLayout(self._pair, 1)
        column.addWidget(Divider(self._theme))
        head = layouts.row(
            self.what, layouts.stretch(0), margins=(_EDGE_PX, 10, _EDGE_PX, 4), spacing=None
        )
        column.addLayout(head)
        self._table_place = _place(column)
        column.addLayout(
            layouts.column(self._foot, self.command, margins=(_EDGE_PX, 10, _EDGE_PX, 0), spacing=8)
        )
        self.setWidget(page)

    # What is shown

    def refresh(self) -> None:
        """Draws the state as it is now."""
        state = self._state
        self._headline.setText(headline(state))
        told = hashing(state)
        self._hashing.setText(told)
        self._hashing.setVisible(bool(told))
        self.models.show(state)
        self.fold()
        for chart in self.charts:
            if chart.plot_is_made:
                chart.plot.reset_quietly()
            chart.refresh()
        self._show_bar()
        self._show_paper()
        self._show_table()
        self._foot.setText("  ".join(foot(state)))
        self.command.show_line(commands_of(state))

    def _show_bar(self) -> None:
        """The chosen point; else the model as it is set, at a value in the middle."""
        rows = [row for row in self._state.rows if any(cell.told for cell in row.cells)]
        self.parts.setVisible(bool(rows))
        if not rows:
            return
        for row in rows:
            for cell in row.cells:
                if (row.variant.key, cell.value) == self._chosen and cell.told:
                    self.parts.show_cell(row, cell, self._state)
                    return
        row = next((each for each in rows if each.variant.key == "base"), rows[0])
        cells = [cell for cell in row.cells if cell.told]
        middle = 0 if self._state.axis == PARTS else (len(cells) - 1) // 2
        self.parts.show_cell(row, cells[middle], self._state)

    def choose(self, key: str, value: str) -> None:
        """Shows the parts of a point in the bar."""
        self._chosen = (key, value)
        self._show_bar()

    def _show_paper(self) -> None:
        lines = paper_lines(self._state)
        self.paper = _put(self._paper_place, paper_table(self._theme, lines) if lines else None)

    def _show_table(self) -> None:
        held = self.table is not None and self.table.hasFocus()
        row = self.table.currentIndex().row() if self.table is not None else -1
        what: What = self.what.value  # type: ignore[assignment]
        table = table_of(self._theme, self._state, what)
        table.failed.connect(self.failed)
        table.saved.connect(self.saved)
        table.selection_changed.connect(self._take_row)
        self.table = _put(self._table_place, table)
        if held:
            table.setFocus()
            if 0 <= row < table.table_model.rowCount():
                table.selectRow(row)

    def _take_row(self) -> None:
        """Shows the parts of the selected row: its measured point, or that in the middle."""
        key = self.table.current_key if self.table is not None else None
        if isinstance(key, tuple):
            self.choose(*key)
        elif isinstance(key, str):
            rows = [row for row in self._state.rows if row.variant.key == key]
            cells = [cell for row in rows for cell in row.cells if cell.told]
            done = [cell for cell in cells if cell.is_measured]
            if self._state.axis == PARTS and self._state.rows:
                self.choose(self._state.rows[0].variant.key, key)
            elif cells:
                value = done[-1].value if done else cells[(len(cells) - 1) // 2].value
                self.choose(key, value)

    @property
    def words(self) -> str:
        """All sentences, for tests."""
        parts = (self._headline.text(), self._hashing.text(), self.parts.words, self._foot.text())
        return " ".join(parts)

    # Room

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fold()

    def fold(self) -> None:
        """Puts the charts side by side, or one above the other."""
        beside = self.viewport().width() >= _BESIDE_PX and self._state.axis != PARTS
        ltr, ttb = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._pair.setDirection(ltr if beside else ttb)
        for chart in self.charts:
            chart.setMinimumHeight(_CHART_PX if beside else _SMALL_CHART_PX)
        self.parts.fit(self.viewport().width())


def _place(column: QVBoxLayout) -> QVBoxLayout:
    """A place in a column that holds one widget, or none."""
    holder = layouts.column(margins=(12, 0, 12, 0), spacing=None)
    column.addLayout(holder)
    return holder


def _put(place: QLayout, table: Table | None) -> Table | None:
    """Puts a table in a place, and takes away the one that was there."""
    clear(place)
    if table is not None:
        place.addWidget(table)
    return table
