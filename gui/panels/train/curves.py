"""The charts of a run as models, without Qt: they grow with the run's history."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from core.jobs.runs.compare_runs import ComparedRun, seed_groups
from core.jobs.runs.run_history import RunHistory
from core.numbers import format_quantity
from core.storage.growable_array import Floats, Growing
from core.training.events import StepSkipped, ValidationDone
from gui.panels.train.seed_means import AXES, Points, line_series, mean_series
from gui.widgets.charts.chart_model import OTHER, Axis, ChartModel, Limit, Note
from gui.widgets.charts.chart_series import Look, Series

OTHER_COLORS: Final = ("s3", "s4", "s5", "s6", "s1", "s2")
"""Of runs that are drawn beside others, in the order in which they are given out."""
_SMOOTHING = 0.9
_MOST_NOTES = 12
_MIB_A_GB = 1e9 / 2**20
_NEAR_LIMIT = 0.4  # a limit is drawn when memory comes as near to it
_ROUGE_LOOKS: Final[Mapping[str, Look]] = {
    "1": Look("s1", "circle"),
    "L": Look("s3", "square"),
    "2": Look("s4", "down"),
}
_ROUGE_LOOK = Look("s5", "diamond")


class Places:
    """Where the steps of a run lie on each axis: by step, tokens read, and time at work."""

    def __init__(self) -> None:
        self._tokens = self._seconds = 0.0
        self._columns = {axis: Growing() for axis in AXES}

    def __len__(self) -> int:
        return len(self._columns["step"])

    def extend(self, history: RunHistory) -> dict[str, Floats]:
        """Takes the steps that are new; gives their places."""
        start = len(self)
        steps = history.column("step")[start:]
        tokens = self._tokens + np.cumsum(history.column("tokens")[start:])
        seconds = self._seconds + np.cumsum(history.column("seconds")[start:])
        if len(steps):
            self._tokens, self._seconds = float(tokens[-1]), float(seconds[-1])
        at = np.array([found.step for _, found in history.validations], np.float64)
        took = np.cumsum([0.0, *(found.seconds for _, found in history.validations)])
        seconds = seconds + took[np.searchsorted(at, steps, "left")]
        made = {"step": steps, "tokens": tokens, "time": seconds}
        for axis, values in made.items():
            self._columns[axis].append(values)
        return made

    def of(self, steps: Sequence[int]) -> dict[str, Floats]:
        """Where other steps lie, such as those of validations."""
        wanted = np.asarray(steps, np.float64)
        if not len(self):
            return {"step": wanted, "tokens": wanted * 0, "time": wanted * 0}
        made, tokens, seconds = (self._columns[axis].values for axis in AXES)
        at = np.clip(np.searchsorted(made, wanted, "right") - 1, 0, None)
        return {"step": wanted, "tokens": tokens[at], "time": seconds[at]}


class ScoreModel(ChartModel):
    """Scores, each told with one decimal."""

    def name(self, series: Series) -> str:
        """The label at the end of a series: its name and last value."""
        last = series.last(self.smoothing)
        return series.name if last is None else f"{series.name} {last:.1f}"


class RunCurves:
    """The charts of one run, with other runs behind its loss."""

    def __init__(self, planned_steps: int = 0, total_bytes: float = 0.0) -> None:
        """Empty charts.

        Args:
            planned_steps: Where the step axis ends; 0 where nobody knows.
            total_bytes: Memory of the machine, or of the device.
        """
        axes = _axes(planned_steps)
        self.loss = ChartModel("Loss", axes=axes, smoothing=_SMOOTHING)
        self.rouge = ScoreModel("ROUGE", axes=axes)
        self.rate = ChartModel("Learning rate", axes=axes, from_zero=True)
        self.norm = ChartModel("Gradient norm", axes=axes, from_zero=True)
        self.speed = ChartModel("Tokens/s", axes=axes, from_zero=True)
        self.memory = ChartModel("Memory", "GB", axes=axes, from_zero=True)
        self._total_gb = total_bytes / 1e9
        self._others: dict[Path, tuple[ComparedRun, str]] = {}
        self._version = -1
        self._begin()

    def set_planned(self, steps: int) -> None:
        """Says where the step axis ends."""
        axes = {axis.name: axis for axis in _axes(steps)}
        for model in self.all:
            model.axes = tuple(axes.values())
            model.axis = axes[model.axis.name]

    @property
    def small(self) -> tuple[ChartModel, ...]:
        """The four small ones."""
        return (self.rate, self.norm, self.speed, self.memory)

    @property
    def all(self) -> tuple[ChartModel, ...]:
        """All of them."""
        return (self.loss, self.rouge, *self.small)

    def _begin(self) -> None:
        self._places, self._num_validations = Places(), 0
        for model in self.all:
            model.series = []
        self._each = self.loss.add(Series("loss", Look("s1", smooth=True), AXES))
        self._validation = self.loss.add(Series("validation", Look("s2", "circle"), AXES))
        self._rouge: dict[str, Series] = {}
        self._plain = [
            model.add(Series(model.title, Look(OTHER, labelled=False), AXES))
            for model in self.small
        ]
        self._draw_overlays()

    def take(self, history: RunHistory) -> None:
        """Follows the run's history."""
        if history.version != self._version:
            self._version = history.version
            self._begin()
        start = len(self._places)
        x = self._places.extend(history)
        if len(x["step"]):
            self._each.append(history.column("loss")[start:], **x)
            for series, values in zip(self._plain, _small_values(history, start), strict=True):
                series.append(values, **x)
        new = [found for _, found in history.validations[self._num_validations :]]
        self._take_validations(new)
        self._num_validations += len(new)
        self._mark(history)

    def _take_validations(self, new: list[ValidationDone]) -> None:
        if not new:
            return
        x = self._places.of([found.step for found in new])
        self._validation.append([found.loss for found in new], **x)
        for name in dict.fromkeys(name for found in new for name in found.rouge):
            if name not in self._rouge:
                look = _ROUGE_LOOKS.get(name, _ROUGE_LOOK)
                self._rouge[name] = self.rouge.add(Series(f"ROUGE-{name}", look, AXES))
            # As everywhere with one decimal; ROUGE-2 would have three, beside one of ROUGE-1.
            scores = [round(100 * found.rouge.get(name, np.nan), 1) for found in new]
            self._rouge[name].append(scores, **x)

    def _mark(self, history: RunHistory) -> None:
        """What happened on the way stands on the curve."""
        notes = [Note(float(step), "resumed here") for step in history.resumed_at]
        skipped = [line.event for line in history.log if isinstance(line.event, StepSkipped)]
        notes += [Note(float(event.step), "step skipped") for event in skipped]
        best = history.best
        if best is not None and len(history.validations) > 1:
            notes.append(Note(float(best.step), f"best {best.loss:.2f}"))
        self.loss.notes = notes[-_MOST_NOTES:]
        self.loss.now = float(history.step) if history.is_live and history.step else None
        peak = history.column("peak_mib")
        near = self._total_gb and len(peak) and peak[-1] / _MIB_A_GB > _NEAR_LIMIT * self._total_gb
        self.memory.limits = [Limit(self._total_gb, "all memory")] if near else []

    def overlay(self, run: ComparedRun, color: str) -> None:
        """Draws another run's smoothed loss behind this one.

        Runs that differ in the seed alone are drawn as their mean with their range.

        Args:
            run: The other run.
            color: The token that it keeps.
        """
        self._others[run.folder] = (run, color)
        self._draw_overlays()

    def keep_overlays(self, folders: Sequence[Path]) -> None:
        """Takes away all other runs but these."""
        kept = set(folders)
        self._others = {place: each for place, each in self._others.items() if place in kept}
        self._draw_overlays()

    def _draw_overlays(self) -> None:
        colors = {run.folder: color for run, color in self._others.values()}
        groups = seed_groups(_told_apart([run for run, _ in self._others.values()]))
        drawn = [_overlay(group, colors[group[0].folder]) for group in groups]
        self.loss.series = [*drawn, self._each, self._validation]

    @property
    def overlays(self) -> tuple[Path, ...]:
        """The folders of the other runs that are drawn."""
        return tuple(self._others)

    def set_validation_rows(self, rows: int) -> None:
        """Says on how many documents ROUGE is measured."""
        told = f"ROUGE on {format_quantity(rows, 'held-out document')}" if rows else "ROUGE"
        self.rouge.title = told


def _told_apart(runs: Sequence[ComparedRun]) -> list[ComparedRun]:
    """Runs whose titles are not those of others: where they are, the folder stands behind."""
    many = Counter(run.title for run in runs)
    return [
        replace(run, title=f"{run.title} ({run.folder.name})") if many[run.title] > 1 else run
        for run in runs
    ]


def _overlay(group: Sequence[ComparedRun], color: str) -> Series:
    """The loss of a run, or the mean of runs that differ in the seed alone."""
    look = Look(color, dashed=True, smooth=True, raw_line=False)
    points = [Points(run.history.column("loss"), Places().extend(run.history)) for run in group]
    if len(group) == 1:
        return line_series(group[0].title, look, points[0])
    return mean_series(group[0].title, look, points)


def _axes(planned_steps: int) -> tuple[Axis, ...]:
    until = float(planned_steps) or None
    return (Axis("step", "Step", until=until, whole=True), Axis("tokens", "Tokens", whole=True),
            Axis("time", "Time", "time"))  # fmt: skip


def _small_values(history: RunHistory, start: int) -> tuple[Floats, ...]:
    tokens, seconds = history.column("tokens")[start:], history.column("seconds")[start:]
    return (
        history.column("learning_rate")[start:],
        history.column("gradient_norm")[start:],
        tokens / np.maximum(seconds, 1e-9),
        history.column("peak_mib")[start:] / _MIB_A_GB,
    )
