"""Makes the pictures of the window in docs/pictures: `python docs/make_pictures.py [NAME…]`.

Every picture is a grab of the real window, drawn without a screen, after real work on the samples.
"""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from unittest import mock

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from PIL import Image  # noqa: E402
from PySide6.QtCore import QEventLoop, QTimer  # noqa: E402
from PySide6.QtGui import QImage, QPainter  # noqa: E402
from PySide6.QtWidgets import QApplication, QWidget  # noqa: E402

from core import parts  # noqa: E402
from core.events import Failed, Progress  # noqa: E402
from core.jobs.paper_figures import FIGURES  # noqa: E402
from core.jobs.sources import SourceRef  # noqa: E402
from core.library.folders import Folders  # noqa: E402
from core.library.preferences import Preferences  # noqa: E402
from core.profiling.events import GaugedLoss, TailEffect  # noqa: E402
from core.resources import resource  # noqa: E402
from core.runs.folder import RunFolder, at_work  # noqa: E402
from core.summary import Length  # noqa: E402
from docs.scenes import (  # noqa: E402
    batches,
    charts,
    comparisons,
    components,
    corpora,
    forms,
    histories,
    library_models,
    memory,
    models,
    tables,
    training,
)
from gui.job_list import JobWish  # noqa: E402
from gui.main_window import MainWindow  # noqa: E402
from gui.panels.compare.panel import ComparePanel  # noqa: E402
from gui.panels.corpus.panel import CorpusPanel  # noqa: E402
from gui.panels.memory.panel import MemoryPanel  # noqa: E402
from gui.panels.settings import panel as settings_panel  # noqa: E402
from gui.panels.summarise.state import Phase  # noqa: E402
from gui.panels.train.panel import TrainPanel  # noqa: E402
from gui.theme.theme import Scheme, Theme  # noqa: E402
from tests.helpers.pdf_maker import encrypted, mixed_pages  # noqa: E402
from tests.helpers.windows import desk  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
WIDE, LAPTOP, MEDIUM, SMALL = (1440, 900), (1366, 768), (1000, 700), (720, 450)
PATIENCE_MS = 30_000
COMMON_COLOURS = 128
PROSE = (
    "The inspection of the north quay began on the third of March and took eleven days. Divers "
    "went along all 214 piles and found corrosion on 38 of them, mostly between low water and "
    "the sea bed. Nine piles have lost more than a third of their steel and should be clad before "
    "the winter. The deck above them carries half of the traffic of the container terminal, so "
    "the work has to be done in two halves. The cranes can stay where they are, provided that "
    "no more than two of them stand on the same bay.",
    "Cladding the nine piles takes six weeks and costs about 410 000 euros. If it is put off by "
    "a year, fourteen further piles will have to be clad, and the cost will double. The inspectors "
    "therefore advise the port to begin in May, when the water is calm and the ferries do not run "
    "at night. A second inspection in two years would show whether the anodes that were renewed "
    "this spring protect the steel as they should.",
)
"""What stands on the readable pages of a report whose third page is a picture."""
PATENT_REFERENCE = (
    "A solid-state lithium cell has a sulphide separator that is cast directly onto its cathode. A "
    "layer of lithium nitride, grown on the lithium surface before assembly, keeps the metal from "
    "reducing the sulphide. Such cells keep 91 % of their capacity after 1 200 cycles."
)
TOTAL_BYTES, USED_BYTES = 32 * 10**9, 31 * 10**8
"""What the status bar says of memory, so that pictures do not change with the machine."""


@contextmanager
def window(scheme: Scheme, size: tuple[int, int]) -> Iterator[MainWindow]:
    """The real window with an empty home."""
    with tempfile.TemporaryDirectory() as home:
        theme = Theme(scheme=scheme, motion="off")
        theme.apply()
        preferences = Preferences(theme=scheme, motion="off")
        shown = MainWindow(theme, preferences, Folders.under(Path(home)))
        shown.resize(*size)
        shown.show()
        shown.begin([])
        yield shown
        shown.close()
        shown.deleteLater()
        settle()


def settle(until: Callable[[], bool] = lambda: True) -> None:
    """Lets the window work until something is so."""
    loop, timer, limit = QEventLoop(), QTimer(), QTimer(singleShot=True)
    timer.timeout.connect(lambda: until() and loop.quit())
    limit.timeout.connect(loop.quit)
    timer.start(60)
    limit.start(PATIENCE_MS)
    loop.exec()
    if not until():
        raise TimeoutError("the window did not get there")


def open_and_wait(shown: MainWindow, path: Path, phase: Phase = Phase.READY) -> None:
    """Opens a document and waits for what comes of it."""
    desk(shown).open_source(SourceRef(path=path))
    settle(lambda: desk(shown).state.phase is phase)
    settle()


def save(widget: QWidget, name: str) -> None:
    """Writes a picture in 256 colours, which keeps it under 300 KB and looks the same."""
    grabbed = widget.grab()
    popup = QApplication.activePopupWidget()
    if popup is not None:
        painter = QPainter(grabbed)
        painter.drawPixmap(widget.mapFromGlobal(popup.pos()), popup.grab())
        painter.end()
    drawn = grabbed.toImage().convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(drawn.constBits(), np.uint8).reshape(drawn.height(), -1)
    pixels = rows[:, : 3 * drawn.width()].reshape(-1, 3)
    colours, where, counts = np.unique(pixels, axis=0, return_inverse=True, return_counts=True)
    colours = colours.astype(np.int64)
    palette = colours[_telling(colours, counts)]
    nearest = np.concatenate(
        [
            np.argmin(((part[:, None] - palette[None]) ** 2).sum(2), axis=1)
            for part in np.array_split(colours, 1 + len(colours) // 2_000)
        ]
    )
    indices = nearest[where.ravel()].astype(np.uint8).reshape(drawn.height(), drawn.width())
    picture = Image.fromarray(indices, "P")
    picture.putpalette(palette.astype(np.uint8).tobytes())
    picture.save(PICTURES / f"{name}.png", optimize=True)


def _telling(colours: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Indices of 256 colours: the commonest, then whatever is farthest from those there are."""
    chosen = np.argsort(-counts, kind="stable")[:COMMON_COLOURS].tolist()
    distance = np.min([((colours - colours[index]) ** 2).sum(1) for index in chosen], axis=0)
    while len(chosen) < min(256, len(colours)):
        chosen.append(int(np.argmax(distance)))
        distance = np.minimum(distance, ((colours - colours[chosen[-1]]) ** 2).sum(1))
    return np.array(chosen)


def empty(shown: MainWindow) -> None:
    """Nothing is open."""


def summarised(shown: MainWindow) -> None:
    """The patent, with a sentence and its evidence lit."""
    open_and_wait(shown, resource("samples", "patent.pdf"))
    desk(shown).stage.show_evidence(4)
    if shown.width() < 1200:
        desk(shown).show_side("summary")
    desk(shown).stage.light(4)
    settle()


def source_alone(shown: MainWindow) -> None:
    """The source where there is room for one column."""
    summarised(shown)
    desk(shown).show_side("source")
    settle()


def pinned(shown: MainWindow) -> None:
    """The report, with pinned sentences, a search and a longer summary."""
    open_and_wait(shown, resource("samples", "report.docx"))
    panel = desk(shown)
    panel.editor.decide(panel.state.toggle_pin, 1)
    panel.editor.decide(panel.state.replace, 3)
    panel.source.find_bar.open_bar()
    panel.source.find_bar.field.setText("nitrate")
    settle()


def returned(shown: MainWindow) -> None:
    """The article is opened again: its pins are back, and a sentence was just replaced."""
    article, panel = resource("samples", "article.md"), desk(shown)
    open_and_wait(shown, article)
    panel.editor.decide(panel.state.toggle_pin, 1)
    panel.editor.decide(panel.state.drop, 4)
    panel.saver.keep_decisions()
    file = shown.decisions.file
    settle(file.exists)
    open_and_wait(shown, article)
    panel.editor.replace(2)
    settle()


def compared(shown: MainWindow) -> None:
    """Two lengths of one summary side by side, a sentence with its evidence in its place."""
    open_and_wait(shown, resource("samples", "patent.pdf"))
    panel = desk(shown)
    panel.editor.wish_length(Length(5), False)
    panel.comparison.open(panel.state.model)
    rows = panel.comparison.column.list
    rows._enter(1)
    rows._activate(1)
    panel.comparison.column.length.field.clearFocus()
    settle()


def referenced(shown: MainWindow) -> None:
    """A reference under the summary, with the summary's scores."""
    open_and_wait(shown, resource("samples", "patent.pdf"))
    panel = desk(shown)
    panel.references.toggle()
    panel.summary.reference.text.setPlainText(PATENT_REFERENCE)
    panel.summary.list.setFocus()
    settle()


def referenced_twice(shown: MainWindow) -> None:
    """Two summaries, each scored against the reference."""
    referenced(shown)
    panel = desk(shown)
    panel.editor.wish_length(Length(5), False)
    panel.comparison.open(panel.state.model)
    settle()


def reading(shown: MainWindow) -> None:
    """A document is being read."""
    panel = desk(shown)
    panel.state.begin(SourceRef(path=Path("Annual report 2024.pdf")))
    panel.state.progress = Progress(4, 10, "pages", "Opening")
    panel.redraw()
    settle()


def locked(shown: MainWindow) -> None:
    """A PDF that opens only with its password, after a summary was made."""
    open_and_wait(shown, resource("samples", "article.md"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "Annual report 2024.pdf"
        path.write_bytes(encrypted("open"))
        open_and_wait(shown, path, Phase.FAILED)


def incomplete(shown: MainWindow) -> None:
    """A PDF of which some pages are pictures."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "Inspection report.pdf"
        path.write_bytes(mixed_pages(*PROSE))
        open_and_wait(shown, path)
        desk(shown).editor.wish_length(Length(4), False)


def several(shown: MainWindow) -> None:
    """Six documents: one is shown, one cannot be read, one waits."""
    names = ("patent.pdf", "report.docx", "article.md")
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("Plan.docx", "Minutes.md", "Inspection.txt")]
        files[0].write_bytes(b"PK\x03\x04" + bytes(500))
        for file in files[1:]:
            file.write_text("\n\n".join(PROSE))
        panel = desk(shown)
        panel.open_files([*(resource("samples", name) for name in names), *files])
        settle(lambda: len(panel.documents) == 6)
        for place, phase in ((3, Phase.FAILED), (1, Phase.READY)):
            panel.turner.show(panel.documents.all[place])
            settle(lambda phase=phase: panel.state.phase is phase and panel.opener.run is None)
        panel.source.view.setFocus()
        panel.source.view.clearFocus()
        panel.stage.light(2)
        settle()


def several_in_menu(shown: MainWindow) -> None:
    """The list of the open documents where there is no room for it beside the text."""
    several(shown)
    desk(shown).header.documents.triggered.emit()
    settle()


def one_failed_of_several(shown: MainWindow) -> None:
    """The document that cannot be read, with its reason in its place."""
    several(shown)
    panel = desk(shown)
    panel.turner.show(panel.documents.all[3])
    settle()


def jobs(shown: MainWindow) -> None:
    """The list of jobs over the status bar."""
    summarised(shown)
    # Five minutes passed since the list saw the first share of the training.
    now_s = [0.0]
    shown.jobs._clock = lambda: now_s[0]
    report = partial(shown.jobs.report, can_pause=True, obey=print)
    report("train", "Training patents-16k", share=0.2)
    now_s[0] = 300.0
    report("train", "Training patents-16k", share=0.41, note="step 8\u202f210 of 20\u202f000")
    report("paused", "Training reports-4k", "paused", share=0.78)
    moves: tuple[JobWish, ...] = ("move_down", "move_up")
    for move, title in zip(
        moves, ("Preparing the corpus speeches", "Training reports-16k"), strict=True
    ):
        report(title, title, "waiting", offers=frozenset({move}))
    report("failed", "Training first", share=0.1)
    shown.jobs.end(
        "failed", "failed", "The disk is full. Free some space, then resume it.", obey=print
    )
    report("cancelled", "Training essays-4k", share=0.1)
    trash = "Cancelled. Its folder is in the trash: ~/Epitome/data/trash/essays-4k-3f9c21aa."
    shown.jobs.end("cancelled", "stopped", trash, offers=frozenset({"restore"}), obey=print)
    shown.status.open_list()
    settle()


def settings(page: str) -> Callable[[MainWindow], None]:
    """A page of the settings."""

    def show(shown: MainWindow) -> None:
        shown.show_panel("settings")
        shown.panel("settings").show_page(page)
        settle()

    return show


def with_releases(scene: Callable[[MainWindow], None]) -> Callable[[MainWindow], None]:
    """A scene of a copy that names its page of releases."""

    def show(shown: MainWindow) -> None:
        page = "https://code.example.org/epitome/releases"
        with mock.patch.object(settings_panel, "releases_page", lambda: page):
            scene(shown)

    return show


def without_parts(scene: Callable[[MainWindow], None]) -> Callable[[MainWindow], None]:
    """A scene on a machine where no optional part is installed."""

    def show(shown: MainWindow) -> None:
        with mock.patch.object(parts.Part, "is_installed", False):
            scene(shown)

    return show


def scan_offered(shown: MainWindow) -> None:
    """A scan, and the part that would read it."""
    panel = desk(shown)
    panel.state.begin(SourceRef(path=Path("Annual report 1987.pdf")))
    told = "This PDF contains no text: all of its 12 pages are pictures."
    panel.state.fail(Failed(told, "", kind="missing-scans"))
    panel.redraw()
    settle()


def helping(shown: MainWindow) -> None:
    """The page of first steps."""
    shown.show_panel("help")
    settle()


def train_empty(shown: MainWindow) -> None:
    """No run is there yet."""
    shown.show_panel("train")
    panel = train(shown)
    settle(lambda: panel.desk.state.has_looked)


def train_live(shown: MainWindow) -> None:
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


def train_gauges(shown: MainWindow) -> None:
    """What hashing does to a run that is open."""
    train_live(shown)
    page = train(shown).view.page
    page.parts["gauges"].head.setChecked(True)
    causal = [TailEffect(kind, 3277, 0, 0.0, 1.7, 1e-5) for kind in ("as trained", "full")]
    causal.append(TailEffect("lsh-chunk", 3277, 3198, 3.9, 1.7, 1e-5))
    page.gauges.show_found("causality", causal)
    twin = [GaugedLoss("as trained", 2.48213, {}, 6.4, 412_000_000),
            GaugedLoss("full attention", 2.47108, {}, 21.3, 398_000_000)]  # fmt: skip
    page.gauges.show_found("twin", twin)
    settle()


def train_failed(shown: MainWindow) -> None:
    """A run that ran out of memory, with what would need less."""
    training.write_runs(shown.folders.runs)
    folder = training.write_failed(shown.folders.runs)
    shown.show_panel("train")
    panel = train(shown)
    settle(lambda: panel.desk.state.run(folder) is not None)
    panel.desk.open(folder)
    settle(lambda: bool(panel.view.page.failure.retries))
    settle()


def train_new(step: str) -> Callable[[MainWindow], None]:
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


def train_compare(shown: MainWindow) -> None:
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


def train_seeds(shown: MainWindow) -> None:
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


def memory_of(shown: MainWindow) -> MemoryPanel:
    """The Memory panel, for a machine that does not change."""
    shown.show_panel("memory")
    panel = shown.panel("memory")
    assert isinstance(panel, MemoryPanel)
    settle(lambda: panel.knows_machine)
    panel.side.show_machine("", 0, memory.MEMORY_BYTES)
    panel.show_machine(memory.MACHINE, memory.HELD_BYTES)
    return panel


def memory_measured(side: str = "charts", what: str = "memory") -> Callable[[MainWindow], None]:
    """Four variants against the length, measured where they fit."""

    def show(shown: MainWindow) -> None:
        panel = memory_of(shown)
        panel.state.choose_preset("large")
        panel.state.choose_values("1024..65536x2")
        panel.redraw()
        memory.measure(panel.state, shown.folders.measurements_file)
        panel.look()
        settle(lambda: bool(panel.state.kept))
        settle(lambda: panel._reading is None)
        panel._take_machine = lambda facts: None
        panel.side.show_machine("", 0, memory.MEMORY_BYTES)
        panel.show_machine(memory.MACHINE, memory.HELD_BYTES)
        panel.results.what.set_value(what)
        panel.header.switch.set_value(side)
        panel._fold()
        panel.redraw()
        settle()

    return show


def memory_forecast(shown: MainWindow) -> None:
    """Nothing was measured yet."""
    memory_of(shown)
    settle()


def memory_paper(shown: MainWindow) -> None:
    """A figure of the paper, beside what the paper says."""
    panel = memory_of(shown)
    panel.show_figure(next(iter(FIGURES.values()))[7])
    settle()


def memory_parts(shown: MainWindow) -> None:
    """The model with each part switched off in turn."""
    panel = memory_of(shown)
    panel.state.choose_axis("parts")
    panel.redraw()
    settle()


def memory_run(shown: MainWindow) -> None:
    """A run with its own settings beside the variants of a preset."""
    panel = memory_of(shown)
    panel.show_plan("patents-16k", training.plan())
    settle()


def memory_settings(shown: MainWindow) -> None:
    """All settings of the model and its step."""
    memory_of(shown).show_settings()
    settle()


def models_of(side: str) -> Callable[[MainWindow], None]:
    """Models in the list, with one of them chosen; where there is room for one side, that side."""

    def show(shown: MainWindow) -> None:
        chosen = models.fill(shown.folders.runs)
        shown.show_panel("models")
        panel = shown.panel("models")
        settle(lambda: panel.state.is_known)
        panel.choose({"model": chosen.name})
        panel._show_side(side)
        settle()

    return show


def model_scored(shown: MainWindow) -> None:
    """A comparison of two models is set up."""
    training.write_corpora(shown.folders.corpora)
    models_of("details")(shown)
    panel = shown.panel("models")
    panel.set_up_scoring(True)
    settle(lambda: bool(panel.scoring.scoring.corpora))
    settle()


def library_model(state: str) -> Callable[[MainWindow], None]:
    """A model of others: its folder is looked through or refused; it is converted, or asked."""

    def show(shown: MainWindow) -> None:
        folders = library_models.fill(shown.folders.runs)
        shown.show_panel("models")
        panel = shown.panel("models")
        settle(lambda: len(panel.state.models) == 3)
        if state in ("import", "refused"):
            name = "bart-large-cnn" if state == "import" else "pegasus-xsum"
            place = shown.folders.data / "downloads" / name
            panel.set_up_import(library_models.a_download(place, pickled=state == "refused"))
            page = panel.page
            settle(lambda: page.form is not None or page.failure.isVisible())
        else:
            chosen = {"convert": "bart", "converted": "led", "prompt": "chat"}[state]
            panel.choose({"model": folders[chosen].name})
            settle()
            if state == "convert":
                panel.set_up_conversion()
            else:
                bar = panel.details.page.verticalScrollBar()
                settle(lambda: bar.maximum() > 0)
                bar.setValue(bar.maximum())
        settle()

    return show


def no_models(shown: MainWindow) -> None:
    """Nothing was trained yet."""
    shown.show_panel("models")
    settle(lambda: shown.panel("models").state.is_known)


def history(wanted: str = "", side: str = "list") -> Callable[[MainWindow], None]:
    """Summaries of the past weeks, the newest shown; or what a search finds."""
    return lambda shown: histories.show(shown, settle, wanted, side)


def history_empty(shown: MainWindow) -> None:
    """No summary was made yet."""
    shown.show_panel("history")
    settle(lambda: shown.panel("history").state.is_known)


def batch_empty(shown: MainWindow) -> None:
    """No batch is open."""
    shown.show_panel("batch")
    settle()


def batch(shown: MainWindow) -> None:
    """A batch that went on after the machine was switched off; one file is encrypted."""
    batches.show_running(shown, settle)


def batch_together(shown: MainWindow) -> None:
    """One summary of three documents."""
    batches.show_together(shown, settle)


def compare(shown: MainWindow) -> ComparePanel:
    """The Compare panel."""
    shown.show_panel("compare")
    panel = shown.panel("compare")
    assert isinstance(panel, ComparePanel)
    return panel


def compare_empty(shown: MainWindow) -> None:
    """Nothing was compared yet."""
    compare(shown)
    settle()


def side_by_side(tab: str = "texts") -> Callable[[MainWindow], None]:
    """Four systems on one document, or a tab with all documents."""

    def show(shown: MainWindow) -> None:
        folder = comparisons.write_comparison(shown.folders.comparisons / "patents-eu")
        comparisons.write_judgements(folder, 40 if tab == "judging" else 12)
        panel = compare(shown)
        panel.open(folder)
        page = panel.opened_page
        settle(lambda: page.texts.shown is not None and panel.judge.last is not None)
        page.show_tab(tab)
        page.texts.columns[3].text.light(2)
        settle()

    return show


def searched(shown: MainWindow) -> None:
    """Words that were found in source, reference and summaries."""
    side_by_side()(shown)
    panel = compare(shown)
    page = panel.opened_page.texts
    page.open_find()
    page.find_bar.field.setText("speaker")
    settle(lambda: page.find_bar.count.startswith("1 of"))
    page.found.find_next()
    settle()


def judged_blind(shown: MainWindow) -> None:
    """A pair without names."""
    folder = comparisons.write_comparison(shown.folders.comparisons / "patents-eu")
    comparisons.write_judgements(folder, 12)
    panel = compare(shown)
    panel.open(folder)
    settle(lambda: panel.opened_page.texts.shown is not None and panel.judge.last is not None)
    assert panel.judge.open_session is not None
    panel.judge.go_on(panel.judge.open_session)
    settle(panel.judging_page.buttons["A"].isEnabled)
    settle()


def corpus(shown: MainWindow) -> CorpusPanel:
    """The Corpus panel."""
    shown.show_panel("corpus")
    panel = shown.panel("corpus")
    assert isinstance(panel, CorpusPanel)
    return panel


def corpus_empty(shown: MainWindow) -> None:
    """No corpus is there yet."""
    corpus(shown)
    settle()


def corpus_list(shown: MainWindow) -> None:
    """Two corpora are there."""
    corpora.write_corpora(shown.folders.corpora, shown.folders.data / "sources")
    panel = corpus(shown)
    settle(lambda: panel.list_page.model.rowCount() == 2)


def corpus_new(shown: MainWindow) -> None:
    """A corpus is set up of two tables; of one the columns must be chosen."""
    sources = corpora.write_sources(shown.folders.data / "sources")
    panel = corpus(shown)
    with mock.patch.dict(os.environ, {"HOME": str(shown.folders.data.parent)}):
        panel.new_corpus([str(path) for path in sources])
        settle(lambda: not panel.new_page.state.is_looking)
    panel.new_page.command.show_line("epitome corpus reports.jsonl letters.csv --out reports")
    settle()


def corpus_tab(tab: str) -> Callable[[MainWindow], None]:
    """A tab of an open corpus."""

    def show(shown: MainWindow) -> None:
        folder = corpora.write_corpora(shown.folders.corpora, shown.folders.data / "sources")
        panel = corpus(shown)
        page = panel.opened_page
        with mock.patch.dict(os.environ, {"HOME": str(shown.folders.data.parent)}):
            panel.open_corpus(folder)
            settle(lambda: page.gaps.row is not None)
        page.show_document(_row_of(page.documents.title, len(page.documents.lengths)))
        settle(lambda: page.gaps.row is not None and page.gaps.row.number == page.browser.number)
        page.show_tab(tab)
        settle(lambda: tab != "gaps" or not page.gaps.needs_order)
        if tab == "lengths":
            page.lengths.count_tokens()
            settle(lambda: page.lengths.lengths.in_tokens)
        if tab == "gaps":
            page.text.view.set_lit(2)
            page._point(2)
        settle()

    return show


def _row_of(title: Callable[[int], str], count: int) -> int:
    """The row of the document that is shown; titles come when they are asked for."""

    def found() -> list[int]:
        return [number for number in range(count) if title(number) == corpora.OPENED]

    settle(lambda: bool(found()))
    return found()[0]


SCENES: dict[str, tuple[Callable[[MainWindow], None], tuple[int, int]]] = {
    "compare-empty": (compare_empty, WIDE),
    "compare": (side_by_side(), WIDE),
    "compare-find": (searched, LAPTOP),
    "compare-documents": (side_by_side("documents"), WIDE),
    "compare-blind": (judged_blind, WIDE),
    "compare-judged": (side_by_side("judging"), WIDE),
    "small-compare": (side_by_side(), SMALL),
    "summarise-empty": (empty, WIDE),
    "summarise": (summarised, WIDE),
    "summarise-pinned": (pinned, WIDE),
    "summarise-returned": (returned, WIDE),
    "summarise-compared": (compared, LAPTOP),
    "summarise-reference": (referenced, WIDE),
    "summarise-references": (referenced_twice, LAPTOP),
    "small-reference": (referenced, SMALL),
    "narrow-compared": (compared, MEDIUM),
    "small-compared": (compared, SMALL),
    "summarise-reading": (reading, WIDE),
    "summarise-locked": (locked, WIDE),
    "summarise-incomplete": (incomplete, WIDE),
    "summarise-several": (several, WIDE),
    "summarise-several-failed": (one_failed_of_several, LAPTOP),
    "narrow-several": (several_in_menu, MEDIUM),
    "small-several": (several_in_menu, SMALL),
    "jobs": (jobs, WIDE),
    "small-jobs": (jobs, SMALL),
    "settings": (settings("reading"), WIDE),
    "settings-shortcuts": (settings("shortcuts"), WIDE),
    "settings-about": (with_releases(settings("about")), WIDE),
    "summarise-scan": (without_parts(scan_offered), WIDE),
    "settings-parts": (without_parts(settings("parts")), WIDE),
    "help": (helping, WIDE),
    "small-help": (helping, SMALL),
    "batch-empty": (batch_empty, WIDE),
    "batch": (batch, WIDE),
    "batch-together": (batch_together, WIDE),
    "narrow-batch": (batch, MEDIUM),
    "small-batch": (batch, SMALL),
    "corpus-empty": (corpus_empty, WIDE),
    "corpus-list": (corpus_list, WIDE),
    "corpus-new": (corpus_new, WIDE),
    "corpus-documents": (corpus_tab("documents"), WIDE),
    "corpus-gsg": (corpus_tab("gaps"), WIDE),
    "corpus-lengths": (corpus_tab("lengths"), WIDE),
    "narrow-corpus-gsg": (corpus_tab("gaps"), MEDIUM),
    "small-corpus-gsg": (corpus_tab("gaps"), SMALL),
    "train-empty": (train_empty, WIDE),
    "train-live": (train_live, WIDE),
    "train-gauges": (train_gauges, WIDE),
    "train-failed": (train_failed, WIDE),
    "train-new": (train_new("fields"), WIDE),
    "train-compare": (train_compare, WIDE),
    "train-seeds": (train_seeds, WIDE),
    "small-train-seeds": (train_seeds, (1024, 640)),
    "train-new-what": (train_new("what"), WIDE),
    "train-new-data": (train_new("data"), WIDE),
    "small-train-live": (train_live, SMALL),
    "memory": (memory_measured(), WIDE),
    "memory-forecast": (memory_forecast, LAPTOP),
    "memory-all": (memory_measured(what="all"), WIDE),
    "memory-paper": (memory_paper, LAPTOP),
    "memory-run": (memory_run, WIDE),
    "memory-parts": (memory_parts, WIDE),
    "memory-settings": (memory_settings, LAPTOP),
    "small-memory": (memory_measured(), SMALL),
    "small-memory-model": (memory_measured("model"), SMALL),
    "models": (models_of("details"), WIDE),
    "models-none": (no_models, WIDE),
    "models-compare": (model_scored, WIDE),
    "small-models": (models_of("models"), SMALL),
    "small-models-details": (models_of("details"), SMALL),
    "history": (history(), WIDE),
    "history-empty": (history_empty, LAPTOP),
    "history-search": (history("separator"), LAPTOP),
    "small-history": (history(), SMALL),
    "small-history-summary": (history(side="summary"), SMALL),
    "settings-history": (settings("history"), WIDE),
    "small-train-failed": (train_failed, (1024, 640)),
    "small-models-compare": (model_scored, SMALL),
    "models-import": (library_model("import"), WIDE),
    "models-import-refused": (library_model("refused"), WIDE),
    "models-convert": (library_model("convert"), WIDE),
    "models-converted": (library_model("converted"), WIDE),
    "models-prompt": (library_model("prompt"), WIDE),
    "small-models-import": (library_model("import"), SMALL),
    "small-models-convert": (library_model("convert"), SMALL),
    "small-train-new": (train_new("fields"), SMALL),
    "narrow": (summarised, MEDIUM),
    "narrow-source": (source_alone, MEDIUM),
    "small": (summarised, SMALL),
    "small-empty": (empty, SMALL),
    "small-settings": (settings("reading"), SMALL),
}
PAGES: dict[str, Callable[[Theme], QWidget]] = {
    "components": components.build,
    "forms": lambda theme: forms.build(theme, WIDE),
    "small-forms": lambda theme: forms.build(theme, SMALL),
    "charts": lambda theme: charts.build(theme, WIDE),
    "small-charts": lambda theme: charts.build(theme, SMALL),
    "tables": lambda theme: tables.build(theme, WIDE),
    "small-tables": lambda theme: tables.build(theme, SMALL),
}
"""Parts of the window on a page of their own."""


def main(names: list[str]) -> None:
    """Makes all pictures, or those whose names begin with one of the given."""
    app = QApplication.instance() or QApplication([])
    assert app is not None
    PICTURES.mkdir(parents=True, exist_ok=True)
    schemes: tuple[Scheme, ...] = ("light", "dark")
    for scheme in schemes:
        suffix = "" if scheme == "light" else "-dark"
        for name, (scene, size) in SCENES.items():
            if names and not any(name.startswith(begin) for begin in names):
                continue
            with window(scheme, size) as shown:
                scene(shown)
                settle()
                shown.status.memory.show_bytes(USED_BYTES, TOTAL_BYTES)
                QApplication.processEvents()
                save(shown, f"{name}{suffix}")
        for name, build in PAGES.items():
            if names and not any(name.startswith(begin) for begin in names):
                continue
            theme = Theme(scheme=scheme, motion="off")
            theme.apply()
            page = build(theme)
            page.show()
            settle()
            if name.endswith("charts"):
                charts.point_at(page, 17_000)
                settle()
            save(page, f"{name}{suffix}")
            page.close()


if __name__ == "__main__":
    main(sys.argv[1:])
