"""A topic of the help page as a card."""

from collections.abc import Mapping

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.panels.help.topics import Point, Topic
from gui.shortcuts import Shortcut
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.sign import Sign
from gui.widgets.display.tooltip import KeyCap
from gui.widgets.inputs.button import STRIP_HEIGHT_PX, Button
from gui.widgets.reading.text_block import MARK_OUTSET_PX, MarkStyle, paint_mark
from gui.widgets.support import layouts
from gui.widgets.support.paint import draw_plate, painter_on

_EDGE_PX = 20
_RADIUS_PX = 8
_POINT_PX = 30
_LINK_PADDING_PX = 6  # its words stand below the others


class Swatch(QWidget):
    """A word as it stands in a text under a mark."""

    def __init__(self, theme: Theme, mark: MarkStyle) -> None:
        super().__init__()
        self._theme, self._mark = theme, mark
        self._word = self.tr("words")
        theme.changed.connect(self._dress)
        self._dress()

    def _dress(self) -> None:
        metrics = QFontMetricsF(self._theme.font("readxs"))
        self._width = metrics.horizontalAdvance(self._word)
        self.setFixedSize(self.sizeHint())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(self._width + 2 * MARK_OUTSET_PX) + 2, 24)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        words = QRectF(MARK_OUTSET_PX + 1, 0, self._width, self.height())
        paint_mark(painter, [words], self._mark, self._theme)
        painter.setFont(self._theme.font("readxs"))
        painter.setPen(color("evStrongText" if self._mark == "lit" else "text"))
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self._word)
        painter.end()


class PointLine(QWidget):
    """A line of a topic: a mark or nothing, the words, the caps of its keys."""

    def __init__(self, theme: Theme, point: Point, shortcut: Shortcut | None) -> None:
        super().__init__()
        caps = shortcut.shown if shortcut else ()
        self.setAccessibleName(f"{point.text}: {', '.join(caps)}" if caps else point.text)
        row = layouts.row(into=self, spacing=10)
        if point.mark:
            row.addWidget(Swatch(theme, point.mark))
        words = Label(theme, point.text, "body", wrap=True)
        row.addWidget(words, 1, Qt.AlignmentFlag.AlignVCenter)
        for keys in caps:
            cap = KeyCap(theme, keys)
            cap.setFixedSize(cap.sizeHint())
            row.addWidget(cap)
        self.setMinimumHeight(_POINT_PX)


class TopicCard(QWidget):
    """A frame of 1 px around a topic."""

    led = Signal(str)
    """Its link was pressed; as `gui.panel.Services.act` takes it."""

    def __init__(self, theme: Theme, topic: Topic, shortcuts: Mapping[str, Shortcut]) -> None:
        """A card.

        Args:
            theme: The look.
            topic: What it says.
            shortcuts: The keys of the window, by their names.
        """
        super().__init__()
        self._theme = theme
        self.setAccessibleName(topic.title)
        self.setAccessibleDescription(topic.text)
        self._column = layouts.column(into=self, margins=(_EDGE_PX, 16, _EDGE_PX, 14))
        self._add_head(topic)
        for point in topic.points:
            self._column.addWidget(PointLine(theme, point, shortcuts.get(point.key)))
        if topic.link:
            self._add_link(topic)
        theme.changed.connect(self.update)

    def _add_head(self, topic: Topic) -> None:
        row = layouts.row(
            Sign(self._theme, topic.icon, "text2", 16),
            (Label(self._theme, topic.title, "section"), 1),
            spacing=10,
        )
        self._column.addLayout(row)
        self._column.addSpacing(6)
        if topic.text:
            self._column.addWidget(Label(self._theme, topic.text, "body", "text2", wrap=True))
            self._column.addSpacing(6)

    def _add_link(self, topic: Topic) -> None:
        link = Button(self._theme, topic.link, kind="link", height=STRIP_HEIGHT_PX)
        link.triggered.connect(lambda: self.led.emit(topic.leads_to))
        row = layouts.row(
            -_LINK_PADDING_PX, link, layouts.stretch(0), margins=(0, 2, 0, 0), spacing=None
        )
        self._column.addLayout(row)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        draw_plate(painter, QRectF(self.rect()), _RADIUS_PX, color("surface"), color("line"))
        painter.end()
