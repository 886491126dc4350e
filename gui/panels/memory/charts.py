"""The two charts of the Memory panel: peak memory and time of a step, measured and forecast."""

import math
from collections.abc import Callable, Sequence

from gui.panels.memory.points import Cell, Row, axis_labels
from gui.panels.memory.state import PARTS, MemoryState
from gui.panels.memory.words import GB, tr
from gui.widgets.charts.chart_model import Axis, ChartModel, Limit
from gui.widgets.charts.chart_series import MARKERS, Look, Series
from gui.widgets.support.ticks import AxisKind

_AXIS = "value"
_CEILING = 3.0  # times the limit; what is higher is not seen at first
Height = Callable[[Cell], float | None]


def color_of(place: int) -> str:
    """The token of a line, from its place."""
    return f"s{place + 1}"


class MemoryCharts:
    """The models of both charts; they stay the same, and what they show changes."""

    def __init__(self) -> None:
        self.memory = ChartModel(tr("Peak memory"), "GB", (Axis(_AXIS, ""),))
        self.time = ChartModel(tr("Time for one step"), "s", (Axis(_AXIS, ""),))
        for model in (self.memory, self.time):
            model.has_dashes = False  # dashes say that a point is forecast

    def show(self, state: MemoryState) -> None:
        """Takes what the state has now."""
        axis = _axis(state)
        rows = sorted_rows(state.rows)
        for model, height in ((self.memory, _gigabytes), (self.time, _seconds)):
            model.axes, model.axis = (axis,), axis
            model.log_x = state.is_log and not axis.labels
            model.series = [each for row in rows for each in _series(row, height, axis)]
            heights = [y for row in rows for c in row.cells if (y := height(c)) is not None]
            spans = bool(heights) and max(heights) >= 4 * min(heights)
            model.log_y = spans and (model.log_x or not axis.labels)
            model.from_zero = not model.log_y
            model.values = "doubling" if model.log_y and model is self.memory else "number"
        self._limit(state)

    def _limit(self, state: MemoryState) -> None:
        limit_gb = state.machine.limit_bytes / GB
        name = tr("GPU limit") if state.machine.on_gpu else tr("machine limit")
        peaks = [c.peak_bytes or 0 for row in state.rows for c in row.cells]
        near = bool(limit_gb) and (self.memory.log_y or max(peaks, default=0) > 0.3 * GB * limit_gb)
        self.memory.limits = [Limit(limit_gb, name)] if near else []
        self.memory.ceiling = _CEILING * limit_gb if limit_gb else None


def sorted_rows(rows: Sequence[Row]) -> list[Row]:
    """Rows whose points rise, as a line must."""
    return [
        Row(r.variant, r.color, tuple(sorted(r.cells, key=lambda c: c.place)), r.fits) for r in rows
    ]


def _axis(state: MemoryState) -> Axis:
    labels = axis_labels(state.values)
    title = tr("Parts switched off") if state.axis == PARTS else state.varied.title
    kind: AxisKind = "doubling" if state.is_log and not labels else "number"
    return Axis(_AXIS, title, kind, whole=True, labels=labels)


def _series(row: Row, height: Height, axis: Axis) -> list[Series]:
    """The forecast, where nothing was measured, and what was measured, drawn above it."""
    color, marker = color_of(row.color), MARKERS[row.color]
    joined = not axis.labels
    cells = [cell for cell in row.cells if height(cell) is not None]
    looks = (
        Look(color, marker, dashed=True, hollow=True, labelled=False, joined=joined),
        Look(color, marker, labelled=False, joined=joined),
    )
    made = []
    for look, wanted in zip(looks, (_forecast(cells, height), _measured(cells, height)),
                            strict=True):  # fmt: skip
        series = Series(row.variant.title, look, (_AXIS,))
        if any(y == y for _, y in wanted):
            series.append([y for _, y in wanted], value=[x for x, _ in wanted])
            made.append(series)
    return made


def _measured(cells: Sequence[Cell], height: Height) -> list[tuple[float, float]]:
    return [(cell.place, height(cell) or math.nan) for cell in cells if cell.is_measured]


def _forecast(cells: Sequence[Cell], height: Height) -> list[tuple[float, float]]:
    """The forecast from the last measured point on; of points between measured ones too."""
    places = []
    for at, cell in enumerate(cells):
        after = cells[at + 1] if at + 1 < len(cells) else None
        begins = cell.is_measured and after is not None and not after.is_measured
        y = math.nan
        if not cell.is_measured or begins:
            y = _told(cell, height)
        places.append((cell.place, y))
    return places


def _told(cell: Cell, height: Height) -> float:
    """The height of the forecast, also where the point was measured."""
    bare = Cell(cell.value, cell.place, cell.point, told=cell.told)
    return height(bare) or math.nan


def _gigabytes(cell: Cell) -> float | None:
    return None if cell.peak_bytes is None else cell.peak_bytes / GB


def _seconds(cell: Cell) -> float | None:
    return cell.step_s
