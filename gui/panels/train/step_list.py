"""The four steps of a new job, in any order: what, data, from, preset and fields."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QWidget

from gui.theme.theme import Theme
from gui.widgets.support import layouts
from gui.widgets.support.cut_words import tell_cut_words, write_line
from gui.widgets.support.enter_key import pressed_by_enter
from gui.widgets.support.paint import HoverFade, clear, draw_icon, draw_plate, mixed, painter_on

_ITEM_PX, _LINE_PX, _CIRCLE_PX = 54, 16, 20
_LEFT_PX, _EDGES_PX = 44, 56  # of what is told; both edges together


@dataclass(frozen=True)
class Step:
    """A step.

    Args:
        name: In the program.
        title: For a person.
    """

    name: str
    title: str


class _Item(QAbstractButton):
    """One step: a radio button to the keyboard and to screen readers."""

    def __init__(self, theme: Theme, number: int, step: Step, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._number = theme, number
        self._hover = HoverFade(self, theme)
        self._told, self._done = "", False
        self.setText(step.title)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(_ITEM_PX)
        tell_cut_words(self)

    def sizeHint(self) -> QSize:
        return QSize(200, self._height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setFixedHeight(self._height())

    def _height(self) -> int:
        """One line of what is told, or two."""
        words = QFontMetricsF(self._theme.font("small")).horizontalAdvance(self._told)
        return _ITEM_PX + (_LINE_PX if words > self.width() - _EDGES_PX else 0)

    @property
    def told(self) -> str:
        """What is chosen there."""
        return self._told

    def tell(self, told: str, done: bool) -> None:
        """Says what is chosen there, and whether that is enough."""
        self._told, self._done = told, done
        state = self.tr("done") if done else self.tr("to do")
        self.setAccessibleName(f"{self.text()}: {told}" if told else self.text())
        self.setAccessibleDescription(state)
        self.setFixedHeight(self._height())
        self.update()

    def focus_shape(self) -> tuple[QRect, int]:
        """Where the focus ring goes: round the item."""
        return self.rect().adjusted(1, 1, -1, -1), 7

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color, on = painter_on(self), self._theme.color, self.isChecked()
        if on:
            plate = QRectF(self.rect())
            draw_plate(painter, plate, 8, color("accentSoft"), color("accentLine"))
        else:
            hover = color("hover")
            fill = mixed(clear(hover), hover, self._hover.amount)
            draw_plate(painter, QRectF(self.rect()), 8, fill)
        self._paint_circle(painter, on)
        box = QRectF(_LEFT_PX, 9, self.width() - _EDGES_PX, 20)
        role = "section" if on else "strong"
        write_line(painter, self._theme, box, self.text(), role, "text")
        below = QRectF(box.left(), box.top() + 21, box.width(), 34)
        painter.setFont(self._theme.font("small"))
        painter.setPen(color("text2"))
        align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
        painter.drawText(below, align | Qt.TextFlag.TextWordWrap, self._told)
        painter.end()

    def _paint_circle(self, painter: QPainter, on: bool) -> None:
        color, at = self._theme.color, QPointF(14, 10)
        if self._done and not on:
            draw_icon(painter, self._theme, "circle-check", "accent", at, _CIRCLE_PX)
            return
        circle = QRectF(at.x() + 1, at.y() + 1, _CIRCLE_PX - 2, _CIRCLE_PX - 2)
        fill = color("accent") if on else None
        draw_plate(painter, circle, 9, fill, None if on else color("line2"), 1.5)
        painter.setFont(self._theme.font("cap"))
        painter.setPen(color("accentText" if on else "text2"))
        painter.drawText(circle, Qt.AlignmentFlag.AlignCenter, str(self._number))


class StepList(QWidget):
    """The steps, one below the other."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, steps: tuple[Step, ...]) -> None:
        super().__init__()
        self._group = QButtonGroup(self)
        self._items: dict[str, _Item] = {}
        column = layouts.column(into=self, spacing=4)
        for number, step in enumerate(steps, start=1):
            item = _Item(theme, number, step, self)
            self._items[step.name] = item
            self._group.addButton(item)
            column.addWidget(item)
            item.clicked.connect(lambda _=False, name=step.name: self.chosen.emit(name))
        self.setAccessibleName(self.tr("Steps"))

    def item(self, name: str) -> _Item:
        """The button of a step."""
        return self._items[name]

    def set_value(self, name: str) -> None:
        """Marks the step that is shown."""
        self._items[name].setChecked(True)

    def tell(self, name: str, told: str, done: bool) -> None:
        """Says what is chosen in a step."""
        self._items[name].tell(told, done)
