"""A list whose rows are painted: items under heads, with keys, menus and screen readers."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from core.display_names import shown
from gui.theme.theme import Theme
from gui.widgets.support.cut_words import tell_cut_words

AnyIndex = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()


@dataclass(frozen=True)
class RowLook:
    """State of a row as it is painted."""

    selected: bool
    hovered: bool


class RowList(QListView):
    """A list of rows: a text is the head of those below it, anything else is an item.

    A subclass gives each item a key, words, a height, and paints it. Arrow keys move, Enter and a
    double click open, the menu key and the right button ask for the menu of the current item.

    Args:
        theme: The look.
        name: Accessible name.
        ring_inset: Distance of the focus ring from the edge of a row, in px.
        ring_radius: Of its corners, in px.
    """

    chosen = Signal(object)
    """The key of the item that the user moved to."""
    clicked_item = Signal()
    opened = Signal()
    menu_requested = Signal(QPoint)
    """The menu of the current item is requested at a place of the screen."""

    def __init__(
        self, theme: Theme, name: str, *, ring_inset: int = 4, ring_radius: int = 4
    ) -> None:
        super().__init__()
        self._theme, self._ring = theme, (ring_inset, ring_radius)
        self._rows, self._is_filling = _Rows(self), False
        self.setAccessibleName(name)
        self.setFrameShape(self.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setMouseTracking(True)
        self.setModel(self._rows)
        self.setItemDelegate(_Painter(self))
        tell_cut_words(self)
        theme.changed.connect(self._apply_theme)
        self._apply_theme()

    # For subclasses

    def key(self, item: Any) -> Hashable:
        """The key of an item."""
        raise NotImplementedError

    def words(self, item: Any) -> str:
        """The title of an item."""
        raise NotImplementedError

    def spoken(self, item: Any) -> str:
        """The words that a screen reader reads."""
        raise NotImplementedError

    def row_height(self, row: Any, place: int) -> int:
        """The height of a row in px, by what it shows and its place from 0."""
        raise NotImplementedError

    def paint_row(self, painter: QPainter, box: QRectF, row: Any, look: RowLook) -> None:
        """Paints a row into its box."""
        raise NotImplementedError

    def plate(self, box: QRect) -> QRect:
        """The part of a row's box that stands for it to the eye."""
        return box

    # Rows

    def show_rows(self, rows: Sequence[Any], chosen: Hashable) -> None:
        """Shows rows without a signal; a place in the list is kept.

        Args:
            rows: Heads and items.
            chosen: Key of the current item.
        """
        self._is_filling = True
        place = self.verticalScrollBar().value()
        moved = self._rows.show(list(rows))
        at = self.place_of(chosen)
        if at >= 0 and self.currentIndex().row() != at:
            self.setCurrentIndex(self._rows.index(at))
        if moved:
            self.verticalScrollBar().setValue(place)
        self._is_filling = False
        self.viewport().update()

    def row(self, index: AnyIndex | int) -> Any:
        """The head or item at an index or place."""
        return self._rows.rows[index if isinstance(index, int) else index.row()]

    def place_of(self, key: Hashable) -> int:
        """The place of an item, from 0; -1 if it is not listed."""
        return next((at for at, row in enumerate(self._rows.rows) if self._key(row) == key), -1)

    def _key(self, row: Any) -> Hashable:
        return None if isinstance(row, str) else self.key(row)

    @property
    def titles(self) -> list[str]:
        """All heads and titles, from the top."""
        return [str(self._rows.index(at).data()) for at in range(self._rows.rowCount())]

    def show_current(self) -> None:
        """Scrolls to the current item, as little as it takes."""
        if self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())

    def focus_shape(self) -> tuple[QRect, int]:
        """The focus ring: inside the current item, or the list."""
        index, (inset, radius) = self.currentIndex(), self._ring
        box = self.plate(self.visualRect(index)) if index.isValid() else self.viewport().rect()
        inside = box.intersected(self.viewport().rect())
        return inside.adjusted(inset, inset, -inset, -inset), radius

    # Qt's

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        if current.isValid() and not self._is_filling and not isinstance(self.row(current), str):
            self.chosen.emit(self.key(self.row(current)))

    def updateGeometries(self) -> None:
        super().updateGeometries()
        # The rows lie elsewhere now; the focus ring follows.
        QApplication.postEvent(self, QEvent(QEvent.Type.LayoutRequest))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and self._is_on_item(event):
            self.clicked_item.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._is_on_item(event):
            self.opened.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        current = self.currentIndex()
        if current.isValid() and not (by_mouse and not self.indexAt(event.pos()).isValid()):
            center = self.viewport().mapToGlobal(self.visualRect(current).center())
            self.menu_requested.emit(event.globalPos() if by_mouse else center)

    def _is_on_item(self, event: QMouseEvent) -> bool:
        index = self.indexAt(event.position().toPoint())
        return index.isValid() and not isinstance(self.row(index), str)

    def _apply_theme(self) -> None:
        self.viewport().setAutoFillBackground(False)
        self.scheduleDelayedItemsLayout()
        self.viewport().update()


class _Rows(QAbstractListModel):
    """Heads and items, one below the other."""

    def __init__(self, view: RowList) -> None:
        super().__init__(view)
        self._view = view
        self.rows: list[Any] = []
        self._kinds: list[tuple[object, int]] = []

    def show(self, rows: list[Any]) -> bool:
        """Shows other rows; True if any came, went, moved or has another height."""
        kinds = [
            (row if isinstance(row, str) else self._view.key(row), self._view.row_height(row, at))
            for at, row in enumerate(rows)
        ]
        if kinds == self._kinds:
            changed = [at for at, row in enumerate(rows) if row != self.rows[at]]
            self.rows = rows
            for at in changed:
                self.dataChanged.emit(self.index(at), self.index(at))
            return False
        self.beginResetModel()
        self.rows, self._kinds = rows, kinds
        self.endResetModel()
        return True

    def height(self, at: int) -> int:
        """The height of a row in px."""
        return self._kinds[at][1]

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        is_item = index.isValid() and not isinstance(self.rows[index.row()], str)
        return super().flags(index) if is_item else Qt.ItemFlag.NoItemFlags

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row if isinstance(row, str) else shown(self._view.words(row))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row if isinstance(row, str) else shown(self._view.spoken(row))
        return None


class _Painter(QStyledItemDelegate):
    """Lets the list paint its rows."""

    def __init__(self, view: RowList) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(1, self._view._rows.height(index.row()))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        state = option.state
        look = RowLook(bool(state & state.State_Selected), bool(state & state.State_MouseOver))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._view.paint_row(painter, QRectF(option.rect), self._view.row(index), look)
        painter.restore()
