"""The document that is read: a strip with its facts, the text, and what stands there instead."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QStackedLayout, QWidget

from core.events import Failed
from gui.panels.corpus.gaps_state import NUM_SHADES
from gui.panels.corpus.notice import Notice
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.reading.reading_view import ReadingView
from gui.widgets.support import layouts
from gui.widgets.support.cut_words import fitted, tell_cut_words
from gui.widgets.support.paint import draw_icon, draw_plate, painter_on

STRIP_PX = 37
_STEP_PX, _STEP_HIGH_PX, _DISC_PX = 18, 14, 16
_SHORT_BELOW_PX, _SHORT_STEP_PX = 760, 8


class ScoreScale(QWidget):
    """The shades from the lowest score to the highest, and what marks a chosen sentence."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._top, self._is_short = "", False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Scale of scores"))
        theme.changed.connect(self.update)

    def show_top(self, top: float) -> None:
        """Says which score fills the darkest shade; none for 0."""
        self._top = f"{top:.2g}" if top else ""
        self.setAccessibleDescription(self._top)
        self.updateGeometry()
        self.update()

    def set_short(self, short: bool) -> None:
        """Leaves room for other words: the shades alone, and narrower ones."""
        if short != self._is_short:
            self._is_short = short
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(self._layout()[-1]) + 1, 20)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _layout(self) -> tuple[float, float, float, float]:
        """Left edges of the shades, of the top score, of the word "chosen"; the width."""
        metrics = QFontMetricsF(self._theme.font("small"))
        advance = metrics.horizontalAdvance
        if not self._top:
            return 0.0, 0.0, 0.0, advance(self.tr("chosen")) + 6 + _DISC_PX
        shades = advance(self.tr("Score")) + 8 + advance("0") + 6
        top = shades + NUM_SHADES * self._step_px + 6
        chosen = top + advance(self._top) + 16
        if self._is_short:
            return shades, top, chosen, chosen - 16
        return shades, top, chosen, chosen + advance(self.tr("chosen")) + 6 + _DISC_PX

    @property
    def _step_px(self) -> int:
        return _SHORT_STEP_PX if self._is_short else _STEP_PX

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        shades, top, chosen, _ = self._layout()
        painter.setFont(self._theme.font("small"))
        metrics = QFontMetricsF(painter.font())
        middle = int(Qt.AlignmentFlag.AlignVCenter)

        def write(x: float, words: str, token: str = "text3") -> None:
            painter.setPen(color(token))
            painter.drawText(QRectF(x, 0, 200, self.height()), middle, words)

        if self._top:
            write(0, self.tr("Score"))
            write(shades - 6 - metrics.horizontalAdvance("0"), "0")
            y = (self.height() - _STEP_HIGH_PX) / 2
            for step in range(NUM_SHADES):
                box = QRectF(shades + step * self._step_px, y, self._step_px, _STEP_HIGH_PX)
                draw_plate(painter, box, 0, color(f"score{step}"), color("line"))
            write(top, self._top)
        if not (self._top and self._is_short):
            self._paint_chosen(painter, chosen)
        painter.end()

    def _paint_chosen(self, painter: QPainter, x: float) -> None:
        """The disc of a chosen sentence, and what it means."""
        color, words = self._theme.color, self.tr("chosen")
        box = QRectF(x, 0, 200, self.height())
        painter.setPen(color("text3"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter), words)
        x += QFontMetricsF(painter.font()).horizontalAdvance(words) + 6
        disc = QRectF(x, (self.height() - _DISC_PX) / 2, _DISC_PX, _DISC_PX)
        draw_plate(painter, disc, _DISC_PX / 2, color("ev"))
        painter.setFont(self._theme.font("capb"))
        painter.setPen(color("surface"))
        painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, "1")


class Pointed(QWidget):
    """What is known of the sentence under the pointer or the keyboard."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._words = theme, ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        tell_cut_words(self)
        theme.changed.connect(self.update)

    @property
    def words(self) -> str:
        """What is said."""
        return self._words

    def show_words(self, words: str) -> None:
        """Says something; "" for no sentence."""
        if words != self._words:
            self._words = words
            self.setAccessibleName(words)
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(160, 20)

    def minimumSizeHint(self) -> QSize:
        return QSize(24, 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._words:
            return
        painter = painter_on(self)
        draw_icon(painter, self._theme, "mouse-pointer-2", "text3", QPointF(0, 3), 14)
        painter.setFont(self._theme.font("small"))
        painter.setPen(self._theme.color("text2"))
        box = QRectF(20, 0, self.width() - 20, 20)
        words = fitted(painter, self._words, box)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter), words)
        painter.end()


class TextColumn(Plane):
    """The strip and the text."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self.view = ReadingView(theme)
        self.view.setAccessibleName(self.tr("Document"))
        self.notice = Notice(theme)
        self.counts = Label(theme, "", "smallb", "text")
        self.chosen = Label(theme, "", "smallb", "ev")
        self.facts = Label(theme, "", "small", "text2", elide=True)
        self.pointed = Pointed(theme)
        self.scale = ScoreScale(theme)
        self.strip = Plane(theme, "surface")
        self.strip.setFixedHeight(STRIP_PX - 1)
        layouts.row(
            self.counts,
            self.chosen,
            (self.facts, 1),
            (self.pointed, 1),
            self.scale,
            into=self.strip,
            margins=(24, 0, 16, 0),
            spacing=8,
        )
        self._stack = QStackedLayout()
        layouts.column(self.strip, Divider(theme), (self._stack, 1), into=self)
        self._stack.addWidget(self.view)
        self._stack.addWidget(self.notice)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scale.set_short(self.width() < _SHORT_BELOW_PX)

    def show_gap_parts(self, shown: bool) -> None:
        """Shows what belongs to gap sentences, or else the facts of the document."""
        for part in (self.counts, self.chosen, self.pointed, self.scale):
            part.setVisible(shown)
        self.facts.setVisible(not shown)

    def show_text(self) -> None:
        """Shows the text."""
        self._stack.setCurrentWidget(self.view)

    def show_failure(self, failure: Failed, button: str = "") -> None:
        """Says in the place of the text why there is none."""
        self.notice.show_failure(failure, button)
        self._stack.setCurrentWidget(self.notice)

    def show_words(self, head: str, body: str = "", *, running: bool = False) -> None:
        """Says in the place of the text what is going on."""
        self.notice.show_words(head, body, running=running)
        self._stack.setCurrentWidget(self.notice)
