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
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from core.numbers import format_count
from gui.theme.theme import Theme
from gui.widgets.paint import draw_plate

ROW_PX = 42
_PAGE = 64
_INSET_PX, _BAR_PX, _NUMBER_PX = 12, 4, 56
_RADIUS_PX = 6
_GATHER_MS = 20

AnyIndex = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()


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
        self._tell_all()

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
            self._gather.start()
        return self._titles.get(number, "")

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        number = self.number(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return self.title(number)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            over = self.tr(", longer than the model") if self.is_over(number) else ""
            length = format_count(int(self.lengths[number]))
            return f"{self.title(number)}, {length}{over}"
        return None

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


class _Delegate(QStyledItemDelegate):
    """Paints a row: the title, and below it the bar and the length."""

    def __init__(self, theme: Theme, model: DocumentModel, view: QListView) -> None:
        super().__init__(view)
        self._theme, self._model = theme, model

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(120, ROW_PX)

    def paint(self, painter: QPainter, option: Any, index: AnyIndex) -> None:
        color, number = self._theme.color, self._model.number(index.row())
        box = QRectF(option.rect)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen:
            draw_plate(painter, box.adjusted(0, 1, 0, -1), _RADIUS_PX, color("accentSoft"))
            painter.fillRect(QRectF(box.left(), box.top() + 9, 3, 24), color("accent"))
        inner = box.adjusted(_INSET_PX, 4, -_INSET_PX, 0)
        painter.setFont(self._theme.font("smallb"))
        painter.setPen(color("text"))
        metrics = QFontMetricsF(painter.font())
        title = self._model.title(number) or "…"
        words = metrics.elidedText(title, Qt.TextElideMode.ElideRight, inner.width())
        align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(inner.left(), inner.top(), inner.width(), 18), align, words)
        self._paint_length(painter, inner, number)

    def _paint_length(self, painter: QPainter, inner: QRectF, number: int) -> None:
        color, over = self._theme.color, self._model.is_over(number)
        width = max(inner.width() - _NUMBER_PX, 24)
        track = QRectF(inner.left(), inner.top() + 24, width, _BAR_PX)
        draw_plate(painter, track, _BAR_PX / 2, color("track"))
        filled = QRectF(track)
        filled.setWidth(max(width * self._model.share(number), _BAR_PX))
        draw_plate(painter, filled, _BAR_PX / 2, color("warn" if over else "line2"))
        painter.setFont(self._theme.font("capr"))
        painter.setPen(color("warn" if over else "text3"))
        told = format_count(int(self._model.lengths[number]))
        align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(inner.left(), inner.top() + 17, inner.width(), 18), align, told)


class DocumentList(QListView):
    """The list. Arrows, Page Up and Down, Home and End choose; the chosen one is shown at once.

    Signals:
        chosen: The row of the corpus that was chosen.
    """

    chosen = Signal(int)

    def __init__(self, theme: Theme, model: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self.documents = theme, model
        self._is_quiet = False
        self.setModel(model)
        self.setItemDelegate(_Delegate(theme, model, self))
        self.setUniformItemSizes(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setAccessibleName(self.tr("Documents"))
        self.setTabKeyNavigation(False)
        self.viewport().setAutoFillBackground(False)
        self.setMouseTracking(True)
        self.selectionModel().currentChanged.connect(self._on_current)
        theme.changed.connect(self.viewport().update)

    def show_number(self, number: int) -> None:
        """Chooses a row of the corpus without a signal."""
        row = self.documents.row_of(number)
        index = self.documents.index(row) if row >= 0 else QModelIndex()
        self._is_quiet = True
        self.setCurrentIndex(index)
        self._is_quiet = False
        if index.isValid():
            self.scrollTo(index)

    def step(self, by: int) -> None:
        """Goes to the next document, or to the one before."""
        row = min(max(self.currentIndex().row() + by, 0), self.documents.rowCount() - 1)
        if row >= 0:
            self.setCurrentIndex(self.documents.index(row))

    def focus_shape(self) -> tuple[QRect, int]:
        """Inside the chosen row, or the whole list."""
        rect = self.visualRect(self.currentIndex()) or self.viewport().rect()
        if not self.currentIndex().isValid():
            rect = self.viewport().rect()
        rect = rect.intersected(self.viewport().rect()).adjusted(5, 5, -5, -5)
        return QRect(self.viewport().mapTo(self, rect.topLeft()), rect.size()), 4

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_J, Qt.Key.Key_K):
            self.step(1 if event.key() == Qt.Key.Key_J else -1)
        else:
            super().keyPressEvent(event)

    def _on_current(self, current: QModelIndex, _: QModelIndex) -> None:
        if current.isValid() and not self._is_quiet:
            self.chosen.emit(self.documents.number(current.row()))
