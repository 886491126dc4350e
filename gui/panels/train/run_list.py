"""The list of runs: running, waiting, earlier; painted, with keyboard and screen readers by Qt."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from core.display_names import shown
from gui.panels.train.state import Group, ListedRun, State
from gui.theme.theme import Theme
from gui.widgets.support.cut_words import fitted, tell_cut_words
from gui.widgets.support.paint import draw_icon, draw_plate, painter_on

AnyIndex = QModelIndex | QPersistentModelIndex

SIGNS: Final[dict[State, tuple[str, str]]] = {
    "running": ("loader-circle", "accent"),
    "waiting": ("clock", "text2"),
    "paused": ("circle-pause", "warn"),
    "stopped": ("square", "text2"),
    "failed": ("octagon-x", "err"),
    "finished": ("circle-check", "ok"),
    "cancelled": ("trash-2", "text3"),
}
_WORD_COLORS: Final[dict[State, str]] = {
    "running": "accent",
    "paused": "warn",
    "failed": "err",
    "finished": "ok",
}
_HEAD_PX, _FIRST_HEAD_PX = 40, 34
_TOP_PX, _TITLE_PX, _LINE_PX, _BAR_PX, _BOTTOM_PX = 10, 22, 20, 13, 10
_EDGE_PX, _LEFT_PX, _RIGHT_PX = 8, 34, 12
_NO_INDEX = QModelIndex()


class RunModel(QAbstractListModel):
    """Heads and runs, one below the other."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[str | ListedRun] = []

    def row(self, index: AnyIndex | int) -> str | ListedRun:
        """What stands in a row: a head, or a run."""
        return self._rows[index if isinstance(index, int) else index.row()]

    def place_of(self, folder: Path | None) -> int:
        """The row of a run; -1 where it is not listed."""
        for place, row in enumerate(self._rows):
            if isinstance(row, ListedRun) and row.folder == folder:
                return place
        return -1

    def show_groups(self, groups: Sequence[Group]) -> bool:
        """Shows other runs; whether rows came, went or moved."""
        rows: list[str | ListedRun] = []
        for group in groups:
            rows += [group.title, *group.runs]
        if list(map(_key, rows)) == list(map(_key, self._rows)):
            changed = [at for at, row in enumerate(rows) if row != self._rows[at]]
            self._rows = rows
            for at in changed:
                self.dataChanged.emit(self.index(at), self.index(at))
            return False
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()
        return True

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if isinstance(self.row(index), str):
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index)
        if role == Qt.ItemDataRole.DisplayRole:
            return row if isinstance(row, str) else shown(row.title)
        if role == Qt.ItemDataRole.AccessibleTextRole and isinstance(row, ListedRun):
            return shown(". ".join(filter(None, (row.title, row.word, row.what, row.line))))
        return None


def _key(row: str | ListedRun) -> tuple[object, ...]:
    if isinstance(row, str):
        return (row,)
    return (row.folder, _has_bar(row), bool(row.line), bool(row.what))


def _has_bar(run: ListedRun) -> bool:
    return run.state in ("running", "paused") and run.share is not None


class _Rows(QStyledItemDelegate):
    """Paints heads and runs."""

    def __init__(self, theme: Theme, model: RunModel) -> None:
        super().__init__()
        self._theme, self._model = theme, model

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        row = self._model.row(index)
        if isinstance(row, str):
            return QSize(100, _FIRST_HEAD_PX if index.row() == 0 else _HEAD_PX)
        lines = bool(row.what) + bool(row.line)
        height = _TOP_PX + _TITLE_PX + lines * _LINE_PX + _BOTTOM_PX
        return QSize(100, height + (_BAR_PX if _has_bar(row) else 0))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        row, rect = self._model.row(index), QRectF(option.rect)
        if isinstance(row, str):
            self._write(painter, row, rect.adjusted(20, 0, 0, -6), "small", "text2", bottom=True)
            return
        view = option.widget
        selected = isinstance(view, RunList) and view.currentIndex() == index
        self._paint_run(painter, rect, row, selected)

    def _paint_run(self, painter: QPainter, rect: QRectF, run: ListedRun, selected: bool) -> None:
        color = self._theme.color
        plate = rect.adjusted(_EDGE_PX, 0, -_EDGE_PX, 0)
        if selected:
            draw_plate(painter, plate, 8, color("accentSoft"), color("accentLine"))
        icon, ink = SIGNS[run.state]
        y = plate.top() + _TOP_PX
        at = QPointF(plate.left() + 12, y + (_TITLE_PX - 14) / 2)
        draw_icon(painter, self._theme, icon, ink, at, 14)
        box = QRectF(plate.left() + _LEFT_PX, y, plate.width() - _LEFT_PX - _RIGHT_PX, _TITLE_PX)
        word_color = _WORD_COLORS.get(run.state, "text2")
        word = self._write(painter, run.word, box, "small", word_color, right=True)
        self._write(painter, run.title, box.adjusted(0, 0, -word - 8, 0), "strong", "text")
        y += _TITLE_PX
        for words, ink, bar in ((run.what, "text2", _has_bar(run)), (run.line, "text", False)):
            if words:
                line = QRectF(box.left(), y, box.width(), _LINE_PX)
                self._write(painter, words, line, "small", ink)
                y += _LINE_PX
            if bar:
                self._paint_bar(painter, QRectF(box.left(), y + 5, box.width(), 4), run)
                y += _BAR_PX

    def _paint_bar(self, painter: QPainter, track: QRectF, run: ListedRun) -> None:
        color = self._theme.color
        draw_plate(painter, track, 2, color("track"))
        width = max(track.height(), track.width() * (run.share or 0.0))
        fill = color("accent" if run.state == "running" else "line2")
        if run.share:
            draw_plate(painter, QRectF(track.left(), track.top(), width, 4), 2, fill)

    def _write(
        self, painter: QPainter, words: str, box: QRectF, role: str, color: str, *,
        right: bool = False, bottom: bool = False,
    ) -> float:  # fmt: skip
        """Writes one line, shortened where there is no room; gives its width."""
        font = self._theme.font(role)
        painter.setFont(font)
        cut = fitted(painter, words, box)
        painter.setPen(self._theme.color(color))
        across = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        down = Qt.AlignmentFlag.AlignBottom if bottom else Qt.AlignmentFlag.AlignVCenter
        painter.drawText(box, across | down | Qt.TextFlag.TextSingleLine, cut)
        return float(QFontMetricsF(font).horizontalAdvance(cut))


class RunList(QListView):
    """All runs. Up and Down move, Enter opens the run's page, the menu key shows what it can do."""

    chosen = Signal(object)
    """The folder of the run that the person went to."""
    menu_wanted = Signal(object)
    """Where the menu of the current run is to open."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._rows = theme, RunModel()
        self._shows = False
        self.setModel(self._rows)
        self.setItemDelegate(_Rows(theme, self._rows))
        self.setAccessibleName(self.tr("Runs"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMinimumWidth(200)
        tell_cut_words(self)
        theme.changed.connect(self._dress)
        self._dress()

    def _dress(self) -> None:
        self.viewport().setAutoFillBackground(False)
        self.scheduleDelayedItemsLayout()
        self.viewport().update()

    def show_groups(self, groups: Sequence[Group], selected: Path | None) -> None:
        """Shows runs; the one that is open keeps the keyboard."""
        self._shows = True
        place = self.verticalScrollBar().value()
        moved = self._rows.show_groups(groups)
        at = self._rows.place_of(selected)
        if at >= 0 and self.currentIndex().row() != at:
            self.setCurrentIndex(self._rows.index(at))
        if moved:
            self.verticalScrollBar().setValue(place)
        self._shows = False

    @property
    def words(self) -> list[str]:
        """All heads and titles, from the top."""
        return [str(self._rows.index(at).data()) for at in range(self._rows.rowCount())]

    def focus_shape(self) -> tuple[QRect, int]:
        """Where the focus ring goes: inside the current run."""
        rect = self.visualRect(self.currentIndex()).intersected(self.viewport().rect())
        if not self.currentIndex().isValid():
            rect = self.viewport().rect()
        return rect.adjusted(_EDGE_PX + 4, 4, -_EDGE_PX - 4, -4), 4

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        if current.isValid() and not self._shows:
            row = self._rows.row(current)
            if isinstance(row, ListedRun):
                self.chosen.emit(row.folder)

    def updateGeometries(self) -> None:
        super().updateGeometries()
        # The rows lie elsewhere now; the focus ring follows.
        QApplication.postEvent(self, QEvent(QEvent.Type.LayoutRequest))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        at = event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            at = self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).center())
        self.menu_wanted.emit(at)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self.viewport())
        painter.fillRect(event.rect(), self._theme.color("window"))
        painter.end()
        super().paintEvent(event)
