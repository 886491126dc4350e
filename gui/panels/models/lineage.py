"""The lineage of a model: what it comes from and what came from it, as a tree."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.panels.models.state import Kin
from gui.panels.models.words import kin_words, tr
from gui.theme.theme import Theme
from gui.widgets.support.accessible import Part, tell_focus
from gui.widgets.support.cut_words import tell_cut_words, write_line
from gui.widgets.support.paint import draw_plate, painter_on

_ROW_PX = 42
_STEP_PX = 22
_RING_PX = 5.0
_LEFT_PX = 10
_TEXT_PX = 18
_DEEPEST = 8


class Lineage(QWidget):
    """Rings joined by elbows; the chosen model's is filled. Arrow keys move, Enter chooses."""

    chosen = Signal(str)
    """The key of another model of the tree that the person wants to see."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._kin: Sequence[Kin] = ()
        self._key = ""
        self._focused = 0
        self.setAccessibleName(tr("Lineage"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        tell_cut_words(self)
        theme.changed.connect(self.update)

    @property
    def kin(self) -> Sequence[Kin]:
        """The lines of the tree."""
        return self._kin

    def show_kin(self, kin: Sequence[Kin], key: str) -> None:
        """Shows a tree.

        Args:
            kin: Its lines.
            key: That of the chosen model.
        """
        self._kin, self._key = kin, key
        self._focused = next((row for row, each in enumerate(kin) if each.key == key), 0)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, _ROW_PX * len(self._kin))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, _ROW_PX * len(self._kin))

    def focus_shape(self) -> tuple[QRect, int]:
        """Where the focus ring goes: inside the line with the keyboard."""
        return self._row(self._focused).toRect().adjusted(4, 4, -4, -4), 4

    # For screen readers

    def accessible_role(self) -> QAccessible.Role:
        """A list."""
        return QAccessible.Role.List

    def accessible_count(self) -> int:
        """The number of lines."""
        return len(self._kin)

    def accessible_part(self, index: int) -> Part:
        """A line: its name, what it is, how deep it stands."""
        kin = self._kin[index]
        level = tr("generation {n}").format(n=kin.depth + 1)
        return Part(", ".join((kin.title, _detail(kin), level)), self._row(index).toRect())

    def accessible_focus(self) -> int:
        """The line with the keyboard."""
        return self._focused if self.hasFocus() else -1

    # Keys and pointer

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
        if event.key() in steps and self._kin:
            reached = self._focused + steps[Qt.Key(event.key())]
            self._focused = min(max(reached, 0), len(self._kin) - 1)
            tell_focus(self, self._focused)
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._choose(self._focused)
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._choose(int(event.position().y() // _ROW_PX))

    def _choose(self, row: int) -> None:
        if 0 <= row < len(self._kin) and self._kin[row].model is not None:
            self.chosen.emit(self._kin[row].key)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        for row in range(len(self._kin)):
            self._paint_elbow(painter, row)
        for row in range(len(self._kin)):
            self._paint_row(painter, row)
        painter.end()

    def _paint_row(self, painter: QPainter, row: int) -> None:
        kin, color = self._kin[row], self._theme.color
        is_chosen = bool(kin.key) and kin.key == self._key
        ring, left = self._ring(row), self._ring(row).x() + _TEXT_PX
        if is_chosen:
            plate = QRectF(left - 8, row * _ROW_PX + 1, self.width() - left + 8, _ROW_PX - 2)
            draw_plate(painter, plate, 6, color("accentSoft"))
        ink = color("accent" if is_chosen else "line2")
        painter.setPen(QPen(ink, 2))
        painter.setBrush(ink if is_chosen else color("surface"))
        painter.drawEllipse(ring, _RING_PX, _RING_PX)
        box = QRectF(left, row * _ROW_PX + 3, self.width() - left - 8, 18)
        here = kin.model is not None
        write_line(painter, self._theme, box, kin.title, "section" if here else "body", "text")
        write_line(painter, self._theme, box.translated(0, 18), _detail(kin), "small", "text2")

    def _paint_elbow(self, painter: QPainter, row: int) -> None:
        """The line from a ring up to its parent's, with a round corner."""
        depth = self._kin[row].depth
        above = next((n for n in range(row - 1, -1, -1) if self._kin[n].depth == depth - 1), None)
        if above is None:
            return
        start, end = self._ring(above), self._ring(row)
        if start.x() >= end.x():  # too deep to be indented further
            return
        path = QPainterPath(QPointF(start.x(), start.y() + _RING_PX))
        path.lineTo(start.x(), end.y() - 8)
        path.quadTo(start.x(), end.y(), start.x() + 8, end.y())
        path.lineTo(end.x() - _RING_PX, end.y())
        painter.setPen(QPen(self._theme.color("line2"), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)

    def _ring(self, row: int) -> QPointF:
        depth = min(self._kin[row].depth, _DEEPEST)
        return QPointF(_LEFT_PX + depth * _STEP_PX, row * _ROW_PX + _ROW_PX / 2)

    def _row(self, row: int) -> QRectF:
        return QRectF(0, row * _ROW_PX, self.width(), _ROW_PX)


def _detail(kin: Kin) -> str:
    """What stands below a name."""
    if not kin.key and kin.depth == 0 and kin.title == tr("random weights"):
        return tr("nothing was learnt before")
    return kin_words(kin.model)
