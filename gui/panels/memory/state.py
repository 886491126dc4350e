"""What the Memory panel shows: models, what is varied, forecasts and measurements. Without Qt."""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.errors import EpitomeError
from core.jobs.kept_points import DatedPoint, KeptPoints, Point, identity_of, key_of, machine_name
from core.jobs.memory_fields import (
    NOT_SET,
    PRESET_TITLES,
    ProfileSettings,
    changed_by,
    flat_of_model,
    model_and_step,
    preset_model,
    preset_of,
)
from core.jobs.memory_sweeps import (
    Forecast,
    Machine,
    Part,
    VariedField,
    axis_values,
    forecast_of,
    is_logarithmic,
    is_number,
    largest_that_fits,
    model_words,
    parts_of,
    pays_from,
    point_for,
    varied_fields,
)
from core.jobs.paper_figures import PaperFigure
from core.jobs.planned_model import PlannedModel
from core.jobs.profile_command import profile_commands, profile_words
from core.jobs.queued_profile import Sweep
from core.jobs.shell import shell_line
from core.models.settings import BUILT_FAMILIES, ModelSettings
from gui.forms.state import FormState

MOST_SHOWN = 6
PARTS = "parts"
"""In place of a varied field: the model with a part switched off at each place."""
_START_S = 4.0  # of a fresh process
BASE = "base"
"""The key of the model as it is set."""
_TICKED = (
    "Full attention, stored layers", "Full attention", "Stored layers", "Local attention",
    "Light convolutions", "Checkpointing",
)  # fmt: skip
_FIRST_SHOWN = 4


@dataclass(frozen=True)
class Variant:
    """A model with its step that can be drawn as one line.

    Args:
        key: By which it is known.
        title: As a person reads it.
        model: The model.
        step: Its step.
    """

    key: str
    title: str
    model: ModelSettings
    step: ProfileSettings


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


@dataclass
class MemoryState:
    """All that the panel knows.

    Attributes:
        preset: The name of the preset or family that was chosen.
        form: The fields of the model and its step.
        axis: The field that is varied, or `PARTS`.
        tried: Its values, as they are typed.
        ticked: The keys of the variants that are shown.
        pinned: Models that were added.
        figure: The paper's figure that is shown; None for none.
        machine: What the machine has.
        held_bytes: Memory that other programs hold.
        kept: The last measurement of each point on this machine.
        busy: Whether points are being measured.
    """

    preset: str = "small"
    form: FormState[Any] = field(init=False)
    axis: str = "length"
    tried: str = ""
    ticked: list[str] = field(default_factory=list)
    pinned: list[Variant] = field(default_factory=list)
    figure: PaperFigure | None = None
    machine: Machine = field(default_factory=Machine)
    held_bytes: int = 0
    kept: dict[str, DatedPoint] = field(default_factory=dict)
    busy: bool = False
    here: str = field(default_factory=machine_name)
    _rows: tuple[Row, ...] | None = None
    _variants: tuple[Variant, ...] | None = None
    _of_figure: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.choose_preset(self.preset)

    def renew(self) -> None:
        """Looks at everything anew; called after every change."""
        self._rows = self._variants = None

    # The model

    def choose_preset(self, name: str) -> None:
        """Begins with a preset, or a family with its defaults."""
        self.renew()
        self.preset, self.figure = name, None
        self._begin(preset_model(name), ProfileSettings(), preset_model(name))
        self.tried = self.varied.values if self.axis != PARTS else ""
        added = [each.key for each in self.pinned if each.key in self.ticked and self._varies(each)]
        there = [variant.key for variant in self.variants]
        first = [BASE, *(key for key in there if key in _TICKED)][:_FIRST_SHOWN]
        self.ticked = [*first, *added[: MOST_SHOWN - len(first)]]

    def _varies(self, variant: Variant) -> bool:
        """Whether a model can be drawn against what is varied."""
        return self.axis in (PARTS, *(each.name for each in varied_fields(variant.model)))

    def _begin(self, model: ModelSettings, step: ProfileSettings, preset: ModelSettings) -> None:
        base = flat_of_model(preset, ProfileSettings())
        self.form = FormState(type(base), base, flat_of_model(model, step), NOT_SET)
        names = [each.name for each in self.axes]
        if self.axis not in (*names, PARTS):
            self.axis = "source_length" if "source_length" in names else names[0]

    def show(self, model: ModelSettings, step: ProfileSettings) -> None:
        """Takes a model and its step for those that are set."""
        self.renew()
        self._begin(model, step, preset_model(self.preset))

    @property
    def base(self) -> tuple[ModelSettings, ProfileSettings] | None:
        """The model and its step as they are set; None while a value is wrong."""
        flat = self.form.settings
        return None if flat is None else model_and_step(flat)

    @property
    def title(self) -> str:
        """What the base model is called."""
        return PRESET_TITLES.get(self.preset, self.preset)

    def put(self, name: str, raw: object) -> None:
        """Takes what a person typed into a field of the model or the step."""
        self.renew()
        self.form.put(name, raw)
        self.figure = None

    # What is drawn against

    @property
    def axes(self) -> tuple[VariedField, ...]:
        """What can be varied."""
        base = self.base
        return varied_fields(base[0] if base else preset_model(self.preset))

    @property
    def varied(self) -> VariedField:
        """What is varied; of parts that are switched off, a field without values."""
        none = VariedField(PARTS, "Parts switched off", "")
        return next((each for each in self.axes if each.name == self.axis), none)

    def choose_axis(self, name: str) -> None:
        """Varies another field, with its usual values."""
        self.renew()
        self.axis, self.figure = name, None
        self.tried = self.varied.values

    def choose_values(self, text: str) -> None:
        """Varies it at other values."""
        self.renew()
        self.tried, self.figure = text, None

    @property
    def values_problem(self) -> str:
        """What is wrong with the values; empty where nothing is."""
        if self.axis == PARTS:
            return ""
        try:
            values = axis_values(self.tried)
        except EpitomeError as error:
            return error.message
        return "" if len(values) <= 40 else "There are more than 40 values."

    @property
    def values(self) -> tuple[str, ...]:
        """The values that are tried; none while they are wrong."""
        if self.axis == PARTS:
            return tuple(_part_title(variant) for variant in self._single_parts())
        return () if self.values_problem else axis_values(self.tried)

    # Variants

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The model as it is set, the same with a part switched off, and those that were added."""
        if self._variants is None:
            self._variants = self._made_variants()
        return self._variants

    def _made_variants(self) -> tuple[Variant, ...]:
        base = self.base
        if base is None:
            return ()
        made = [Variant(BASE, model_words(base[0]), *base)]
        for part in parts_of(*base):
            model, step = changed_by(*base, dict(part.values))
            made.append(Variant(part.title, _variant_title(part, model), model, step))
        return (*made, *self.pinned)

    @property
    def shown(self) -> tuple[Variant, ...]:
        """Those that are drawn; of parts, the base alone."""
        found = [each for each in self.variants if each.key in self.ticked]
        return tuple(found[:MOST_SHOWN])

    def tick(self, key: str, on: bool) -> None:
        """Shows a variant or not; no more than there are colours."""
        self.renew()
        self.ticked = [each for each in self.ticked if each != key]
        if on:
            self.ticked.append(key)
        self.figure = None

    @property
    def is_full(self) -> bool:
        """Whether no more can be shown."""
        return len(self.shown) >= MOST_SHOWN

    def pin(self, title: str, model: ModelSettings, step: ProfileSettings) -> None:
        """Adds a model that stays as it is, whatever is set."""
        self._pin(f"{title}: {model_words(model)}" if title else model_words(model), model, step)

    def show_planned(self, planned: PlannedModel) -> tuple[str, str]:
        """Draws the model of a run beside those that are shown.

        A model of another family, which cannot be drawn against the same field, is drawn beside
        the variants of a preset of its own family.

        Args:
            planned: The run's model and step.

        Returns:
            The key of its variant, and its own value of the field that is varied; empty for none.
        """
        if self.axis not in (PARTS, *(each.name for each in varied_fields(planned.model))):
            self.choose_preset(preset_of(planned.model.family))
        wanted = (planned.title, planned.model, planned.step)
        same = [each for each in self.pinned if (each.title, each.model, each.step) == wanted]
        key = same[0].key if same else self._pin(*wanted)
        others = [each.key for each in self.shown if each.key != key]
        self.ticked = others[: MOST_SHOWN - 1]
        self.tick(key, True)
        return key, self._with_own_value(planned)

    def _with_own_value(self, planned: PlannedModel) -> str:
        """The run's own value of the varied field, which is tried too if it is a number."""
        if self.axis == PARTS or self.values_problem:
            return ""
        model, step = planned.model, planned.step
        own = getattr(model if self.axis in type(model).model_fields else step, self.axis)
        values = self.values
        if str(own) not in values and all(is_number(_number(value)) for value in (*values, own)):
            numbers = sorted({*map(_number, values), own})
            self.choose_values(",".join(map(str, numbers)))
        return str(own)

    def _pin(self, words: str, model: ModelSettings, step: ProfileSettings) -> str:
        """Adds a variant by a title that no other has; its key."""
        self.renew()
        names = {each.title for each in self.variants}
        words = next(n for n in (words, *(f"{words} {i}" for i in range(2, 99))) if n not in names)
        keys = {each.key for each in self.pinned}
        key = next(k for k in (f"added {i}" for i in range(1, 999)) if k not in keys)
        self.pinned.append(Variant(key, words, model, step))
        if not self.is_full:
            self.ticked.append(key)
        self.renew()
        return key

    def unpin(self, key: str) -> None:
        """Takes away a model that was added."""
        self.pinned = [each for each in self.pinned if each.key != key]
        self.tick(key, False)

    def show_figure(self, figure: PaperFigure) -> None:
        """Shows a figure of a paper, with its model, its values and its variants."""
        self.renew()
        self.preset, self.pinned = figure.preset, []
        self.axis, self.tried = figure.axis, figure.tried
        self._begin(*figure.base, preset_model(figure.preset))
        self.ticked = []
        for model, step in figure.models:
            same = [v for v in self.variants if (v.model, v.step) == (model, step)]
            if same:
                self.ticked.append(same[0].key)
            else:
                self.pin("", model, step)
        self._of_figure = tuple(self.ticked)
        self.figure = figure
        self.renew()

    @property
    def figure_rows(self) -> tuple[Row, ...]:
        """The rows of the paper's figure, in the paper's order; none where none is shown."""
        rows = {row.variant.key: row for row in self.rows}
        return tuple(rows[key] for key in self._of_figure) if self.figure else ()

    # Points

    def take(self, found: KeptPoints) -> None:
        """Takes over measurements of this machine."""
        self.renew()
        if found.is_whole:
            self.kept = {}
        for dated in found.points:
            if dated.kept.machine == self.here:
                self.kept[dated.kept.key] = dated

    @property
    def rows(self) -> tuple[Row, ...]:
        """Each shown variant with its points; worked out once for each change."""
        if self._rows is None:
            self._rows = self._rows_of_parts() if self.axis == PARTS else self._rows_of_axis()
        return self._rows

    def _rows_of_axis(self) -> tuple[Row, ...]:
        values = self.values
        numbers = _places(values)
        rows = []
        for color, variant in enumerate(self.shown):
            cells = tuple(
                self._cell(variant, value, place)
                for value, place in zip(values, numbers, strict=True)
            )
            rows.append(Row(variant, color, cells, self._fits(variant, cells)))
        return tuple(rows)

    def _rows_of_parts(self) -> tuple[Row, ...]:
        """One row: the model with each part switched off in turn."""
        variants = self._single_parts()
        if not variants:
            return ()
        cells = tuple(
            self._cell_of(_part_title(each), float(place), lambda each=each: _point(each))
            for place, each in enumerate(variants)
        )
        return (Row(replace(variants[0], title=self.title), 0, cells),)

    def _single_parts(self) -> tuple[Variant, ...]:
        """The variants without those that switch two parts off."""
        return tuple(each for each in self.variants if "," not in each.key)

    def _cell(self, variant: Variant, value: str, place: float) -> Cell:
        return self._cell_of(
            value, place, lambda: point_for(variant.model, variant.step, self.axis, value)
        )

    def _cell_of(self, value: str, place: float, make: Any) -> Cell:
        try:
            point = make()
        except EpitomeError as error:
            return Cell(value, place, problem=error.message)
        told = forecast_of(point, self.machine)
        return Cell(value, place, point, "", told, self.kept.get(key_of(identity_of(point))))

    def _fits(self, variant: Variant, cells: Sequence[Cell]) -> int | None:
        if not self.varied.can_fit:
            return None
        factors = [
            each.peak_bytes / each.told.peak_bytes
            for each in cells
            if each.is_measured and each.told and each.peak_bytes
        ]
        factor = factors[-1] if factors else 1.0
        return largest_that_fits(variant.model, variant.step, self.axis, self.machine, factor)

    def seconds_at(self, variant: Variant, value: int) -> float:
        """The time of a step that is forecast at a value of the varied field."""
        point = point_for(variant.model, variant.step, self.axis, str(value))
        return forecast_of(point, self.machine).longest_step_s

    def is_over(self, cell: Cell) -> bool:
        """Whether a point needs more memory than there is."""
        limit, peak = self.machine.limit_bytes, cell.peak_bytes
        return bool(cell.failure) or bool(limit and peak and peak > limit)

    # Measuring

    def missing(self, again: bool = False) -> list[tuple[Variant, list[Cell]]]:
        """What can be measured: points that fit and were not tried.

        Args:
            again: Whether those that were measured are measured once more.

        Returns:
            The points of each shown variant that has any.
        """
        found = []
        for row in self.rows:
            cells = [
                cell
                for cell in row.cells
                if cell.point and (again or cell.dated is None) and not self.is_over(cell)
            ]
            if cells:
                found.append((row.variant, cells))
        return found

    @property
    def num_missing(self) -> int:
        """How many points can be measured and were not."""
        return sum(len(cells) for _, cells in self.missing())

    def seconds_of(self, missing: Iterable[tuple[Variant, list[Cell]]]) -> float:
        """About how long it takes to measure points."""
        total = 0.0
        for variant, cells in missing:
            times = variant.step.steps + variant.step.warm_up + 1  # one counts operations
            total += sum(_START_S + times * (cell.step_s or 0.0) for cell in cells)
        return total

    def sweeps(self, again: bool = False) -> list[Sweep]:
        """What is to be measured, a sweep for each variant."""
        if self.axis == PARTS:
            points = [cell.point for _, cells in self.missing(again) for cell in cells]
            return [Sweep(point.model, point.step) for point in points if point]
        made = []
        for variant, cells in self.missing(again):
            vary = (f"{self.axis}={','.join(cell.value for cell in cells)}",)
            made.append(Sweep(variant.model, variant.step.model_copy(update={"vary": vary})))
        return made

    @property
    def commands(self) -> str:
        """The commands that measure what is shown, a line each."""
        if self.axis == PARTS:
            return "\n".join(
                shell_line(profile_words(v.model, v.step)) for v in self._single_parts()
            )
        variants = [(each.model, each.step) for each in self.shown]
        if not variants or not self.values:
            return ""
        words = profile_commands(variants, self.axis, "".join(self.tried.split()))
        return "\n".join(map(shell_line, words))

    # What it says

    @property
    def is_log(self) -> bool:
        """Whether the values grow by factors."""
        return is_logarithmic([_number(value) for value in self.values])

    @property
    def errors(self) -> tuple[float, float, int] | None:
        """How far forecasts were off here: median of memory, median of time, number of points."""
        pairs = [
            (found.total_bytes / each.kept.forecast_bytes, found.step_s / each.kept.forecast_s)
            for each in self.kept.values()
            if (found := each.kept.found) and each.kept.forecast_bytes and each.kept.forecast_s
        ]
        if not pairs:
            return None
        memory, time = ([max(r, 1 / r) - 1 for r in ratios] for ratios in zip(*pairs, strict=True))
        return statistics.median(memory), statistics.median(time), len(pairs)

    @property
    def crossing(self) -> tuple[float | None, bool, int] | None:
        """From which length hashing is faster than full attention.

        Returns:
            The length, or None where it is at none; whether all times were measured; the longest
            length. None where both are not shown.
        """
        if self.axis not in ("length",):
            return None
        rows = self.rows
        for own in rows:
            kinds = getattr(own.variant.model, "attention", ())
            if not any(kind.startswith("lsh") for kind in kinds):
                continue
            twin = own.variant.model.model_copy(update={"attention": ("full",)})
            full = [
                r for r in rows if (r.variant.model, r.variant.step) == (twin, own.variant.step)
            ]
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


def _variant_title(part: Part, model: ModelSettings) -> str:
    """Attention and layers where they change, else the part: "LSH, stored layers", "bf16"."""
    told = {"attention", "reversible", "encoder_attention"}
    is_told = told & part.values.keys() and "checkpointing" not in part.values
    return model_words(model) if is_told else part.title


def _part_title(variant: Variant) -> str:
    """What is switched off; an added model is called by its own title."""
    if variant.key == BASE:
        return "As set"
    return variant.title if variant.key.startswith("added ") else variant.key


def _point(variant: Variant) -> Point:
    return Sweep(variant.model, variant.step).points[0]


def _number(value: str) -> int | float | str:
    try:
        return int(value)
    except ValueError:
        try:
            return float(value)
        except ValueError:
            return value


def _places(values: Sequence[str]) -> list[float]:
    """Where values are drawn: numbers at themselves, words one after another."""
    numbers = [_number(value) for value in values]
    if all(map(is_number, numbers)):
        return [float(number) for number in numbers]
    return [float(place) for place in range(len(values))]


def axis_labels(values: Sequence[str]) -> tuple[str, ...]:
    """The words of an axis whose values are no numbers; empty where they are."""
    return () if all(is_number(_number(value)) for value in values) else tuple(values)


def kept_variants(pinned: Iterable[Variant]) -> list[dict[str, Any]]:
    """Added models as the window's file keeps them."""
    return [
        {
            "title": each.title,
            "model": each.model.model_dump(mode="json"),
            "step": each.step.model_dump(mode="json"),
        }
        for each in pinned
    ]


def variant_of(kept: Mapping[str, Any], number: int) -> Variant:
    """An added model out of the window's file.

    Args:
        kept: As `kept_variants` gave it.
        number: Its place among the added ones, from 1.

    Returns:
        The variant.

    Raises:
        EpitomeError: If it is of another program.
        KeyError: If something is missing.
    """
    model = BUILT_FAMILIES.checked(dict(kept["model"]))
    step = ProfileSettings.checked(dict(kept["step"]))
    return Variant(f"added {number}", str(kept["title"]), model, step)  # type: ignore[arg-type]
