"""Sets up a new job: looks what there is, forecasts, measures a step, queues it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from core.data.corpus_facts import CorpusFacts, list_corpora
from core.errors import EpitomeError
from core.events import Event, Failed, Message
from core.jobs.call import CallJob
from core.jobs.job import Job
from core.jobs.models.origins import OriginJob
from core.jobs.runs.list_runs import RunCard, list_runs
from core.jobs.training.drafts import ReadDraftJob, write_draft
from core.jobs.training.job_presets import BUILT_IN, JobPreset, OwnPresetsJob, save_preset
from core.jobs.training.machine_facts import read_machine
from core.jobs.training.queued_training import specify_training
from core.jobs.training.run_plan import plan_in
from core.jobs.training.try_step import StepMeasured, TryStepJob
from core.library.named_folders import own_folder
from core.models.families import BUILT_FAMILIES
from core.profiling.advice import Advice, advice
from core.profiling.forecast import Forecast, forecast
from core.profiling.training_suggestions import Machine, mean_row_tokens
from core.storage.atomic_files import write_whole
from core.training.plan import RunPlan
from gui.control_words import explain
from gui.panel import Services
from gui.panels.train.draft import OBJECTIVE_OF, Draft
from gui.panels.train.estimate import Estimate, Known, all_of
from gui.panels.train.new_job import NewJobPage
from gui.widgets.inputs.menu import Menu
from gui.widgets.inputs.saving import ask_where
from gui.workers.latest_run import LatestRun
from gui.workers.runner import Run

_FORECAST_MS = 60


class NewDesk(QObject):
    """Knows the draft and all that it can be made of.

    Args:
        services: What the window does.
        page: Shows the draft.
        estimate: Shows what is known of it.
        parent: Qt's owner.
    """

    queued = Signal(object)
    """The folder of the run that was put into the queue."""

    def __init__(
        self, services: Services, page: NewJobPage, estimate: Estimate, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._services, self._page, self._estimate = services, page, estimate
        self.draft = Draft()
        self.corpora: tuple[CorpusFacts, ...] = ()
        self.runs: tuple[RunCard, ...] = ()
        self.own: tuple[JobPreset, ...] = ()
        self.known = Known()
        self.has_looked = self._has_corpora = self._has_draft = False
        self._looks: list[tuple[Job, Callable[[Any], object]]] = []
        self._then: Callable[[], object] | None = None
        self._measured_plan: RunPlan | None = None
        self._measured: StepMeasured | None = None
        self._failure: Failed | None = None
        self._trying: Run | None = None
        self._asked: set[Run] = set()
        self._starting = LatestRun()
        self._is_refused = False
        self._is_named = self._is_over = False
        self._told: set[str] = set()
        self._kept: dict[str, Any] = self.draft.kept() | {"name": ""}
        self._soon = QTimer(self, singleShot=True, interval=_FORECAST_MS)
        self._soon.timeout.connect(self._follow)
        self._show_soon = QTimer(self, singleShot=True, interval=0)
        self._show_soon.timeout.connect(self._show)
        self._follow_next = QTimer(self, singleShot=True, interval=0)
        self._follow_next.timeout.connect(self._follow)
        self._connect()

    def _connect(self) -> None:
        page = self._page
        page.objective_chosen.connect(self._choose(self.draft_objective))
        page.corpus_chosen.connect(self._choose(self._choose_corpus))
        page.preset_chosen.connect(self._choose(lambda preset: self.draft.choose_preset(preset)))
        page.start_chosen.connect(self.choose_start)
        page.folder_wanted.connect(self._ask_for_model)
        page.corpus_wanted.connect(self._go_to_corpus)
        page.changed.connect(self._field_changed)
        page.started.connect(self.start)
        page.file_menu_wanted.connect(self._open_menu)
        self._services.parts.changed.connect(lambda _: self._soon.start())
        self._estimate.advice_taken.connect(self.take_advice)
        self._estimate.memory_wanted.connect(self.draw_memory)
        self._estimate.try_wanted.connect(self.try_step)
        self._estimate.try_cancelled.connect(self._cancel_try)

    def draft_objective(self, objective: Any) -> None:
        """What is to be learnt."""
        self.draft.choose_objective(objective)

    def _choose(self, act: Callable[[Any], object]) -> Callable[[Any], None]:
        def take(value: Any) -> None:
            act(value)
            self._show()

        return take

    # What there is

    def look(self) -> None:
        """Looks which presets, runs and corpora there are, and what the machine has.

        One after the other: together they would keep the window's thread waiting. The machine comes
        last, because its products are timed.
        """
        folders, is_looking = self._services.folders, bool(self._looks)
        self._looks += [
            (OwnPresetsJob(folders.config / "presets"), self._take_presets),
            (CallJob(list_runs, folders.runs), self._take_runs),
            (CallJob(list_corpora, folders.corpora), self._take_corpora),
            (CallJob(read_machine, folders.runs), self._take_machine),
        ]
        if not is_looking:
            self._look_next()

    def _look_next(self) -> None:
        job, take = self._looks[0]
        looking = self._services.run(job, take)
        looking.happened.connect(self._tell_left_out)
        looking.ended.connect(self._looked)

    def _looked(self) -> None:
        self._looks.pop(0)
        if self._looks and not self._is_over:
            self._look_next()

    def end(self) -> None:
        """The window closes."""
        self._is_over = True
        self._cancel_try()

    def _take_machine(self, machine: Machine) -> None:
        self.draft.take_machine(machine)
        self._show_soon.start()

    def _take_presets(self, presets: tuple[JobPreset, ...]) -> None:
        self.own = presets
        self._show_soon.start()

    def _take_runs(self, cards: tuple[RunCard, ...]) -> None:
        self.runs = cards
        self._show_soon.start()

    def _take_corpora(self, corpora: tuple[CorpusFacts, ...]) -> None:
        corpora = tuple(each for each in corpora if not each.fault)
        self.corpora = corpora
        if not self._has_corpora:
            kept = self._services.run(
                ReadDraftJob(self._draft_file), self._take_up, failed=lambda _: self._take_up({})
            )
            kept.happened.connect(self._tell_left_out)
        known = {each.folder: each for each in corpora}
        chosen = self.draft.corpus
        if chosen is not None and chosen.folder in known:
            self.draft.corpus = known[chosen.folder]
            self.draft.follow()
        elif chosen is None and corpora and not self.draft.missing_corpus:
            self.draft.choose_corpus(corpora[0], by_person=False)
        self._has_corpora = True
        self._act_then()
        self._show_soon.start()

    # The draft

    @property
    def _draft_file(self) -> Path:
        return self._services.folders.data / "train-draft.json"

    def _take_up(self, kept: dict[str, Any]) -> None:
        """Goes on with the draft of the last time, or with what the person wants instead."""
        self._has_draft = True
        if self._act_then():
            return
        if kept:
            self.draft.take_up(kept, self.corpora, (*BUILT_IN, *self.own))
            self._is_named = bool(kept.get("name"))
            self.draft.name = str(kept.get("name", ""))
            self._page.name.setText(self.draft.name)
            self._page.several.setText(self.draft.several)
            if kept.get("start_from"):
                self.choose_start(Path(str(kept["start_from"])))
        self._show()

    def _keep(self) -> None:
        kept, file = self.draft.kept(), self._draft_file
        if not self._is_named:
            kept["name"] = ""
        if kept != self._kept:
            self._kept = kept
            self._services.keeper.keep("draft of a job", partial(write_draft, file, kept))

    def _choose_corpus(self, folder: Any) -> None:
        corpus = next((each for each in self.corpora if each.folder == folder), None)
        if corpus is not None:
            self.draft.choose_corpus(corpus)

    def choose_start(self, folder: object) -> None:
        """Starts from a run or a model folder, or from nothing (None)."""
        self._starting.stop()  # what was chosen before is not wanted any more
        if not isinstance(folder, Path):
            self.draft.choose_start(None, None)
            self._show()
            return
        reading = self._services.controller.run_in_thread(OriginJob(folder))
        self._starting.follow(
            reading, partial(self._take_origin, folder), self._services.report_failure
        )

    def _take_origin(self, folder: Path, origin: Any) -> None:
        self.draft.choose_start(folder, origin)
        self._show()

    def _ask_for_model(self) -> None:
        folder = QFileDialog.getExistingDirectory(self._page, self.tr("Folder of a model"))
        if folder:
            self.choose_start(Path(folder))

    def _go_to_corpus(self) -> None:
        self._services.show_panel("corpus", page="new")

    def begin_with(self, folder: Path, deed: str) -> None:
        """Begins with a run.

        Args:
            folder: The run's.
            deed: "duplicate" takes its settings, "continue" its settings and weights, "fine_tune"
                its weights, to learn to summarise.
        """
        if deed == "fine_tune":
            self._page.show_step("what")
            self._look_then(partial(self._fine_tune, folder))
            return
        reading = self._services.controller.run_in_thread(CallJob(plan_in, folder))
        if deed == "continue":
            reading.finished.connect(lambda plan: self.begin_with_plan(_started_from(plan, folder)))
        else:
            reading.finished.connect(self.begin_with_plan)
        reading.failed.connect(self._services.report_failure)

    def begin_with_corpus(self, folder: Path) -> None:
        """Begins with a corpus, to learn what its rows are for."""
        self._page.show_step("what")
        self._look_then(partial(self._learn_from, folder))

    def _learn_from(self, folder: Path) -> None:
        corpus = next((each for each in self.corpora if each.folder == folder), None)
        if corpus is not None:
            self.draft.choose_corpus(corpus)
            if self.draft.refusal(corpus):
                self.draft.choose_objective(OBJECTIVE_OF[corpus.make])
        self._show()

    def _fine_tune(self, folder: Path) -> None:
        self.draft.choose_objective("summary")
        corpus = self.draft.corpus
        if corpus is None or corpus.make != "pairs":
            pairs = (each for each in self.corpora if each.make == "pairs")
            if (found := next(pairs, None)) is not None:
                self.draft.choose_corpus(found, by_person=False)
        self.choose_start(folder)

    def begin_with_plan(self, plan: RunPlan) -> None:
        """Begins with the settings of a plan."""
        self._page.show_step("fields")
        self._look_then(partial(self._take_plan, plan))

    def _look_then(self, act: Callable[[], object]) -> None:
        """Does something once the corpora and the kept draft are known, which it replaces."""
        self._then = act
        self.look()

    def _act_then(self) -> bool:
        """Does what was to be done once all is known; whether there was anything."""
        if not self._has_draft or self._then is None:
            return False
        then, self._then = self._then, None
        then()
        return True

    def _take_plan(self, plan: RunPlan) -> None:
        place = Path(plan.run.corpus)
        corpus = next((each for each in self.corpora if each.folder == place), None)
        self._starting.stop()
        self.draft.take_plan(plan, corpus)
        self._is_named = False
        self._page.show_step("fields")
        self._show()

    def _field_changed(self) -> None:
        name = self._page.name.text().strip()
        if name != self.draft.name:
            self._is_named, self.draft.name = bool(name), name
        self.draft.several = self._page.several.text().strip()
        self._page.show_form(self.draft)
        self._page._tell_steps(self.draft)
        self._soon.start()

    def _show(self) -> None:
        if self._is_over:
            return
        if not self._is_named:
            taken = {card.folder.name for card in self.runs}
            self.draft.name = self.draft.suggested_name(taken)
            self._page.name.setText(self.draft.name)
        self._page.show_draft(self.draft, self.corpora, self.runs, self.own)
        if self.has_looked:
            self._follow()
        else:  # the first look fills all of the page: in a turn of its own, nobody waits for it
            self._follow_next.start()

    # What follows

    def _follow(self) -> None:
        """Forecasts anew, and shows the command."""
        if self._is_over:
            return
        self.has_looked = self._has_corpora
        plans = self._plans()
        plan = self._largest(plans)
        if plan is not None and plan != self._measured_plan:
            self._measured = self._failure = None
        folders, jobs = self._services.folders, max(len(plans), 1)
        self._page.command.show_options(self.draft.options(folders.corpora, folders.runs), jobs)
        self.known = Known(
            all_of([self._forecast(each) for each in plans]) if plans else None,
            self._measured,
            self.draft.machine,
            self._advice(plan) if plan else (),
            self._failure,
            jobs,
        )
        self._estimate.show_known(self.known)
        self._page.show_missing(self._missing(), jobs)
        self._page.show_several_problem(self.draft.several_problem)
        if self.has_looked:
            self._keep()
        why = self._no_part() or self.tr("Correct the marked values first.")
        can_try = plan is not None and not self._no_part()
        self._estimate.try_button.set_usable(can_try, why)
        self._show_memory_button(plan)

    def _plans(self) -> list[RunPlan]:
        """Those of all jobs; of the one job while the several values are wrong."""
        if self.draft.several_problem:
            return [plan] if (plan := self.draft.plan) else []
        return [plan for _, plan in self.draft.jobs]

    def _largest(self, plans: Sequence[RunPlan]) -> RunPlan | None:
        """The one that takes most memory, whose step is measured."""
        return max(plans, key=lambda plan: self._forecast(plan).run_peak_bytes, default=None)

    def _show_memory_button(self, plan: RunPlan | None) -> None:
        """Offers to draw the memory of what is set, where that can be drawn."""
        button = self._estimate.memory_button
        is_drawn = plan is None or plan.model.family in BUILT_FAMILIES.classes
        button.setVisible(is_drawn)
        button.set_usable(plan is not None, self.tr("Correct the marked values first."))

    def draw_memory(self) -> None:
        """Draws the memory of these settings in the Memory panel."""
        plan = self.draft.plan
        if plan is not None:
            name = self.draft.name or self.tr("New job")
            self._services.show_panel("memory", title=name, plan=plan.to_json())

    def _no_part(self) -> str:
        """Says that the training part is missing; empty where it is there."""
        is_there = self._services.parts.state("training").status == "installed"
        return "" if is_there else self.tr("The training part is not installed.")

    def _missing(self) -> str:
        if why := self._no_part():
            return why
        if not self.draft.name:
            return self.tr("Give the run a name.")
        if missing := self.draft.missing:
            return missing
        names, taken = (
            [name for name, _ in self.draft.jobs],
            {each.folder.name for each in self.runs},
        )
        try:
            for name in names:
                own_folder(name, self._services.folders.runs, "a run")
        except EpitomeError as error:
            return explain(error)
        is_taken = not taken.isdisjoint(names)
        return self.tr("There is a run of this name already.") if is_taken else ""

    def _forecast(self, plan: RunPlan) -> Forecast:
        machine, values = self.draft.machine, self.draft.values or {}
        mean = mean_row_tokens(values | _lengths(plan), self.draft.corpus)
        return forecast(
            plan.model,
            plan.train,
            plan.decoding,
            mean_tokens=mean,
            cores=machine.cores,
            on_gpu=bool(machine.gpu),
            rate=machine.rate or None,
        )

    def _advice(self, plan: RunPlan) -> Sequence[Advice]:
        given = self.draft.origin is not None
        return advice(plan.model, plan.train, plan.decoding, model_is_given=given)[:4]

    def take_advice(self, chosen: Advice) -> None:
        """Makes a change that saves memory."""
        form = self.draft.form
        for name, value in chosen.values:
            raw = f"{value}" if isinstance(value, int) and not isinstance(value, bool) else value
            form.put(name, raw)
            form.tidy(name)
        self._field_changed()

    # One step

    def try_step(self) -> None:
        """Measures the largest step in a process of its own."""
        plan = self._largest(self._plans())
        if plan is None or self._trying is not None:
            return
        self._estimate.try_button.set_busy(True)
        run = self._trying = self._services.controller.run_in_thread(TryStepJob(plan))
        run.finished.connect(partial(self._take_measured, plan))
        run.failed.connect(partial(self._take_failure, plan))
        run.ended.connect(self._tried)

    def _cancel_try(self) -> None:
        if self._trying is not None:
            self._trying.stop()

    def _take_measured(self, plan: RunPlan, found: StepMeasured) -> None:
        self._measured_plan, self._measured, self._failure = plan, found, None

    def _take_failure(self, plan: RunPlan, failure: Failed) -> None:
        self._measured_plan, self._measured, self._failure = plan, None, failure

    def _tried(self) -> None:
        self._trying = None
        if not self._is_over:
            self._estimate.try_button.set_busy(False)
            self._follow()

    # The queue, and files

    def start(self) -> None:
        """Puts the job into the queue, or goes to what is missing; keeps it until it is taken."""
        if self._asked:
            return
        plan, missing = self.draft.plan, self._missing()
        if plan is None or missing:
            form = self._page.form
            self._page.show_step("data" if self.draft.corpus is None else "fields")
            if form is not None and not form.show_problems():
                self._services.notify("warn", missing)
            return
        runs, jobs = self._services.folders.runs, self.draft.jobs
        orders = [specify_training(each, runs / name) for name, each in jobs]
        self._is_refused = False
        for order in orders:
            run = self._services.controller.queue_job(order)
            self._asked.add(run)
            run.queued.connect(partial(self._take_answer, run, orders[0].folder))
            run.failed.connect(partial(self._take_failed, run, orders[0].folder))

    def _take_failed(self, run: Run, first: Path, failure: Failed) -> None:
        """The queue has refused a job, or one that it took has failed since."""
        self._services.report_failure(failure)
        self._is_refused |= run in self._asked
        self._take_answer(run, first)

    def _take_answer(self, run: Run, first: Path) -> None:
        """What is set up goes once the queue has taken all jobs of it."""
        if run not in self._asked or self._is_over:
            return
        self._asked.remove(run)
        if self._asked:
            return
        if self._is_refused:
            self.look()  # some may have been taken: their names are now
            return
        self._starting.stop()
        self.draft = Draft(self.draft.machine)
        self._page.several.clear()
        self._is_named = False
        self.queued.emit(first)

    def _open_menu(self, button: QWidget) -> None:
        menu = Menu(self._services.theme, self.tr("More for this job"), self._page)
        menu.add(self.tr("Keep as a preset"), self.keep_preset, icon="pin")
        menu.add(self.tr("Open a job file…"), self._ask_for_file, icon="folder-open")
        menu.add(self.tr("Save as a job file…"), self._ask_where, icon="download")
        menu.addSeparator()
        menu.add(self.tr("Take all values of the preset"), self._reset, icon="rotate-ccw")
        menu.open_below(button, flush_right=True)

    def keep_preset(self) -> None:
        """Keeps the settings as a preset of the run's name."""
        plan = self.draft.plan
        if plan is None:
            self._services.notify("warn", self.draft.missing)
            return
        folder, title = self._services.folders.config / "presets", self.draft.name
        self._write(lambda: save_preset(folder, title, plan), self._tell_preset)

    def _tell_preset(self, path: Path) -> None:
        self._services.notify("ok", self.tr("Kept as the preset “{0}”").format(path.stem))
        self.look()

    def _write(self, write: Callable[[], object], tell: Callable[[Any], object]) -> None:
        """Writes a file in a thread, and says so."""
        self._services.run(CallJob(write), tell)

    def _reset(self) -> None:
        self.draft.form.reset()
        self._field_changed()

    def _ask_for_file(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self._page, self.tr("Job file"), "", "*.toml")
        if path:
            self.open_file(Path(path))

    def open_file(self, path: Path) -> None:
        """Takes the settings of a job file."""
        self._services.run(CallJob(RunPlan.read, path), self._take_plan)

    def _ask_where(self) -> None:
        name = self.draft.name or "job"
        theme, title = self._services.theme, self.tr("Job file")
        path = ask_where(theme, self._page, title, name, ".toml")
        if path is not None:
            self.save_file(path)

    def save_file(self, path: Path) -> None:
        """Writes the settings as a job file for ``epitome train --config``."""
        plan = self.draft.plan
        if plan is None:
            self._services.notify("warn", self.draft.missing)
            return
        data = plan.to_toml().encode()
        self._write(
            lambda: write_whole(path, data, replace=True),
            lambda _: self._services.notify("ok", self.tr("Saved"), str(path)),
        )

    def _tell_left_out(self, event: Event) -> None:
        """Names a preset, or a draft, that cannot be read, once."""
        if isinstance(event, Message) and not self._is_over and event.text not in self._told:
            self._told.add(event.text)
            self._services.notify("err", event.text)


def _started_from(plan: RunPlan, folder: Path) -> RunPlan:
    """A plan with the weights of a run, and so with its tokenizer."""
    run = plan.run.model_copy(update={"start_from": str(folder), "tokenizer": ""})
    return replace(plan, run=run)


def _lengths(plan: RunPlan) -> dict[str, Any]:
    """The lengths of a model that a form does not show."""
    names = ("length", "source_length", "target_length", "vocabulary_size")
    return {name: getattr(plan.model, name) for name in names if hasattr(plan.model, name)}
