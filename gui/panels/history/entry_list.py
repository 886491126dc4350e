"""The list of summaries under the heads of their days."""

from collections.abc import Hashable
from datetime import datetime
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter

from core.library.history_entry import Entry
from gui.dates import format_when
from gui.panels.history.state import HistoryState
from gui.panels.history.words import (
    describe_entry,
    format_spoken,
    group_by_day,
    tr,
)
from gui.theme.theme import Theme
from gui.widgets.support.cut_words import write_line
from gui.widgets.support.paint import draw_icon
from gui.widgets.tables.row_list import RowList, RowLook

_ROW_PX, _HEAD_PX = 76, 36
_EDGE_PX = 24


class EntryList(RowList):
    """The summaries; Enter opens, Delete deletes, S stars, F2 renames."""

    star_requested = Signal()
    rename_requested = Signal()
    delete_requested = Signal()
    more_requested = Signal()
    """The end of the list is in sight."""

    def __init__(self, theme: Theme, state: HistoryState) -> None:
        super().__init__(theme, tr("Summaries"), ring_inset=6, ring_radius=6)
        self._state, self._now = state, datetime.now().astimezone()
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    def refresh(self) -> None:
        """Shows the state, without a signal."""
        self._now = datetime.now().astimezone()
        self.show_rows(group_by_day(self._state.entries, self._now), self._state.chosen)

    def key(self, item: Entry) -> Hashable:
        return item.id

    def words(self, item: Entry) -> str:
        return item.title

    def spoken(self, item: Entry) -> str:
        return format_spoken(item, self._now)

    def row_height(self, row: Any, place: int) -> int:
        return _HEAD_PX if isinstance(row, str) else _ROW_PX

    def keyPressEvent(self, event: QKeyEvent) -> None:
        requests = {
            Qt.Key.Key_S: self.star_requested,
            Qt.Key.Key_F2: self.rename_requested,
            Qt.Key.Key_Delete: self.delete_requested,
        }
        request = requests.get(Qt.Key(event.key()))
        if request is None or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().keyPressEvent(event)
        else:
            request.emit()

    def _on_scrolled(self, value: int) -> None:
        if value and value >= self.verticalScrollBar().maximum() - _ROW_PX:
            self.more_requested.emit()

    def paint_row(self, painter: QPainter, box: QRectF, row: Any, look: RowLook) -> None:
        if isinstance(row, str):
            line = box.adjusted(_EDGE_PX, 8, -_EDGE_PX, 0)
            write_line(painter, self._theme, line, row, "smallb", "text2")
            return
        color = self._theme.color
        if look.selected:
            painter.fillRect(box, color("accentSoft"))
            painter.fillRect(QRectF(box.left(), box.top(), 3, box.height()), color("accent"))
        elif look.hovered:
            painter.fillRect(box, color("hover"))
        painter.fillRect(QRectF(box.left(), box.bottom() - 1, box.width(), 1), color("line"))
        self._paint_words(painter, box.adjusted(_EDGE_PX, 8, -_EDGE_PX, -8), row)

    def _paint_words(self, painter: QPainter, box: QRectF, entry: Entry) -> None:
        def write(line: QRectF, text: str, role: str = "small", color: str = "text2") -> None:
            write_line(painter, self._theme, line, " ".join(text.split()), role, color)

        when = format_when(entry.made_s, self._now)
        width = QFontMetricsF(self._theme.font("small")).horizontalAdvance(when)
        write(QRectF(box.right() - width, box.top(), width + 1, 20), when)
        head = QRectF(box.left(), box.top(), box.width() - width - 12, 20)
        if entry.starred:
            at = QPointF(round(head.right() - 14), head.top() + 3)
            draw_icon(painter, self._theme, "star-filled", "accent", at, 14)
            head.setRight(head.right() - 22)
        write(head, entry.title, "strong", "text")
        write(QRectF(box.left(), box.top() + 21, box.width(), 18), entry.first)
        facts = describe_entry(entry)
        note = f"{entry.note}  ·  {facts}" if entry.note else facts
        write(QRectF(box.left(), box.top() + 40, box.width(), 18), note)
