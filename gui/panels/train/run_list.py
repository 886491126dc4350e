"""The list of runs: running, waiting, earlier."""

from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListView

from gui.panels.train.state import Group, ListedRun, State
from gui.theme.theme import Theme
from gui.widgets.support.cut_words import write_line
from gui.widgets.support.paint import draw_icon, draw_plate
from gui.widgets.tables.row_list import RowList, RowLook

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
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_BOTTOM = Qt.AlignmentFlag.AlignBottom


def _has_bar(run: ListedRun) -> bool:
    return run.state in ("running", "paused") and run.share is not None


class RunList(RowList):
    """All runs. Up and Down move, Enter opens the run's page, the menu key shows its menu."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, QCoreApplication.translate("RunList", "Runs"))
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMinimumWidth(200)

    def show_groups(self, groups: Sequence[Group], selected: Path | None) -> None:
        """Shows runs; the one that is open keeps the keyboard."""
        self.show_rows([row for group in groups for row in (group.title, *group.runs)], selected)

    def key(self, item: ListedRun) -> Hashable:
        return item.folder

    def words(self, item: ListedRun) -> str:
        return item.title

    def spoken(self, item: ListedRun) -> str:
        return ". ".join(filter(None, (item.title, item.word, item.what, item.line)))

    def row_height(self, row: str | ListedRun, place: int) -> int:
        if isinstance(row, str):
            return _HEAD_PX if place else _FIRST_HEAD_PX
        lines = bool(row.what) + bool(row.line)
        height = _TOP_PX + _TITLE_PX + lines * _LINE_PX + _BOTTOM_PX
        return height + (_BAR_PX if _has_bar(row) else 0)

    def plate(self, box: QRect) -> QRect:
        """The plate of the current run."""
        return box.adjusted(_EDGE_PX, 0, -_EDGE_PX, 0)

    def paint_row(
        self, painter: QPainter, box: QRectF, row: str | ListedRun, look: RowLook
    ) -> None:
        if isinstance(row, str):
            head = box.adjusted(20, 0, 0, -6)
            write_line(painter, self._theme, head, row, "small", "text2", _BOTTOM)
        else:
            self._paint_run(painter, box, row, look.selected)

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
        word = write_line(painter, self._theme, box, run.word, "small", word_color, _RIGHT)
        title = box.adjusted(0, 0, -word - 8, 0)
        write_line(painter, self._theme, title, run.title, "strong", "text")
        y += _TITLE_PX
        for words, ink, bar in ((run.what, "text2", _has_bar(run)), (run.line, "text", False)):
            if words:
                line = QRectF(box.left(), y, box.width(), _LINE_PX)
                write_line(painter, self._theme, line, words, "small", ink)
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
