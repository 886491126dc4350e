"""Pictures of Train."""

from collections.abc import Callable

from core.events import Progress
from core.profiling.events import GaugedLoss, TailEffect
from core.runs.folder import RunFolder, at_work
from docs.pictures_of.stage import settle
from docs.scenes import training
from gui.main_window import MainWindow
from gui.panels.train.panel import TrainPanel


def empty(shown: MainWindow) -> None:
    """No run is there yet."""
    shown.show_panel("train")
    panel = train(shown)
    settle(lambda: panel.desk.state.has_looked)


def live(shown: MainWindow) -> None:
    """A run while it trains, among others that wait, were paused, failed or are done."""
    main = training.write_runs(shown.folders.runs)
    shown.controller.queue._attend = lambda queue: None  # nothing of it is really trained
    shown.controller.queue.change(lambda queue: training.queue_runs(queue, main))
    settle(lambda: len(shown.controller.queue.jobs) == 3)
    with at_work(RunFolder(main)) as heartbeat:
        heartbeat.show(Progress(20_600, 50_000, "steps", "Training"))
        shown.show_panel("train")
        panel = train(shown)
        panel.ask_leaving = lambda *about: "leave"
        settle(lambda: len(panel.desk.state.runs) == 6 and panel.desk.state.run(main) is not None)
        panel.desk.open(main)
        settle(lambda: len(panel.view.page.history) == 5_150)
        settle(lambda: panel.view.page.plan is not None)
        other = panel.desk.state.run(shown.folders.runs / "patents-4k")
        assert other is not None
        panel.desk._turn_overlay(other)
        settle(lambda: bool(panel.view.page.curves.overlays))
        panel.desk._take_jobs(shown.controller.queue.jobs)
        settle()


def gauges(shown: MainWindow) -> None:
    """What hashing does to a run that is open."""
    live(shown)
    page = train(shown).view.page
    page.parts["gauges"].head.setChecked(True)
    causal = [TailEffect(kind, 3277, 0, 0.0, 1.7, 1e-5) for kind in ("as trained", "full")]
    causal.append(TailEffect("lsh-chunk", 3277, 3198, 3.9, 1.7, 1e-5))
    page.gauges.show_found("causality", causal)
    twin = [GaugedLoss("as trained", 2.48213, {}, 6.4, 412_000_000),
            GaugedLoss("full attention", 2.47108, {}, 21.3, 398_000_000)]  # fmt: skip
    page.gauges.show_found("twin", twin)
    settle()


def failed(shown: MainWindow) -> None:
    """A run that ran out of memory, with what would need less."""
    training.write_runs(shown.folders.runs)
    folder = training.write_failed(shown.folders.runs)
    shown.show_panel("train")
    panel = train(shown)
    settle(lambda: panel.desk.state.run(folder) is not None)
    panel.desk.open(folder)
    settle(lambda: bool(panel.view.page.failure.retries))
    settle(lambda: not panel.view.page.charts[0].model.empty)
    settle()


def new(step: str) -> Callable[[MainWindow], None]:
    """A job while it is set up."""

    def show(shown: MainWindow) -> None:
        training.write_runs(shown.folders.runs)
        training.write_corpora(shown.folders.corpora)
        shown.show_panel("train")
        panel = train(shown)
        take = panel.new_desk._take_machine  # whatever this machine is, and how busy
        panel.new_desk._take_machine = lambda machine: take(training.MACHINE)
        panel.new_job()
        settle(lambda: panel.new_desk.has_looked and bool(panel.new_desk.runs))
        settle(lambda: panel.new_desk.draft.machine == training.MACHINE)
        panel.new_page.show_step(step)
        if step == "fields":
            panel.new_desk.draft.choose_preset(panel.new_desk.draft.presets[1])
            panel.new_desk._show()
            form = panel.new_page.form
            assert form is not None
            for name, raw in (("length", "8192"), ("rounds", "4"), ("batch", "4")):
                form.rows[name].edited.emit(name, raw)
                form.rows[name].committed.emit(name)
            form.groups["Attention"].head.setChecked(True)
        settle()

    return show


def compare(shown: MainWindow) -> None:
    """Three runs side by side."""
    training.write_runs(shown.folders.runs)
    shown.show_panel("train")
    panel = train(shown)
    settle(lambda: len(panel.desk.state.runs) == 4)
    panel.compare_runs()
    folders = [shown.folders.runs / name for name in ("patents-16k", "patents-4k", "patents-base")]
    panel.compare_page.show_list(panel.desk.state.runs, folders)
    panel.desk.compare(tuple(folders))
    settle(lambda: len(panel.compare_page.charts) == 2)
    settle(lambda: len(panel.compare_page.charts[0].model.series) == 3)
    settle()


def seeds(shown: MainWindow) -> None:
    """Runs of three seeds as a mean with its range, beside another run."""
    training.write_runs(shown.folders.runs)
    seeds = training.write_seeds(shown.folders.runs)
    shown.show_panel("train")
    panel = train(shown)
    settle(lambda: len(panel.desk.state.runs) == 7)
    panel.compare_runs()
    folders = [*seeds, shown.folders.runs / "patents-4k"]
    panel.compare_page.show_list(panel.desk.state.runs, folders)
    panel.desk.compare(tuple(folders))
    series = lambda: [s for c in panel.compare_page.charts for s in c.model.series]  # noqa: E731
    settle(lambda: any(len(each.members) == 3 for each in series()))
    settle()


def train(shown: MainWindow) -> TrainPanel:
    """The Train panel."""
    panel = shown.panel("train")
    assert isinstance(panel, TrainPanel)
    return panel
