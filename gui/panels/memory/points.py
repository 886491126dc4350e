"""The points of the Memory panel's charts: forecasts, measurements, what they tell. Without Qt."""

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.errors import EpitomeError
from core.jobs.profiling.queued_profile import Sweep
from core.profiling.kept_points import DatedPoint, identity_of, key_of
from core.profiling.memory_sweeps import (
    Forecast,
    Machine,
    VariedField,
    forecast_of,
    is_number,
    largest_that_fits,
    pays_from,
    point_for,
)
from core.profiling.sweep import Point
from gui.panels.memory.variants import Variant, part_title


@dataclass(frozen=True)
class Cell:
    """A point of a line: what is forecast of it, and what was measured.

    Args:
        value: As it is typed.
        place: Where it is drawn.
        point: What is measured; None where that value is not allowed.
        problem: Why it is not.
        told: The forecast.
        dated: The measurement, or that it failed; None before.
    """

    value: str
    place: float
    point: Point | None = None
    problem: str = ""
    told: Forecast | None = None
    dated: DatedPoint | None = None

    @property
    def is_measured(self) -> bool:
        """Whether numbers were measured."""
        return self.dated is not None and self.dated.kept.found is not None

    @property
    def failure(self) -> str:
        """Why it could not be measured; empty where it could, or was not tried."""
        return self.dated.kept.failure if self.dated is not None else ""

    @property
    def peak_bytes(self) -> float | None:
        """Peak memory: measured, or else forecast; None where neither is known."""
        found = self.dated.kept.found if self.dated else None
        if found is not None:
            return float(found.total_bytes)
        return float(self.told.peak_bytes) if self.told else None

    @property
    def step_s(self) -> float | None:
        """Time of a step: measured, or else forecast."""
        found = self.dated.kept.found if self.dated else None
        if found is not None:
            return found.step_s
        return self.told.longest_step_s if self.told else None


@dataclass(frozen=True)
class Row:
    """A variant with its points.

    Args:
        variant: The variant.
        color: Its place among those that are shown, from 0.
        cells: Its points.
        fits: The largest value that fits; None where that is not known or not asked.
    """

    variant: Variant
    color: int
    cells: tuple[Cell, ...]
    fits: int | None = None


@dataclass(frozen=True)
class Ground:
    """What forecasts and measurements stand on.

    Args:
        machine: What the machine has.
        kept: The last measurement of each point on it, by the point's key.
    """

    machine: Machine
    kept: Mapping[str, DatedPoint]

    def rows_against(
        self, field: VariedField, values: Sequence[str], variants: Sequence[Variant]
    ) -> tuple[Row, ...]:
        """Variants at each value of a field.

        Args:
            field: What is varied.
            values: Its values, as they are typed.
            variants: The variants.

        Returns:
            A row for each.
        """
        rows, places = [], _places(values)
        for color, each in enumerate(variants):
            cells = tuple(
                self._cell(value, place, self._maker(each, field.name, value))
                for value, place in zip(values, places, strict=True)
            )
            fits = self._fits(each, field.name, cells) if field.can_fit else None
            rows.append(Row(each, color, cells, fits))
        return tuple(rows)

    def row_of_parts(self, title: str, variants: Sequence[Variant]) -> Row:
        """One row: the model with each part switched off in turn.

        Args:
            title: What the model is called.
            variants: The model as it is set, then the others; at least one.

        Returns:
            The row.
        """
        cells = tuple(
            self._cell(part_title(each), float(place), lambda each=each: _whole(each))  # type: ignore[misc]
            for place, each in enumerate(variants)
        )
        return Row(replace(variants[0], title=title), 0, cells)

    def _maker(self, variant: Variant, name: str, value: str) -> Callable[[], Point]:
        return lambda: point_for(variant.model, variant.step, name, value)

    def _cell(self, value: str, place: float, make: Callable[[], Point]) -> Cell:
        try:
            point = make()
        except EpitomeError as error:
            return Cell(value, place, problem=error.message)
        told = forecast_of(point, self.machine)
        return Cell(value, place, point, "", told, self.kept.get(key_of(identity_of(point))))

    def _fits(self, variant: Variant, name: str, cells: Sequence[Cell]) -> int | None:
        factors = [
            each.peak_bytes / each.told.peak_bytes
            for each in cells
            if each.is_measured and each.told and each.peak_bytes
        ]
        factor = factors[-1] if factors else 1.0
        return largest_that_fits(variant.model, variant.step, name, self.machine, factor)


def _whole(variant: Variant) -> Point:
    return Sweep(variant.model, variant.step).points[0]


def number_of(value: str) -> int | float | str:
    """A value as a number, if it is one."""
    try:
        return int(value)
    except ValueError:
        try:
            return float(value)
        except ValueError:
            return value


def _places(values: Sequence[str]) -> list[float]:
    """Where values are drawn: numbers at themselves, words one after another."""
    numbers = [number_of(value) for value in values]
    if all(map(is_number, numbers)):
        return [float(number) for number in numbers]
    return [float(place) for place in range(len(values))]


def axis_labels(values: Sequence[str]) -> tuple[str, ...]:
    """The words of an axis whose values are no numbers; empty where they are."""
    return () if all(is_number(number_of(value)) for value in values) else tuple(values)


def forecast_errors(kept: Iterable[DatedPoint]) -> tuple[float, float, int] | None:
    """How far forecasts were off: median of memory, median of time, number of points.

    Args:
        kept: What was measured.

    Returns:
        Shares, 0.1 for a tenth; None where nothing was forecast and measured.
    """
    pairs = [
        (found.total_bytes / each.kept.forecast_bytes, found.step_s / each.kept.forecast_s)
        for each in kept
        if (found := each.kept.found) and each.kept.forecast_bytes and each.kept.forecast_s
    ]
    if not pairs:
        return None
    memory, time = ([max(r, 1 / r) - 1 for r in ratios] for ratios in zip(*pairs, strict=True))
    return statistics.median(memory), statistics.median(time), len(pairs)


def crossing(rows: Sequence[Row]) -> tuple[float | None, bool, int] | None:
    """From which length hashing is faster than full attention.

    Args:
        rows: Variants against the length.

    Returns:
        The length, or None where it is at none; whether all times were measured; the longest
        length. None where both are not shown.
    """
    for own in rows:
        kinds = getattr(own.variant.model, "attention", ())
        if not any(kind.startswith("lsh") for kind in kinds):
            continue
        twin = own.variant.model.model_copy(update={"attention": ("full",)})
        full = [r for r in rows if (r.variant.model, r.variant.step) == (twin, own.variant.step)]
        if full:
            return _crossing(own.cells, full[0].cells)
    return None


def _crossing(own: Sequence[Cell], full: Sequence[Cell]) -> tuple[float | None, bool, int] | None:
    pairs = [(a, b) for a, b in zip(own, full, strict=True) if a.step_s and b.step_s]
    both = [(a, b) for a, b in pairs if a.is_measured and b.is_measured]
    used = both if len(both) > 1 else pairs
    if not used:
        return None
    lengths = [int(a.place) for a, _ in used]
    found = pays_from(lengths, [a.step_s or 0 for a, _ in used], [b.step_s or 0 for _, b in used])
    return found, used is both, lengths[-1]
