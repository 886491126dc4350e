"""The list of summaries under the heads of their days."""

from datetime import datetime
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from core.display_names import shown
from core.library.history_entry import Entry
from gui.panels.history.state import HistoryState, Row
from gui.panels.history.words import facts_of, spoken, tr, when_of
from gui.theme.theme import Theme
from gui.widgets.support.cut_words import fitted, tell_cut_words
from gui.widgets.support.paint import draw_icon

Index = QModelIndex | QPersistentModelIndex

ROW_PX, HEAD_PX = 76, 36
_EDGE_PX = 24
_TOP = QModelIndex()


class EntryModel(QAbstractListModel):
    """The rows: entries, and the heads of groups of days."""

    def __init__(self, state: HistoryState) -> None:
        super().__init__()
        self._state = state
        self.rows: list[Row] = []
        self.now = datetime.now().astimezone()

    def refresh(self) -> None:
        """Shows what the state shows."""
        self.beginResetModel()
        self.now = datetime.now().astimezone()
        self.rows = self._state.rows(self.now)
        self.endResetModel()

    def rowCount(self, parent: Index = _TOP) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        is_entry = index.isValid() and isinstance(self.rows[index.row()], Entry)
        return super().flags(index) if is_entry else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row if isinstance(row, str) else shown(row.title)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row if isinstance(row, str) else shown(spoken(row, self.now))
        return None

    def place_of(self, id: str) -> int:
        """The row of an entry; -1 if it is not listed."""
        for place, row in enumerate(self.rows):
            if isinstance(row, Entry) and row.id == id:
                return place
        return -1


class EntryList(QListView):
    """Shows the summaries; arrow keys move, Enter opens, Delete deletes, S stars."""

    chosen = Signal(str)
    """The id of the entry that the person moved to."""
    looked_at = Signal()
    """The person clicked an entry: where there is one side, its summary is shown."""
    opened = Signal()
    """The chosen one is to be opened in Summarise."""
    star_asked = Signal()
    rename_asked = Signal()
    delete_asked = Signal()
    more_asked = Signal()
    """The end of the list is in sight."""
    menu_asked = Signal(object)
    """The menu of the chosen entry is wanted at a place of the screen."""

    def __init__(self, theme: Theme, state: HistoryState) -> None:
        super().__init__()
        self._theme, self._state = theme, state
        self.entries = EntryModel(state)
        self.setAccessibleName(tr("Summaries"))
        self.setFrameShape(self.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setMouseTracking(True)
        self.setItemDelegate(_EntryPainter(theme, self))
        self.setModel(self.entries)
        self.entries.setParent(self)
        self.viewport().setAutoFillBackground(False)
        tell_cut_words(self)
        self.selectionModel().currentChanged.connect(self._tell)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        theme.changed.connect(self.viewport().update)

    def refresh(self) -> None:
        """Shows what the state shows, without a signal."""
        self.blockSignals(True)
        self.selectionModel().blockSignals(True)
        at = self.verticalScrollBar().value()
        self.entries.refresh()
        place = self.entries.place_of(self._state.chosen)
        if place >= 0:
            self.setCurrentIndex(self.entries.index(place))
        self.verticalScrollBar().setValue(at)
        self.selectionModel().blockSignals(False)
        self.blockSignals(False)
        self.viewport().update()

    def show_chosen(self) -> None:
        """Scrolls to the chosen entry, as little as it takes."""
        if self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())

    def focus_shape(self) -> tuple[QRect, int]:
        """Where the focus ring goes: round the entry with the keyboard."""
        index = self.currentIndex()
        box = self.visualRect(index) if index.isValid() else self.viewport().rect()
        return box.intersected(self.viewport().rect()).adjusted(6, 6, -6, -6), 6

    def keyPressEvent(self, event: QKeyEvent) -> None:
        asked = {
            Qt.Key.Key_Return: self.opened,
            Qt.Key.Key_Enter: self.opened,
            Qt.Key.Key_S: self.star_asked,
            Qt.Key.Key_F2: self.rename_asked,
            Qt.Key.Key_Delete: self.delete_asked,
        }.get(Qt.Key(event.key()))
        if asked is None or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().keyPressEvent(event)
        else:
            asked.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and self._is_entry(event):
            self.looked_at.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._is_entry(event):
            self.opened.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        if by_mouse and not self.indexAt(event.pos()).isValid():
            return
        if self.currentIndex().isValid():
            box = self.visualRect(self.currentIndex())
            place = event.globalPos() if by_mouse else self.viewport().mapToGlobal(box.center())
            self.menu_asked.emit(place)

    def _is_entry(self, event: QMouseEvent) -> bool:
        index = self.indexAt(event.position().toPoint())
        return index.isValid() and isinstance(self.entries.rows[index.row()], Entry)

    def _tell(self, current: QModelIndex, before: QModelIndex) -> None:
        row = self.entries.rows[current.row()] if current.isValid() else ""
        if isinstance(row, Entry):
            self.chosen.emit(row.id)

    def _on_scrolled(self, value: int) -> None:
        if value and value >= self.verticalScrollBar().maximum() - ROW_PX:
            self.more_asked.emit()


class _EntryPainter(QStyledItemDelegate):
    """Paints the rows."""

    def __init__(self, theme: Theme, view: EntryList) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        is_head = isinstance(self._view.entries.rows[index.row()], str)
        return QSize(1, HEAD_PX if is_head else ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, box = self._view.entries.rows[index.row()], QRectF(option.rect)
        painter.save()
        if isinstance(row, str):
            line = box.adjusted(_EDGE_PX, 8, -_EDGE_PX, 0)
            self._write(painter, line, row, "smallb", "text2")
        else:
            self._paint_entry(painter, option, row, box)
        painter.restore()

    def _paint_entry(
        self, painter: QPainter, option: QStyleOptionViewItem, entry: Entry, box: QRectF
    ) -> None:
        color, state = self._theme.color, option.state
        if state & state.State_Selected:
            painter.fillRect(box, color("accentSoft"))
            painter.fillRect(QRectF(box.left(), box.top(), 3, box.height()), color("accent"))
        elif state & state.State_MouseOver:
            painter.fillRect(box, color("hover"))
        painter.fillRect(QRectF(box.left(), box.bottom() - 1, box.width(), 1), color("line"))
        inner = box.adjusted(_EDGE_PX, 8, -_EDGE_PX, -8)
        when = when_of(entry.made_s, self._view.entries.now)
        small = QFontMetricsF(self._theme.font("small"))
        head = QRectF(inner.left(), inner.top(), inner.width(), 20)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        self._write(painter, head, when, "small", "text2", right)
        head.setRight(head.right() - small.horizontalAdvance(when) - 12)
        if entry.starred:
            at = QPointF(round(head.right() - 14), head.top() + 3)
            draw_icon(painter, self._theme, "star-filled", "accent", at, 14)
            head.setRight(head.right() - 22)
        self._write(painter, head, entry.title, "strong", "text")
        second = QRectF(inner.left(), inner.top() + 21, inner.width(), 18)
        self._write(painter, second, entry.first, "small", "text2")
        third = QRectF(inner.left(), inner.top() + 40, inner.width(), 18)
        note = f"{entry.note}  ·  {facts_of(entry)}" if entry.note else facts_of(entry)
        self._write(painter, third, note, "small", "text2")

    def _write(
        self,
        painter: QPainter,
        box: QRectF,
        text: str,
        role: str,
        color: str,
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignVCenter,
    ) -> None:
        font = self._theme.font(role)
        painter.setFont(font)
        painter.setPen(self._theme.color(color))
        plain = " ".join(text.split())
        painter.drawText(box, int(align), fitted(painter, plain, box))
