"""A chart of losses whose title says so where only their smoothed values are drawn."""

from collections.abc import Callable
from typing import Any

from gui.theme.theme import Theme
from gui.widgets.charts.chart import Chart
from gui.widgets.charts.chart_model import ChartModel
from gui.widgets.support.numbers import format_decimal


def smoothed_title(title: str, smoothing: float) -> str:
    """A title, with how much its lines are smoothed where they are."""
    return f"{title}, smoothed {format_decimal(smoothing)}" if smoothing else title


class SmoothedChart(Chart):
    """Draws losses.

    Args:
        theme: The look.
        model: What it shows; its title is that of unsmoothed losses.
        hides_raw: Whether raw losses of some lines are left out now.
        **how: As of `Chart`.
    """

    def __init__(
        self,
        theme: Theme,
        model: ChartModel,
        hides_raw: Callable[[], bool] = lambda: True,
        **how: Any,
    ) -> None:
        self._plain, self._hides_raw = model.title, hides_raw
        super().__init__(theme, model, **how)
        self.refresh()

    def show_model(self, model: ChartModel) -> None:
        """Draws another model; its title is that of unsmoothed losses."""
        self._plain = model.title
        super().show_model(model)

    def refresh(self) -> None:
        """Draws the model as it is now."""
        super().refresh()
        self._tell_smoothing()

    def _fold_head(self) -> None:
        self._tell_smoothing()

    def _tell_smoothing(self) -> None:
        """Lets the title say it; or else the legend, where it does and has no room beside that."""
        smoothing = self.model.smoothing if self._hides_raw() else 0.0
        titles = [smoothed_title(self._plain, smoothing)]
        if any(key.words == self.tr("smoothed") for key in self.legend.keys):
            titles = [titles[0], self._plain, titles[0]]
        for title in titles:
            self.set_title(title)
            super()._fold_head()
            if self.legend.isVisibleTo(self):
                return
