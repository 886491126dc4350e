"""What a layer of a chart needs of the plot that it is painted on."""

from dataclasses import dataclass
from typing import Any, Protocol

from PySide6.QtCore import QRectF

from gui.theme.theme import Theme
from gui.widgets.charts.chart_model import ChartModel, Reading
from gui.widgets.charts.chart_series import Series


@dataclass(frozen=True)
class Ends:
    """What is seen: left, right, low and high in coordinates."""

    left: float
    right: float
    low: float
    high: float


class View(Protocol):
    """A plot as its layers see it."""

    theme: Theme
    model: ChartModel

    @property
    def ends(self) -> Ends:
        """What is seen, in the model's coordinates."""
        ...

    @property
    def plane(self) -> QRectF:
        """Where the lines are drawn, in px."""
        ...

    @property
    def reading(self) -> Reading | None:
        """The values under the crosshair."""
        ...

    @property
    def nearest(self) -> Series | None:
        """The series whose point under the crosshair is nearest to the pointer."""
        ...

    def to_px(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Coordinates of the model as px of the plot."""
        ...

    def place_at(self, px: float) -> float:
        """The coordinate on the x axis of a px."""
        ...
