"""The Compare panel: summaries of several systems beside source and reference."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtWidgets import QFileDialog, QStackedWidget, QWidget

from core.events import Failed
from core.jobs.call import CallJob
from core.jobs.evaluation.browse_comparison import (
    ComparedDocument,
    CompareDocumentJob,
    OpenComparisonJob,
)
from core.jobs.evaluation.kept_comparisons import FoundComparison, list_comparisons
from core.library.preferences import PanelState
from core.runs.comparisons import OpenedComparison
from gui.panel import Services, offer_again
from gui.panel_kit import PagedPanel
from gui.panels.compare.actions import CompareActions
from gui.panels.compare.header import CompareHeader
from gui.panels.compare.judge import Judge
from gui.panels.compare.judging_page import JudgingPage
from gui.panels.compare.opened_page import DOCUMENTS, TEXTS, OpenedPage
from gui.panels.compare.setup import Setup, example_job
from gui.panels.compare.setup_page import SetupPage
from gui.panels.compare.start_page import StartPage
from gui.panels.compare.state import CompareState
from gui.panels.compare.words import facts_of, tr
from gui.training_offer import TrainingOffer
from gui.widgets.reading.find_across import FindAcross
from gui.widgets.reading.find_bar import FindBar
from gui.widgets.support import layouts
from gui.workers.latest_run import LatestRun

_FOLDED_BELOW_PX = 1200


class ComparePanel(PagedPanel):
    """Summaries side by side: read, measured, judged.

    Args:
        services: What the window does for it.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        theme = services.theme
        self.state = CompareState()
        self.header = CompareHeader(theme)
        told = tr(
            "Models that you trained or imported write their summaries with PyTorch, and corpora "
            "are read with it; it is not installed. The built-in ways are compared without it."
        )
        self.offer = TrainingOffer(theme, services.parts, told, self)
        self.start_page = StartPage(theme)
        self.setup_page = SetupPage(services)
        self.opened_page = OpenedPage(theme)
        self.judging_page = JudgingPage(theme)
        self.row_actions = CompareActions(services, self.state, self)
        self.judge = Judge(services, self.state, self)
        self.row_actions.judgements = self.judge.finished
        self._reading, self._opening = LatestRun(), LatestRun()
        self._report = partial(services.report_failure, about="compare")
        self._to_open = ""
        """The comparison that opens once it is listed, unless another page is shown before."""
        self._outer = QStackedWidget()
        self._lay_out()
        self._connect()
        self.show_start()

    def _lay_out(self) -> None:
        pages = (self.start_page, self.setup_page, self.opened_page)
        self._usual = QWidget()
        self.lay_out(self.header, *pages, below=self.offer, into=self._usual)
        for page in (self._usual, self.judging_page):
            self._outer.addWidget(page)
        layouts.column(self._outer, into=self)

    def _connect(self) -> None:
        header, start, opened = self.header, self.start_page, self.opened_page
        header.back.triggered.connect(self.show_start)
        header.add_model.triggered.connect(self.add_model)
        header.previous.triggered.connect(lambda: self.step(-1))
        header.next.triggered.connect(lambda: self.step(1))
        header.export.triggered.connect(partial(self.row_actions.open_export_menu, header.export))
        start.new_requested.connect(self.new_comparison)
        start.example_requested.connect(self.make_example)
        start.folder_requested.connect(self._ask_for_folder)
        start.chosen.connect(lambda folder: self.open(Path(folder)))
        start.deleted.connect(self.row_actions.delete)
        self.row_actions.listed.connect(self.look)
        self.setup_page.begun.connect(self._begin)
        self.row_actions.made.connect(self._show_made)
        self.row_actions.making.connect(start.show_making)
        opened.against_chosen.connect(self.compare_with)
        opened.document_chosen.connect(self.show_number)
        scatter, services = opened.documents.scatter, self._services
        scatter.failed.connect(services.report_failure)
        scatter.saved.connect(lambda at: services.notify("ok", tr("Saved the chart"), str(at)))
        opened.listed.connect(self._show_place)
        opened.judging_strip.judging_requested.connect(self._judge_or_go_on)
        opened.judging.begun.connect(self.judge.begin)
        opened.judging.continued.connect(lambda path: self.judge.go_on(Path(path)))
        opened.judging.file_requested.connect(self.judge.ask_for_file)
        judge, page = self.judge, self.judging_page
        judge.listed.connect(self._show_sessions)
        judge.begun.connect(self._show_judging)
        judge.over.connect(self.leave_judging)
        judge.waiting.connect(page.show_waiting)
        judge.pair_ready.connect(self._show_pair)
        judge.asked.connect(self._ask_next)
        page.answered.connect(judge.answer)
        page.undo_requested.connect(judge.undo)
        page.left.connect(self.leave_judging)

    # The pages

    def show_start(self) -> None:
        """Shows the comparisons there are."""
        self._leave_opening()
        self.show_page(self.start_page)
        self.header.show_page("start")
        self.titled.emit()
        self.look()

    def _leave_opening(self) -> None:
        """Opens nothing any more that was to be opened: another page is shown now."""
        self._opening.stop()
        self._to_open = ""

    def look(self) -> None:
        """Looks which comparisons there are now."""
        job = CallJob(list_comparisons, self._services.folders.comparisons)
        run = self._services.controller.run_in_thread(job)
        run.finished.connect(self._take_list)

    def _take_list(self, found: tuple[FoundComparison, ...]) -> None:
        self.start_page.show_comparisons(found)
        if self._to_open:
            folders = [each.folder for each in found if each.about and
                       each.folder.name == self._to_open]  # fmt: skip
            self._to_open = ""
            if folders:
                self.open(folders[0])

    def new_comparison(self) -> None:
        """Shows what can be compared."""
        self.setup_page.take_up(Setup())
        self._show_setup(tr("New comparison"))

    def _show_setup(self, facts: str) -> None:
        self._leave_opening()
        self.show_page(self.setup_page)
        self.header.show_page("setup", facts)
        self.setup_page.look()
        self.setup_page.focus_first()

    def add_model(self) -> None:
        """Shows the choices of the open comparison, so that another system can be added."""
        if self.state.opened is not None:
            self.setup_page.take_up(Setup.of(self.state.opened))
            self._show_setup(tr("Add a model"))

    def _begin(self, setup: Setup) -> None:
        job = setup.job(self._services.folders.comparisons)
        self.row_actions.make(job, job.pairs.name, partial(self._show_failed, setup))
        self.show_start()
        self.start_page.new.setFocus(Qt.FocusReason.OtherFocusReason)  # until it opens

    def _show_failed(self, setup: Setup, failure: Failed) -> None:
        """Shows the choices of a comparison that failed again, where nothing else is open."""
        if self.shown_page is self.start_page:
            self._show_again(setup, failure)
        else:
            again = partial(self._show_again, setup, failure)
            offer_again(self._services, failure, again, tr("Show its settings"), "compare")

    def _show_again(self, setup: Setup, failure: Failed) -> None:
        self.setup_page.take_up(setup)
        self.setup_page.show_failure(failure)
        self._show_setup(tr("Add a model") if setup.folder else tr("New comparison"))

    def make_example(self) -> None:
        """Compares ways to pick sentences of the samples, and shows the result."""
        job = example_job(self._services.folders.comparisons)
        self.row_actions.make(job, tr("the samples"))

    def _show_made(self, folder: Path) -> None:
        self.look()
        # Elsewhere it would be in the way, and so would a second one while the first one opens.
        if self.shown_page is self.start_page and not self._opening.is_running:
            self.open(folder)
        else:
            self._services.notify(
                "ok",
                tr("The comparison is ready"),
                action=tr("Open"),
                on_action=lambda: self.open(folder),
            )

    def _ask_for_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self, tr("A comparison"), str(Path.home()))
        if name:
            self.open(Path(name))

    # An open comparison

    def open(self, folder: Path) -> None:
        """Opens a comparison."""
        self._to_open = ""
        run = self._services.controller.run_in_reader(OpenComparisonJob(folder))
        self._opening.follow(run, self._take_opened, self._report)

    def _take_opened(self, opened: OpenedComparison) -> None:
        had_focus = self._has_focus
        self.state.open(opened)
        if self.is_judging:  # the answers belong to the comparison that was open
            self.leave_judging()
        self.opened_page.open(self.state)
        self.show_page(self.opened_page)
        self.header.show_page("opened", facts_of(opened.about))
        self.fold()
        self._show_place()
        self.titled.emit()
        self.judge.look()
        self._read()
        if had_focus:  # what had it is hidden now
            tabs = self.opened_page.tabs
            tabs.tab(tabs.value).setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def _has_focus(self) -> bool:
        """Whether the keyboard is in a page of this panel."""
        focus = self.window().focusWidget()
        return focus is not None and self._pages.isAncestorOf(focus)

    def show_number(self, number: int) -> None:
        """Reads a document."""
        self.state.number = number
        self.opened_page.show_tab("texts")
        self._show_place()
        self._read()

    def step(self, by: int) -> None:
        """Reads the next listed document, or the one before."""
        if self.state.step(by):
            self._show_place()
            self._read()

    def compare_with(self, against: int) -> None:
        """Lights what the summaries share with another text."""
        self.state.against = against
        self._read()

    def _read(self) -> None:
        state = self.state
        if state.opened is None:
            return
        job = CompareDocumentJob(state.opened.folder, state.number, state.against)
        run = self._services.controller.run_in_reader(job)
        self._reading.follow(run, self._take_document, self._report)

    def _take_document(self, shown: ComparedDocument) -> None:
        if self.state.opened is not None and shown.number == self.state.number:
            self.opened_page.show_document(shown)

    def _show_place(self) -> None:
        state = self.state
        if state.opened is not None:
            is_whole = len(state.rows) == len(state.opened)
            self.header.show_place(state.place, len(state.rows), of_all=is_whole)

    # Blind judging

    def _show_sessions(self) -> None:
        self.opened_page.judging.show_sessions(self.judge.sessions)
        self.opened_page.judging_strip.show_session(self.judge.last, self.judge.colors)
        self.opened_page.tell_judged(self.judge.tab_words)

    def _judge_or_go_on(self) -> None:
        if self.judge.open_session is not None:
            self.judge.go_on(self.judge.open_session)
        else:
            self.opened_page.show_tab("judging")

    def _show_judging(self) -> None:
        self._outer.setCurrentWidget(self.judging_page)
        self.judging_page.setFocus()

    def _show_pair(self, shown: ComparedDocument) -> None:
        assert self.judge.judgements is not None
        self.judging_page.show_pair(shown, self.judge.judgements, self.judge.sides)
        self._show_judging_place()

    def _ask_next(self) -> None:
        assert self.judge.judgements is not None
        self.judging_page.ask(self.judge.judgements)
        self._show_judging_place()

    def _show_judging_place(self) -> None:
        assert self.judge.judgements is not None and self.state.opened is not None
        facts = facts_of(self.state.opened.about)
        self.judging_page.header.show_place(facts, self.judge.judgements)

    @property
    def is_judging(self) -> bool:
        """Whether a pair is shown without names."""
        return self._outer.currentWidget() is self.judging_page

    def leave_judging(self) -> None:
        """Goes back to the comparison; what was answered is kept."""
        self.judge.leave()
        self._outer.setCurrentWidget(self._usual)
        self.opened_page.show_tab("judging")

    # What the window asks

    @property
    def title(self) -> str:
        """What is compared."""
        opened = self.shown_page is self.opened_page
        return facts_of(self.state.opened.about) if opened and self.state.opened else ""

    def forget(self) -> None:
        """Closes the comparison that is open."""
        if self.is_judging:
            self.leave_judging()
        self.state.opened = None
        self.show_start()

    def commands(self) -> Mapping[str, Callable[[], object]]:
        """New, export, print, find, next and previous document, undo while judging."""
        if self.is_judging:
            page = self.judging_page
            return {"undo": self.judge.undo, **_finding(page.find_bar, page.found)}
        found: dict[str, Callable[[], object]] = {
            "new": self.new_comparison,
            "undo": self.row_actions.trash.undo,
        }
        if self.shown_page is self.setup_page:
            copy = self.setup_page.command.copy
            return found | {"start": self.setup_page.start, "copy_command": copy}
        if self.shown_page is self.opened_page:
            found |= {
                "export": partial(self.row_actions.open_export_menu, self.header.export),
                "print": self.row_actions.print_it,
                "next_document": lambda: self.step(1),
                "previous_document": lambda: self.step(-1),
                **_finding(self.opened_page.texts.find_bar, self.opened_page.texts.found),
                "find": self._find,
            }
        return found

    def _find(self) -> None:
        """Finds a document in the list of documents, and words in the texts anywhere else."""
        page = self.opened_page
        if page.tab == DOCUMENTS:
            page.documents.find_field.setFocus()
            page.documents.find_field.selectAll()
        else:
            page.show_tab(TEXTS)
            page.texts.open_find()

    def escape(self) -> bool:
        """Closes the search, leaves judging, clears what is lit, or goes back to the list."""
        for bar in (self.judging_page.find_bar, self.opened_page.texts.find_bar):
            if bar.isVisible():
                bar.close_bar()
                return True
        if self.is_judging:
            self.leave_judging()
            return True
        if self.shown_page is self.opened_page:
            if not self.opened_page.texts.clear_lit():
                self.show_start()
            return True
        if self.shown_page is self.setup_page:
            self.show_start()
            return True
        return False

    def regions(self) -> list[QWidget]:
        """The parts that F6 moves between."""
        if self.is_judging:
            return self.judging_page.regions()
        if self.shown_page is self.opened_page:
            return [self.header, self.offer, *self.opened_page.regions()]
        return [self.header, self.offer, self._pages]

    def choose(self, chosen: Mapping[str, str]) -> None:
        """Opens a comparison by its folder."""
        if folder := chosen.get("comparison"):
            self.open(Path(folder))

    def can_take(self, data: QMimeData) -> bool:
        """Takes files of summaries while a comparison is set up."""
        return self.shown_page is self.setup_page and bool(_files_in(data))

    def take(self, data: QMimeData) -> None:
        """Adds what was dropped as files of summaries."""
        self.setup_page.add_predictions(_files_in(data))

    def saved_state(self) -> PanelState:
        """The comparison that is open, and what is lit."""
        opened = self.state.opened
        is_own = opened is not None and opened.folder.parent == self._services.folders.comparisons
        shown = opened is not None and self.shown_page is self.opened_page
        name = {"comparison": opened.folder.name} if opened and is_own and shown else {}
        return {"light": self.state.light, **name}

    def restore_state(self, state: PanelState) -> None:
        """Opens the comparison that was open, if it is still there."""
        light, name = state.get("light"), state.get("comparison")
        if light in ("3", "4", "longest", "difference", "off"):
            self.state.light = light  # type: ignore[assignment]
        if isinstance(name, str):
            self._to_open = name

    def fold(self) -> None:
        """Follows the size of the window."""
        self.header.fold(self.window().width() < _FOLDED_BELOW_PX)
        self.opened_page.fold(self.width(), self.window().height())


def _finding(bar: FindBar, found: FindAcross) -> dict[str, Callable[[], object]]:
    """The keys of a search."""
    return {
        "find": bar.open_bar,
        "find_next": found.find_next,
        "find_previous": found.find_previous,
    }


def _files_in(data: QMimeData) -> list[Path]:
    ends = (".jsonl", ".csv", ".tsv", ".txt", ".parquet", ".ndjson")
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    return [path for path in paths if path.name.lower().endswith(ends)]
