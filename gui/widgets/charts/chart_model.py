"""What a chart shows, without Qt: series, axes, limits and notes; its words, its table, its CSV."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.export.csv_file import csv_text
from gui.widgets.charts.chart_series import Floats, Series
from gui.widgets.support.numbers import format_decimal
from gui.widgets.support.ticks import MOST, AxisKind, duration, labels, readable

SMOOTHINGS = (0.0, 0.6, 0.9, 0.98)
"""What may be chosen: 0 is off."""
OTHER = "text3"
"""The token of other runs' lines: grey, named without a value."""
DASHES = ((9.0, 2.0), (9.0, 2.0, 1.5, 2.0), (1.5, 2.0))
"""Line patterns, in widths of the line, of the fourth series, the fifth, the sixth."""
_NUM_SOLID = 3
_PADDING = 0.06  # of the range, above and below
_MOST_LOOKED_AT = 1000  # values that bound the range; a zoom must not stutter
_LEAST_LOG_SPAN = 0.3  # decades
_MOST_DECADES = 307.0  # what a float can hold


@dataclass(frozen=True)
class Axis:
    """What points may be drawn over.

    Args:
        name: In the program: "step", "tokens", "time".
        title: For a person.
        kind: How its numbers are told.
        until: Its planned end, such as a run's number of steps; None where there is none.
        whole: Whether only whole numbers make sense.
        labels: What stands at the places 0, 1, 2 … of an axis of words; empty for numbers.
    """

    name: str
    title: str
    kind: AxisKind = "number"
    until: float | None = None
    whole: bool = False
    labels: tuple[str, ...] = ()

    def words(self, value: float) -> str:
        """A place on the axis."""
        if self.labels:
            return self.labels[min(max(round(value), 0), len(self.labels) - 1)]
        return duration(value) if self.kind == "time" else format_decimal(float(f"{value:.6g}"))


@dataclass(frozen=True)
class Limit:
    """A value that is not to be passed: a line with its name, hatched above."""

    value: float
    name: str


@dataclass(frozen=True)
class Note:
    """Words at a place of the chart's first axis: "resumed here"."""

    x: float
    text: str


@dataclass(frozen=True)
class Reading:
    """The values at a place.

    Args:
        x: Where.
        values: Each series with its nearest value there.
    """

    x: float
    values: tuple[tuple[Series, float], ...]


class ChartModel:
    """All that a chart shows."""

    def __init__(
        self,
        title: str,
        unit: str = "",
        axes: Sequence[Axis] = (Axis("step", "Step"),),
        *,
        log_x: bool = False,
        log_y: bool = False,
        smoothing: float = 0.0,
        from_zero: bool = False,
        values: AxisKind = "number",
    ) -> None:
        """An empty chart.

        Args:
            title: Its name.
            unit: Of the values.
            axes: What it can be drawn over; the first one at first.
            log_x: Whether x is logarithmic.
            log_y: Whether y is logarithmic.
            smoothing: Of the series that are smoothed, from 0 (off) to below 1.
            from_zero: Whether the range of values always holds 0.
            values: How values are told at the left.
        """
        self.title, self.unit = title, unit
        self.axes = tuple(axes)
        self.axis = self.axes[0]
        self.log_x, self.log_y, self.smoothing = log_x, log_y, smoothing
        self.from_zero, self.values = from_zero, values
        self.series: list[Series] = []
        self.limits: list[Limit] = []
        self.notes: list[Note] = []
        self.now: float | None = None
        self.has_counts = False
        """True if values are counts: no line of the grid is at a fraction."""
        self.most_lines = MOST
        """Greatest number of lines of the grid."""
        self.has_dashes = True
        """Whether the fourth solid line and those after it have patterns of their own."""
        self.ceiling: float | None = None
        """The highest value that is seen at first; lines go on above it. None for all."""

    @property
    def subtitle(self) -> str:
        """Words beside the title: the unit."""
        return self.unit

    def add(self, series: Series) -> Series:
        """Adds a series; it is drawn above those before it."""
        self.series.append(series)
        return series

    def choose_axis(self, name: str) -> None:
        """Draws over another axis; a name that is none is a KeyError."""
        self.axis = {axis.name: axis for axis in self.axes}[name]

    @property
    def empty(self) -> bool:
        """Whether there is no point to draw."""
        return not self.shown

    @property
    def drawn(self) -> list[Series]:
        """The series that can be drawn over the chosen axis."""
        return [series for series in self.series if self.axis.name in series.axes]

    @property
    def shown(self) -> list[Series]:
        """Those of them that have a point to draw."""
        return [series for series in self.drawn if len(self.x(series))]

    # Coordinates: values, or their logarithms

    def x(self, series: Series) -> Floats:
        """Where the points of a series are drawn."""
        return series.x(self.axis.name, self.log_x)[self._first(series) :]

    def y(self, series: Series, smooth: bool = True) -> Floats:
        """At what height they are drawn."""
        amount = self.smoothing if smooth and series.look.smooth else 0.0
        return series.y(amount, self.log_y)[self._first(series) :]

    def band(self, series: Series) -> tuple[Floats, Floats]:
        """Between which heights the band of a series is drawn, whose members it is the mean of."""
        amount = self.smoothing if series.look.smooth else 0.0
        low, high = series.band(amount, self.log_y)
        first = self._first(series)
        return low[first:], high[first:]

    def _first(self, series: Series) -> int:
        """The first point that is drawn: a logarithmic axis begins above 0."""
        return int(np.searchsorted(series.x(self.axis.name), 0.0, "right")) if self.log_x else 0

    def to_y(self, value: float) -> float:
        """The height of a value."""
        return _coordinate(value, self.log_y)

    def to_x(self, value: float) -> float:
        """The place of a value of the axis."""
        return _coordinate(value, self.log_x)

    def from_x(self, place: float) -> float:
        """The value of the axis at a place."""
        return _power(place) if self.log_x else place

    def from_y(self, height: float) -> float:
        """The value at a height."""
        return _power(height) if self.log_y else height

    def placed(self, x: float) -> float | None:
        """Where a place of the first axis is drawn on the chosen one; None where nobody knows."""
        first = self.axes[0].name
        if self.axis.name == first:
            return self.to_x(x)
        both = [each for each in self.drawn if first in each.axes and len(each)]
        if not both:
            return None
        longest = max(both, key=len)
        at = float(np.interp(x, longest.x(first), longest.x(self.axis.name)))
        return self.to_x(at)

    @property
    def num_left_out(self) -> int:
        """Points that a logarithmic axis cannot show: they are at 0 or below."""
        left_out = 0
        for series in self.drawn:
            lost = np.zeros(len(series), bool)
            if self.log_x:
                lost |= series.x(self.axis.name) <= 0
            if self.log_y:
                with np.errstate(invalid="ignore"):
                    lost |= series.y() <= 0
            left_out += int(lost.sum())
        return left_out

    def range_x(self) -> tuple[float, float]:
        """From the first point to the last; from 0 to the planned end where there is one."""
        if self.axis.labels:
            return (-0.5, len(self.axis.labels) - 0.5)
        ends = [end for series in self.drawn for end in _ends(self.x(series))]
        if not ends:
            return (0.0, 1.0)
        low, high = min(ends), max(ends)
        if self.axis.until is not None:
            high = max(high, self.to_x(self.axis.until))
        is_planned = self.axis.until is not None
        if not self.log_x and (0 <= low < 0.05 * high or (is_planned and low > 0)):
            low = 0.0
        return (low, high) if high > low else (low - 0.5, high + 0.5)

    def range_y(self, left: float = -np.inf, right: float = np.inf) -> tuple[float, float]:
        """The lowest and highest value between two places, with some air."""
        found: list[float] = []
        for series in self.drawn:
            x = self.x(series)
            start, end = np.searchsorted(x, [left, right])
            for y in self.band(series) if series.members else (self.y(series),):
                found += _extremes(y[int(start) : int(end) + 1])
            if self._has_raw_line(series):
                found += _usual(self.y(series, smooth=False)[int(start) : int(end) + 1])
        found += [self.to_y(limit.value) for limit in self.limits if np.isfinite(limit.value)]
        if not found:
            return (0.0, 1.0)
        low, high = min(found), max(found)
        if self.ceiling is not None:
            high = max(low, min(high, self.to_y(self.ceiling)))
        if self.from_zero and not self.log_y:
            low, high = min(low, 0.0), max(high, 0.0)
        least = _LEAST_LOG_SPAN if self.log_y else abs(high) * 1e-3 or 1.0
        air = _PADDING * max(high - low, least) + max(least - (high - low), 0) / 2
        at_zero = low == 0 and self.from_zero
        return (low if at_zero else low - air), high + air

    def _has_raw_line(self, series: Series) -> bool:
        """Whether its single values stand behind the smooth line."""
        return bool(series.look.smooth and series.look.raw_line and self.smoothing)

    def num_beyond(self, left: float, right: float, low: float, high: float) -> tuple[int, int]:
        """How many single values lie outside of what is seen, behind the smoothed ones.

        The range holds the smooth line and nearly all values behind it; single ones may leave it.

        Args:
            left: Left end of what is seen, as a coordinate; so are the others.
            right: Right end.
            low: Lower end.
            high: Upper end.

        Returns:
            How many are above, and how many below.
        """
        above = below = 0
        for series in self.drawn:
            if self._has_raw_line(series):
                x = self.x(series)
                start, end = np.searchsorted(x, left, "left"), np.searchsorted(x, right, "right")
                part = self.y(series, smooth=False)[int(start) : int(end)]
                above += int(np.count_nonzero(part > high))
                below += int(np.count_nonzero(part < low))
        return above, below

    def dash(self, series: Series) -> tuple[float, ...]:
        """The pattern of a solid line where there are more than three; empty for a whole line."""
        solid = [each for each in self.drawn if not each.look.dashed and each.look.color != OTHER]
        place = next((at for at, each in enumerate(solid) if each is series), 0) - _NUM_SOLID
        return DASHES[place % len(DASHES)] if place >= 0 and self.has_dashes else ()

    # Words

    def name(self, series: Series) -> str:
        """The label at the end of a series: its name and last value."""
        last = series.last(self.smoothing)
        if last is None or series.look.color == OTHER:
            return series.name
        return f"{series.name} {readable(last)}"

    def describe(self) -> str:
        """What the chart says, for who cannot see it: its series and their last values."""
        parts = []
        for series in self.drawn:
            last = series.last(self.smoothing)
            if last is not None:
                at = self.axis.words(float(series.x(self.axis.name)[-1]))
                where = f"at {self.axis.title.lower()} {at}"
                forecast = " (forecast)" if series.look.hollow else ""
                parts.append(f"{series.name}{forecast} {readable(last)} {where}")
        told = "; ".join(parts) or "no measurements yet"
        limits = "".join(f" {limit.name} {readable(limit.value)}." for limit in self.limits)
        return f"{told}.{limits}"

    def read(self, place: float) -> Reading | None:
        """The values nearest to a place on the x axis; None in an empty chart."""
        main = self.shown
        if not main:
            return None
        nearest = min((abs(self._nearest(s, place)[1] - place), i) for i, s in enumerate(main))
        return self.read_at(self._nearest(main[nearest[1]], place)[1])

    def read_at(self, x: float) -> Reading:
        """The values nearest to a place, of the series that reach over it."""
        values = []
        for series in self.shown:
            index, _ = self._nearest(series, x)
            low, high = _ends(self.x(series))
            value = self.from_y(float(self.y(series)[index]))
            if low <= x <= high and np.isfinite(value):
                values.append((series, value))
        values.sort(key=lambda pair: pair[0].look.color == OTHER)  # other runs come last
        return Reading(x, tuple(values))

    def point_of(self, series: Series, x: float) -> float:
        """Where the point of a series is that is read at a place."""
        return self._nearest(series, x)[1]

    def describe_reading(self, reading: Reading) -> str:
        """A reading in one line."""
        place = f"{self.axis.title} {self.axis.words(self.from_x(reading.x))}"
        values = [f"{series.name} {readable(value)}" for series, value in reading.values]
        return ", ".join([place, *values])

    def _nearest(self, series: Series, place: float) -> tuple[int, float]:
        x = self.x(series)
        after = min(int(np.searchsorted(x, place)), len(x) - 1)
        before = max(after - 1, 0)
        index = before if abs(x[before] - place) <= abs(x[after] - place) else after
        return index, float(x[index])

    def label_places(self, places: list[float], short: bool) -> list[str]:
        """Words of the ticks of the x axis."""
        return labels(places, self.axis.kind, short=short, padded=not self.log_x)

    # As a table

    def cell_formats(self) -> list[Callable[[float], str]]:
        """Functions that write the cells of each column of its table."""
        return [self.axis.words, *[readable] * (len(self.columns()) - 1)]

    def columns(self) -> list[str]:
        """The heads of its table: the axis, then each series; smoothed ones twice."""
        unit = f", {self.unit}" if self.unit else ""
        heads = [self.axis.title]
        for series in self.drawn:
            forecast = " (forecast)" if series.look.hollow else ""
            heads.append(f"{series.name}{unit}{forecast}")
            if series.look.smooth and self.smoothing:
                heads.append(f"{series.name}, smoothed {self.smoothing:g}{unit}")
            if series.members:
                heads += [f"{series.name}, lowest{unit}", f"{series.name}, highest{unit}"]
        return heads

    def places(self) -> Floats:
        """The places of all points, each once, rising: the rows of its table."""
        xs = [series.x(self.axis.name) for series in self.drawn]
        return np.unique(np.concatenate(xs)) if xs else np.empty(0)

    def table(self) -> Floats:
        """All values by place: [rows, columns], NaN where a series has none."""
        places = self.places()
        made = [places]
        for series in self.drawn:
            rows = np.searchsorted(places, series.x(self.axis.name))
            smoothed = [self.smoothing] if series.look.smooth and self.smoothing else []
            values = [series.y(amount) for amount in (0.0, *smoothed)]
            for each in (*values, *(series.band() if series.members else ())):
                column = np.full(len(places), np.nan)
                column[rows] = each
                made.append(column)
        return np.stack(made, axis=1)

    def csv(self) -> str:
        """Its table as CSV; a cell without a value is empty."""
        return csv_text([self.columns(), *self._cells()])

    def _cells(self) -> Iterator[list[str]]:
        for row in self.table().tolist():
            cells = ["" if value != value else repr(value).removesuffix(".0") for value in row]
            yield [self.axis.words(row[0]), *cells[1:]] if self.axis.labels else cells


def _ends(x: Floats) -> tuple[float, ...]:
    """The first and the last place that is a number; nothing where there is none."""
    if len(x) and np.isfinite(x[0]) and np.isfinite(x[-1]):
        return float(x[0]), float(x[-1])  # the usual case: a million places are not looked at
    finite = x[np.isfinite(x)]
    return (float(finite[0]), float(finite[-1])) if len(finite) else ()


def _extremes(values: Floats) -> tuple[float, ...]:
    """The least and the greatest number; nothing where there is none."""
    if not len(values):
        return ()
    low, high = float(np.minimum.reduce(values)), float(np.maximum.reduce(values))
    if np.isfinite(low) and np.isfinite(high):
        return low, high
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if len(finite) else ()


def _usual(values: Floats) -> tuple[float, ...]:
    """The bounds of the middle nine tenths, of at most a thousand of the values."""
    some = values[:: len(values) // _MOST_LOOKED_AT + 1]
    some = some[np.isfinite(some)]
    if not len(some):
        return ()
    low, high = np.quantile(some, (0.05, 0.95))
    return float(low), float(high)


def _power(exponent: float) -> float:
    return float(10.0 ** min(max(exponent, -_MOST_DECADES), _MOST_DECADES))


def _coordinate(value: float, log: bool) -> float:
    if not log:
        return value
    return float(np.log10(value)) if value > 0 else float("nan")
