"""A card: a plate with a line around it, a head with a title, and what stands below."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.support import layouts
from gui.widgets.support.paint import draw_plate, painter_on

_RADIUS_PX = 8
HEAD_PX = 36


class Card(QWidget):
    """A plate with a title and facts in its head.

    Args:
        theme: The look.
        title: In the head; empty for a card without one.
    """

    def __init__(self, theme: Theme, title: str = "") -> None:
        super().__init__()
        self._theme = theme
        self._head_px = HEAD_PX if title else 0
        self.title = Label(theme, title, "section", elide=True)
        self.facts = Label(theme, "", "small", "text3", elide=True)
        self.column = layouts.column(into=self, margins=(1, 1, 1, 7))
        self.head = QHBoxLayout()
        if title:
            self.setAccessibleName(title)
            self.head.setContentsMargins(16, 0, 16, 0)
            self.head.setSpacing(8)
            self.head.addWidget(self.title, 1)
            self.head.addWidget(self.facts)
            holder = QWidget()
            holder.setLayout(self.head)
            holder.setFixedHeight(HEAD_PX)
            self.column.addWidget(holder)
        theme.changed.connect(self.update)

    def add(self, widget: QWidget, stretch: int = 0) -> None:
        """Puts something below what is there."""
        self.column.addWidget(widget, stretch)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        draw_plate(painter, QRectF(self.rect()), _RADIUS_PX, color("surface"), color("line"))
        if self._head_px:
            painter.fillRect(0, self._head_px, self.width(), 1, color("line"))
        painter.end()
