"""The documents of a corpus in a list: titles, lengths as bars; any number of them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QAccessible,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from core.display_names import shown
from core.numbers import format_count
from gui.theme.theme import Theme
from gui.widgets.support.accessible import Part, install_accessibility
from gui.widgets.support.announce import announce
from gui.widgets.support.cut_words import fitted, tell_cut_words
from gui.widgets.support.paint import draw_plate, painter_on

ROW_PX = 42
_PAGE = 64
_INSET_PX, _BAR_PX, _NUMBER_PX = 12, 4, 56
_RADIUS_PX = 6
_GATHER_MS = 20

AnyIndex = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
_DISPLAY = Qt.ItemDataRole.DisplayRole


class DocumentModel(QAbstractListModel):
    """Rows of a corpus; their titles are asked for page by page, when they come into sight.

    Signals:
        wanted: Numbers of rows whose titles are needed.
    """

    wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._titles: dict[int, str] = {}
        self._asked: set[int] = set()
        self._rows: NDArray[np.int64] = np.empty(0, np.int64)
        self.lengths: NDArray[np.int64] = np.empty(0, np.int64)
        self.limit = 0
        self._missing: list[int] = []
        self._gather = QTimer(self, singleShot=True, interval=_GATHER_MS)
        self._gather.timeout.connect(self._ask)

    def show_corpus(self, lengths: ArrayLike, limit: int = 0) -> None:
        """Shows all rows of another corpus.

        Args:
            lengths: [N] how long each document is.
            limit: Longer ones are over a model's length; 0 for none.
        """
        self.beginResetModel()
        self.lengths = np.asarray(lengths, np.int64)
        self._rows = np.arange(len(self.lengths))
        self._titles, self._asked, self._missing = {}, set(), []
        self.limit = limit
        self.endResetModel()

    def set_lengths(self, lengths: ArrayLike, limit: int) -> None:
        """Measures the same documents anew, or against another model's length."""
        self.lengths, self.limit = np.asarray(lengths, np.int64), limit
        self._tell_all()

    def show_rows(self, numbers: ArrayLike) -> None:
        """Shows some rows of the corpus alone, such as those in which words were found."""
        self.beginResetModel()
        self._rows = np.asarray(numbers, np.int64)
        self.endResetModel()

    def show_all(self) -> None:
        """Shows all rows again."""
        self.show_rows(np.arange(len(self.lengths)))

    def append(self, numbers: Sequence[int]) -> None:
        """Shows more rows at the end."""
        first = len(self._rows)
        self.beginInsertRows(_NO_INDEX, first, first + len(numbers) - 1)
        self._rows = np.concatenate([self._rows, np.asarray(numbers, np.int64)])
        self.endInsertRows()

    def take_titles(self, numbers: Sequence[int], titles: Sequence[str]) -> None:
        """Takes titles that were asked for."""
        self._titles.update(zip(numbers, titles, strict=True))
        rows = np.flatnonzero(np.isin(self._rows, numbers))
        if len(rows):
            self.dataChanged.emit(self.index(int(rows[0])), self.index(int(rows[-1])))

    def number(self, row: int) -> int:
        """Which row of the corpus is shown in a row of the list."""
        return int(self._rows[row])

    def row_of(self, number: int) -> int:
        """In which row of the list a row of the corpus is shown; -1 for none."""
        found = np.flatnonzero(self._rows == number)
        return int(found[0]) if len(found) else -1

    def title(self, number: int) -> str:
        """What a row is called; empty until it is known."""
        if number not in self._titles and number not in self._asked:
            self._missing.append(number)
            if not self._gather.isActive():  # started anew each time, it would never end
                self._gather.start()
        return self._titles.get(number, "")

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return shown(self.title(self.number(index.row()))) if role == _DISPLAY else None

    def is_over(self, number: int) -> bool:
        """Whether a document is longer than the model."""
        return bool(self.limit and self.lengths[number] > self.limit)

    def share(self, number: int) -> float:
        """How much of the bar a document fills: of the model's length, or of the longest."""
        whole = self.limit or int(self.lengths.max(initial=1))
        return min(float(self.lengths[number]) / max(whole, 1), 1.0)

    def _ask(self) -> None:
        pages = {number // _PAGE for number in self._missing}
        self._missing = []
        numbers = [
            number
            for page in sorted(pages)
            for number in range(page * _PAGE, min((page + 1) * _PAGE, len(self.lengths)))
            if number not in self._asked
        ]
        self._asked.update(numbers)
        if numbers:
            self.wanted.emit(tuple(numbers))

    def _tell_all(self) -> None:
        if len(self._rows):
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))


class DocumentList(QAbstractScrollArea):
    """The list; only the rows on screen are ever looked at.

    Arrows, J and K, Page Up and Down, Home and End choose; the chosen one is shown at once.

    Signals:
        chosen: The row of the corpus that was chosen.
    """

    chosen = Signal(int)

    def __init__(self, theme: Theme, model: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self.documents = theme, model
        self.current = -1
        """The chosen row of the list; -1 for none."""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Documents"))
        self.viewport().setAutoFillBackground(False)
        tell_cut_words(self)
        install_accessibility()
        model.modelReset.connect(self._on_reset)
        model.rowsInserted.connect(self._on_more)
        model.dataChanged.connect(self.viewport().update)
        theme.changed.connect(self.viewport().update)

    def _on_reset(self) -> None:
        self.current = -1
        self._on_more()

    def _on_more(self) -> None:
        self._measure()
        self.viewport().update()

    def _measure(self) -> None:
        bar, screen = self.verticalScrollBar(), self.viewport().height()
        bar.setRange(0, max(0, self.documents.rowCount() * ROW_PX - screen))
        bar.setPageStep(screen)
        bar.setSingleStep(ROW_PX)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Paints what is seen now."""
        self.viewport().update()

    # Choosing

    def show_number(self, number: int) -> None:
        """Chooses a row of the corpus without a signal."""
        self._set_current(self.documents.row_of(number))

    def step(self, by: int) -> None:
        """Goes so many documents on, or back; 0 chooses the one there is, or the first."""
        if self.documents.rowCount():
            self.choose(max(self.current, 0) + by if self.current >= 0 else 0)

    def choose(self, row: int) -> None:
        """Chooses a row of the list, the last one if there are fewer."""
        self._set_current(min(max(row, 0), self.documents.rowCount() - 1))
        if self.current >= 0:
            self.chosen.emit(self.documents.number(self.current))

    def _set_current(self, row: int) -> None:
        self.current = row
        self.show_current()
        self.viewport().update()
        if row >= 0 and self.hasFocus():
            announce(self, self._told(row))

    def show_current(self) -> None:
        """Scrolls as little as brings the chosen row into sight."""
        if self.current < 0:
            return
        bar, screen, top = self.verticalScrollBar(), self.viewport().height(), self.current * ROW_PX
        if top < bar.value():
            bar.setValue(top)
        elif top + ROW_PX > bar.value() + screen:
            bar.setValue(top + ROW_PX - screen)

    def scroll_to_end(self) -> None:
        """Shows the last rows."""
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    # Painting

    def rows_shown(self) -> range:
        """The rows of the list that are on screen."""
        first = self.verticalScrollBar().value() // ROW_PX
        last = (self.verticalScrollBar().value() + self.viewport().height()) // ROW_PX
        return range(first, min(last + 1, self.documents.rowCount()))

    def row_rect(self, row: int) -> QRect:
        """Where a row is in the viewport."""
        top = row * ROW_PX - self.verticalScrollBar().value()
        return QRect(0, top, self.viewport().width(), ROW_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self.viewport())
        painter.fillRect(event.rect(), self._theme.color("window"))
        for row in self.rows_shown():
            self._paint_row(painter, QRectF(self.row_rect(row)), row)
        painter.end()

    def _paint_row(self, painter: QPainter, box: QRectF, row: int) -> None:
        color, number = self._theme.color, self.documents.number(row)
        if row == self.current:
            draw_plate(painter, box.adjusted(0, 1, 0, -1), _RADIUS_PX, color("accentSoft"))
            painter.fillRect(QRectF(box.left(), box.top() + 9, 3, 24), color("accent"))
        inner = box.adjusted(_INSET_PX, 4, -_INSET_PX, 0)
        painter.setFont(self._theme.font("smallb"))
        painter.setPen(color("text"))
        title = self.documents.title(number) or "…"
        line = QRectF(inner.left(), inner.top(), inner.width(), 18)
        align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(line, align, fitted(painter, title, line))
        self._paint_length(painter, inner, number)

    def _paint_length(self, painter: QPainter, inner: QRectF, number: int) -> None:
        color, over = self._theme.color, self.documents.is_over(number)
        width = max(inner.width() - _NUMBER_PX, 24)
        track = QRectF(inner.left(), inner.top() + 24, width, _BAR_PX)
        draw_plate(painter, track, _BAR_PX / 2, color("track"))
        filled = QRectF(track)
        filled.setWidth(max(width * self.documents.share(number), _BAR_PX))
        draw_plate(painter, filled, _BAR_PX / 2, color("warn" if over else "line2"))
        painter.setFont(self._theme.font("capr"))
        painter.setPen(color("warn" if over else "text3"))
        told = format_count(int(self.documents.lengths[number]))
        align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(inner.left(), inner.top() + 17, inner.width(), 18), align, told)

    # Keys and pointer

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys, page = Qt.Key, max(self.viewport().height() // ROW_PX - 1, 1)
        steps = {
            keys.Key_Down: 1, keys.Key_J: 1, keys.Key_Up: -1, keys.Key_K: -1,
            keys.Key_PageDown: page, keys.Key_PageUp: -page,
        }  # fmt: skip
        key = Qt.Key(event.key())
        if key in steps:
            self.step(steps[key])
        elif key in (keys.Key_Home, keys.Key_End):
            self.choose(0 if key == keys.Key_Home else self.documents.rowCount() - 1)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = int(event.position().y() + self.verticalScrollBar().value()) // ROW_PX
        if event.button() == Qt.MouseButton.LeftButton and row < self.documents.rowCount():
            self.choose(row)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()
        self.show_current()

    # For screen readers and the focus ring

    def focus_shape(self) -> tuple[QRect, int]:
        """Inside the chosen row, or the whole list."""
        rect = self.row_rect(self.current) if self.current >= 0 else self.viewport().rect()
        rect = rect.intersected(self.viewport().rect()).adjusted(5, 5, -5, -5)
        return QRect(self.viewport().mapTo(self, rect.topLeft()), rect.size()), 4

    def accessible_role(self) -> QAccessible.Role:
        """A list."""
        return QAccessible.Role.List

    def accessible_count(self) -> int:
        """The rows on screen."""
        return len(self.rows_shown())

    def accessible_focus(self) -> int:
        """Which of the rows on screen is chosen; -1 for none."""
        shown = self.rows_shown()
        return shown.index(self.current) if self.current in shown else -1

    def accessible_part(self, index: int) -> Part:
        """One row on screen."""
        row = self.rows_shown()[index]
        return Part(self._told(row), self.row_rect(row), QAccessible.Role.ListItem)

    def _told(self, row: int) -> str:
        number = self.documents.number(row)
        over = self.tr(", longer than the model") if self.documents.is_over(number) else ""
        length = format_count(int(self.documents.lengths[number]))
        return f"{self.documents.title(number)}, {length}{over}"
