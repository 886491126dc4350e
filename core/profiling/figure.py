"""Draws a sweep: memory above, time below, against what was varied first."""

import io
import sys
import textwrap
from collections import defaultdict
from collections.abc import Sequence
from contextlib import chdir
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from core.errors import EpitomeError, check_installed
from core.numbers import format_count, format_quantity
from core.profiling.events import PointMeasured, StepMeasured
from core.profiling.sweep import Point, Value, is_logarithmic, is_number, shown
from core.storage.atomic_files import write_whole

_MEBIBYTE = 2**20
_COLOURS = ("#28509E", "#BF4A15", "#0A7A68", "#7647AE", "#8C6200", "#5F6368")
_DASHES = ("-", "--", ":")
_TEXT, _QUIET, _GRID = "#1B1C1E", "#686B70", "#E9E9E4"
_LABEL_GAP = 12  # between the labels of two lines, in points
_MOST_TICKS = 10
_SPAN = 8  # heights that differ by less are drawn from zero, so that little looks little
_HARD_SPACE = "\u00a0"
_TOLD = ("width", "depth", "heads", "attention", "rounds", "bucket_size", "reversible", "length")
Lines = dict[str, list[tuple[float, PointMeasured]]]
"""By label, the points of a line with their place on the first axis."""


def check_can_draw(points: Sequence[Point]) -> None:
    """Refuses a figure that cannot be drawn, before anything is measured.

    Args:
        points: What is to be measured.

    Raises:
        EpitomeError: If nothing is varied, or matplotlib is not installed.
    """
    if not points[0].varied:
        raise EpitomeError(
            "A figure needs a varied setting, and none is varied.",
            "Vary one, such as --vary length=1024..8192x2.",
        )
    check_installed("matplotlib", "Figures are drawn")


def save_figure(points: Sequence[PointMeasured], path: Path, *, replace: bool = False) -> None:
    """Draws points and writes the picture.

    Args:
        points: At least one, of one sweep; what failed is marked with a cross.
        path: Where the PNG goes.
        replace: Whether a file that is there is replaced.

    Raises:
        EpitomeError: If it cannot be written.
    """
    _import_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 6.4), dpi=150, layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True)
    name, ticks = _first_axis(points)
    lines = _lines(points, ticks)
    _draw(upper, lines, _memory_mib, "peak memory, MiB", joined=_is_ordered(ticks))
    _draw(lower, lines, lambda found: found.step_s, "time of a step, s", joined=_is_ordered(ticks))
    _scale(upper, lower, ticks)
    lower.set_xlabel(name.replace("_", " "), color=_TEXT)
    upper.set_title(_base(points[0]), fontsize=8, color=_QUIET, loc="left")
    figure.draw_without_rendering()  # labels stand beside their lines, which now have their places
    for axes in (upper, lower):
        _label(axes)
    picture = io.BytesIO()
    figure.savefig(picture, format="png")
    write_whole(path, picture.getvalue(), replace=replace)


def _import_matplotlib() -> None:
    """Imports matplotlib without the `matplotlibrc` of the current folder, which it would obey.

    Its one moment is when all is measured: no other thread opens a relative path then.
    """
    if "matplotlib" not in sys.modules:
        with TemporaryDirectory(ignore_cleanup_errors=True) as empty, chdir(empty):
            import_module("matplotlib")


def _first_axis(points: Sequence[PointMeasured]) -> tuple[str, list[Value]]:
    """What is varied first, and its values in the order they were named."""
    name = next(iter(points[0].point.varied))
    return name, list(dict.fromkeys(done.point.varied[name] for done in points))


def _is_ordered(values: Sequence[Value]) -> bool:
    return all(map(is_number, values))


def _lines(points: Sequence[PointMeasured], ticks: list[Value]) -> Lines:
    lines: Lines = {}
    for done in points:
        (_, value), *others = done.point.varied.items()
        label = ", ".join(f"{name.replace('_', ' ')} {shown(v)}" for name, v in others)
        place = float(value) if _is_ordered(ticks) and is_number(value) else ticks.index(value)
        lines.setdefault(label, []).append((place, done))
    return {label: sorted(line, key=lambda item: item[0]) for label, line in lines.items()}


def _memory_mib(found: StepMeasured) -> float:
    peak = found.peak_bytes if found.allocated_bytes is None else found.allocated_bytes
    return peak / _MEBIBYTE


def _draw(axes: Any, lines: Lines, height: Any, title: str, *, joined: bool) -> None:
    for number, (label, line) in enumerate(lines.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        dashes = _DASHES[number // len(_COLOURS) % len(_DASHES)] if joined else "none"
        done = [(place, height(point.found)) for place, point in line if point.found]
        places, heights = [place for place, _ in done], [high for _, high in done]
        axes.plot(places, heights, marker="o", ms=3.5, lw=1.6, ls=dashes, color=colour, label=label)
        failed = [place for place, point in line if not point.found]
        at_the_top = axes.get_xaxis_transform()
        axes.scatter(failed, [0.97] * len(failed), 36, colour, marker="x", transform=at_the_top)
    axes.set_ylabel(title, color=_TEXT)
    axes.grid(color=_GRID, lw=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(_QUIET)
    axes.tick_params(colors=_QUIET, labelcolor=_TEXT, labelsize=8)


def _scale(upper: Any, lower: Any, ticks: list[Value]) -> None:
    """Logarithmic where values grow by factors; heights only if they span some, else from zero."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    numbers = _format_of(FuncFormatter)
    is_log = is_logarithmic(ticks)
    if is_log:
        lower.set_xscale("log")
    places = ticks if _is_ordered(ticks) else list(range(len(ticks)))
    if len(ticks) <= _MOST_TICKS or not _is_ordered(ticks):
        lower.set_xticks(places, [shown(value) for value in ticks])
    lower.xaxis.minorticks_off()
    for axes in (upper, lower):
        heights = [high for curve in axes.get_lines() for high in curve.get_ydata()]
        if is_log and heights and max(heights) >= _SPAN * min(heights) > 0:
            axes.set_yscale("log")
            axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axes.yaxis.set_minor_formatter(NullFormatter())
        else:
            axes.set_ylim(0, axes.get_ylim()[1] * 1.05)
        axes.yaxis.set_major_formatter(numbers)


def _format_of(formatter: Any) -> Any:
    return formatter(lambda value, _: format_count(round(value)) if value >= 10 else f"{value:g}")


def _label(axes: Any) -> None:
    """Puts each line's name at its end, in its colour, so that names do not overlap."""
    points_a_pixel = 72 / axes.figure.dpi
    top = axes.bbox.y1 * points_a_pixel
    by_place = defaultdict(list)
    for curve in axes.get_lines():
        if not curve.get_label().startswith("_") and len(curve.get_xdata()):
            end = curve.get_xdata()[-1], curve.get_ydata()[-1]
            height = axes.transData.transform(end)[1] * points_a_pixel
            by_place[end[0]].append((height, end, curve))
    for labels in by_place.values():
        labels.sort(key=lambda label: label[0])
        apart = _spread([height for height, _, _ in labels], top)
        for (height, end, curve), place in zip(labels, apart, strict=True):
            axes.annotate(
                curve.get_label(), end, (8, place - height), textcoords="offset points",
                color=curve.get_color(), va="center", fontsize=8, annotation_clip=False,
            )  # fmt: skip


def _spread(heights: list[float], top: float) -> list[float]:
    """Rising heights moved so far apart that a name fits each, and none is above the top."""
    for i in range(1, len(heights)):
        heights[i] = max(heights[i], heights[i - 1] + _LABEL_GAP)
    for i in reversed(range(len(heights))):
        heights[i] = min(heights[i], top)
        top = heights[i] - _LABEL_GAP
    return heights


def _base(done: PointMeasured) -> str:
    """What is the same at every point, in a line or two."""
    point, found = done.point, done.found
    known = [name for name in _TOLD if hasattr(point.model, name)]
    told = {name: shown(getattr(point.model, name)) for name in known} | {
        "length": shown(point.length), "batch": shown(point.step.batch),
        "precision": point.step.precision,
    }  # fmt: skip
    same = [f"{name.replace('_', ' ')} {v}" for name, v in told.items() if name not in point.varied]
    where = [f"{found.device}, {format_quantity(found.threads, 'thread')}"] if found else []
    unbroken = [item.replace(" ", _HARD_SPACE) for item in (*same, *where)]
    return textwrap.fill(f"{_HARD_SPACE}· ".join(unbroken), 105)
