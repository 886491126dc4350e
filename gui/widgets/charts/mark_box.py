"""A check box of a line in a chart: between box and words stands the line's marker."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gui.theme.theme import Theme
from gui.widgets.charts.chart_layer import draw_marker
from gui.widgets.charts.chart_series import Marker
from gui.widgets.display.tooltip import set_tooltip
from gui.widgets.inputs.toggle import CheckBox
from gui.widgets.support.paint import painter_on

_MARK_X_PX, _MARK_PX, _WORDS_X_PX = 26, 20, 54
_SIZE_PX = 3.6


def draw_key(
    painter: QPainter, theme: Theme, at: QPointF, color: str, marker: Marker, *, hollow: bool
) -> None:
    """Draws a piece of a line with its marker.

    Args:
        painter: Where.
        theme: The look.
        at: The left end of the line.
        color: Token.
        marker: Its shape.
        hollow: Whether it is dashed with a hollow marker: forecast, not measured.
    """
    ink = theme.color(color)
    pen = QPen(ink, 1.5 if hollow else 2)
    if hollow:
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern((3.2, 2.4))
    painter.setPen(pen)
    painter.drawLine(at, at + QPointF(_MARK_PX, 0))
    painter.setPen(QPen(ink, 1.5))
    painter.setBrush(theme.color("window") if hollow else ink)
    draw_marker(painter, marker, at + QPointF(_MARK_PX / 2, 0), _SIZE_PX)


class MarkBox(CheckBox):
    """A check box with the marker of a line; without one where it is not drawn."""

    def __init__(self, theme: Theme, words: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, "", parent)
        self._words, self._color = words, ""
        self._marker: Marker = ""
        self.setAccessibleName(words)
        set_tooltip(self, theme, words)

    @property
    def words(self) -> str:
        """What stands beside it."""
        return self._words

    def set_mark(self, color: str, marker: Marker) -> None:
        """Shows the marker of a line; an empty colour shows none."""
        self._color, self._marker = color, marker
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, 28)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter, middle = painter_on(self), self.height() / 2
        if self._color:
            at = QPointF(_MARK_X_PX, middle)
            draw_key(painter, self._theme, at, self._color, self._marker, hollow=False)
        painter.setFont(self.font())
        painter.setPen(self._theme.color("text" if self.isEnabled() else "disabled"))
        box = QRectF(self.rect()).adjusted(_WORDS_X_PX, 0, 0, 0)
        words = QFontMetricsF(self.font()).elidedText(
            self._words, Qt.TextElideMode.ElideRight, box.width()
        )
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, words)
        painter.end()
