"""The model of a histogram, without Qt: bins, their counts, a limit and one marked value."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.export.csv_file import csv_text
from core.numbers import format_count, format_quantity, format_share
from gui.widgets.charts.chart_model import Axis, ChartModel, Reading
from gui.widgets.charts.chart_series import Floats, Look, Series
from gui.widgets.support.ticks import labels, readable, ticks

_BINS = 32
_MOST_SHARE = 0.995
"""So many of the values lie within the bins; the rest are in the last one, which says so."""
_MOST_LINES = 5
_AXIS = "value"


class HistogramModel(ChartModel):
    """Values in bins of one width.

    Args:
        title: Its name.
        unit: Of the values: "tokens".
        what: One of the things that have a value: "document".
    """

    edges: NDArray[np.float64]
    """[B + 1] where the bins begin and end."""
    counts: NDArray[np.int64]
    """[B] how many values are in each."""
    num_above: int
    """Number of values above the last edge; they are in the last bin."""

    def __init__(self, title: str, unit: str = "", what: str = "document") -> None:
        super().__init__(title, unit, (Axis(_AXIS, unit),), from_zero=True)
        self.what = what
        self.has_counts, self.most_lines = True, _MOST_LINES
        self.limit: float | None = None
        """A value that is not to be passed; None for none."""
        self.marked: float | None = None
        """One value that is pointed at; None for none."""
        self.limit_name = self.marked_name = ""
        self.total = 0
        """Number of values."""
        self.num_over = 0
        """Number of values over the limit."""
        self._source: ArrayLike | None = None
        self._values = np.empty(0)
        self._bin(None)

    def set_values(self, values: ArrayLike, *, most: float | None = None) -> None:
        """Counts values.

        Args:
            values: [N] none below 0; what is not finite is left out. The very same array as the
                last time is not counted again.
            most: The last edge at least; None for what the values need.
        """
        if values is self._source:
            return
        self._source = values
        numbers = np.asarray(values, np.float64)
        self._values = np.sort(numbers[np.isfinite(numbers)])
        self.total = len(self._values)
        self._bin(most)
        self.set_limit(self.limit, self.limit_name)

    def set_limit(self, limit: float | None, name: str = "") -> None:
        """Sets the value that is not to be passed; the bins reach beyond it."""
        self.limit, self.limit_name = limit, name
        if limit is not None and self.total and limit > self.edges[-1]:
            self._bin(limit)
        if limit is None:
            self.num_over = 0
        else:
            self.num_over = self.total - int(np.searchsorted(self._values, limit, "right"))

    def _bin(self, most: float | None) -> None:
        self.series = []
        self.edges, self.counts, self.num_above = np.zeros(1), np.empty(0, np.int64), 0
        if not self.total:
            return
        usual = float(self._values[min(int(self.total * _MOST_SHARE), self.total - 1)])
        high = max(usual, most or 0.0)
        high = _round_up(high) if high > 0 else 1.0
        self.edges = np.linspace(0.0, high, _BINS + 1)
        inside = np.minimum(self._values, high)
        self.counts = np.histogram(inside, self.edges)[0].astype(np.int64)
        self.num_above = self.total - int(np.searchsorted(self._values, high, "right"))
        bins = self.add(Series(self.whats, Look("line2", labelled=False, joined=False), (_AXIS,)))
        bins.append(self.counts, value=(self.edges[:-1] + self.edges[1:]) / 2)

    @property
    def whats(self) -> str:
        """The things that have a value, in the plural."""
        return f"{self.what[:-1]}ies" if self.what.endswith("y") else f"{self.what}s"

    @property
    def median(self) -> float:
        """The value in the middle; NaN without values."""
        return float(np.median(self._values)) if self.total else float("nan")

    @property
    def over_line(self) -> str:
        """Words for those that do not fit: "75 documents (5.8 %) do not fit"; else empty."""
        if self.limit is None or not self.total:
            return ""
        if not self.num_over:
            return f"all {format_count(self.total)} fit"
        some = format_quantity(self.num_over, self.what, self.whats)
        verb = "does" if self.num_over == 1 else "do"
        return f"{some} ({format_share(self.num_over, self.total)}) {verb} not fit"

    # As a chart

    def set_unit(self, unit: str) -> None:
        """Sets the unit of the values."""
        self.unit = unit
        self.axes = (Axis(_AXIS, unit),)
        self.axis = self.axes[0]

    @property
    def subtitle(self) -> str:
        return f"{self.whats} by {self.unit}" if self.unit else ""

    def range_x(self) -> tuple[float, float]:
        return 0.0, float(self.edges[-1]) or 1.0

    def range_y(self, left: float = -np.inf, right: float = np.inf) -> tuple[float, float]:
        return 0.0, float(max(self.counts.max(initial=0), 1))

    def label_places(self, places: list[float], short: bool) -> list[str]:
        words = labels(places, short=short)
        return [*words[:-1], f"{words[-1]} +"] if words and self.num_above else words

    def describe(self) -> str:
        if self.empty:
            return "no values"
        limit = ""
        if self.limit is not None:
            limit = f" {self.limit_name} {format_count(round(self.limit))}: {self.over_line}."
        median, most = readable(self.median), readable(float(self._values[-1]))
        what = format_quantity(self.total, self.what, self.whats)
        return f"{what}, median {median} {self.unit}, most {most}.{limit}"

    def find_bin(self, reading: Reading | None) -> int:
        """The number of the bin that is read; -1 for none."""
        if reading is None or self.empty:
            return -1
        return min(int(np.searchsorted(self.edges, reading.x)) - 1, len(self.counts) - 1)

    def describe_reading(self, reading: Reading) -> str:
        """A bin in words: "1 024 to 1 280 tokens: 140 documents"."""
        at = self.find_bin(reading)
        low, high = readable(float(self.edges[at])), readable(float(self.edges[at + 1]))
        upper = f"to {high}"
        if at == len(self.counts) - 1 and self.num_above:
            upper = "and more"
        count = format_quantity(int(self.counts[at]), self.what, self.whats)
        return f"{low} {upper} {self.unit}: {count}"

    # As a table

    def columns(self) -> list[str]:
        return ["From", "To", "Number"]

    def cell_formats(self) -> list[Callable[[float], str]]:
        return [readable, readable, lambda count: format_count(round(count))]

    def table(self) -> Floats:
        return np.stack([self.edges[:-1], self.edges[1:], self.counts], axis=1)

    def csv(self) -> str:
        heads = [f"from, {self.unit}", f"to, {self.unit}", self.whats]
        rows = ([f"{low:.6g}", f"{high:.6g}", int(n)] for low, high, n in self.table().tolist())
        return csv_text([heads, *rows])


def _round_up(value: float) -> float:
    """The next round number: where an axis ends."""
    marks = ticks(0.0, value, most=6)
    step = marks[1] - marks[0] if len(marks) > 1 else value
    return float(np.ceil(value / step - 1e-9) * step)
