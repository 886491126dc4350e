"""What the layers of a plot share: its model and colours, markers, and the place of the present."""

import sys
from math import isfinite

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsObject, QStyleOptionGraphicsItem, QWidget

from core.numbers import format_quantity
from gui.widgets.charts.chart_model import OTHER, ChartModel
from gui.widgets.charts.chart_series import Marker, Series
from gui.widgets.charts.chart_view import View

LABEL_PX = 16  # height of words
TOP_PX = 10  # above the plane
MIDDLE = Qt.AlignmentFlag.AlignVCenter
_MARKER_PX = 3.6


class Layer(QGraphicsObject):
    """Something painted over the whole plot, in its px."""

    def __init__(self, plot: View) -> None:
        super().__init__()
        self.plot, self.size = plot, QSizeF()
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def set_size(self, size: QSizeF) -> None:
        """Takes the size of the plot."""
        if size != self.size:
            self.prepareGeometryChange()
            self.size = size

    def boundingRect(self) -> QRectF:
        return QRectF(QPointF(0, 0), self.size)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        try:
            self.draw(painter)
        except Exception:
            # An error that went on through Qt's own painting would end the process.
            sys.excepthook(*sys.exc_info())

    def draw(self, painter: QPainter) -> None:
        """Draws what the layer shows, in px of the plot."""
        raise NotImplementedError

    @property
    def model(self) -> ChartModel:
        """What is drawn."""
        return self.plot.model

    def color(self, token: str, alpha: float = 1.0) -> QColor:
        """The colour of a token, made clear by a share."""
        color = self.plot.theme.color(token)
        if alpha < 1.0:
            color = QColor(color)
            color.setAlphaF(alpha)
        return color

    def now(self) -> float | None:
        """Where the present is, in px; None where it is not known."""
        now = self.model.now
        place = None if now is None else self.model.placed(now)
        if place is None or not isfinite(place):
            return None
        return float(self.plot.to_px(place, 0.0)[0])

    def beyond(self) -> list[tuple[QRectF, str]]:
        """How many single values lie above and below the plane: in words, and where that is said.

        They are said in its corners at the right, where curves of a run are seldom.
        """
        plane, ends = self.plot.plane, self.plot.ends
        above, below = self.model.num_beyond(ends.left, ends.right, ends.low, ends.high)
        found = []
        for count, side, top in (
            (above, "above", plane.top()),
            (below, "below", plane.bottom() - LABEL_PX - 2),
        ):
            words = f"{format_quantity(count, 'point')} {side}"
            width = QFontMetricsF(self.plot.theme.font("capr")).horizontalAdvance(words) + 8
            if count:
                found.append((QRectF(plane.right() - width, top, width, LABEL_PX), words))
        return found

    def draw_marker(
        self, painter: QPainter, series: Series, at: QPointF, scale: float = 1.0
    ) -> None:
        """One marker; hollow ones say that a point is forecast."""
        look = series.look
        ink = self.color("text2" if look.color == OTHER else look.color)
        painter.setPen(QPen(ink, 1.5))
        painter.setBrush(self.color("surface") if look.hollow else ink)
        draw_marker(painter, look.marker or "circle", at, _MARKER_PX * scale)


def hatch(painter: QPainter, area: QRectF, ink: QColor, step_px: float) -> None:
    """Draws rising lines over an area, within what the painter is clipped to."""
    painter.save()
    painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
    painter.setPen(QPen(ink, 1))
    up = QPointF(area.height(), -area.height())
    for index in range(int((area.width() + area.height()) / step_px) + 1):
        foot = QPointF(area.left() - area.height() + index * step_px, area.bottom())
        painter.drawLine(foot, foot + up)
    painter.restore()


def draw_marker(painter: QPainter, marker: Marker, at: QPointF, size: float) -> None:
    """Draws a marker with the painter's pen and brush.

    Args:
        painter: Where.
        marker: Its shape.
        at: Its middle.
        size: From its middle to its edge.
    """
    if marker == "circle":
        painter.drawEllipse(at, size, size)
        return
    if marker == "cross":
        painter.drawLine(at + QPointF(-size, -size), at + QPointF(size, size))
        painter.drawLine(at + QPointF(-size, size), at + QPointF(size, -size))
        return
    wide = size * 1.15
    corners = {
        "square": ((-size, -size), (size, -size), (size, size), (-size, size)),
        "down": ((-wide, -size), (wide, -size), (0.0, wide)),
        "diamond": ((0.0, -wide), (wide, 0.0), (0.0, wide), (-wide, 0.0)),
        "up": ((-wide, size), (wide, size), (0.0, -wide)),
    }[marker]
    painter.drawPolygon(QPolygonF([at + QPointF(x, y) for x, y in corners]))
