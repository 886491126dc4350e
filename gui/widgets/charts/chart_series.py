"""The series of a chart: values that grow, and what is derived from them, without Qt."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from core.storage.growable_array import Floats as Floats
from core.storage.growable_array import Growing

Marker = Literal["", "circle", "square", "down", "diamond", "up", "cross"]

MARKERS: tuple[Marker, ...] = ("circle", "square", "down", "diamond", "up", "cross")
"""One for each of the colours s1 to s6, so that colour is never alone."""

_SMOOTHING_BLOCK = 64


@dataclass(frozen=True)
class Look:
    """How a series is drawn.

    Args:
        color: Token of its line: s1 to s6, or text3 for other runs.
        marker: At each point; none if empty.
        dashed: Whether its line is dashed, as a forecast's or another run's.
        hollow: Whether its markers are hollow: forecast, not measured.
        smooth: Whether it is smoothed, its single values pale behind.
        labelled: Whether its name and last value stand at its end.
        raw_line: Whether a smoothed line has its single values behind it.
        joined: Whether a line joins its points; not where they are words and not numbers.
    """

    color: str = "s1"
    marker: Marker = ""
    dashed: bool = False
    hollow: bool = False
    smooth: bool = False
    labelled: bool = True
    raw_line: bool = True
    joined: bool = True


class Derived:
    """Numbers made from others, only the new ones each time."""

    def __init__(self, source: Callable[[], Floats], step: Callable[[Floats], Floats]) -> None:
        self._source, self._step, self._made = source, step, Growing()

    @property
    def values(self) -> Floats:
        """One number for each of the source."""
        source = self._source()
        if len(source) > len(self._made):
            self._made.append(self._step(source[len(self._made) :]))
        return self._made.values


class Smoother:
    """An exponential mean without the pull of its first value (debiased).

    s_i = a s_(i-1) + (1 - a) y_i, w_i = a w_(i-1) + (1 - a), smooth_i = s_i / w_i. Gaps (NaN) stay
    gaps, and do not count. Blocks of values are worked on at once by one matrix product.
    """

    def __init__(self, amount: float) -> None:
        """A smoother.

        Args:
            amount: a above, from 0 (nothing) to below 1.
        """
        self._amount = amount
        self._sum = self._weight = 0.0
        steps = np.arange(_SMOOTHING_BLOCK)
        lag = steps[:, None] - steps[None, :]
        self._within = np.where(lag >= 0, (1 - amount) * amount ** np.maximum(lag, 0), 0.0)
        self._from_before = amount ** (steps + 1.0)

    def __call__(self, values: Floats) -> Floats:
        """The smooth values of the next ones."""
        finite = np.isfinite(values)
        made = np.full(len(values), np.nan)
        kept = values[finite]
        if len(kept):
            sums = self._filter(kept, self._sum)
            weights = self._filter(np.ones(len(kept)), self._weight)
            self._sum, self._weight = float(sums[-1]), float(weights[-1])
            made[finite] = sums / weights
        return made

    def _filter(self, values: Floats, before: float) -> Floats:
        padding = -len(values) % _SMOOTHING_BLOCK
        blocks = np.concatenate([values, np.zeros(padding)]).reshape(-1, _SMOOTHING_BLOCK)
        made: Floats = blocks @ self._within.T
        decay, starts = float(self._from_before[-1]), np.empty(len(made))
        for index, last in enumerate(made[:, -1].tolist()):
            starts[index] = before
            before = last + decay * before
        made += starts[:, None] * self._from_before
        return made.ravel()[: len(values)]


class Series:
    """One line of a chart: points whose x rises, by step and if wished by tokens and time."""

    def __init__(self, name: str, look: Look, axes: Sequence[str] = ("step",)) -> None:
        """An empty series.

        Args:
            name: What stands at its end, in the legend and in tables.
            look: How it is drawn.
            axes: What its points can be drawn over.
        """
        self.name, self.look = name, look
        self.members: tuple[Series, ...] = ()
        """Series at the same places, of which this is the mean; their range is a band."""
        self._y = Growing()
        self._x = {axis: Growing() for axis in axes}
        self._derived: dict[tuple[str, float], Derived] = {}

    def __len__(self) -> int:
        return len(self._y)

    @property
    def axes(self) -> tuple[str, ...]:
        """What it can be drawn over."""
        return tuple(self._x)

    def append(self, y: ArrayLike, **x: ArrayLike) -> None:
        """Adds points at the end.

        Args:
            y: Their values; NaN is a gap.
            **x: Where they are, for each axis.

        Raises:
            ValueError: If an axis is missing, lengths differ, or x does not rise.
        """
        values = np.atleast_1d(np.asarray(y, dtype=np.float64))
        places = {axis: np.atleast_1d(np.asarray(x[axis], dtype=np.float64)) for axis in self._x}
        for axis, place in places.items():
            before = self._x[axis].values[-1:]
            if len(place) != len(values):
                raise ValueError(f"{len(values)} values, but {len(place)} on the axis {axis}")
            if not np.all(np.diff(np.concatenate([before, place])) >= 0):
                raise ValueError(f"the axis {axis} of “{self.name}” must rise")
        for axis, place in places.items():
            self._x[axis].append(place)
        self._y.append(values)

    def x(self, axis: str, log: bool = False) -> Floats:
        """Where its points are; their decimal logarithms if wished, NaN at 0 and below."""
        growing = self._x[axis]
        return self._log(f"x {axis}", lambda: growing.values) if log else growing.values

    def y(self, smoothing: float = 0.0, log: bool = False) -> Floats:
        """Its values.

        Args:
            smoothing: From 0 (as they are) to below 1.
            log: Whether their decimal logarithms.

        Returns:
            One number for each point.
        """
        if not smoothing:
            return self._log("y", lambda: self._y.values) if log else self._y.values
        if ("smooth", smoothing) not in self._derived:
            derived = Derived(lambda: self._y.values, Smoother(smoothing))
            self._derived["smooth", smoothing] = derived
        smooth = self._derived["smooth", smoothing]
        return self._log(f"smooth {smoothing}", lambda: smooth.values) if log else smooth.values

    def band(self, smoothing: float = 0.0, log: bool = False) -> tuple[Floats, Floats]:
        """The least and the greatest value of the members at each point, as `y` gives them.

        Args:
            smoothing: From 0 (as they are) to below 1.
            log: Whether their decimal logarithms.

        Returns:
            Two numbers for each point.
        """
        values = [member.y(smoothing, log) for member in self.members]
        return np.fmin.reduce(values), np.fmax.reduce(values)

    def last(self, smoothing: float = 0.0) -> float | None:
        """The last value that is no gap; None when there is none."""
        values = self.y(smoothing if self.look.smooth else 0.0)
        for value in values[::-1]:
            if np.isfinite(value):
                return float(value)
        return None

    def _log(self, name: str, source: Callable[[], Floats]) -> Floats:
        if (name, -1.0) not in self._derived:
            self._derived[name, -1.0] = Derived(source, _logarithm)
        return self._derived[name, -1.0].values


def decimate(
    x: Floats, y: Floats, left: float, right: float, columns: int, *, peaks: bool = True
) -> tuple[Floats, Floats]:
    """What is to be drawn of a line: first, lowest, highest and last value of each pixel column.

    Args:
        x: Where the points are, rising.
        y: Their values; NaN is a gap.
        left: Left edge of what is seen.
        right: Right edge.
        columns: Pixel columns between the edges.
        peaks: Whether the extremes count; of a smooth line the first of each column is enough.

    Returns:
        x and y of at most five points a column; the points themselves where they are few. One
        point beyond each edge is kept, so that the line goes on to the edge.
    """
    start = max(int(np.searchsorted(x, left, "left")) - 1, 0)
    end = min(int(np.searchsorted(x, right, "right")) + 1, len(x))
    x, y = x[start:end], y[start:end]
    if len(x) <= 4 * columns:
        return x, y
    edges = np.linspace(left, right, columns + 1)
    firsts = np.unique(np.concatenate([[0], np.searchsorted(x, edges, "left")]))
    firsts = firsts[firsts < len(x)]
    lasts = np.append(firsts[1:], len(x)) - 1
    if not peaks:
        kept = np.append(firsts, len(x) - 1)
        return x[kept], y[kept]
    gappy = bool(np.isnan(np.add.reduce(y)))
    lowest, highest = (np.fmin, np.fmax) if gappy else (np.minimum, np.maximum)
    middle = (x[firsts] + x[lasts]) / 2
    xs = [x[firsts], middle, middle, x[lasts]]
    ys = [y[firsts], lowest.reduceat(y, firsts), highest.reduceat(y, firsts), y[lasts]]
    if gappy:
        holes = np.add.reduceat(np.isnan(y), firsts) > 0
        xs.append(x[lasts])
        ys.append(np.where(holes, np.nan, y[lasts]))
    return np.stack(xs, axis=1).ravel(), np.stack(ys, axis=1).ravel()


def spread(wished: Sequence[float], height: float, low: float, high: float) -> list[float]:
    """Places for labels that do not overlap, each as near as can be to where it would be.

    Args:
        wished: Middles of the labels.
        height: Of a label.
        low: Least middle.
        high: Greatest middle.

    Returns:
        The middles in the same order, at least `height` apart while there is room.
    """
    order = sorted(range(len(wished)), key=lambda index: wished[index])
    if len(wished) > 1:
        height = min(height, (high - low) / (len(wished) - 1))
    # Without the labels' own heights the places need only rise: neighbours that fall are pooled.
    pools: list[tuple[float, int]] = []
    for rank, index in enumerate(order):
        mean, count = wished[index] - rank * height, 1
        while pools and pools[-1][0] > mean:
            other, size = pools.pop()
            mean, count = (other * size + mean * count) / (size + count), size + count
        pools.append((mean, count))
    made, highest = [0.0] * len(wished), high - (len(wished) - 1) * height
    means = [mean for mean, count in pools for _ in range(count)]
    for rank, (index, mean) in enumerate(zip(order, means, strict=True)):
        made[index] = min(max(mean, low), highest) + rank * height
    return made


_TOUCHING = 1e-6


def clear_of(
    wished: float, half: float, spans: Sequence[tuple[float, float]], low: float, high: float
) -> float:
    """Where a label hides no line, as near as can be to where it would be.

    Args:
        wished: Middle of the label.
        half: Half of its height.
        spans: The heights that lines take where the label stands, each from least to greatest.
        low: Least middle.
        high: Greatest middle.

    Returns:
        Its middle, at most twice its height away; where there is no such place, `wished`, held
        within the ends.
    """
    held = min(max(wished, low), high)

    def is_clear(middle: float) -> bool:
        inside = low <= middle <= high and abs(middle - held) <= 4 * half
        return inside and all(
            middle + half <= least + _TOUCHING or middle - half >= greatest - _TOUCHING
            for least, greatest in spans
        )

    beside = [place for least, greatest in spans for place in (least - half, greatest + half)]
    clear = filter(is_clear, (held, *beside))
    return min(clear, key=lambda place: abs(place - held), default=held)


def _logarithm(values: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(values > 0, np.log10(np.where(values > 0, values, 1.0)), np.nan)
