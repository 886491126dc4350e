"""What a histogram shows, without Qt: bins, their counts, a limit and one marked value."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.export.csv_file import csv_text
from core.numbers import format_count, format_quantity, format_share
from gui.widgets.support.ticks import readable, ticks

_BINS = 32
_MOST_SHARE = 0.995
"""So many of the values lie within the bins; the rest are in the last one, which says so."""


@dataclass
class HistogramModel:
    """Values in bins of one width.

    Attributes:
        title: Its name.
        unit: What is counted at the bottom: "tokens".
        what: What the values belong to, one of them: "document".
        edges: [B + 1] where the bins begin and end.
        counts: [B] how many values lie in each.
        limit: A value that is not to be passed; None for none.
        limit_name: What it is called.
        marked: One value that is pointed at; None for none.
        marked_name: What it is called.
        num_beyond: How many values are above the last edge; they are in the last bin.
        total: How many values there are.
        num_over: How many are over the limit.
    """

    title: str
    unit: str = ""
    what: str = "document"
    edges: NDArray[np.float64] = field(default_factory=lambda: np.zeros(1))
    counts: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    limit: float | None = None
    limit_name: str = ""
    marked: float | None = None
    marked_name: str = ""
    num_beyond: int = 0
    total: int = 0
    num_over: int = 0
    _source: ArrayLike | None = field(default=None, repr=False)
    _values: NDArray[np.float64] = field(default_factory=lambda: np.empty(0), repr=False)

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
        found = np.asarray(values, np.float64)
        self._values = np.sort(found[np.isfinite(found)])
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
        if not self.total:
            self.edges, self.counts, self.num_beyond = np.zeros(1), np.empty(0, np.int64), 0
            return
        usual = float(self._values[min(int(self.total * _MOST_SHARE), self.total - 1)])
        high = max(usual, most or 0.0)
        high = _round_up(high) if high > 0 else 1.0
        self.edges = np.linspace(0.0, high, _BINS + 1)
        inside = np.minimum(self._values, high)
        self.counts = np.histogram(inside, self.edges)[0].astype(np.int64)
        self.num_beyond = self.total - int(np.searchsorted(self._values, high, "right"))

    @property
    def whats(self) -> str:
        """What the values belong to, in the plural."""
        return f"{self.what[:-1]}ies" if self.what.endswith("y") else f"{self.what}s"

    @property
    def empty(self) -> bool:
        """Whether there is nothing to show."""
        return not self.total

    @property
    def median(self) -> float:
        """The value in the middle; NaN without values."""
        return float(np.median(self._values)) if self.total else float("nan")

    @property
    def over_line(self) -> str:
        """How many do not fit: "75 documents (5.8 %) do not fit"; empty without a limit."""
        if self.limit is None or not self.total:
            return ""
        if not self.num_over:
            return f"all {format_count(self.total)} fit"
        some = format_quantity(self.num_over, self.what, self.whats)
        verb = "does" if self.num_over == 1 else "do"
        return f"{some} ({format_share(self.num_over, self.total)}) {verb} not fit"

    def describe(self) -> str:
        """What the histogram says, for who cannot see it."""
        if self.empty:
            return "no values"
        limit = ""
        if self.limit is not None:
            limit = f" {self.limit_name} {format_count(round(self.limit))}: {self.over_line}."
        median, most = readable(self.median), readable(float(self._values[-1]))
        what = format_quantity(self.total, self.what, self.whats)
        return f"{what}, median {median} {self.unit}, most {most}.{limit}"

    def told(self, bin: int) -> str:
        """A bin in words: "1 024 to 1 280 tokens: 140 documents"."""
        low, high = readable(float(self.edges[bin])), readable(float(self.edges[bin + 1]))
        upper = f"to {high}"
        if bin == len(self.counts) - 1 and self.num_beyond:
            upper = "and more"
        count = format_quantity(int(self.counts[bin]), self.what, self.whats)
        return f"{low} {upper} {self.unit}: {count}"

    def rows(self) -> list[tuple[float, float, int]]:
        """Its table: where each bin begins and ends, and how many values are in it."""
        ends = zip(self.edges[:-1].tolist(), self.edges[1:].tolist(), strict=True)
        return [(*pair, count) for pair, count in zip(ends, self.counts.tolist(), strict=True)]

    def csv(self) -> str:
        """Its table as CSV."""
        heads = [f"from, {self.unit}", f"to, {self.unit}", self.whats]
        rows = ([f"{low:.6g}", f"{high:.6g}", count] for low, high, count in self.rows())
        return csv_text([heads, *rows])


def _round_up(value: float) -> float:
    """The next round number: where an axis ends."""
    marks = ticks(0.0, value, most=6)
    step = marks[1] - marks[0] if len(marks) > 1 else value
    return float(np.ceil(value / step - 1e-9) * step)
