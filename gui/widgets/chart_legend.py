"""The legend in the head of a chart: what a line, its whisper and its dots are."""

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gui.theme.theme import Theme
from gui.widgets.chart_model import ChartModel
from gui.widgets.paint import painter_on

_KEY_PX = 18


class Legend(QWidget):
    """What the line, its whisper and its dots are, where a chart has both."""

    def __init__(self, theme: Theme, model: ChartModel) -> None:
        super().__init__()
        self._theme, self._model = theme, model
        self.keys: list[tuple[str, str, float, str]] = []
        theme.changed.connect(self.update)
        self.refresh()

    def refresh(self) -> None:
        """Reads the model again."""
        keys: list[tuple[str, str, float, str]] = []
        for series in self._model.drawn:
            look = series.look
            if look.smooth and self._model.smoothing:
                keys.append((self.tr("each step"), look.color, 0.35, ""))
                keys.append((self.tr("smoothed"), look.color, 1.0, ""))
            elif keys and look.marker and not look.hollow:
                keys.append((series.name, look.color, 1.0, look.marker))
        if keys != self.keys:
            self.keys = keys
            self.setFixedSize(self.sizeHint())
            self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(self._theme.font("small"))
        words = sum(metrics.horizontalAdvance(key[0]) + _KEY_PX + 22 for key in self.keys)
        return QSize(round(words), 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        painter.setFont(self._theme.font("small"))
        metrics, x = QFontMetricsF(self._theme.font("small")), 0.0
        for words, color, alpha, marker in self.keys:
            self._paint_key(painter, x, color, alpha, marker)
            painter.setPen(self._theme.color("text2"))
            painter.drawText(QPointF(x + _KEY_PX + 6, 14.5), words)
            x += metrics.horizontalAdvance(words) + _KEY_PX + 22
        painter.end()

    def _paint_key(
        self, painter: QPainter, x: float, color: str, alpha: float, marker: str
    ) -> None:
        ink = self._theme.color(color)
        painter.setOpacity(alpha)
        painter.setPen(QPen(ink, 2 if alpha == 1 else 1.5))
        painter.drawLine(QPointF(x, 10), QPointF(x + _KEY_PX, 10))
        painter.setOpacity(1)
        if marker:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink)
            painter.drawEllipse(QPointF(x + _KEY_PX / 2, 10), 3.6, 3.6)
