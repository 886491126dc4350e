"""The Corpus panel: the corpora there are, a new one, one on its way, an open one."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QWidget

from core.data.corpus_facts import CorpusFacts, list_corpora
from core.data.settings import CorpusSettings
from core.events import Failed
from core.jobs.call import CallJob
from core.jobs.corpora.browse_corpus import OpenedCorpus
from core.jobs.corpora.queued_corpus import specify_corpus
from core.jobs.queue.listing import JobNow
from core.library.preferences import PanelState, Preferences
from gui.panel import Services
from gui.panel_kit import PagedPanel
from gui.panels.corpus.actions import CorpusActions
from gui.panels.corpus.header import CorpusHeader
from gui.panels.corpus.list_page import ListPage
from gui.panels.corpus.new_page import NewPage
from gui.panels.corpus.opened_page import OpenedPage
from gui.panels.corpus.preparing_page import PreparingPage
from gui.panels.corpus.state import facts_of, in_preparation, splits_line
from gui.training_offer import TrainingOffer
from gui.widgets.inputs.menu import Menu
from gui.workers.runner import Run

_FOLDED_BELOW_PX = 1200


class CorpusPanel(PagedPanel):
    """Documents become training data here.

    Args:
        services: What the window does for it.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._corpora: tuple[CorpusFacts, ...] = ()
        self._jobs: tuple[JobNow, ...] = ()
        self._awaited = ""
        """The title of the queued corpus that is shown on its way, or of the one just ordered."""
        self._listing: Run | None = None
        self._lists_again = False
        self._to_open = ""
        """The corpus that opens once it is listed, unless another page is shown before."""
        self.header = CorpusHeader(services.theme)
        self.row_actions = CorpusActions(services, self)
        self.offer = TrainingOffer(
            services.theme,
            services.parts,
            self.tr(
                "A corpus is what a model is trained on. Corpora are prepared and read with the "
                "training part, which is not installed."
            ),
            self,
        )
        self.list_page = ListPage(services.theme)
        self.new_page = NewPage(services)
        self.preparing_page = PreparingPage(services.theme)
        self.opened_page = OpenedPage(services)
        pages = (self.list_page, self.new_page, self.preparing_page, self.opened_page)
        self.lay_out(self.header, *pages, below=self.offer)
        self._connect()
        self.show_list()

    def _connect(self) -> None:
        header, page = self.header, self.list_page
        header.back.triggered.connect(self.show_list)
        header.new.triggered.connect(lambda: self.new_corpus())
        header.prepare.triggered.connect(self.prepare)
        header.add_documents.triggered.connect(self.add_to_corpus)
        header.make.triggered.connect(self.make_training_data)
        header.train.triggered.connect(self.train)
        header.trash.triggered.connect(partial(self._services.act, "trash"))
        header.more.triggered.connect(partial(self._open_menu, header.more))
        actions = self.row_actions
        actions.renamed.connect(self._follow_renamed)
        actions.trashed.connect(self._leave_trashed)
        actions.changed.connect(self.look)
        page.menu_made.connect(actions.fill_menu)
        page.rename_requested.connect(actions.ask_name)
        page.delete_requested.connect(actions.delete)
        page.opened.connect(lambda corpus: self.open_corpus(corpus.folder))
        page.preparing_opened.connect(self.show_preparing)
        page.resume_requested.connect(lambda job: self._wish(job, "resume"))
        page.files_requested.connect(lambda: self._new_with(self.new_page.ask_for_files))
        page.folder_requested.connect(lambda: self._new_with(self.new_page.ask_for_folder))
        page.dropped.connect(lambda paths: self.new_corpus([str(path) for path in paths]))
        self.new_page.changed.connect(self._show_new_head)
        self.opened_page.opened.connect(self._show_opened_head)
        self.preparing_page.wished.connect(self._wish_shown)
        self.preparing_page.change_requested.connect(self._show_new)
        queue = self._services.controller.queue
        queue.listed.connect(self._take_jobs)
        self._take_jobs(queue.jobs)

    # Pages

    def show_list(self) -> None:
        """Shows the corpora there are."""
        self._awaited = self._to_open = ""
        self.opened_page.close_corpus()
        self.show_page(self.list_page)
        self._show_list_head()
        self.look()
        self.titled.emit()

    def _show_list_head(self) -> None:
        number = len(self._corpora)
        facts = self.tr("{count} ready").format(count=number) if number else ""
        self.header.show_page("list", self.tr("Corpora"), facts)
        self.header.set_empty(not number and not in_preparation(self._jobs))

    def look(self) -> None:
        """Reads again which corpora there are."""
        if self._listing is not None:
            self._lists_again = True
            return
        job = CallJob(list_corpora, self._services.folders.corpora)
        run = self._listing = self._services.controller.run_in_thread(job)
        run.finished.connect(self._take_corpora)
        run.failed.connect(self._not_listed)
        run.ended.connect(self._listed)

    def _listed(self) -> None:
        self._listing = None
        if self._lists_again:
            self._lists_again = False
            self.look()

    def _take_corpora(self, corpora: tuple[CorpusFacts, ...]) -> None:
        self._corpora = corpora
        self._show_list()
        if self._to_open:
            name, self._to_open = self._to_open, ""
            found = next((each for each in corpora if each.name == name), None)
            if found is not None:
                self.open_corpus(found.folder)

    def _not_listed(self, failure: Failed) -> None:
        self.list_page.show_failure(failure)

    def _show_list(self) -> None:
        self.list_page.show_corpora(self._corpora, in_preparation(self._jobs))
        if self.shown_page is self.list_page:
            self._show_list_head()

    def _new_with(self, ask: Callable[[], object]) -> None:
        self.new_corpus()
        ask()
        if not self.new_page.state.sources:
            self.show_list()

    def new_corpus(
        self, sources: list[str] | None = None, settings: CorpusSettings | None = None
    ) -> None:
        """Sets up a new corpus.

        Args:
            sources: What it is made of at first.
            settings: How it is prepared; the defaults if None.
        """
        self.new_page.begin(sources or [], settings)
        self._show_new()

    def _show_new(self) -> None:
        self._to_open = ""
        self.opened_page.close_corpus()
        self.show_page(self.new_page)
        self._show_new_head()
        self.titled.emit()

    def _show_new_head(self) -> None:
        if self.shown_page is not self.new_page:
            return
        problem = self.new_page.state.problem
        self.header.show_page("new", self.tr("New corpus"), problem)
        self.header.prepare.set_usable(not problem, problem)

    def prepare(self) -> None:
        """Queues the corpus that is set up; its job outlives the window."""
        new = self.new_page.state
        if self.new_page.show_problem() or new.settings is None or new.folder is None:
            return
        order = specify_corpus(new.sources, new.settings, new.folder)
        run = self._services.controller.queue_job(order)
        run.failed.connect(self._not_prepared)
        name = new.folder.name
        waiting = JobNow("", name, "waiting", order.folder, kind="corpus", can_pause=False)
        self.show_preparing(waiting)

    def _not_prepared(self, failure: Failed) -> None:
        if not any(job.title == self._awaited for job in in_preparation(self._jobs)):
            self._services.report_failure(failure)

    def show_preparing(self, job: JobNow) -> None:
        """Shows a corpus on its way; once it is there, it opens."""
        self._awaited, self._to_open = job.title, ""
        self.show_page(self.preparing_page)
        self.header.show_page("preparing", job.title, self.tr("in preparation"))
        self.preparing_page.show_job(job, self._can_change(job))
        self.preparing_page.focus_first()
        self.titled.emit()

    def _can_change(self, job: JobNow) -> bool:
        folder = self.new_page.state.folder
        return folder is not None and folder.name == job.title

    def open_corpus(self, folder: Path) -> None:
        """Opens a corpus."""
        self._awaited = self._to_open = ""
        self.show_page(self.opened_page)
        self.header.show_page("opened", folder.name, "")
        self.opened_page.fold(self.window().width())
        self.opened_page.open(folder)
        self.titled.emit()

    def _show_opened_head(self, corpus: OpenedCorpus) -> None:
        facts = f"{facts_of(corpus)} · {splits_line(corpus.counts)}"
        self.header.show_page("opened", corpus.name, facts)

    # The corpus as a whole

    def _open_menu(self, button: QWidget) -> None:
        folder = self.opened_page.browser.folder
        if folder is not None:
            menu = Menu(self._services.theme, self.tr("The corpus"), self)
            self.row_actions.fill_menu(menu, folder)
            menu.open_below(button, flush_right=True)

    def _follow_renamed(self, before: Path, now: Path) -> None:
        if self.opened_page.browser.folder == before:
            self.open_corpus(now)

    def _leave_trashed(self, folder: Path) -> None:
        if self.opened_page.browser.folder == folder:
            self.show_list()

    def add_to_corpus(self) -> None:
        """Sets up a corpus of the open one and more."""
        corpus = self.opened_page.browser.corpus
        if corpus is not None:
            self.new_corpus([str(corpus.folder)])

    def make_training_data(self) -> None:
        """Sets up a corpus with the gap sentences of the open one, chosen as they are shown."""
        corpus = self.opened_page.browser.corpus
        if corpus is None:
            return
        values = self.opened_page.gaps.settings.model_dump() | {"make": "gsg"}
        self.new_corpus([str(corpus.folder)], CorpusSettings.checked(values))
        self.new_page.suggest_name(f"{corpus.name}-gsg")

    def train(self) -> None:
        """Sets up a job that learns from the open corpus."""
        corpus = self.opened_page.browser.corpus
        if corpus is not None:
            self._services.show_panel("train", corpus=str(corpus.folder))

    # Jobs

    def _take_jobs(self, jobs: tuple[JobNow, ...]) -> None:
        before = {job.id for job in in_preparation(self._jobs)}
        self._jobs = jobs
        self._show_list()
        now = {job.id: job for job in jobs if job.kind == "corpus"}
        awaited = [job for job in now.values() if job.title == self._awaited]
        if awaited and self.shown_page is self.preparing_page:
            self._follow(awaited[-1])
        if any(now[id].state == "finished" for id in before & now.keys()):
            self.look()

    def _follow(self, job: JobNow) -> None:
        if job.state == "finished":
            self._to_open = self._awaited
            self._awaited = ""
            self.look()
        elif job.state == "cancelled":
            self.show_list()
        else:
            self.preparing_page.show_job(job, self._can_change(job))

    def _wish_shown(self, wish: str) -> None:
        jobs = [job for job in in_preparation(self._jobs) if job.title == self._awaited]
        if jobs:
            self._wish(jobs[-1], wish)

    def _wish(self, job: JobNow, wish: str) -> None:
        self._services.jobs.wish(f"queued {job.id}", wish)  # type: ignore[arg-type]

    # What the window asks

    @property
    def title(self) -> str:
        """The name of the open corpus."""
        corpus = self.opened_page.browser.corpus
        return corpus.name if corpus is not None else ""

    def commands(self) -> Mapping[str, Callable[[], object]]:
        """Adding, finding, preparing, copying the command."""
        page = self.shown_page
        found: dict[str, Callable[[], object]] = {
            "new": self.new_corpus,
            "undo": self.row_actions.trash.undo,
        }
        if page is self.new_page:
            found |= {
                "open": self.new_page.ask_for_files,
                "start": self.prepare,
                "copy_command": self.new_page.command.copy,
            }
        elif page is self.opened_page:
            found |= {
                "find": self.opened_page.column.field.setFocus,
                "start": self.train,
                "copy_command": self.opened_page.gaps_side.command.copy,
                "find_next": self.opened_page.text.view.find_next,
                "find_previous": self.opened_page.text.view.find_previous,
            }
        return found

    def choose(self, chosen: Mapping[str, str]) -> None:
        """Sets up a new corpus, or goes on with the one that is being set up."""
        if chosen.get("page") == "new" and self.shown_page is not self.new_page:
            self.new_corpus()

    def escape(self) -> bool:
        """Closes what is open: options, the find field, the page."""
        page = self.shown_page
        if page is self.opened_page and self.opened_page.escape():
            return True
        if page is not self.list_page:
            self.show_list()
            return True
        return False

    def regions(self) -> list[QWidget]:
        """The head, and the parts of the page."""
        page = self.shown_page
        if page is self.opened_page:
            return [self.header, self.offer, *self.opened_page.regions()]
        if page is self.new_page:
            new = self.new_page
            return [self.header, self.offer, new.left, new.right, new.foot]
        page = self.list_page if page is self.list_page else self.preparing_page
        return [self.header, self.offer, page]

    def can_take(self, data: QMimeData) -> bool:
        """Takes files and folders."""
        return any(url.isLocalFile() for url in data.urls())

    def take(self, data: QMimeData) -> None:
        """Adds what was dropped to the corpus that is set up, or begins one."""
        paths = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
        if self.shown_page is self.new_page:
            self.new_page.add(paths)
        else:
            self.new_corpus(paths)

    def apply_preferences(self, preferences: Preferences) -> None:
        """Takes the width of a line."""
        self.opened_page.text.view.set_measure(preferences.line_width)

    def saved_state(self) -> PanelState:
        """The corpus that is open, and the length documents are compared with."""
        corpus = self.opened_page.browser.corpus
        length = self.opened_page.lengths.lengths.model_length
        return {"model_length": length} | ({"corpus": corpus.name} if corpus is not None else {})

    def restore_state(self, state: PanelState) -> None:
        """Opens the corpus that was open, if it is still there."""
        name = state.get("corpus")
        if isinstance(name, str):
            self._to_open = name
        length = state.get("model_length")
        if isinstance(length, int) and length > 0:
            self.opened_page.lengths.set_model_length(length)

    def fold(self) -> None:
        """Follows the width of the window."""
        width = self.window().width()
        self.header.fold(width < _FOLDED_BELOW_PX)
        self.new_page.fold(width < _FOLDED_BELOW_PX)
        self.opened_page.fold(width)
