"""Charts with every kind of series: a run as it goes on, and what models need."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.theme.theme import Theme
from gui.widgets.charts.chart import Chart, link
from gui.widgets.charts.chart_model import Axis, ChartModel, Limit, Note
from gui.widgets.charts.chart_series import Look, Series
from gui.widgets.display.plane import Divider, Plane

_STEPS, _DONE = 50_000, 20_600
_AXES = (
    Axis("step", "Step", until=_STEPS),
    Axis("tokens", "Tokens", "doubling"),
    Axis("time", "Time", "time"),
)
_NAMES = tuple(axis.name for axis in _AXES)


def build(theme: Theme, size: tuple[int, int]) -> QWidget:
    """The page; `grab()` it once it is shown. A small one has the run's loss alone."""
    page = Plane(theme, "surface")
    page.setFixedSize(*size)
    row = QHBoxLayout(page)
    row.setContentsMargins(24, 8, 24, 12)
    row.setSpacing(24)
    charts = [Chart(theme, model) for model in (loss(), rouge())]
    link(charts)
    if size[0] < 1200:
        row.addWidget(charts[0])
        return page
    left, right = QVBoxLayout(), QVBoxLayout()
    left.addWidget(charts[0], 3)
    left.addWidget(Divider(theme))
    left.addWidget(charts[1], 2)
    right.addWidget(Chart(theme, memory()), 3)
    right.addWidget(Divider(theme))
    below = QHBoxLayout()
    below.setSpacing(24)
    waiting, empty = Chart(theme, ChartModel("Gradient norm")), Chart(theme, ChartModel("Tokens/s"))
    waiting.set_waiting("Reading the run…")
    below.addWidget(waiting)
    below.addWidget(empty)
    right.addLayout(below, 2)
    row.addLayout(left, 3)
    row.addWidget(Divider(theme, Qt.Orientation.Vertical))
    row.addLayout(right, 2)
    return page


def point_at(page: QWidget, step: float) -> None:
    """Puts the crosshair of the first chart at a step."""
    chart = page.findChild(Chart)
    assert isinstance(chart, Chart)
    chart.plot.point_at(step)


def loss() -> ChartModel:
    """Raw and smooth loss, validation, another run, a seam and the present."""
    model = ChartModel("Loss", axes=_AXES, smoothing=0.98)
    draw = np.random.default_rng(0)
    steps = np.arange(1200, _DONE, 4.0)
    smooth = 1.9 + 2.9 * np.exp(-steps / 2600) + 6_00 / (steps + 900)
    noise = draw.gamma(2.0, 0.07, len(steps)) - draw.gamma(2.0, 0.07, len(steps))
    earlier = np.arange(1500, 36_000, 300.0)
    other = model.add(Series("patents-4k", Look("text3", dashed=True), _NAMES))
    other.append(2.25 + 2.6 * np.exp(-earlier / 4800) + 900 / (earlier + 900), **_x(earlier))
    raw = model.add(Series("loss", Look("s1", smooth=True), _NAMES))
    raw.append(smooth + noise, **_x(steps))
    measured = np.arange(2000, _DONE, 1000.0)
    validation = model.add(Series("validation", Look("s2", "circle"), _NAMES))
    curve = 1.97 + 2.9 * np.exp(-measured / 2600) + 600 / (measured + 900)
    validation.append(curve, **_x(measured))
    model.now = float(_DONE)
    model.notes.append(Note(12_480, "resumed here"))
    return model


def rouge() -> ChartModel:
    """Three measures whose labels stand at their ends."""
    model = ChartModel("ROUGE on 200 held-out documents", axes=_AXES[:1])
    steps = np.arange(2000, _DONE, 2000.0)
    rise = 1 - np.exp(-steps / 5000)
    rows = (("ROUGE-1", 41.5, "s1", "circle"), ("ROUGE-L", 34, "s3", "square"))
    for name, best, color, marker in (*rows, ("ROUGE-2", 19.6, "s4", "down")):
        series = model.add(Series(name, Look(color, marker)))  # type: ignore[arg-type]
        series.append(12 + (best - 12) * rise, step=steps)
    return model


def memory() -> ChartModel:
    """Measured and forecast, on logarithmic axes, under the limit of a device."""
    lengths = 1024 * 2.0 ** np.arange(7)
    axis = Axis("length", "Length", "doubling")
    model = ChartModel("Peak memory", "GB", (axis,), log_x=True, log_y=True, values="doubling")
    rows = (
        ("Full, stored", 3.4, 0.10, 1.9, "s2", "circle", 3),
        ("Full, reversible", 2.9, 0.07, 1.9, "s5", "square", 4),
        ("LSH, stored", 2.4, 1.05, 1.0, "s3", "down", 5),
        ("LSH, reversible", 2.6, 0.42, 1.0, "s1", "diamond", 5),
    )
    for name, base, share, power, color, marker, measured in rows:
        values = base + share * (lengths / 1024) ** power
        look = Look(color, marker, dashed=True, hollow=True)  # type: ignore[arg-type]
        forecast = model.add(Series(name, look, ("length",)))
        forecast.append(values[measured - 1 :], length=lengths[measured - 1 :])
        look = Look(color, marker, labelled=False)  # type: ignore[arg-type]
        done = model.add(Series(name, look, ("length",)))
        done.append(values[:measured], length=lengths[:measured])
    model.limits.append(Limit(22.7, "device limit"))
    return model


def _x(steps: np.ndarray) -> dict[str, np.ndarray]:
    return {"step": steps, "tokens": steps * 65_536, "time": steps * 0.38}
