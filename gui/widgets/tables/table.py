"""A table: head with sort arrow, rows with their states, folded where there is little room."""

from collections.abc import Hashable, Sequence
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QTableView,
    QWidget,
)

from core.errors import EpitomeError
from core.storage.atomic_files import write_whole
from gui.theme.theme import Theme
from gui.widgets.inputs.menu import Menu
from gui.widgets.inputs.saving import ask_where
from gui.widgets.support import layouts
from gui.widgets.support.cut_words import tell_cut_words
from gui.widgets.support.leaving import let_go
from gui.widgets.support.paint import painter_on
from gui.widgets.tables.table_model import Column, Record, TableModel
from gui.widgets.tables.table_paint import (
    ARROWS,
    HEAD_PX,
    PADDING_PX,
    ROW_PX,
    RowPainter,
    detail_height,
    paint_head,
)

_LEAST_PX = 96  # of a column that shares what is left
_NARROW_SHARE = 0.34  # of the width, for such a column of a folded table
_WANTED_PX = 140  # of such a column, or else the table folds


class Table(QTableView):
    """Shows a `TableModel`.

    Arrows, Home and End move; Space selects; Enter opens, or does what mends a failed row. Where
    there is little room the columns that are not kept fold, and Enter opens the rest below
    the row. The menu key offers copying, saving as CSV, and sorting by each column.
    """

    opened = Signal(object)
    """The key of a row that the person opened."""
    remedy_wanted = Signal(object)
    """The key of a failed row whose button the person pressed."""
    second_wanted = Signal(object)
    """The key of a failed row whose quieter button the person pressed."""
    selection_changed = Signal()
    menu_made = Signal(object)
    """The menu of the table, before it opens: what can be done with the current row is added."""
    failed = Signal(object)
    """An `EpitomeError`: the file could not be written."""
    saved = Signal(object)
    """The path of a file that was written."""

    def __init__(
        self, theme: Theme, model: TableModel, *, name: str, parent: QWidget | None = None
    ) -> None:
        """A table.

        Args:
            theme: The look.
            model: Its rows.
            name: Accessible name.
            parent: Qt's owner.
        """
        super().__init__(parent)
        self._theme, self._rows = theme, RowPainter(theme, model.columns)
        self._table_model, self._folded = model, frozenset[int]()
        self._unfolded: Hashable = None
        self._is_whole = False
        self._high: set[int] = set()
        """Rows that are higher than most."""
        self._prepare_view(name)
        self._prepare_heads()
        self._take_model(model)
        theme.changed.connect(self.viewport().update)

    def show_table(self, model: TableModel) -> None:
        """Shows other rows under other columns."""
        old = self._table_model
        self._table_model, self._rows = model, RowPainter(self._theme, model.columns)
        self._unfolded = None
        self._high = set()
        self._take_model(model)
        self._fold(
            frozenset()
        )  # the new columns begin in sight, whatever was hidden of the old ones
        self._share_width()
        let_go(old)

    def _take_model(self, model: TableModel) -> None:
        self.setModel(model)
        model.setParent(self)
        self.selectionModel().selectionChanged.connect(self.selection_changed)
        model.modelReset.connect(lambda: self._measure())
        model.layoutChanged.connect(lambda: self._measure())
        model.rowsInserted.connect(lambda _, first, last: self._measure(first, last))
        model.dataChanged.connect(lambda top, _: self._measure_row(top.row()))
        self._measure()

    def _prepare_view(self, name: str) -> None:
        self.setAccessibleName(name)
        self.setFrameShape(self.Shape.NoFrame)
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        tell_cut_words(self)

    def _prepare_heads(self) -> None:
        head = _Head(self._theme, self)
        self.setHorizontalHeader(head)
        head.sectionClicked.connect(self._sort_by)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(ROW_PX)
        self.verticalHeader().setDefaultSectionSize(ROW_PX)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def stay_whole(self) -> None:
        """Is as high as its rows from now on, for a page that scrolls."""
        self._is_whole = True
        self._show_whole()

    @property
    def table_model(self) -> TableModel:
        """Its rows."""
        return self._table_model

    @property
    def is_narrow(self) -> bool:
        """Whether columns are folded: their values open below a row."""
        return bool(self._folded)

    @property
    def current_key(self) -> Hashable:
        """The key of the row with the keyboard; None when there is none."""
        index = self.currentIndex()
        return self._table_model.record(index.row()).key if index.isValid() else None

    def selected_keys(self) -> list[Hashable]:
        """The keys of the selected rows, from top to bottom."""
        return [self._table_model.record(row).key for row in self._selected_rows()]

    def select(self, key: Hashable) -> None:
        """Selects a row and brings it into sight; a key that is none is a KeyError."""
        self.selectRow(self._table_model.row_of(key))

    def copy(self) -> None:
        """Copies the selected rows as tab-separated text."""
        rows = self._selected_rows()
        if rows:
            QGuiApplication.clipboard().setText(self._table_model.tsv(rows))

    def save(self, path: Path) -> None:
        """Writes all rows as CSV."""
        try:
            write_whole(path, self._table_model.csv().encode(), replace=True)
        except EpitomeError as error:
            self.failed.emit(error)
        else:
            self.saved.emit(path)

    def make_menu(self) -> Menu:
        """What can be done with the table: copy, save, sort by each column."""
        menu = Menu(self._theme, self.accessibleName(), self)
        copy = menu.add(
            self.tr("Copy the selected rows"),
            self.copy,
            icon="copy",
            shortcut=QKeySequence.StandardKey.Copy,
        )
        copy.setEnabled(bool(self._selected_rows()))
        menu.add(self.tr("Save as CSV…"), self._save_as, icon="download")
        menu.addSeparator()
        order = self._table_model.sorted_by
        for at, column in enumerate(self._table_model.columns):
            icon = ARROWS[order[1]] if order and order[0] == at else ""
            words = self.tr("Sort by {0}").format(column.title)
            menu.add(words, lambda at=at: self._sort_by(at), icon=icon)  # type: ignore[misc]
        self.menu_made.emit(menu)
        return menu

    def _save_as(self) -> None:
        name = self.accessibleName()
        path = ask_where(self._theme, self, self.tr("Save as CSV"), name, ".csv")
        if path is not None:
            self.save(path)

    def focus_shape(self) -> tuple[QRect, int]:
        """Where the focus ring goes: inside the row with the keyboard."""
        rect = self.row_rect(self.currentIndex().row())
        if not self.currentIndex().isValid():
            rect = self.viewport().rect()
        rect = rect.intersected(self.viewport().rect()).adjusted(5, 5, -5, -5)
        return QRect(self.viewport().mapTo(self, rect.topLeft()), rect.size()), 4

    def row_rect(self, row: int) -> QRect:
        """Where a row is in the viewport."""
        return QRect(0, self.rowViewportPosition(row), self.viewport().width(), self.rowHeight(row))

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self.viewport())
        painter.fillRect(event.rect(), self._theme.color("surface"))
        columns = [
            (column, self.columnViewportPosition(at), self.columnWidth(at))
            for at, column in enumerate(self._table_model.columns)
            if not self.isColumnHidden(at)
        ]
        chosen = self.selectionModel()
        row = self.rowAt(event.rect().top())
        while 0 <= row < self._table_model.rowCount():
            rect = self.row_rect(row)
            if rect.top() > event.rect().bottom():
                break
            record = self._table_model.record(row)
            selected = chosen.isRowSelected(row, self.rootIndex())
            hidden = self._hidden() if record.key == self._unfolded else ()
            self._rows.paint(painter, QRectF(rect), record, columns, selected, hidden)
            row += 1
        painter.end()

    # Keys and pointer

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, last = Qt.Key(event.key()), self._table_model.rowCount() - 1
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End) and last >= 0:
            self.selectRow(0 if key == Qt.Key.Key_Home else last)
        elif key == Qt.Key.Key_Space and self.currentIndex().isValid():
            self._toggle(self.currentIndex().row())
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._open(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        at = event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            at = self.viewport().mapToGlobal(self.row_rect(self.currentIndex().row()).center())
        self.make_menu().popup(at)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        row, is_second = self._button_at(event.position().toPoint())
        if row >= 0:
            wanted = self.second_wanted if is_second else self.remedy_wanted
            wanted.emit(self._table_model.record(row).key)
            return
        index = self.indexAt(event.position().toPoint())
        if self.is_narrow and index.isValid() and event.button() == Qt.MouseButton.LeftButton:
            self._unfold(index.row())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid():
            self.opened.emit(self._table_model.record(index.row()).key)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        over = self._button_at(event.position().toPoint())[0] >= 0
        hand, arrow = Qt.CursorShape.PointingHandCursor, Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(hand if over else arrow)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()
        if event.size().width() != event.oldSize().width():
            for row in sorted(self._high):  # their reasons may take fewer or more lines now
                self._set_height(row)

    def _button_at(self, point: QPoint) -> tuple[int, bool]:
        """The row whose button is there, -1 for none; and whether it is the quieter one."""
        row = self.rowAt(point.y())
        if row < 0:
            return -1, False
        rect, record = QRectF(self.row_rect(row)), self._table_model.record(row)
        if self._rows.second_box(rect, record).contains(point):
            return row, True
        return (row, False) if self._rows.remedy_box(rect, record).contains(point) else (-1, False)

    def _open(self, row: int) -> None:
        record = self._table_model.record(row)
        if record.state == "failed" and record.remedy:
            self.remedy_wanted.emit(record.key)
        elif self.is_narrow:
            self._unfold(row)
        else:
            self.opened.emit(record.key)

    def _toggle(self, row: int) -> None:
        flag = self.selectionModel().SelectionFlag
        self.selectionModel().select(self._table_model.index(row, 0), flag.Toggle | flag.Rows)

    def _selected_rows(self) -> list[int]:
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def _sort_by(self, column: int) -> None:
        ascending, descending = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
        same = self._table_model.sorted_by == (column, ascending)
        self._table_model.sort(column, descending if same else ascending)

    # Widths and heights

    def _share_width(self) -> None:
        columns, width = self._table_model.columns, self.viewport().width()
        hidden = folded(columns, width)
        if hidden != self._folded:
            self._fold(hidden)
        shown = [at for at, _ in enumerate(columns) if at not in hidden]
        free = [at for at in shown if not columns[at].width] or shown[:1]
        fixed = sum(columns[at].width for at in shown if at not in free)
        least = round(max(_LEAST_PX, _NARROW_SHARE * width if hidden else 0)) * len(free)
        scale = min(1.0, max(width - least, 0) / fixed) if fixed else 1.0
        for at in shown:
            if at not in free:
                self.setColumnWidth(at, int(columns[at].width * scale))
        spare = width - sum(self.columnWidth(at) for at in shown if at not in free)
        least = min(_LEAST_PX, spare // len(free))
        beyond = max(spare - least * len(free), 0)
        total = sum(columns[at].share for at in free)
        for at in free:
            self.setColumnWidth(at, max(least + beyond * columns[at].share // total, 1))

    def _fold(self, hidden: frozenset[int]) -> None:
        """Shows all columns but these."""
        self._folded, self._unfolded = hidden, None
        for at, _ in enumerate(self._table_model.columns):
            self.setColumnHidden(at, at in hidden)
        self._measure()

    def _measure(self, first: int = 0, last: int | None = None) -> None:
        model = self._table_model
        number = model.rowCount()
        rows = {row for row in range(first, number if last is None else last + 1)
                if model.is_failed(row)}  # fmt: skip
        if last is None:
            self._high = {row for row in self._high if row < number}  # the rest is not listed now
            rows |= self._high
        if self._unfolded is not None:
            with suppress(KeyError):
                rows.add(model.row_of(self._unfolded))
        for row in rows:
            self._set_height(row)
        self._show_whole()
        self.viewport().update()

    def _measure_row(self, row: int) -> None:
        self._set_height(row)
        self.viewport().update(self.row_rect(row))

    def _set_height(self, row: int) -> None:
        head, height = self.verticalHeader(), self._height(self._table_model.record(row))
        if head.sectionSize(row) != height:
            head.resizeSection(row, height)
            self._show_whole()
        (self._high.discard if height == ROW_PX else self._high.add)(row)

    def _show_whole(self) -> None:
        if self._is_whole:
            self.setFixedHeight(HEAD_PX + self.verticalHeader().length() + 2)

    def _height(self, record: Record) -> int:
        width = self.viewport().width()
        failed = record.state == "failed"
        height = self._rows.failed_height(record, width) if failed else ROW_PX
        if record.key == self._unfolded and self._unfolded is not None:
            height += detail_height(self._hidden())
        return height

    def _hidden(self) -> tuple[int, ...]:
        return tuple(sorted(self._folded))

    def _unfold(self, row: int) -> None:
        before, key = self._unfolded, self._table_model.record(row).key
        self._unfolded = None if before == key else key
        for each in {before, key} - {None}:
            with suppress(KeyError):  # it is not listed any more
                self._measure_row(self._table_model.row_of(each))
        self.viewport().update()


def folded(columns: Sequence[Column], width: int) -> frozenset[int]:
    """The columns that have no room in so many px; from the last on, and never one that is kept."""
    if sum(column.width or _WANTED_PX for column in columns) <= width:
        return frozenset()
    if not any(column.kept for column in columns):
        return frozenset()
    least = max(_WANTED_PX, _NARROW_SHARE * width)
    room = width - sum(column.width or least for column in columns if column.kept)
    hidden = set()
    for at, column in enumerate(columns):
        if column.kept:
            continue
        room -= column.width or _WANTED_PX
        if room < 0:
            hidden.add(at)
    return frozenset(hidden)


def inset(part: QWidget) -> QHBoxLayout:
    """A part over or under a table, which begins where the words of its first column do."""
    row = layouts.row(part, margins=(PADDING_PX, 0, PADDING_PX, 0))
    return row


class _Head(QHeaderView):
    """The head: words, the sort arrow beside them, ends of scales."""

    def __init__(self, theme: Theme, table: Table) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._theme, self._table = theme, table
        self.setSectionsClickable(True)
        self.setFixedHeight(HEAD_PX)
        self.setMinimumSectionSize(32)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setAccessibleName(self.tr("Columns: press one to sort by it"))
        tell_cut_words(self)
        theme.changed.connect(self.viewport().update)

    def sizeHint(self) -> QSize:
        return QSize(0, HEAD_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, model = painter_on(self.viewport()), self._table.table_model
        painter.fillRect(event.rect(), self._theme.color("surface"))
        rule = QRect(0, self.height() - 1, self.width(), 1)
        painter.fillRect(rule, self._theme.color("line2"))
        for at, column in enumerate(model.columns):
            if not self._table.isColumnHidden(at):
                box = QRectF(self.sectionViewportPosition(at), 0, self.sectionSize(at), HEAD_PX)
                order = model.sorted_by
                sorted_here = order[1] if order and order[0] == at else None
                paint_head(painter, self._theme, box, column, sorted_here)
        painter.end()
