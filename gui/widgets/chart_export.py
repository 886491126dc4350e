"""A chart as a file: PNG, SVG or CSV."""

from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRect, QRectF, QSize
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from core.atomic_files import write_whole
from gui.theme.theme import Theme
from gui.widgets.chart_model import ChartModel
from gui.widgets.chart_plot import Plot

_HEAD_PX, _EDGE_PX = 36, 12
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
    size = _size(view)
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
    generator.setSize(_size(view))
    generator.setViewBox(QRect(0, 0, _size(view).width(), _size(view).height()))
    generator.setTitle(model.title)
    generator.setDescription(model.describe())
    painter = QPainter(generator)
    _paint(painter, theme, model, view)
    painter.end()
    return bytes(data.data())


def _size(view: Plot) -> QSize:
    return QSize(view.width() + 2 * _EDGE_PX, view.height() + _HEAD_PX + _EDGE_PX)


def _paint(painter: QPainter, theme: Theme, model: ChartModel, view: Plot) -> None:
    size = _size(view)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(0, 0, size.width(), size.height(), theme.color("surface"))
    painter.setFont(theme.font("section"))
    painter.setPen(theme.color("text"))
    painter.drawText(_EDGE_PX, 24, f"{model.title}, {model.unit}" if model.unit else model.title)
    target = QRectF(_EDGE_PX, _HEAD_PX, view.width(), view.height())
    view.draw_on(painter, target)
