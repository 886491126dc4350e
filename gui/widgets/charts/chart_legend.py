"""The legend in the head of a chart: each line, its single values and its dots."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gui.theme.theme import Theme
from gui.widgets.charts.chart_layer import draw_marker
from gui.widgets.charts.chart_model import ChartModel
from gui.widgets.charts.chart_series import Marker
from gui.widgets.support.paint import painter_on

_KEY_PX = 18
_BAND_ALPHA = 0.25


@dataclass(frozen=True)
class Key:
    """One entry.

    Args:
        words: What is drawn so.
        color: Token of its line.
        alpha: Its opacity.
        marker: On the line; none if empty.
        dash: The pattern of the line; empty for a whole one.
        band: Whether a band lies behind the line.
    """

    words: str
    color: str
    alpha: float = 1.0
    marker: Marker = ""
    dash: tuple[float, ...] = ()
    band: bool = False


class Legend(QWidget):
    """Names of the line, its single values and its dots, where a chart has both."""

    def __init__(self, theme: Theme, model: ChartModel) -> None:
        super().__init__()
        self._theme, self.model = theme, model
        self.keys: list[Key] = []
        theme.changed.connect(self.update)
        self.refresh()

    def refresh(self) -> None:
        """Reads the model again."""
        keys: list[Key] = []
        for series in self.model.drawn:
            look = series.look
            if series.members:
                words = self.tr("mean and range of {0} seeds").format(len(series.members))
                dash = self.model.dash(series)
                keys.append(Key(words, look.color, marker=look.marker, dash=dash, band=True))
                continue
            if look.smooth and not look.raw_line:
                continue  # another run: its name stands at its end
            if look.smooth and self.model.smoothing:
                keys.append(Key(self.tr("each step"), look.color, 0.35))
                keys.append(Key(self.tr("smoothed"), look.color, dash=self.model.dash(series)))
            elif keys and look.marker and not look.hollow:
                dash = self.model.dash(series)
                keys.append(Key(series.name, look.color, marker=look.marker, dash=dash))
        if keys != self.keys:
            self.keys = keys
            self.setFixedSize(self.sizeHint())
            self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(self._theme.font("small"))
        words = sum(metrics.horizontalAdvance(key.words) + _KEY_PX + 22 for key in self.keys)
        return QSize(round(words), 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        self.draw_on(painter)
        painter.end()

    def draw_on(self, painter: QPainter) -> None:
        """Draws the entries from the origin of a painter on."""
        painter.setFont(self._theme.font("small"))
        metrics, x = QFontMetricsF(self._theme.font("small")), 0.0
        for key in self.keys:
            self._paint_key(painter, x, key)
            painter.setPen(self._theme.color("text2"))
            painter.drawText(QPointF(x + _KEY_PX + 6, 14.5), key.words)
            x += metrics.horizontalAdvance(key.words) + _KEY_PX + 22

    def _paint_key(self, painter: QPainter, x: float, key: Key) -> None:
        ink = self._theme.color(key.color)
        if key.band:
            painter.setOpacity(_BAND_ALPHA)
            painter.fillRect(QRectF(x, 4, _KEY_PX, 12), ink)
            painter.setOpacity(1)
        pen = QPen(ink, 2 if key.alpha == 1 else 1.5)
        if key.dash:
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            pen.setDashPattern(key.dash)
        painter.setOpacity(key.alpha)
        painter.setPen(pen)
        painter.drawLine(QPointF(x, 10), QPointF(x + _KEY_PX, 10))
        painter.setOpacity(1)
        if key.marker:
            painter.setPen(QPen(ink, 1.5))
            painter.setBrush(ink)
            draw_marker(painter, key.marker, QPointF(x + _KEY_PX / 2, 10), 3.6)
