"""A column of the Compare panel: one summary, where it comes from, and what it scores."""

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from core.jobs.evaluation.browse_comparison import ComparedSummary
from gui.panels.compare.state import Light
from gui.panels.compare.summary_text import SummaryText, marks_of
from gui.panels.compare.words import tr
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import Button, icon_button
from gui.widgets.reading.origin_strip import Origin, OriginStrip
from gui.widgets.support import layouts
from gui.widgets.support.paint import draw_plate, painter_on

HEAD_PX = 44
LEAST_PX = 200
_EDGE_PX = 20
_SQUARE_PX = 8
_BESIDE_PX = 252
"""From this width on score and support stand side by side."""


class Square(QWidget):
    """The colour of a system."""

    def __init__(self, theme: Theme, token: str) -> None:
        super().__init__()
        self._theme, self.token = theme, token
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(_SQUARE_PX, _SQUARE_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        draw_plate(painter, QRectF(self.rect()), 2, self._theme.color(self.token))
        painter.end()


class ColumnHead(Plane):
    """Name at the left, words at the right, a line below.

    Args:
        theme: The look.
        title: The name.
        token: The colour of a square before it; empty for none.
        button: What stands at the right edge; None for nothing.
    """

    def __init__(
        self, theme: Theme, title: str, token: str = "", button: Button | None = None
    ) -> None:
        super().__init__(theme, "surface")
        self.setFixedHeight(HEAD_PX)
        self.title = Label(theme, title, "section", elide=True)
        self.words = Label(theme, "", "small", "text2", elide=True)
        row = layouts.row(into=self, margins=(_EDGE_PX, 0, 16, 0), spacing=8)
        if token:
            row.addWidget(Square(theme, token))
        row.addWidget(self.title, 1)
        row.addWidget(self.words)
        if button is not None:
            row.addWidget(button)


def find_button(theme: Theme) -> Button:
    """Opens the search, from the head of the source."""
    button = icon_button(theme, "search", tr("Find in all texts"))
    button.set_tooltip(tr("Find in all texts"), "Ctrl F")
    return button


class SummaryColumn(Plane):
    """One summary.

    Args:
        theme: The look.
        title: Its name.
        token: Its colour; empty for the reference.
    """

    hovered = Signal(object)
    """The sentence under the pointer or the keyboard, or None."""
    shown_in_source = Signal(int)
    """The sentence whose evidence is to be shown."""
    walked = Signal(int)
    """The sentence that the keyboard went to."""

    def __init__(self, theme: Theme, title: str, token: str = "") -> None:
        super().__init__(theme, "surface")
        self._theme, self.token = theme, token
        self.summary: ComparedSummary | None = None
        self.head = ColumnHead(theme, title, token)
        self.text = SummaryText(theme)
        self._origin = Label(theme, tr("where it comes from"), "cap", "text3")
        self.strip = OriginStrip(theme, name=tr("Where {title} comes from").format(title=title))
        self._score = Label(theme, "", "smallb", elide=True)
        self._sign = Sign(theme, "circle-check", "ok", 14)
        self._told = Label(theme, "", "small", "text2", elide=True)
        self._lay_out()
        self.text.hovered.connect(self.hovered)
        self.text.walked.connect(self.walked)
        self.text.activated.connect(self.shown_in_source)
        self.strip.hovered.connect(self.hovered)
        self.strip.chosen.connect(self.shown_in_source)
        self.setMinimumWidth(LEAST_PX)

    def _lay_out(self) -> None:
        self._line = layouts.row(
            self._score,
            (layouts.row(self._sign, (self._told, 1), spacing=6), 1),
            margins=(0, 6, 0, 0),
            spacing=6,
        )
        foot = layouts.column(
            self._origin, self.strip, self._line, margins=(_EDGE_PX, 8, 16, 12), spacing=4
        )
        layouts.column(self.head, Divider(self._theme), (self.text, 1), foot, into=self)

    @property
    def title(self) -> str:
        """Its name."""
        return self.head.title.text()

    def show_summary(
        self, summary: ComparedSummary, source_length: int, words: str, score: str = ""
    ) -> None:
        """Shows the summary of another document.

        Args:
            summary: The summary.
            source_length: Code points of its document; 0 for none.
            words: What stands at the right of its name.
            score: What it scores, in a few words.
        """
        self.summary = summary
        self.text.show_summary(summary, self.title)
        self.head.words.setText(words)
        origins = [
            Origin(start / max(source_length, 1), number)
            for number, sentence in enumerate(summary.sentences, 1)
            for start, _ in sentence.evidence
        ]
        self.strip.show_origins(origins, self.token or "text3")
        for part in (self._origin, self.strip):
            part.setVisible(bool(source_length))
        self._score.setText(score)
        self._show_score()
        self._show_support(summary)

    def _show_support(self, summary: ComparedSummary) -> None:
        lacking = summary.unsupported
        self._sign.setVisible(bool(summary.sentences))
        icon, color = ("triangle-alert", "warn") if lacking else ("circle-check", "ok")
        self._sign.set_icon(icon, color)
        told = tr("{count} without support").format(count=lacking)
        words = told if lacking else tr("all supported") if summary.sentences else ""
        self._told.setText(words)
        self._told.set_color(color if summary.sentences else "text2")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        ways = QHBoxLayout.Direction
        narrow = self.width() < _BESIDE_PX
        self._line.setDirection(ways.TopToBottom if narrow else ways.LeftToRight)
        self._show_score()

    def _show_score(self) -> None:
        """Stacked, an empty score keeps its line, so that the strips of all columns align."""
        is_stacked = self._line.direction() == QHBoxLayout.Direction.TopToBottom
        self._score.setVisible(is_stacked or bool(self._score.text()))

    def light(self, light: Light, *, novel: bool) -> None:
        """Marks what is to be marked."""
        if self.summary is not None:
            self.text.set_marks(marks_of(self.summary, light, novel=novel))

    def set_lit(self, number: int | None) -> None:
        """Lights a sentence and its ticks."""
        self.text.set_lit(number)
        self.strip.set_lit(number)
