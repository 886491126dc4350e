"""The estimate beside the form: memory by part, time, disk, and what helps where it is too much."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from core.events import Failed
from core.jobs.training.try_step import StepMeasured
from core.numbers import THIN_SPACE, format_count, format_size
from core.profiling.advice import Advice
from core.profiling.forecast import MEMORY_SPREAD, TIME_SPREAD, Forecast, part_bytes
from core.profiling.training_suggestions import Machine
from gui.panels.train.failure_card import OF_MEMORY
from gui.panels.train.progress import rounded
from gui.theme.theme import Theme
from gui.widgets.display.chip import Chip
from gui.widgets.display.label import Label
from gui.widgets.display.memory_bar import PART_COLORS, MemoryBar, Share, Swatch
from gui.widgets.display.plane import Divider
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import Button
from gui.widgets.support import layouts
from gui.widgets.support.leaving import clear

_MEASURED_SPREAD = 0.15
"""How far the time of a run may be from that of its measured step: rows differ in length."""
_GB = 1e9
_NOTHING, _NO_BREAK = "–", "\u00a0"


@dataclass(frozen=True)
class Known:
    """What is known of a job that is being set up.

    Args:
        forecast: From its settings; None while they are not allowed.
        measured: Its largest step as it was measured; None before.
        machine: What there is.
        advice: What helps where it does not fit.
        failure: Why a step could not be measured; None where it could.
        jobs: How many jobs it is of, as `all_of` sums them.
    """

    forecast: Forecast | None = None
    measured: StepMeasured | None = None
    machine: Machine = field(default_factory=Machine)
    advice: Sequence[Advice] = ()
    failure: Failed | None = None
    jobs: int = 1

    @property
    def peak_bytes(self) -> float:
        """The most memory of the run: by its measured step, or else forecast."""
        growth = self.forecast.growth if self.forecast else 0
        if self.measured is not None:
            return float(self.measured.total_bytes + growth)
        return float(self.forecast.run_peak_bytes) if self.forecast else 0.0

    @property
    def lacks_memory(self) -> bool:
        """Whether the step that was tried needed more memory than there is."""
        return self.failure is not None and self.failure.kind in OF_MEMORY

    @property
    def time_spread(self) -> tuple[float, float]:
        """By what share the run may take less time than is told, and more."""
        if self.measured is None:
            return TIME_SPREAD, TIME_SPREAD
        less = TIME_SPREAD if self.measured.was_disturbed else _MEASURED_SPREAD
        return less, _MEASURED_SPREAD

    @property
    def fits(self) -> bool | None:
        """Whether it fits the machine; None where it may not, or nobody knows."""
        limit = self.machine.limit_bytes
        if not limit or not self.peak_bytes:
            return None
        spread = 0.0 if self.measured else MEMORY_SPREAD
        if self.peak_bytes * (1 + spread) <= 0.92 * limit:
            return True
        return False if self.peak_bytes * (1 - spread) > 0.92 * limit else None


def all_of(forecasts: Sequence[Forecast]) -> Forecast:
    """What several jobs will need, one after the other: memory and steps are the largest's."""
    largest = max(forecasts, key=lambda each: each.run_peak_bytes)
    run_s = sum(each.run_s for each in forecasts)
    return replace(largest, run_s=run_s, disk_bytes=sum(each.disk_bytes for each in forecasts))


class _Figure(QWidget):
    """A number with its name above and a line below."""

    def __init__(self, theme: Theme, title: str, *, wrap: bool = False) -> None:
        super().__init__()
        self._number = Label(theme, "", "title")
        self._below = Label(theme, "", "small", "text2", wrap=wrap)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(Label(theme, title, "small", "text2"))
        column.addWidget(self._number)
        column.addWidget(self._below)
        column.addStretch()  # beside one whose line takes two

    def show_number(self, number: str, below: str) -> None:
        self._number.setText(number)
        self._below.setText(below)

    @property
    def words(self) -> str:
        return f"{self._number.text()} {self._below.text()}"


class Estimate(QWidget):
    """The column."""

    advice_taken = Signal(object)
    """The `Advice` whose button was pressed."""
    memory_wanted = Signal()
    """Its memory is to be drawn in the Memory panel."""
    try_wanted = Signal()
    try_cancelled = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.chip = Chip(theme, "")
        self._figure, self._unit = Label(theme, "", "figure"), Label(theme, "", "small", "text2")
        self.bar = MemoryBar(theme)
        self._values: dict[str, Label] = {}
        self.time = _Figure(theme, self.tr("Time"), wrap=True)
        self.step = _Figure(theme, self.tr("Each step"))
        self.disk = _Figure(theme, self.tr("Disk"))
        self._note = Label(theme, "", "small", "text2", wrap=True)
        self._advice = QVBoxLayout()
        self._advice_head = Label(theme, self.tr("What makes it fit"), "smallb", "text2")
        self.advice_buttons: list[Button] = []
        self._shown_advice: tuple[Advice, ...] = ()
        self.try_button = Button(
            theme, self.tr("Try one step"), icon="footprints",
            tooltip=self.tr("Measure the largest step in a process of its own"),
        )  # fmt: skip
        self.memory_button = Button(
            theme, self.tr("Chart memory by length"), kind="link", icon="memory-stick", height=28,
            tooltip=self.tr("Forecast the memory of these settings beside presets and other runs"),
        )  # fmt: skip
        self.memory_button.triggered.connect(self.memory_wanted)
        self.try_button.triggered.connect(self.try_wanted)
        self.try_button.cancelled.connect(self.try_cancelled)
        self._lay_out()

    def _lay_out(self) -> None:
        theme, column = self._theme, QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        head = layouts.row(
            Label(theme, self.tr("Estimate"), "section"),
            layouts.stretch(0),
            self.chip,
            spacing=None,
        )
        column.addLayout(head)
        column.addLayout(layouts.row(self._figure, self._unit, layouts.stretch(0), spacing=6))
        column.addWidget(_keeping_place(self.bar))
        self._add_legend(column)
        column.addLayout(layouts.row(self.memory_button, layouts.stretch(0), spacing=None))
        column.addSpacing(2)
        column.addWidget(Divider(theme))
        column.addLayout(layouts.row(self.time, self.step, self.disk, spacing=14))
        self._note_sign = Sign(theme, "info", "text2", 14)
        note = layouts.row(
            layouts.column(self._note_sign, layouts.stretch(0), margins=(0, 1, 0, 0), spacing=None),
            (self._note, 1),
            spacing=6,
        )
        column.addLayout(note)
        column.addWidget(self._advice_head)
        column.addLayout(self._advice)

    def _add_legend(self, column: QVBoxLayout) -> None:
        for title, parts in (
            (self.tr("Set by the network"), ("weights", "gradients", "optimizer")),
            (self.tr("Grows with length and batch"), ("activations", "attention")),
            (self.tr("Other"), ("workspace",)),
        ):
            column.addWidget(Label(self._theme, title, "small", "text3"))
            for name in parts:
                column.addLayout(self._legend_row(name))

    def _legend_row(self, name: str) -> QHBoxLayout:
        row = layouts.row(
            Swatch(self._theme, PART_COLORS[name]),
            Label(self._theme, self._part_names()[name], "body", "text"),
            margins=(4, 0, 0, 0),
            spacing=8,
        )
        row.addStretch()
        self._values[name] = Label(self._theme, "", "body", "text")
        row.addWidget(self._values[name])
        return row

    def _part_names(self) -> dict[str, str]:
        return {
            "weights": self.tr("Weights"),
            "gradients": self.tr("Gradients"),
            "optimizer": self.tr("Optimiser state"),
            "activations": self.tr("Activations"),
            "attention": self.tr("Attention"),
            "workspace": self.tr("Workspace and program"),
        }

    # What is shown

    @property
    def words(self) -> str:
        """All that is told, for tests and screen readers."""
        parts = (self._figure, self._unit, self.chip, self._note)
        numbers = (self.time.words, self.step.words, self.disk.words)
        return " ".join([*(part.text() for part in parts), *numbers])

    @property
    def part_labels(self) -> list[Label]:
        """The sizes of the parts, in the order of the legend."""
        return list(self._values.values())

    def show_known(self, known: Known) -> None:
        """Shows what is known now."""
        forecast = known.forecast
        self._note_sign.setVisible(forecast is not None)
        if forecast is None:
            self._show_nothing()
            return
        self._show_memory(known, forecast)
        self._show_times(known, forecast)
        self._show_note(known, forecast)
        self._show_advice(known)

    def _show_nothing(self) -> None:
        """Leaves nothing of an older forecast."""
        self._figure.setText(_NOTHING)
        self._unit.setText(self.tr("correct the marked values first"))
        self.chip.set_state("", "warn")
        self.chip.hide()
        self._note.setText("")
        self.bar.hide()
        for label in self._values.values():
            label.setText(_NOTHING)
        for figure in (self.time, self.step, self.disk):
            figure.show_number(_NOTHING, "")
        self._show_advice(Known())

    def _show_memory(self, known: Known, forecast: Forecast) -> None:
        peak, measured = known.peak_bytes, known.measured
        half = 0.0 if measured else MEMORY_SPREAD * peak
        self._figure.setText(_gb(peak))
        spread = "" if measured else f", ±{THIN_SPACE}{_gb(half)}"
        word = (
            self.tr("GB at the peak, from a measured step")
            if measured
            else self.tr("GB at the peak")
        )
        self._unit.setText(f"{word}{spread}")
        shares = []
        parts = part_bytes(forecast, measured.total_bytes if measured else None)
        parts["workspace"] += forecast.growth
        for name, label in self._values.items():
            part = parts[name]
            label.setText(_size(part))
            shares.append(Share(self._part_names()[name], PART_COLORS[name], part / _GB))
        machine = known.machine
        self.bar.show()
        name = self.tr("GPU") if machine.gpu else self.tr("memory")
        self.bar.show_shares(tuple(shares), half / _GB, machine.limit_bytes / _GB, name)
        self._show_chip(known)

    def _show_chip(self, known: Known) -> None:
        limit = known.machine.limit_bytes
        self.chip.setVisible(bool(limit))
        over = f"{_gb(known.peak_bytes - limit)}{THIN_SPACE}GB"
        spare_bytes = known.machine.room_bytes - known.peak_bytes
        spare = f"{_gb(abs(spare_bytes))}{THIN_SPACE}GB"
        if known.lacks_memory:
            self.chip.set_state(self.tr("does not fit"), "err")
        elif known.failure is not None:
            self.chip.set_state(self.tr("not measured"), "err")
        elif known.fits and spare_bytes < 0:
            self.chip.set_state(self.tr("{0} more must be free").format(spare), "warn")
        elif known.fits:
            self.chip.set_state(self.tr("fits, {0} spare").format(spare), "ok")
        elif known.fits is None:
            self.chip.set_state(self.tr("may not fit"), "warn")
        else:
            self.chip.set_state(self.tr("{0} too much").format(over), "err")

    def _show_times(self, known: Known, forecast: Forecast) -> None:
        run_s, step_s = forecast.run_s, forecast.step_s
        if known.measured is not None:
            factor = known.measured.step_s / max(forecast.longest_step_s, 1e-9)
            step_s, run_s = factor * step_s, factor * run_s
        less, more = known.time_spread
        ends = (rounded(run_s * (1 - less)), rounded(run_s * (1 + more)))
        low, high = (end.replace(" ", _NO_BREAK) for end in ends)  # a line ends between them
        span = self.tr("{0} to {1}").format(low, high)
        self.time.show_number(f"≈{THIN_SPACE}{rounded(run_s)}", span)
        per_s = format_count(int(float(f"{forecast.tokens_per_step / max(step_s, 1e-9):.2g}")))
        self.step.show_number(_step_words(step_s), f"{per_s} tokens/s")
        free = known.machine.disk_free_bytes
        below = self.tr("{0} free").format(format_size(free)) if free else ""
        self.disk.show_number(format_size(forecast.disk_bytes), below)

    def _show_note(self, known: Known, forecast: Forecast) -> None:
        icon, color = "info", "text2"
        if known.failure is not None:
            told = f"{known.failure.message} {known.failure.remedy}"
            icon, color = "octagon-x", "err"
        elif known.measured is not None:
            told = self.tr("The largest step: forecast {0}, measured {1}{2}GB.").format(
                _gb(forecast.peak_bytes), _gb(known.measured.total_bytes), THIN_SPACE
            )
            if forecast.growth:
                told += " " + self.tr("A run keeps {0} beside it.").format(_size(forecast.growth))
            if known.measured.was_disturbed:
                told += " " + self.tr(
                    "Other programs used the processor meanwhile: the run will take less time."
                )
        else:
            told = self.tr("Forecast from the settings. One measured step narrows the ranges.")
        if known.jobs > 1:
            told += " " + self.tr(
                "Memory is that of the largest of {0} jobs, time and disk are of all."
            ).format(known.jobs)
        if known.fits and known.machine.room_bytes < known.peak_bytes:
            told += " " + self.tr("Other programs use the memory that it needs: close some first.")
            icon, color = "triangle-alert", "warn"
        if 0 < known.machine.disk_free_bytes < forecast.disk_bytes:
            told += " " + self.tr("The disk has less room than the checkpoints need.")
            icon, color = "triangle-alert", "warn"
        self._note.setText(told)
        self._note.set_color(color if color != "warn" else "text2")
        self._note_sign.set_icon(icon, color)

    def _show_advice(self, known: Known) -> None:
        is_over = known.forecast is not None and known.fits is not True
        helps = known.lacks_memory or (is_over and known.failure is None)
        shown = tuple(known.advice) if helps else ()
        if shown == self._shown_advice:
            return
        self._shown_advice = shown
        clear(self._advice)
        self.advice_buttons = []
        self._advice_head.setVisible(bool(shown))
        for advice in shown:
            words = f"{advice.words}: {_size(advice.saved_bytes)} less"
            button = Button(self._theme, words, kind="link", icon="check", height=28)
            button.triggered.connect(lambda chosen=advice: self.advice_taken.emit(chosen))
            self._advice.addWidget(button)
            self.advice_buttons.append(button)


def _keeping_place(widget: QWidget) -> QWidget:
    """Holds a widget's height while it is hidden, so that nothing below it moves."""
    holder = QWidget()
    holder.setFixedHeight(widget.sizeHint().height())
    layouts.column(widget, into=holder)
    return holder


def _gb(num_bytes: float) -> str:
    value = num_bytes / _GB
    return f"{value:.1f}" if value >= 9.95 else f"{value:.2f}"


def _size(num_bytes: float) -> str:
    mb = num_bytes / 1e6
    return f"{mb:.0f}{THIN_SPACE}MB" if mb < 995 else f"{mb / 1000:.2f}{THIN_SPACE}GB"


def _step_words(seconds: float) -> str:
    if seconds < 0.1:
        return f"{1000 * seconds:.0f}{THIN_SPACE}ms"
    return f"{seconds:.2f}{THIN_SPACE}s" if seconds < 10 else rounded(seconds)
