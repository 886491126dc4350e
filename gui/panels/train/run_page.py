"""The page of a run: its head, its charts, and beside them samples, log, settings and notes."""

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import pairwise

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from core.jobs.runs.run_history import RunHistory
from core.jobs.training.retry_training import FailedRun
from core.jobs.training.run_plan import plan_lines
from core.numbers import format_quantity
from core.training.plan import RunPlan
from gui.panels.train.curves import RunCurves
from gui.panels.train.details import AboutForm, FoldedPart, LogView, SettingsList
from gui.panels.train.failure_card import FailureCard
from gui.panels.train.gauges import Gauges
from gui.panels.train.log import log_words
from gui.panels.train.progress import place, time_left
from gui.panels.train.run_head import RunHead
from gui.panels.train.samples import Samples
from gui.panels.train.smoothed_chart import SmoothedChart
from gui.panels.train.state import ListedRun
from gui.theme.theme import Theme
from gui.widgets.charts.chart import Chart, link
from gui.widgets.display.area import Area
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.inputs.button import STRIP_HEIGHT_PX, icon_button
from gui.widgets.inputs.segmented import SegmentedControl
from gui.widgets.support import layouts

SIDE_PX = 376
_REDRAW_MS = 300
_LOSS_PX, _ROUGE_PX, _SMALL_PX = 240, 170, 150
_REST_PX = 188  # what head, switch and curves need in a small window


class RunPage(QWidget):
    """A run that is open. It draws what it is given, and says what the person wants."""

    asked = Signal(str)
    menu_requested = Signal(QWidget)
    overlays_requested = Signal(QWidget)
    about_edited = Signal(object)
    retried = Signal(object)
    """The `Retry` that was chosen after a failure."""
    failed = Signal(object)
    """An `EpitomeError`: a file could not be written."""
    saved = Signal(object)
    """The path of a file that was written."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.run: ListedRun | None = None
        self.history = RunHistory()
        self.plan: RunPlan | None = None
        self.curves = RunCurves()
        self.head, self.failure = RunHead(theme), FailureCard(theme)
        self.charts: tuple[Chart, ...] = ()
        self.samples, self.log = Samples(theme), LogView(theme)
        self.settings, self.about = SettingsList(theme), AboutForm(theme)
        self.gauges = Gauges(theme)
        self._side, self._wide = self._make_side(), True
        self.switch = SegmentedControl(
            theme, [("curves", self.tr("Curves")), ("details", self.tr("Samples and log"))],
            height=STRIP_HEIGHT_PX, name=self.tr("What is shown"),
        )  # fmt: skip
        self.switch.chosen.connect(lambda _: self._fold())
        self._charts_area = Area()
        self._lay_out()
        self._timer = QTimer(self, singleShot=True, interval=_REDRAW_MS)
        self._timer.timeout.connect(self._redraw_in_turns)
        self._undrawn: list[Callable[[], object]] = []
        self._next_turn = QTimer(self, singleShot=True, interval=0)
        self._next_turn.timeout.connect(self._draw_one)
        self._unpainted: list[QWidget] = []
        self._next_paint = QTimer(self, singleShot=True, interval=0)
        self._next_paint.timeout.connect(self._paint_one)
        self.head.asked.connect(self.asked)
        self.head.menu_requested.connect(self.menu_requested)
        self.about.edited.connect(self.about_edited)
        self.failure.retried.connect(self.retried)

    def _make_side(self) -> QWidget:
        side = Plane(self._theme, "surface")
        column = layouts.column((self.samples, 1), into=side)
        self.parts = {
            "log": FoldedPart(self._theme, self.tr("Log"), self.log, is_open=True),
            "settings": FoldedPart(self._theme, self.tr("Settings"), self.settings),
            "gauges": FoldedPart(self._theme, self.tr("Gauges"), self.gauges),
            "about": FoldedPart(self._theme, self.tr("Name and notes"), self.about),
        }
        for part in self.parts.values():
            part.head.toggled.connect(lambda on, opened=part: self._open_part(opened, on))
            column.addWidget(part)
        return side

    def _open_part(self, opened: FoldedPart, on: bool) -> None:
        """One part is open at a time: the samples keep their room."""
        for part in self.parts.values():
            if on and part is not opened:
                part.head.setChecked(False)

    def _lay_out(self) -> None:
        self._strip = Plane(self._theme, "window")
        layouts.row(
            self.switch, layouts.stretch(0), into=self._strip, margins=(24, 6, 24, 6), spacing=None
        )
        area = self._charts_area
        area.viewport().setAutoFillBackground(False)
        self._side_line = Divider(self._theme, Qt.Orientation.Vertical)
        layouts.column(
            self.head,
            self.failure,
            self._strip,
            (layouts.row((area, 1), self._side_line, self._side), 1),
            into=self,
        )

    # What is shown

    def open(self, run: ListedRun, history: RunHistory, curves: RunCurves) -> None:
        """Shows another run.

        Args:
            run: The run.
            history: What it has told so far; it may grow.
            curves: Its charts' models.
        """
        self.about.open(*_about(run))  # first: what was typed belongs to the run before
        self.run, self.history, self.curves, self.plan = run, history, curves, None
        self._found: FailedRun | None = None
        self._paint_rest()
        self._show_charts()
        self._paint_in_turns()
        self.settings.show_lines([])
        self.show_run(run)
        self.redraw()

    def show_run(self, run: ListedRun) -> None:
        """Shows how the run stands now."""
        self.run = run
        threads = self.plan.train.threads if self.plan else None
        device = self.plan.train.device if self.plan else ""
        where = "" if device in ("", "auto") else device.upper().replace("CUDA", "GPU")
        if device == "cpu" and threads:
            where += f", {format_quantity(threads, 'thread')}"
        self.head.show_run(run, where)
        self.head.fold(self.width() >= 700)
        self.failure.show_failure(run.failure, self._found)
        self._fit_failure()
        self.about.show_about(*_about(run))
        self._show_place()

    def show_failed(self, found: FailedRun | None) -> None:
        """Shows what can be done about the failure of the run."""
        self._found = found
        if self.run is not None:
            self.failure.show_failure(self.run.failure, found)
            self._fit_failure()
            self._order_stops()

    def _fit_failure(self) -> None:
        """The curves keep half of the page or what they need, however much is told of a failure."""
        self.failure.fit(self.width(), min(self.height() // 2, self.height() - _REST_PX))

    def show_plan(self, plan: RunPlan) -> None:
        """Shows the run's settings."""
        self.plan = plan
        self.settings.show_lines(plan_lines(plan))
        self.curves.set_planned(plan.train.steps)
        self.curves.set_validation_rows(plan.train.rouge_rows)
        if self.charts:
            self.charts[1].set_title(self.curves.rouge.title)
        if self.run is not None:
            self.show_run(self.run)
        self._redraw_in_turns()

    def redraw_soon(self) -> None:
        """Draws what is new, not more often than three times a second."""
        if not self._timer.isActive():
            self._timer.start()

    def redraw(self) -> None:
        """Draws the history as it is now."""
        self._next_turn.stop()
        for draw in self._pieces():
            draw()

    def _redraw_in_turns(self) -> None:
        """As `redraw`, a piece in each turn of the event loop: all in one would be felt."""
        self._undrawn = self._pieces()
        self._draw_one()

    def _draw_one(self) -> None:
        self._undrawn.pop(0)()
        if self._undrawn:
            self._next_turn.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._paint_in_turns()

    def _paint_in_turns(self) -> None:
        """Paints the parts of the page one after the other, as `_redraw_in_turns` draws them."""
        self._paint_rest()
        self._unpainted = [*self.charts[1:], self._side]
        for part in self._unpainted:
            part.setUpdatesEnabled(False)
        self._next_paint.start()

    def _paint_one(self) -> None:
        if self._unpainted:
            self._unpainted.pop(0).setUpdatesEnabled(True)
            self._next_paint.start()

    def _paint_rest(self) -> None:
        while self._unpainted:
            self._unpainted.pop().setUpdatesEnabled(True)

    def _pieces(self) -> list[Callable[[], object]]:
        return [
            lambda: self.curves.take(self.history),
            *(chart.refresh for chart in self.charts),
            lambda: self.samples.show_history(self.history),
            lambda: self.log.show_lines(log_words(self.history)),
            self._show_rest,
        ]

    def _show_rest(self) -> None:
        self._show_place()
        if len(self.charts) > 1:
            has_rouge = not self.curves.rouge.empty
            wants = self.plan is not None and self.plan.train.rouge_rows > 0
            self.charts[1].setVisible(has_rouge or wants)
            self._rouge_line.setVisible(has_rouge or wants)

    def set_waiting(self, words: str) -> None:
        """Says what is waited for in place of the curves; "" for nothing."""
        for chart in self.charts:
            chart.set_waiting("" if chart.compact else words)

    def _show_place(self) -> None:
        run = self.run
        if run is None:
            return
        steps = run.card.steps if run.card else 0
        now = datetime.now().astimezone()
        line = place(self.history, steps, now) or run.line or _hint(run)
        if (run.state == "cancelled" and run.line) or run.is_pausing:
            line = run.line
        every = self.plan.train.validate_every if self.plan else 0
        left = time_left(self.history, steps, every) if run.state == "running" else None
        if left is None:
            self.head.show_place(line, "", "", "")
        else:
            self.head.show_place(line, left.told(), left.done_at(now), left.parts())

    def _show_charts(self) -> None:
        """Shows the curves of the run; the charts are made with the first one."""
        if not self.charts:
            self._make_charts()
        else:
            for chart, model in zip(self.charts, self.curves.all, strict=True):
                chart.show_model(model)
        self._order_stops()

    def _make_charts(self) -> None:
        curves = self.curves
        loss = SmoothedChart(
            self._theme, curves.loss, lambda: bool(self.curves.overlays), chooses_axis=True
        )
        charts: list[Chart] = [loss]
        charts += [
            Chart(self._theme, model, compact=model in curves.small, chooses_axis=False)
            for model in curves.all[1:]
        ]
        self.charts = tuple(charts)
        link(charts)
        for chart in charts:
            chart.failed.connect(self.failed)
            chart.saved.connect(self.saved)
        overlay = icon_button(self._theme, "layers-2", self.tr("Draw other runs behind this one"))
        overlay.triggered.connect(lambda: self.overlays_requested.emit(overlay))
        charts[0].add_button(overlay)
        self.overlay_button = overlay
        self._charts_area.setWidget(self._make_charts_page(charts))

    def _order_stops(self) -> None:
        """Tab goes through head, charts, samples and log in this order."""
        stops: list[QWidget] = [self.head.main, self.head.stop, self.head.more]
        stops += self.failure.stops
        stops += [stop for chart in self.charts for stop in chart.stops]
        stops += self.samples.stops
        for part in self.parts.values():
            stops += [part.head, *part.stops]
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    def _make_charts_page(self, charts: Sequence[Chart]) -> QWidget:
        page = Plane(self._theme, "surface")
        loss, rouge, *small = charts
        loss.setMinimumHeight(_LOSS_PX)
        rouge.setMinimumHeight(_ROUGE_PX)
        self._rouge_line = Divider(self._theme)
        row = layouts.row(spacing=16)
        for chart in small:
            chart.setMinimumHeight(_SMALL_PX)
            chart.setMaximumHeight(_SMALL_PX)
            row.addWidget(chart, 1)
        layouts.column(
            (loss, 5),
            self._rouge_line,
            (rouge, 3),
            Divider(self._theme),
            6,
            row,
            into=page,
            margins=(24, 0, 16, 8),
        )
        return page

    # Room

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_failure()

    def fold(self, wide: bool) -> None:
        """Puts samples and log beside the charts, or in their place."""
        self._wide = wide
        self._fold()

    def _fold(self) -> None:
        curves = self.switch.value == "curves"
        self._strip.setVisible(not self._wide)
        self._side_line.setVisible(self._wide)
        self._charts_area.setVisible(self._wide or curves)
        self._side.setVisible(self._wide or not curves)
        self._side.setMinimumWidth(SIDE_PX if self._wide else 0)
        self._side.setMaximumWidth(SIDE_PX if self._wide else 16_777_215)

    @property
    def time_left(self) -> str:
        """How long the run still takes, by its own last steps; empty where nobody knows."""
        return self.head.words[2]

    def regions(self) -> list[QWidget]:
        """The parts that F6 moves between."""
        return [self.head, self.failure, self._strip, self._charts_area, self._side]


def _hint(run: ListedRun) -> str:
    if run.state == "waiting":
        return "It waits until the jobs before it have ended."
    return "Starting…" if run.state == "running" else ""


def _about(run: ListedRun) -> tuple[str, str]:
    """Name and notes."""
    return run.title, run.card.notes if run.card else ""
