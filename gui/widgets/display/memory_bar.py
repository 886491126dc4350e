"""The bar of a forecast: parts of memory side by side, its uncertainty, and the limit."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.theme.theme import Theme
from gui.widgets.support.numbers import format_decimal
from gui.widgets.support.paint import draw_plate, painter_on
from gui.widgets.support.ticks import readable, ticks

_BAR_PX, _TOP_PX, _GAP_PX = 24, 20, 1.5
PART_COLORS: Mapping[str, str] = {
    "weights": "m1",
    "gradients": "m2",
    "optimizer": "m3",
    "activations": "m4",
    "attention": "m5",
    "workspace": "s6",
}
"""The token of each part of a forecast."""


@dataclass(frozen=True)
class Share:
    """A part of the bar.

    Args:
        name: What it is.
        color: Token.
        gb: Its size in GB.
    """

    name: str
    color: str
    gb: float


class Swatch(QWidget):
    """The colour of a part in the legend."""

    def __init__(self, theme: Theme, color: str) -> None:
        super().__init__()
        self._theme, self._color = theme, color
        self.setFixedSize(11, 11)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        draw_plate(painter, QRectF(self.rect()), 2, self._theme.color(self._color))
        painter.end()


class MemoryBar(QWidget):
    """Painted; its words say the same to screen readers."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shares: tuple[Share, ...] = ()
        self._limit_gb = self._half_gb = 0.0
        self._limit_name = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Memory by part"))
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(240, _TOP_PX + _BAR_PX + 22)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.sizeHint().height())

    def show_shares(
        self, shares: tuple[Share, ...], half_gb: float, limit_gb: float, limit_name: str
    ) -> None:
        """Shows other parts.

        Args:
            shares: From the left.
            half_gb: Half of the interval that the sum lies in; 0 for a measured one.
            limit_gb: What there is; 0 where nobody knows.
            limit_name: Its name.
        """
        self._shares, self._half_gb = shares, half_gb
        self._limit_gb, self._limit_name = limit_gb, limit_name
        parts = [f"{share.name} {share.gb:.2f} GB" for share in shares]
        self.setAccessibleDescription(", ".join([*parts, f"{limit_name} {limit_gb:.1f} GB"]))
        self.update()

    @property
    def _total_gb(self) -> float:
        return sum(share.gb for share in self._shares)

    @property
    def _end_gb(self) -> float:
        """What the whole width stands for: the limit if it is near enough to be seen."""
        reach = self._total_gb + self._half_gb
        if self._limit_gb and reach > 0.12 * self._limit_gb:
            return max(1.08 * self._limit_gb, 1.05 * reach)
        return max(1.3 * reach, 0.01)

    def _x(self, gb: float) -> float:
        return gb / self._end_gb * self.width()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, color = painter_on(self), self._theme.color
        track = QRectF(0.5, _TOP_PX + 0.5, self.width() - 1, _BAR_PX - 1)
        draw_plate(painter, track, 3, color("surface"), color("line2"))
        x = 0.0
        for share in self._shares:
            width = self._x(share.gb)
            if width > 0.5:
                box = QRectF(x, _TOP_PX + 1, max(width - _GAP_PX, 1), _BAR_PX - 2)
                painter.fillRect(box, color(share.color))
            x += width
        self._paint_interval(painter)
        self._paint_limit(painter)
        self._paint_scale(painter)
        painter.end()

    def _paint_interval(self, painter: QPainter) -> None:
        if not self._half_gb:
            return
        low, high = (self._x(self._total_gb + s * self._half_gb) for s in (-1, 1))
        y = _TOP_PX + _BAR_PX / 2
        painter.setPen(QPen(self._theme.color("text"), 1.5))
        painter.drawLine(QPointF(low, y), QPointF(high, y))
        for x in (low, high):
            painter.drawLine(QPointF(x, y - 4), QPointF(x, y + 4))

    def _paint_limit(self, painter: QPainter) -> None:
        if not self._limit_gb or self._limit_gb > self._end_gb:
            return
        x = round(self._x(self._limit_gb)) + 0.5
        painter.setPen(QPen(self._theme.color("err"), 2))
        painter.drawLine(QPointF(x, _TOP_PX - 3), QPointF(x, _TOP_PX + _BAR_PX + 3))
        font = self._theme.font("cap")
        words = f"{self._limit_name} {readable(self._limit_gb)}\u202fGB"
        width = QFontMetricsF(font).horizontalAdvance(words)
        painter.setFont(font)
        left = min(max(x - width / 2, 0), self.width() - width)
        painter.drawText(QPointF(left, 12), words)

    def _paint_scale(self, painter: QPainter) -> None:
        painter.setFont(self._theme.font("capr"))
        painter.setPen(self._theme.color("text3"))
        for value in ticks(0, self._end_gb, most=5):
            x = self._x(value)
            box = QRectF(x - 30, _TOP_PX + _BAR_PX + 4, 60, 16)
            align = Qt.AlignmentFlag.AlignHCenter
            if x < 30:
                box, align = QRectF(0, box.top(), 60, 16), Qt.AlignmentFlag.AlignLeft
            elif x > self.width() - 30:
                continue
            unit = "" if value else "\u202fGB"
            painter.drawText(box, align, f"{format_decimal(value)}{unit}")
