"""A histogram: the chart of a distribution, as high as a card of it must be."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize

from gui.theme.theme import Theme
from gui.widgets.charts.chart import Chart
from gui.widgets.charts.histogram_model import HistogramModel

if TYPE_CHECKING:
    from gui.widgets.charts.chart_plot import Plot

LEAST_HEIGHT_PX = 150
_HEAD_PX = 36
_INSET_PX = 16


class Histogram(Chart):
    """Draws a histogram; the bar that is pointed at is described beside the title."""

    has_views = False
    model: HistogramModel

    def __init__(self, theme: Theme, model: HistogramModel) -> None:
        super().__init__(theme, model)
        self._empty_words = self.tr("No values yet")
        self._head.setFixedHeight(_HEAD_PX)
        self._head_row.setContentsMargins(_INSET_PX, 0, 6, 0)

    def _make_plot(self) -> "Plot":
        from gui.widgets.charts.histogram_plot import HistogramPlot

        plot = HistogramPlot(self._theme, self.model)
        plot.read.connect(lambda reading: self._unit.setText(self._subtitle()))
        return plot

    def _subtitle(self) -> str:
        reading = self._plot.reading if self._plot is not None else None
        return super()._subtitle() if reading is None else self.model.describe_reading(reading)

    def sizeHint(self) -> QSize:
        return QSize(320, 240)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, LEAST_HEIGHT_PX)
