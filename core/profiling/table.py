"""Measurements as text: a table for a person, rows for a spreadsheet, plain values for JSON."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, fields
from typing import Any

from core.export.csv_file import csv_text
from core.numbers import THIN_SPACE, format_count
from core.profiling.events import LossesCompared, PointMeasured, StepMeasured
from core.profiling.sweep import Point, Value, is_number, shown

_MEBIBYTE = 2**20
_WIDTH = 9
_DERIVED = ("tokens_per_s", "working_bytes", "fraction_of_rate")
_CELLS: tuple[tuple[str, Callable[[StepMeasured], str]], ...] = (
    ("step s", lambda m: _seconds(m.step_s)),
    ("first s", lambda m: _seconds(m.first_step_s)),
    ("tokens/s", lambda m: format_count(round(m.tokens_per_s))),
    ("peak MiB", lambda m: _mebibytes(m.peak_bytes)),
    ("allocated", lambda m: _mebibytes(m.allocated_bytes)),
    ("reserved", lambda m: _mebibytes(m.reserved_bytes)),
    ("driver", lambda m: _mebibytes(m.driver_bytes)),
    ("work MiB", lambda m: _mebibytes(m.working_bytes)),
    ("GFLOP", lambda m: f"{m.matmul_flops / 1e9:,.1f}".replace(",", THIN_SPACE)),
    ("of rate", lambda m: f"{m.fraction_of_rate:.0%}"),
)
LEGEND = (
    "step: median of the timed steps; first: the first step. peak: peak memory of the process "
    "above its memory after imports; on a GPU, allocated: handed out by torch, reserved: taken by "
    "torch, driver: in use on the device. work: without weights, gradients and optimiser states. "
    "GFLOP: matrix products as executed; of rate: their speed as a share of that of one large "
    "product."
)


class Table:
    """A table that is written while its points are being measured.

    Args:
        points: All points that are to come: they say how wide the columns are.
    """

    def __init__(self, points: Sequence[Point]) -> None:
        self._widths = {
            name: max(len(name), *(len(shown(point.varied[name])) for point in points))
            for name in points[0].varied
        }
        self._cells: list[tuple[str, Callable[[StepMeasured], str]]] = []

    def lines(self, done: PointMeasured) -> Iterator[str]:
        """A point with what was found, or why nothing was; before the first, the columns' names."""
        if not self._cells:
            on_gpu = done.found is not None and done.found.allocated_bytes is not None
            left_out = () if on_gpu else ("allocated", "reserved", "driver")
            self._cells = [cell for cell in _CELLS if cell[0] not in left_out]
            yield self._line(
                dict(zip(self._widths, self._widths, strict=True)), _titles(self._cells)
            )
        first = {name: shown(value) for name, value in done.point.varied.items()}
        if done.found is None:
            yield self._line(first, [f"  {done.failure}"])
        else:
            yield self._line(first, [f"{cell(done.found):>{_WIDTH}}" for _, cell in self._cells])

    def _line(self, first: dict[str, str], rest: Sequence[str]) -> str:
        return "  ".join([*(f"{first[name]:>{w}}" for name, w in self._widths.items()), *rest])


def plain(done: PointMeasured) -> dict[str, Any]:
    """A point as plain values.

    Args:
        done: The point.

    Returns:
        What is varied, the tokens of a row, all that was measured or None, and why it is None.
    """
    return {
        "varied": dict(done.point.varied),
        "length": done.point.length,
        "measured": done.found and _numbers(done.found),
        "failure": done.failure,
    }


def plain_losses(losses: LossesCompared) -> dict[str, Any]:
    """Compared losses as plain values."""
    point = losses.point
    return {
        "varied": {name: value for name, value in point.varied.items() if name != "attention"},
        "length": point.length,
        "loss": losses.loss,
        "full_loss": losses.full_loss,
        "failure": losses.failure,
    }


def to_csv(points: Sequence[Point], done: Sequence[PointMeasured]) -> bytes:
    """Points as a spreadsheet reads them: comma-separated, a header, UTF-8.

    Args:
        points: All points that are to come: they say which columns there are.
        done: Those that are done.

    Returns:
        The file: what is varied, the tokens of a row, all that was measured, why nothing was.
    """
    varied = [name for name in points[0].varied if name != "length"]
    measured = [field.name for field in fields(StepMeasured)]
    columns = [*varied, "length", *measured, *_DERIVED, "failure"]
    rows = ([row.get(name, "") for name in columns] for row in map(_csv_row, done))
    return csv_text([columns, *rows]).encode("utf-8", "replace")


def _csv_row(done: PointMeasured) -> dict[str, Any]:
    row: dict[str, Any] = {name: _cell(value) for name, value in done.point.varied.items()}
    row |= {"length": done.point.length, "failure": done.failure}
    if done.found:
        row |= _numbers(done.found)
        row["step_times_s"] = " ".join(map(str, done.found.step_times_s))
    return row


def _numbers(found: StepMeasured) -> dict[str, Any]:
    return asdict(found) | {name: getattr(found, name) for name in _DERIVED}


def _cell(value: Value) -> str:
    return str(value) if is_number(value) else shown(value)


def _titles(cells: Sequence[tuple[str, Any]]) -> list[str]:
    return [f"{title:>{_WIDTH}}" for title, _ in cells]


def _seconds(value: float) -> str:
    return f"{value:.4f}" if value < 1 else f"{value:,.2f}".replace(",", THIN_SPACE)


def _mebibytes(value: int | None) -> str:
    return "" if value is None else format_count(round(value / _MEBIBYTE))
