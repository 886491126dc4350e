"""The model of a scatter, without Qt: a point for each document, of two of its measures."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gui.widgets.charts.chart_model import Axis, ChartModel
from gui.widgets.charts.chart_series import Floats, Look, Series

_AXIS = "value"
_NONE = np.empty(0)


@dataclass
class Points:
    """Two measures of each document.

    Attributes:
        x: [N] where each point is.
        y: [N] how high.
        numbers: [N] which document each is.
        titles: Names of the axes.
    """

    x: Floats = field(default_factory=lambda: np.empty(0))
    y: Floats = field(default_factory=lambda: np.empty(0))
    numbers: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    titles: tuple[str, str] = ("", "")


class ScatterModel(ChartModel):
    """Points from left to right."""

    def __init__(self) -> None:
        super().__init__("", axes=(Axis(_AXIS, ""),))
        self.points = Points()

    def show(self, points: Points) -> bool:
        """Takes other points.

        Args:
            points: In any order; those that are no numbers are left out.

        Returns:
            True if another picture is to be drawn: the order of documents does not change it.
        """
        order = np.lexsort((points.y, points.x))
        x, y = points.x[order], points.y[order]
        finite = np.isfinite(x) & np.isfinite(y)
        before, numbers = self.points, points.numbers[order]
        self.points = Points(x[finite], y[finite], numbers[finite], points.titles)
        if (
            before.titles == points.titles
            and np.array_equal(before.x, self.points.x)
            and np.array_equal(before.y, self.points.y)
        ):
            return False
        across, self.title = points.titles
        self.axes = (Axis(_AXIS, across),)
        self.axis = self.axes[0]
        self.series = []
        look = Look("s1", labelled=False, joined=False)
        self.add(Series(self.title, look, (_AXIS,))).append(self.points.y, value=self.points.x)
        return True

    @property
    def x_shown(self) -> Floats:
        """[M] where the points are drawn: the last of `points`, without those left of the axis."""
        return self.x(self.series[0]) if self.series else _NONE

    @property
    def y_shown(self) -> Floats:
        """[M] how high they are drawn; NaN for those below a logarithmic axis."""
        return self.y(self.series[0]) if self.series else _NONE

    @property
    def numbers_shown(self) -> NDArray[np.int64]:
        """[M] which document each of them is."""
        return self.points.numbers[len(self.points.numbers) - len(self.x_shown) :]

    def range_x(self) -> tuple[float, float]:
        return _bounds(self.x_shown)

    def range_y(self, left: float = -np.inf, right: float = np.inf) -> tuple[float, float]:
        return _bounds(self.y_shown)

    def describe(self) -> str:
        return f"{len(self.points.x)} points: {self.title} over {self.axis.title}"


def _bounds(values: Floats) -> tuple[float, float]:
    """The ends of an axis: a little beyond the lowest and the highest value."""
    values = values[np.isfinite(values)]
    if not len(values):
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    room = 0.04 * (high - low) or max(abs(low) * 0.1, 1.0)
    return low - room, high + room
