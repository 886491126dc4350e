"""The mean and the range of runs that differ in nothing but the seed, as a series of a chart."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.storage.growable_array import Floats
from gui.widgets.charts.chart_series import Look, Series

AXES = ("step", "tokens", "time")
"""The axes on which the values of a run lie."""


@dataclass(frozen=True)
class Points:
    """Values of one run.

    Args:
        values: [N]
        places: [N] each, where they are on each axis; "step" is one of them.
    """

    values: Floats
    places: dict[str, Floats]


def mean_series(title: str, look: Look, points: Sequence[Points]) -> Series:
    """The mean of several runs over the steps that all of them have made.

    Args:
        title: Name of the first of them.
        look: How it is drawn.
        points: Of each run.

    Returns:
        The mean, with a member for each run; tokens and time are means too.
    """
    steps = points[0].places["step"]
    for each in points[1:]:
        steps = np.intersect1d(steps, each.places["step"])
    rows = [np.searchsorted(each.places["step"], steps) for each in points]
    places = {
        axis: np.mean(
            [each.places[axis][row] for each, row in zip(points, rows, strict=True)], axis=0
        )
        for axis in points[0].places
    }
    values = [each.values[row] for each, row in zip(points, rows, strict=True)]
    name = f"{title} ({len(points)} seeds)"
    made = line_series(name, look, Points(np.mean(values, axis=0), places))
    made.members = tuple(line_series(title, look, Points(each, places)) for each in values)
    return made


def line_series(name: str, look: Look, points: Points) -> Series:
    """The line of one run; empty where it has no values."""
    series = Series(name, look, AXES)
    if len(points.values):
        series.append(points.values, **points.places)
    return series
