"""A chart as a file: PNG, SVG or CSV."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from core.storage.atomic_files import write_whole
from gui.theme.theme import Theme
from gui.widgets.charts.chart_legend import Legend
from gui.widgets.charts.chart_model import ChartModel
from gui.widgets.charts.chart_plot import Plot

_HEAD_PX, _EDGE_PX, _FOOT_PX = 36, 12, 20
_BASELINE_PX, _LEGEND_TOP_PX, _GAP_PX = 24, 9, 24
_RATIO = 2


def save_chart(theme: Theme, model: ChartModel, view: Plot, path: Path) -> None:
    """Writes a chart as it is seen; the ending of the path says as what.

    Args:
        theme: The look.
        model: What is shown.
        view: What draws it.
        path: Where; its ending is one of `CHART_FORMATS`. A file that is there is replaced.

    Raises:
        EpitomeError: If nothing can be written there.
        KeyError: If the ending is none of these.
    """
    ending = path.suffix.lower()
    if ending == ".csv":
        write_whole(path, model.csv().encode(), replace=True)
    else:
        make = {".png": png, ".svg": svg}[ending]
        write_whole(path, make(theme, model, view), replace=True)


def png(theme: Theme, model: ChartModel, view: Plot) -> bytes:
    """The chart as a picture, two pixels to each of the screen's."""
    size = _sheet(theme, model, view).size
    image = QImage(_RATIO * size.width(), _RATIO * size.height(), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(_RATIO)
    painter = QPainter(image)
    _paint(painter, theme, model, view)
    painter.end()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(data.data())


def svg(theme: Theme, model: ChartModel, view: Plot) -> bytes:
    """The chart as lines and words; pyqtgraph's own exporter fails with this Qt."""
    data, generator = QByteArray(), QSvgGenerator()
    buffer = QBuffer(data)
    generator.setOutputDevice(buffer)
    size = _sheet(theme, model, view).size
    generator.setSize(size)
    generator.setViewBox(QRect(QPoint(), size))
    generator.setTitle(model.title)
    generator.setDescription(model.describe())
    painter = QPainter(generator)
    _paint(painter, theme, model, view)
    painter.end()
    return bytes(data.data())


@dataclass(frozen=True)
class _Sheet:
    """The parts of an exported chart, from the top: title and legend, the plot, the x title.

    Args:
        title: Of the chart, with its unit.
        legend: Draws what the lines are; beside the title, or below it where that is too narrow.
        legend_left: Where it begins, in px.
        head_px: Height of title and legend.
        size: Of the whole.
    """

    title: str
    legend: Legend
    legend_left: float
    head_px: int
    size: QSize


def _sheet(theme: Theme, model: ChartModel, view: Plot) -> _Sheet:
    title = ", ".join(filter(None, (model.title, model.subtitle)))
    legend, width = Legend(theme, model), view.width() + 2 * _EDGE_PX
    beside = _EDGE_PX + QFontMetricsF(theme.font("section")).horizontalAdvance(title) + _GAP_PX
    fits = not legend.keys or beside + legend.width() <= width
    head = _HEAD_PX if fits else _HEAD_PX + legend.height()
    size = QSize(width, head + view.height() + _FOOT_PX + _EDGE_PX)
    return _Sheet(title, legend, beside if fits else _EDGE_PX, head, size)


def _paint(painter: QPainter, theme: Theme, model: ChartModel, view: Plot) -> None:
    sheet = _sheet(theme, model, view)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(QRect(QPoint(), sheet.size), theme.color("surface"))
    painter.setFont(theme.font("section"))
    painter.setPen(theme.color("text"))
    painter.drawText(_EDGE_PX, _BASELINE_PX, sheet.title)
    painter.save()
    painter.translate(sheet.legend_left, sheet.head_px - _HEAD_PX + _LEGEND_TOP_PX)
    sheet.legend.draw_on(painter)
    painter.restore()
    target = QRectF(_EDGE_PX, sheet.head_px, view.width(), view.height())
    view.draw_on(painter, target)
    painter.setFont(theme.font("capr"))
    painter.setPen(theme.color("text2"))
    below = view.plane.translated(target.topLeft())
    below.setTop(target.bottom())
    below.setHeight(_FOOT_PX)
    painter.drawText(below, Qt.AlignmentFlag.AlignHCenter, model.axis.title)
