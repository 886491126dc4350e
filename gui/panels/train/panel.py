"""The Train panel: runs and their curves, and the page on which a new job is set up."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QWidget

from core.library.preferences import PanelState
from core.training.plan import RunPlan
from gui.panel import Services
from gui.panel_kit import PagedPanel, lay_out_below
from gui.panels.train.compare_page import ComparePage
from gui.panels.train.estimate import Estimate
from gui.panels.train.leaving import Answer, ask_leaving
from gui.panels.train.new_desk import NewDesk
from gui.panels.train.new_job import NewJobPage
from gui.panels.train.run_desk import RunDesk
from gui.panels.train.runs_view import WIDE_PX, RunsView
from gui.training_offer import TrainingOffer
from gui.widgets.chrome.panel_header import PanelHeader
from gui.widgets.inputs.button import Button, icon_button
from gui.widgets.support import layouts


class TrainPanel(PagedPanel):
    """New jobs, the queue, live curves.

    Args:
        services: What the window does for it.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.ask_leaving: Callable[..., Answer] = ask_leaving
        theme = services.theme
        self.view = RunsView(theme)
        self.desk = RunDesk(services, self.view.list, self.view.page, self)
        self.new_button = Button(
            theme, self.tr("New job"), kind="primary", icon="plus", keys="Ctrl N",
            tooltip=self.tr("Set up a new training job"),
        )  # fmt: skip
        self.header = PanelHeader(theme, self.tr("Train"))
        self.compare_button = Button(
            theme, self.tr("Compare runs"), kind="ghost", icon="git-compare"
        )
        trash = icon_button(theme, "trash-2", self.tr("What is in the trash"))
        trash.triggered.connect(partial(services.act, "trash"))
        self.trash_button = trash
        self.header.add(trash, self.compare_button, self.new_button)
        self.compare_page = ComparePage(theme)
        self.offer, new_offer = self._make_offer(), self._make_offer()
        self._runs = QWidget()
        lay_out_below(theme, self.header, self.view, below=self.offer, into=self._runs)
        self.estimate = Estimate(theme)
        self.new_page = NewJobPage(theme, self.estimate)
        self.new_page.put_below_head(new_offer)
        self.new_desk = NewDesk(services, self.new_page, self.estimate, self)
        for page in (self._runs, self.new_page, self.compare_page):
            self._pages.addWidget(page)
        layouts.column((self._pages, 1), into=self)
        self.desk.changed.connect(self._show_runs)
        self.view.new_wanted.connect(self.new_job)
        self.new_button.triggered.connect(self.new_job)
        self.desk.new_wanted.connect(self._new_from)
        self.desk.plan_wanted.connect(self._new_with)
        self.new_page.left.connect(self.show_runs)
        self.new_desk.queued.connect(self._show_queued)
        self.compare_button.triggered.connect(self.compare_runs)
        self.compare_page.left.connect(self.show_runs)
        self.compare_page.chosen.connect(self.desk.compare)
        self.compare_page.failed.connect(services.report_failure)
        self.compare_page.saved.connect(
            lambda path: services.notify("ok", self.tr("Saved"), str(path))
        )
        self.desk.compared.connect(self._show_compared)

    def _make_offer(self) -> TrainingOffer:
        told = self.tr(
            "Models are trained with PyTorch, which is not installed. You can look at runs and "
            "set up jobs; they start once it is there."
        )
        return TrainingOffer(self._services.theme, self._services.parts, told, self)

    def _show_runs(self) -> None:
        self.view.show_state(self.desk.state)
        self._fold_header()

    def _fold_header(self) -> None:
        """Leaves the buttons out where the page says the same, or where nothing can be compared."""
        has_runs = bool(self.desk.state.runs)
        self.new_button.setVisible(has_runs)
        self.compare_button.setVisible(has_runs and self.window().width() >= 880)

    def new_job(self) -> None:
        """Sets up a new job, or goes on with the one that is being set up."""
        self.show_page(self.new_page)
        self.new_desk.look()
        self.new_page.focus_step()

    def _new_from(self, folder: Path, deed: str) -> None:
        self.show_page(self.new_page)
        self.new_desk.begin_with(folder, deed)
        self.new_page.focus_step()

    def _new_with(self, plan: RunPlan) -> None:
        self.show_page(self.new_page)
        self.new_desk.begin_with_plan(plan)
        self.new_page.focus_step()

    def compare_runs(self) -> None:
        """Shows runs side by side: the open one and the next, until others are ticked."""
        runs = [run for run in self.desk.state.runs if run.card is not None and run.card.step]
        open_run = self.desk.state.open
        first = [run for run in runs if open_run is not None and run.folder == open_run.folder]
        ticked = [run.folder for run in (*first, *(r for r in runs if r not in first))][:2]
        self.compare_page.show_list(runs, ticked)
        self.show_page(self.compare_page)
        self.desk.compare(self.compare_page.wanted)

    def _show_compared(self, runs: object) -> None:
        if isinstance(runs, tuple):
            colors = self.desk.colors_of([run.folder for run in runs])
            self.compare_page.show_runs(runs, colors)

    def show_runs(self) -> None:
        """Goes back to the runs, with the keyboard where it was in use here."""
        focus = self.window().focusWidget()
        is_in_use = focus is not None and self.isAncestorOf(focus)
        self.show_page(self._runs)
        if is_in_use:
            self.view.focus_first()
        self.desk.look()

    def _show_queued(self, folder: Path) -> None:
        self.desk.state.wanted = folder
        self.new_page.show_step("what")
        self.show_runs()

    @property
    def is_setting_up(self) -> bool:
        """Whether the page of a new job is shown."""
        return self.shown_page is self.new_page

    # What the window asks

    def commands(self) -> Mapping[str, Callable[[], object]]:
        """A new job; while one is set up, starting it and copying its command."""
        commands: dict[str, Callable[[], object]] = {"new": self.new_job}
        if self.is_setting_up:
            commands["start"] = self.new_desk.start
            commands["copy_command"] = self.new_page.command.copy
        return commands

    def choose(self, chosen: Mapping[str, str]) -> None:
        """Sets up a job that learns from a corpus."""
        if corpus := chosen.get("corpus"):
            self.show_page(self.new_page)
            self.new_desk.begin_with_corpus(Path(corpus))
            self.new_page.focus_step()

    def escape(self) -> bool:
        """Goes back to the runs; the draft stays."""
        if self.shown_page is not self._runs:
            self.show_runs()
            return True
        return False

    def may_close(self) -> bool:
        """Asks what becomes of the jobs that train."""
        runs = [run for run in self.desk.state.runs if run.state == "running" and run.id]
        runs = [run for run in runs if not run.is_pausing]
        if not runs:
            return True
        answer = self.ask_leaving(self._services.theme, [run.title for run in runs], self)
        if answer == "stop":
            self.desk.stop_all(runs)
        return answer != "stay"

    def end(self) -> None:
        """Follows no run any more."""
        self.desk.end()
        self.new_desk.end()

    def regions(self) -> list[QWidget]:
        """The head, and what stands below it."""
        if self.is_setting_up:
            return self.new_page.regions()
        if self.shown_page is self.compare_page:
            return self.compare_page.regions()
        return [self.header, self.offer, *self.view.regions()]

    def saved_state(self) -> PanelState:
        """The run that is open, and the colours of those that were compared."""
        selected = self.desk.state.wanted or self.desk.state.selected
        run: PanelState = {"run": str(selected)} if selected else {}
        return {"colors": self.desk.kept_colors, **run}

    def restore_state(self, state: PanelState) -> None:
        """Opens the run that was open; runs that are compared again have the same colours."""
        colors, run = state.get("colors"), state.get("run")
        if isinstance(colors, str):
            self.desk.take_colors(colors)
        if isinstance(run, str) and run:
            self.desk.state.wanted = Path(run)

    def look(self) -> None:
        """Reads again which runs there are, and which corpora while a job is set up."""
        self.desk.look()
        if self.is_setting_up:
            self.new_desk.look()

    def fold(self) -> None:
        """Follows the width of the window."""
        width = self.window().width()
        self.view.fold(width >= WIDE_PX)
        self.new_page.fold(width)
        self.compare_page.fold(width >= WIDE_PX)
        self._fold_header()
