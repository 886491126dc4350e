"""What the marks in the columns mean."""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.panels.compare.state import Light
from gui.panels.compare.words import tr
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.reading.text_block import MarkStyle, paint_mark
from gui.widgets.support import layouts
from gui.widgets.support.paint import painter_on

HEIGHT_PX = 36
_WIDE_PX, _HIGH_PX = 18, 18


class _Sample(QWidget):
    """A mark without words."""

    def __init__(self, theme: Theme, style: MarkStyle) -> None:
        super().__init__()
        self._theme, self._style = theme, style
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(_WIDE_PX, _HIGH_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter: QPainter = painter_on(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(2.5, 0, -2.5, -1)
        paint_mark(painter, [box], self._style, self._theme)
        painter.end()


class _Entry(QWidget):
    """A mark and what it means."""

    def __init__(self, theme: Theme, style: MarkStyle, words: str = "") -> None:
        super().__init__()
        self.words = Label(theme, words, "small", "text2")
        layouts.row(_Sample(theme, style), self.words, into=self, spacing=8)

    def needed(self) -> int:
        """The width it needs."""
        metrics = QFontMetricsF(self.words.font())
        return round(metrics.horizontalAdvance(self.words.text())) + _WIDE_PX + 8


class Legend(Plane):
    """A line under the columns; the last entries go where there is no room."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "window")
        self.setFixedHeight(HEIGHT_PX)
        self._shared = _Entry(theme, "shared")
        self._evidence = _Entry(theme, "lit", tr("evidence of the sentence under the pointer"))
        self._unsupported = _Entry(theme, "unsupported", tr("no support in the source"))
        self._doubtful = _Entry(theme, "doubtful", tr("name or number not in the source"))
        self._novel = _Entry(theme, "novel", tr("new word"))
        self._wanted: list[_Entry] = []
        layouts.row(
            *self._entries, layouts.stretch(), into=self, margins=(24, 0, 24, 0), spacing=20
        )

    @property
    def _entries(self) -> list[_Entry]:
        return [self._shared, self._evidence, self._unsupported, self._doubtful, self._novel]

    @property
    def told(self) -> list[str]:
        """What is said of the marks, left to right."""
        return [entry.words.text() for entry in self._wanted]

    def show_light(self, light: Light, against: str, *, has_source: bool, novel: bool) -> None:
        """Says what is marked now.

        Args:
            light: What is lit.
            against: What the summaries are compared with.
            has_source: Whether there is a source, and so evidence.
            novel: Whether new words are marked.
        """
        told = {
            "3": tr("also in {other}, 3 words or more"),
            "4": tr("also in {other}, 4 words or more"),
            "longest": tr("longest run of words shared with {other}"),
            "difference": tr("differs from {other}"),
            "off": "",
        }[light]
        self._shared.words.setText(told.format(other=against))
        self._wanted = [self._shared] if told else []
        if has_source:
            self._wanted += [self._evidence, self._unsupported]
            self._wanted += [self._doubtful, self._novel] if novel else []
        self._fold()

    def resizeEvent(self, event: object) -> None:
        self._fold()

    def _fold(self) -> None:
        room = self.width() - 48
        for entry in self._entries:
            needed = entry.needed() + 20
            fits = entry in self._wanted and needed <= room
            entry.setVisible(fits)
            room -= needed if fits else 0

    def minimumSizeHint(self) -> QSize:
        return QSize(0, HEIGHT_PX)
