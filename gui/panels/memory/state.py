"""What the Memory panel shows: models, what is varied, forecasts and measurements. Without Qt."""

from dataclasses import dataclass, field
from typing import Any

from core.errors import EpitomeError
from core.models.settings import ModelSettings
from core.profiling.kept_points import DatedPoint, KeptPoints, machine_name
from core.profiling.memory_fields import (
    NOT_SET,
    PRESET_TITLES,
    ProfileSettings,
    flat_of_model,
    model_and_step,
    preset_model,
    preset_of,
)
from core.profiling.memory_sweeps import (
    Machine,
    VariedField,
    axis_values,
    forecast_of,
    is_logarithmic,
    is_number,
    model_words,
    point_for,
    varied_fields,
)
from core.profiling.paper_figures import PaperFigure
from core.profiling.planned_model import PlannedModel
from gui.forms.state import FormState
from gui.panels.memory.points import Cell, Ground, Row, number_of
from gui.panels.memory.variants import BASE, Variant, added, part_title, single_parts, variants_of

MOST_SHOWN = 6
PARTS = "parts"
"""In place of a varied field: the model with a part switched off at each place."""
_TICKED = (
    "Full attention, stored layers", "Full attention", "Stored layers", "Local attention",
    "Light convolutions", "Checkpointing",
)  # fmt: skip
_FIRST_SHOWN = 4


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
            return tuple(map(part_title, single_parts(self.variants)))
        return () if self.values_problem else axis_values(self.tried)

    # Variants

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The model as it is set, the same with a part switched off, and those that were added."""
        if self._variants is None:
            made = variants_of(*self.base) if self.base else []
            self._variants = (*made, *self.pinned) if made else ()
        return self._variants

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
        if str(own) not in values and all(is_number(number_of(value)) for value in (*values, own)):
            numbers = sorted({*map(number_of, values), own})
            self.choose_values(",".join(map(str, numbers)))
        return str(own)

    def _pin(self, words: str, model: ModelSettings, step: ProfileSettings) -> str:
        """Adds a variant by a title that no other has; its key."""
        self.renew()
        new = added(words, model, step, (*self.variants, *self.pinned))
        self.pinned.append(new)
        if not self.is_full:
            self.ticked.append(new.key)
        self.renew()
        return new.key

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
            self._rows = self._made_rows()
        return self._rows

    def _made_rows(self) -> tuple[Row, ...]:
        ground = Ground(self.machine, self.kept)
        if self.axis != PARTS:
            return ground.rows_against(self.varied, self.values, self.shown)
        alone = single_parts(self.variants)
        return (ground.row_of_parts(self.title, alone),) if alone else ()

    def seconds_at(self, variant: Variant, value: int) -> float:
        """The time of a step that is forecast at a value of the varied field."""
        point = point_for(variant.model, variant.step, self.axis, str(value))
        return forecast_of(point, self.machine).longest_step_s

    def is_over(self, cell: Cell) -> bool:
        """Whether a point needs more memory than there is."""
        limit, peak = self.machine.limit_bytes, cell.peak_bytes
        return bool(cell.failure) or bool(limit and peak and peak > limit)

    @property
    def is_log(self) -> bool:
        """Whether the values grow by factors."""
        return is_logarithmic([number_of(value) for value in self.values])
