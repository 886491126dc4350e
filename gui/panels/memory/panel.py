"""The Memory panel: what a model needs before it runs, forecast and measured."""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from core.errors import EpitomeError
from core.events import Failed
from core.jobs.call import CallJob
from core.jobs.profiling.queued_profile import specify_sweeps
from core.jobs.queue.listing import JobNow
from core.jobs.runs.list_runs import RunCard, list_runs
from core.jobs.training.machine_facts import read_machine
from core.jobs.training.run_plan import plan_in
from core.library.preferences import PanelState
from core.models.families import BUILT_FAMILIES
from core.numbers import format_quantity
from core.profiling.kept_points import KeptPoints, read_points
from core.profiling.memory_fields import PRESET_TITLES, ProfileSettings, changed_by, preset_model
from core.profiling.memory_sweeps import Machine
from core.profiling.paper_figures import FIGURES, PaperFigure
from core.profiling.planned_model import planned_model
from core.profiling.training_suggestions import Machine as MachineFacts
from core.training.plan import RunPlan
from gui.panel import Services
from gui.panel_kit import SplitPanel
from gui.panels.memory.header import MemoryHeader
from gui.panels.memory.measuring import missing_points, num_missing, seconds_of, sweeps_of
from gui.panels.memory.results import Results
from gui.panels.memory.settings_page import SettingsPage
from gui.panels.memory.side import WIDTH_PX, Side
from gui.panels.memory.state import PARTS, MemoryState
from gui.panels.memory.variants import kept_variants, variant_of
from gui.panels.memory.words import lasting, tr
from gui.training_offer import TrainingOffer
from gui.widgets.inputs.menu import Menu
from gui.widgets.inputs.saving import CHART_FORMATS, ask_where
from gui.workers.runner import Run

_WIDE_PX = 1200
_AT_WORK = ("waiting", "starting", "running")
_SOON_MS = 60
_MOST_RUNS = 12
"""How many runs the menu lists, the one that changed last first."""


class MemoryPanel(SplitPanel):
    """Forecast at once, measured when it is asked for.

    Args:
        services: What the window does for it.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services, "surface")
        theme = services.theme
        self.state = MemoryState()
        self.header = MemoryHeader(theme)
        told = tr(
            "Measuring runs real steps with PyTorch, which is not installed. What a model needs is "
            "forecast without it."
        )
        self.offer = TrainingOffer(theme, services.parts, told, self)
        self.side = Side(theme, self.state)
        self.results = Results(theme, self.state)
        self.settings = SettingsPage(theme, self.state)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.results)
        self._pages.addWidget(self.settings)
        self.jobs: tuple[JobNow, ...] = ()
        self._offset = 0
        self._reading: Run | None = None
        self._reads_again = self._is_over = False
        self._runs: tuple[RunCard, ...] = ()
        self.knows_machine = False
        self._soon = QTimer(self, singleShot=True, interval=_SOON_MS)
        self._soon.timeout.connect(self.redraw)
        self._lay_out()
        self._connect()
        self.redraw()

    def _lay_out(self) -> None:
        self.lay_out(
            self.header,
            self.side,
            self._pages,
            shares=(0, 1),
            below=self.offer,
        )

    def _connect(self) -> None:
        header, tell = self.header, self._services.notify
        self.side.changed.connect(self._soon.start)
        self.side.all_requested.connect(self.show_settings)
        self.side.add_requested.connect(self._open_add_menu)
        self.settings.changed.connect(self._soon.start)
        self.settings.left.connect(self.show_results)
        header.paper.triggered.connect(partial(self._open_paper_menu, header.paper))
        header.export.triggered.connect(partial(self._open_export_menu, header.export))
        header.measure.triggered.connect(self.measure)
        header.measure.cancelled.connect(self.cancel)
        self.results.failed.connect(self._services.report_failure)
        self.results.saved.connect(lambda path: tell("ok", tr("Saved"), str(path)))
        self._services.parts.changed.connect(lambda _: self._soon.start())
        queue = self._services.controller.queue
        queue.listed.connect(self._take_jobs)
        self._take_jobs(queue.jobs)

    # What there is

    def look(self) -> None:
        """Reads again which runs there are, and what was measured."""
        folders = self._services.folders
        runs = self._services.controller.run_in_thread(CallJob(list_runs, folders.runs))
        runs.finished.connect(self._take_runs)
        self._read()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # Not in `look`: forecasts would change whenever the user comes back to the window.
        job = CallJob(read_machine, self._services.folders.data)
        self._services.controller.run_in_thread(job).finished.connect(self._take_machine)

    def _take_runs(self, runs: tuple[RunCard, ...]) -> None:
        self._runs = runs

    def _take_machine(self, facts: MachineFacts) -> None:
        if self._is_over:
            return
        on_gpu = bool(facts.gpu)
        held = 0 if on_gpu else facts.memory_bytes - facts.free_bytes
        self.show_machine(
            Machine(facts.cores, on_gpu, facts.rate or None, facts.limit_bytes - held), held
        )
        self.side.show_machine(facts.gpu, facts.gpu_bytes, facts.memory_bytes)
        self.knows_machine = True

    def show_machine(self, machine: Machine, held_bytes: int) -> None:
        """Forecasts for a machine.

        Args:
            machine: What it has.
            held_bytes: What other programs hold of its memory.
        """
        self.state.machine, self.state.held_bytes = machine, held_bytes
        self.state.renew()
        self.redraw()

    def _read(self) -> None:
        """Reads new measurements; one look at a time."""
        if self._reading is not None:
            self._reads_again = True
            return
        file = self._services.folders.measurements_file
        run = self._services.controller.run_in_thread(CallJob(read_points, file, self._offset))
        self._reading = run
        run.finished.connect(self._take_points)
        run.failed.connect(self._services.report_failure)
        run.ended.connect(self._has_read)

    def _take_points(self, found: KeptPoints) -> None:
        self._offset = found.offset
        if found.points and not self._is_over:
            self.state.take(found)
            self.redraw()

    def _has_read(self) -> None:
        self._reading = None
        if self._reads_again and not self._is_over:
            self._reads_again = False
            self._read()

    def _take_jobs(self, listed: tuple[JobNow, ...]) -> None:
        jobs = tuple(job for job in listed if job.kind == "profile" and job.state in _AT_WORK)
        if jobs == self.jobs or self._is_over:
            return
        self.jobs, self.state.busy = jobs, bool(jobs)
        self._show_measure()
        if self.isVisible():
            self._read()

    # What is shown

    def redraw(self) -> None:
        """Draws the state as it is now."""
        self._soon.stop()
        self.state.renew()
        self.side.refresh()
        self.results.refresh()
        self._show_measure()

    def _show_measure(self) -> None:
        button, count = self.header.measure, num_missing(self.state)
        button.set_busy(self.state.busy)
        if self.state.busy:
            button.set_tooltip(tr("Stop measuring; what was measured stays"))
            button.set_usable(True)
            return
        words = tr("Measure {0}").format(format_quantity(count, tr("point")))
        button.setText(words if count else tr("Measure again"))
        button.updateGeometry()
        missing = missing_points(self.state, again=not count)
        about = lasting(seconds_of(missing))
        told = tr("Measures each point in a fresh process, one after the other; about {0}.")
        button.set_tooltip(told.format(about), "Ctrl Enter")
        button.set_usable(bool(missing) and not self._no_part(), self._no_part() or self._nothing())

    def _no_part(self) -> str:
        is_there = self._services.parts.state("training").status == "installed"
        return (
            ""
            if is_there
            else tr("The training part is not installed: see Settings, Optional parts.")
        )

    def _nothing(self) -> str:
        return tr("No point that fits is shown.")

    def show_settings(self) -> None:
        """Shows all settings of the model and its step."""
        self.settings.show_form()
        self._pages.setCurrentWidget(self.settings)
        self.show_side("charts")
        self.settings.back.setFocus()

    def show_results(self) -> None:
        """Goes back to the charts."""
        self._pages.setCurrentWidget(self.results)
        self.redraw()
        self.side.all_settings.setFocus()

    # Measuring

    def measure(self) -> None:
        """Queues the points that fit and were not tried; if there are none, all once more."""
        if self.state.busy or self._no_part():
            return
        sweeps = sweeps_of(self.state, again=not num_missing(self.state))
        if not sweeps:
            return
        self.state.busy = True
        self._show_measure()
        run = self._services.controller.queue_job(specify_sweeps(sweeps))
        run.failed.connect(self._measuring_failed)
        run.ended.connect(self._read)

    def _measuring_failed(self, failure: Failed) -> None:
        self.state.busy = bool(self.jobs)
        self._show_measure()
        self._services.report_failure(failure)

    def cancel(self) -> None:
        """Stops measuring; what was measured stays."""
        for job in self.jobs:
            self._services.controller.queue.change(
                lambda queue, id=job.id: queue.ask(id, "cancel")  # type: ignore[misc]
            )

    # Menus

    def _open_paper_menu(self, button: QWidget) -> None:
        menu = Menu(self._theme, tr("As in the paper"), self)
        for paper, figures in FIGURES.items():
            menu.add(paper).setEnabled(False)
            for figure in figures:
                menu.add(figure.title, partial(self.show_figure, figure),
                         icon="check" if figure == self.state.figure else "")  # fmt: skip
            menu.addSeparator()
        menu.open_below(button, flush_right=True)

    def show_figure(self, figure: PaperFigure) -> None:
        """Shows a figure of a paper for this machine."""
        self.state.show_figure(figure)
        self._pages.setCurrentWidget(self.results)
        self.redraw()

    def _open_add_menu(self, button: QWidget) -> None:
        menu = Menu(self._theme, tr("Add a model"), self)
        base = self.state.base
        self._list_runs(menu)
        if base is not None:
            menu.add(tr("This model as it is set now"), partial(self.add, self.state.title, *base),
                     icon="pin")  # fmt: skip
            menu.addSeparator()
        step = base[1] if base else ProfileSettings()
        for name, title in PRESET_TITLES.items():
            menu.add(title, partial(self.add, title, preset_model(name), step))
        menu.open_below(button)

    def _list_runs(self, menu: Menu) -> None:
        """Lists the runs that changed last: each is drawn with its own settings."""
        runs = [run for run in self._runs if run.family in BUILT_FAMILIES.classes]
        for run in runs[:_MOST_RUNS]:
            menu.add(run.title, partial(self._add_run, run), icon="chart-spline")
        if runs:
            menu.addSeparator()

    def _add_run(self, card: RunCard) -> None:
        self._services.run(CallJob(plan_in, card.folder), partial(self.show_plan, card.title))

    def show_plan(self, name: str, plan: RunPlan) -> None:
        """Draws the model of a run or a new job beside those that are shown.

        Args:
            name: The run's.
            plan: Its settings.
        """
        if self._is_over:
            return
        try:
            planned = planned_model(name, plan)
        except EpitomeError as error:
            self._services.notify("warn", error.message, error.remedy)
            return
        self.results.choose(*self.state.show_planned(planned))
        self.show_charts()
        for note in planned.notes:
            self._services.notify("warn", note, about=f"memory {name} {note}")

    def show_charts(self) -> None:
        """Shows the charts as they are now, also where there is room for one side."""
        self.header.switch.set_value("charts")
        self._pages.setCurrentWidget(self.results)
        self.fold()
        self.redraw()

    def choose(self, chosen: Mapping[str, str]) -> None:
        """Draws the model of a run or a new job: its "title", and its "plan" as JSON."""
        if plan := chosen.get("plan"):
            self.show_plan(chosen.get("title", ""), RunPlan.of_json(plan))

    def add(self, title: str, model: object, step: ProfileSettings) -> None:
        """Adds a model that stays as it is."""
        self.state.pin(title, model, step)  # type: ignore[arg-type]
        self.redraw()

    def _open_export_menu(self, button: QWidget) -> None:
        menu = Menu(self._theme, tr("Export"), self)
        for chart in self.results.charts:
            for suffix in CHART_FORMATS:
                words = f"{chart.model.title}, {suffix}"
                icon = "table-2" if suffix == ".csv" else "download"
                act = partial(self._ask_where, chart.save, chart.model.title, suffix)
                menu.add(words, act, icon=icon).setEnabled(not chart.model.empty)
            menu.addSeparator()
        table = self.results.table
        if table is not None:
            act = partial(self._ask_where, table.save, table.accessibleName(), ".csv")
            menu.add(tr("The table below, .csv"), act, icon="table-2")
        menu.add(tr("Copy the command"), self.results.command.copy, icon="terminal",
                 shortcut="Ctrl+Shift+K")  # fmt: skip
        menu.open_below(button, flush_right=True)

    def _ask_where(self, write: Callable[..., object], title: str, suffix: str) -> None:
        path = ask_where(self._theme, self, tr("Export"), title, suffix)
        if path is not None:
            write(path)

    # What the window asks

    def commands(self) -> Mapping[str, Callable[[], object]]:
        """Starting to measure, exporting, copying the command."""
        return {
            "start": self.measure,
            "export": partial(self._open_export_menu, self.header.export),
            "copy_command": self.results.command.copy,
        }

    def escape(self) -> bool:
        """Leaves the page of all settings."""
        if self._pages.currentWidget() is self.settings:
            self.show_results()
            return True
        return False

    def regions(self) -> list[QWidget]:
        """The parts that F6 moves between."""
        page = self.settings if self._pages.currentWidget() is self.settings else self.results
        return [self.header, self.offer, self.side, page]

    def end(self) -> None:
        """The window closes."""
        self._is_over = True

    def saved_state(self) -> PanelState:
        """The model, what is varied, and what is shown."""
        state, base = self.state, self.state.base
        kept: dict[str, Any] = {
            "preset": state.preset,
            "axis": state.axis,
            "tried": state.tried,
            "ticked": state.ticked,
            "pinned": kept_variants(state.pinned),
        }
        if base is not None:
            model, step = base
            kept["model"] = model.model_dump(mode="json")
            kept["step"] = step.model_dump(mode="json")
        return {"shown": json.dumps(kept)}

    def restore_state(self, state: PanelState) -> None:
        """Shows what was shown at last; of another program, what can still be meant."""
        with suppress(
            ValueError, KeyError, TypeError, AttributeError, RecursionError, EpitomeError
        ):
            kept = json.loads(str(state["shown"]))
            self._restore(kept)
        self.redraw()

    def _restore(self, kept: dict[str, Any]) -> None:
        own = self.state
        own.choose_preset(str(kept["preset"]))
        own.pinned = [variant_of(each, at) for at, each in enumerate(kept["pinned"], 1)]
        base = own.base
        assert base is not None
        values = {**kept["model"], **kept["step"]}
        values.pop("family", None)
        own.show(*changed_by(*base, values))
        known = [PARTS, *(each.name for each in own.axes)]
        own.axis = str(kept["axis"]) if kept["axis"] in known else own.axis
        own.tried = str(kept["tried"])
        own.ticked = [str(each) for each in kept["ticked"]]

    def fold(self) -> None:
        """Shows both sides, or one; the actions keep only icons where there is little room."""
        super().fold()
        both = self.is_wide
        self.header.fold(self.window().width() < _WIDE_PX)
        self.header.show_facts(tr("what a model needs before it is run") if both else "")
        self.side.setMinimumWidth(WIDTH_PX if both else 0)
        self.side.setMaximumWidth(WIDTH_PX if both else 16_777_215)
