"""A scatter of two measures: a chart with a point for each document."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal

from gui.theme.theme import Theme
from gui.widgets.charts.chart import Chart
from gui.widgets.charts.scatter_model import Points, ScatterModel
from gui.widgets.display.label import Label

if TYPE_CHECKING:
    from gui.widgets.charts.scatter_plot import ScatterPlot

_RIGHT_PX = 16


class Scatter(Chart):
    """Draws points; the chart's title is that of the values, the name of the x axis is below.

    Args:
        theme: Colours and type.
        name: Of the chart, for screen readers.
    """

    opened = Signal(int)
    """The document of a point that was clicked."""
    pointed = Signal(int)
    """The document of the point under the pointer or the keyboard; -1 for none."""
    model: ScatterModel
    plot: "ScatterPlot"

    def __init__(self, theme: Theme, *, name: str) -> None:
        self._across = Label(theme, "", "small", "text2", elide=True)
        super().__init__(theme, ScatterModel())
        self._across.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._across.setContentsMargins(0, 0, _RIGHT_PX, 0)  # where the plot ends
        self._column.addWidget(self._across)
        self._marked, self._name = -1, name
        self._empty_words = self.tr("No documents")
        self.setAccessibleName(name)

    def _make_plot(self) -> "ScatterPlot":
        from gui.widgets.charts.scatter_plot import ScatterPlot

        plot = ScatterPlot(self._theme, self.model)
        plot.setAccessibleName(self._name)
        plot.mark(self._marked)
        plot.opened.connect(self.opened)
        plot.pointed.connect(self.pointed)
        return plot

    def show_points(self, points: Points) -> None:
        """Draws others; points that are no numbers are left out."""
        if self._plot is not None:
            self.plot.point_out(-1)
        if self.model.show(points):
            self.set_title(self.model.title)
            self._across.setText(self.model.axis.title)
            self.setAccessibleName(self._name)
            if self._plot is not None:
                self.plot.reset_quietly()
            self.refresh()

    def mark(self, number: int) -> None:
        """Frames the point of the document that is shown."""
        self._marked = number
        if self._plot is not None:
            self.plot.mark(number)

    def show_words(self, words: str) -> None:
        """Says what the point under the pointer is."""
        self.plot.show_words(words)

    def sizeHint(self) -> QSize:
        return QSize(360, 280)
