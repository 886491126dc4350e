"""The Batch panel: many documents, a summary of each, in a table that fills."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QDesktopServices, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QStackedWidget, QVBoxLayout, QWidget

from core.events import Event, Failed, Progress
from core.jobs.batches.adding import AddToBatchJob, SourcesAdded
from core.jobs.batches.news import BatchNews, ListBatchesJob, ListedBatch
from core.jobs.batches.queued import (
    discard_batch,
    new_batch_folder,
    restore_batch,
    title_of_batch,
    work_on,
)
from core.jobs.batches.reopening import RowSourceJob
from core.jobs.batches.rows import NO_RECORD, BatchSettings, Wish
from core.jobs.batches.store import BatchStore
from core.jobs.batches.work import UnlockRowJob
from core.jobs.list_models import ListModelsJob
from core.jobs.listing import JobNow
from core.library.preferences import PanelState, Preferences
from core.numbers import format_count, format_quantity
from gui.dialogs.dialog import ConfirmDialog
from gui.panel import Panel, Services
from gui.panels.batch.empty_page import EmptyPage
from gui.panels.batch.exporting import Exporter
from gui.panels.batch.follower import BatchFollower
from gui.panels.batch.header import Header
from gui.panels.batch.password_dialog import PasswordDialog
from gui.panels.batch.state import BatchState
from gui.panels.batch.table_page import TablePage
from gui.panels.batch.together import Together
from gui.panels.batch.together_page import TogetherPage
from gui.widgets.menu import Menu
from gui.widgets.plane import Divider

_FOLDED_BELOW_PX, _SMALL_BELOW_PX, _LOW_BELOW_PX = 1200, 880, 600
_ABOUT = "batch"
_ADDING = "batch.add"
_START = str(Path.home())  # where the dialogs begin, not where the program was started
_MOST_BATCHES = 8


class BatchPanel(Panel):
    """Files, folders and tables are summarised here, each document by itself.

    Args:
        services: What the window does for it.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services.theme, "surface")
        self._services = services
        self.state = BatchState()
        self._models: dict[str, str] = {}
        self._length = services.preferences.length
        self._jobs: tuple[JobNow, ...] = ()
        self._starts_when_quiet = self._looks_for_late = False
        self._closed_banners: set[str] = set()
        self._to_reopen: Path | None = None
        self._banner_deed: Callable[[], object] = lambda: None
        self.follower = BatchFollower(services.controller)
        self.header = Header(services.theme)
        self.empty = EmptyPage(services.theme)
        self.page = TablePage(services.theme, self.state)
        self.together_page = TogetherPage(services.theme)
        self.together = Together(services, self.state, self.together_page)
        self.exporter = Exporter(services, self.state, self.selected, self)
        self.table, self.strip = self.page.table, self.page.strip
        self._pages = QStackedWidget()
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self.page)
        self._pages.addWidget(self.together_page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(Divider(services.theme))
        column.addWidget(self._pages, 1)
        self._connect()
        self._redraw()

    def _connect(self) -> None:
        header, page, table = self.header, self.page, self.table
        header.add_asked.connect(self._open_add_menu)
        header.start_asked.connect(self.start)
        header.pause_asked.connect(self.toggle_pause)
        header.batches_asked.connect(self._list_batches)
        header.export_asked.connect(self.exporter.open_menu)
        header.together_asked.connect(self.summarise_together)
        self.together_page.back_asked.connect(self.show_table)
        self.together.file_opened.connect(
            lambda path: self._services.show_panel("summarise", file=path)
        )
        self.empty.files_asked.connect(self.ask_for_files)
        self.empty.folder_asked.connect(self.ask_for_folder)
        self.empty.dropped.connect(self.add)
        page.filter_chosen.connect(self._filter)
        page.searched.connect(self._search)
        page.banner.asked.connect(lambda: self._banner_deed())
        page.banner.closed.connect(self._note_closed)
        table.selection_changed.connect(self._show_settings)
        table.opened.connect(self.open_row)
        table.remedy_wanted.connect(self._mend)
        table.second_wanted.connect(lambda number: self._skip([number]))
        table.menu_made.connect(self._fill_menu)
        self.strip.wished.connect(self._wish)
        self.strip.quotations_chosen.connect(self._choose_quotations)
        self.exporter.quotations_chosen.connect(self._choose_quotations)
        self.exporter.command_asked.connect(page.command.copy)
        page.command.copied.connect(
            lambda: self._services.tell("ok", self.tr("Copied the command"), about=_ABOUT)
        )
        self.follower.told.connect(self._take)
        self.follower.failed.connect(self._tell_failed)
        self.follower.quiet.connect(self._start_if_wanted)
        queue = self._services.controller.queue
        queue.listed.connect(self._take_jobs)
        self._take_jobs(queue.jobs)

    # Adding

    def add(self, paths: list[Path]) -> None:
        """Adds files, folders and tables to the batch that is open, or begins one."""
        if not paths:
            return
        settings = None
        if self.state.folder is None:
            settings = BatchSettings.checked({"length": self._length})
            self.open_batch(new_batch_folder(self._services.folders.batches, paths[0]), look=False)
        assert self.state.folder is not None
        job = AddToBatchJob(self.state.folder, tuple(paths), settings)
        run = self._services.controller.run_in_reader(job)
        self._services.jobs.report(
            _ADDING,
            self.tr("Looking for documents"),
            by_escape=True,
            obey=lambda wish: run.stop("cancel"),
        )
        run.happened.connect(self._follow_adding)
        run.finished.connect(self._tell_added)
        run.failed.connect(self._tell_failed)
        run.ended.connect(lambda: self._services.jobs.end(_ADDING, "done", stays=False))
        run.ended.connect(self.follower.look)

    def _follow_adding(self, event: Event) -> None:
        if isinstance(event, Progress):  # before that the batch may not be there
            self.follower.look()

    def _tell_added(self, added: SourcesAdded) -> None:
        notes = list(added.notes)
        if added.known:
            were = self.tr("was") if added.known == 1 else self.tr("were")
            known = format_quantity(added.known, "document")
            notes.insert(0, f"{known} {were} in the batch already.")
        if not added.added and not added.known:
            title = self.tr("There is no document that can be read")
            self._services.tell("warn", title, " ".join(notes), about=_ABOUT)
        elif notes:
            title = self.tr("Added {0}").format(format_quantity(added.added, "document"))
            self._services.tell("info", title, " ".join(notes), about=_ABOUT)

    def ask_for_files(self) -> None:
        """Lets the person choose files."""
        title = self.tr("Add documents or tables")
        paths, _ = QFileDialog.getOpenFileNames(self, title, _START)
        self.add([Path(path) for path in paths])

    def ask_for_folder(self) -> None:
        """Lets the person choose a folder."""
        path = QFileDialog.getExistingDirectory(self, self.tr("Add a folder"), _START)
        self.add([Path(path)] if path else [])

    def _open_add_menu(self, button: QWidget) -> None:
        menu = Menu(self._services.theme, self.tr("Add"), self)
        menu.add(self.tr("Files or tables…"), self.ask_for_files, icon="file-text")
        menu.add(self.tr("A folder…"), self.ask_for_folder, icon="folder-open")
        menu.aboutToHide.connect(menu.deleteLater)
        menu.open_below(button, flush_right=True)

    # Which batch is open

    def open_batch(self, folder: Path | None, *, look: bool = True) -> None:
        """Shows another batch; None shows the page of an empty panel."""
        self.state.begin(folder)
        self._pages.setCurrentWidget(self.page)
        self.page.model.clear()
        self.page.search.clear()
        self._closed_banners.clear()
        self._starts_when_quiet = self._looks_for_late = False
        self.follower.open(folder if look else None)
        if not look:
            self.follower.expect(folder)
        self._take_jobs(self._jobs)
        self._redraw()
        self.titled.emit()

    def new_batch(self) -> None:
        """Leaves the batch that is open; its job goes on."""
        self.open_batch(None)

    def _list_batches(self, button: QWidget) -> None:
        run = self._services.controller.run_in_thread(
            ListBatchesJob(self._services.folders.batches)
        )
        run.finished.connect(lambda found: self._open_batches_menu(button, found))

    def _open_batches_menu(self, button: QWidget, found: tuple[ListedBatch, ...]) -> None:
        menu = Menu(self._services.theme, self.tr("Batches"), self)
        menu.add(self.tr("New batch"), self.new_batch, icon="plus", shortcut="Ctrl+N")
        others = [batch for batch in found if batch.folder != self.state.folder and batch.sources]
        if others:
            menu.addSeparator()
        for batch in others[:_MOST_BATCHES]:
            counts = batch.counts
            detail = f"{format_count(counts['done'])} of {format_count(counts['all'])} done"
            words = title_of_batch(batch.sources)
            menu.add(words, partial(self.open_batch, batch.folder), icon="files", detail=detail)
        if self.state.phase == "running":
            menu.addSeparator()
            menu.add(self.tr("Cancel this batch"), self.cancel, icon="x")
        elif self.state.phase != "empty":
            menu.addSeparator()
            words = self.tr("Move this batch to the trash")
            menu.add(words, self.discard, icon="trash-2")
        menu.aboutToHide.connect(menu.deleteLater)
        menu.open_below(button, flush_right=True)

    # The work

    def start(self) -> None:
        """Summarises the documents that wait; the job outlives the window."""
        if self.state.folder is None or self.state.phase == "running":
            return
        self._starts_when_quiet = True
        self._start_if_wanted()

    def _start_if_wanted(self) -> None:
        folder = self.state.folder
        if self._starts_when_quiet and self.follower.is_quiet and folder is not None:
            self._starts_when_quiet = False
            self._services.controller.watch_queue()
            self._services.controller.queue.change(partial(work_on, folder=folder))

    def toggle_pause(self) -> None:
        """Pauses the batch, or lets it go on."""
        if self.state.phase == "running":
            self._ask("pause")
        else:
            self.start()

    def cancel(self) -> None:
        """Ends the work; the batch goes to the trash, which can be undone."""
        self._ask("cancel")

    def discard(self) -> None:
        """Moves the batch to the trash, with undo; its sources stay where they are."""
        folder, title = self.state.folder, self.state.title
        if folder is None:
            return
        self.open_batch(None)
        queue = self._services.controller.queue
        queue.change(partial(discard_batch, folder=folder))

        def undo() -> None:
            self._to_reopen = folder
            queue.change(partial(restore_batch, folder=folder))

        self._services.tell(
            "info",
            self.tr("“{title}” is in the trash").format(title=title),
            self.tr("It is deleted after 30 days. The documents themselves were not touched."),
            action=self.tr("Undo"),
            on_action=undo,
            about=_ABOUT,
        )

    def _reopen(self, jobs: tuple[JobNow, ...]) -> None:
        """Opens the batch that was taken back from the trash, once it is there."""
        folder = self._to_reopen
        if folder and any(job.folder == folder and job.state != "cancelled" for job in jobs):
            self._to_reopen = None
            self.open_batch(folder)

    def _ask(self, wish: str) -> None:
        if self.state.job is not None:
            self._services.jobs.wish(f"queued {self.state.job.id}", wish)  # type: ignore[arg-type]

    def _take_jobs(self, jobs: tuple[JobNow, ...]) -> None:
        self._jobs = jobs
        self._reopen(jobs)
        folder = self.state.folder
        own = [job for job in jobs if job.kind == "batch" and job.folder == folder]
        before, self.state.job = self.state.job, own[-1] if own else None
        if before == self.state.job:
            return
        if before and self.state.job is not None and self.state.job.state == "cancelled":
            self.open_batch(None)
            return
        was_active = before is not None and before.state in ("starting", "running")
        if was_active and self.state.job is not None and self.state.job.state == "finished":
            self._looks_for_late = True
        if self.state.phase != "empty":
            self.follower.look()
        self._redraw()

    def _take(self, news: BatchNews) -> None:
        was = self.state.phase
        settings = self.state.settings
        changed = self.state.take(news, time.monotonic())
        if settings != news.settings:
            self.page.model.redraw_all()
        self.page.model.redraw(changed)
        self.page.show_rows()
        if was == "empty":
            self.titled.emit()
        self._redraw()
        if self._looks_for_late and not news.has_more:
            self._looks_for_late = False
            if self.state.counts["waiting"]:  # they came when the job was about to end
                self.start()

    # One summary of several

    def summarise_together(self) -> None:
        """Makes one summary of the selected documents, or of all that have a summary."""
        numbers = [n for n in self.selected() if self.state.rows[n].state == "done"]
        self._pages.setCurrentWidget(self.together_page)
        self.together.make(tuple(numbers) if len(numbers) > 1 else ())
        self.together_page.back.setFocus()

    def show_table(self) -> None:
        """Shows the documents again."""
        self._pages.setCurrentWidget(self.page)
        self._redraw()
        self.table.setFocus()

    # Rows

    def open_row(self, number: int) -> None:
        """Opens a document in Summarise, with the settings it has here."""
        row, folder = self.state.rows[number], self.state.folder
        assert folder is not None
        settings = row.wish.over(self.state.settings)
        chosen = {
            "length": settings.length,
            "model": settings.model,
            "language": settings.language,
        }
        if row.record == NO_RECORD:
            self._services.show_panel("summarise", file=row.path, **chosen)
            return
        run = self._services.controller.run_in_reader(RowSourceJob(folder, number))
        run.finished.connect(
            lambda text: self._services.show_panel("summarise", text=text, **chosen)
        )
        run.failed.connect(self._tell_failed)

    def _mend(self, number: int) -> None:
        if self.state.rows[number].kind == "password":
            self.ask_password(number)
        else:
            self.do_again([number])

    def ask_password(self, number: int) -> PasswordDialog:
        """Asks for the password of a document; it is used once and kept nowhere."""
        row = self.state.rows[number]
        dialog = PasswordDialog(self._services.theme, Path(row.path).name, self.window())
        dialog.given.connect(partial(self._unlock, number))
        dialog.open()
        return dialog

    def _unlock(self, number: int, password: str) -> None:
        folder = self.state.folder
        assert folder is not None
        run = self._services.controller.run_in_engine(UnlockRowJob(folder, number, password))
        run.ended.connect(self.follower.look)
        run.failed.connect(self._tell_failed)

    def do_again(self, numbers: list[int]) -> None:
        """Summarises documents once more."""
        self.follower.change(lambda store: store.do_again(numbers))
        self.start()

    def _skip(self, numbers: list[int]) -> None:
        self.follower.change(lambda store: store.skip(numbers))

    def _fill_menu(self, menu: Menu) -> None:
        numbers = [key for key in self.table.selected_keys() if isinstance(key, int)]
        if not numbers:
            return
        menu.addSeparator()
        one = numbers[0] if len(numbers) == 1 else None
        if one is not None:
            menu.add(self.tr("Open in Summarise"), partial(self.open_row, one), icon="text-quote")
            folder = Path(self.state.rows[one].path).parent
            menu.add(self.tr("Show in folder"), partial(_show, folder), icon="folder-open")
            if self.state.rows[one].kind == "password":
                menu.add(self.tr("Enter password…"), partial(self.ask_password, one), icon="lock")
        menu.add(self.tr("Summarise again"), partial(self.do_again, numbers), icon="rotate-ccw")
        menu.add(self.tr("Skip"), partial(self._skip, numbers), icon="x")

    # Settings

    def selected(self) -> list[int]:
        """The documents that are selected."""
        return [key for key in self.table.selected_keys() if isinstance(key, int)]

    def _wish(self, name: str, value: str) -> None:
        numbers = self.selected()
        if numbers:
            wish = Wish(**{name: value})
            self.follower.change(lambda store: store.wish(numbers, wish))
            return

        def change(store: BatchStore) -> None:
            store.set_settings(store.settings.model_copy(update={name: value}))
            store.clear_wishes(name)

        self.follower.change(change)

    def _choose_quotations(self, wanted: bool) -> None:
        self.follower.change(
            lambda store: store.set_settings(
                store.settings.model_copy(update={"quotations": wanted})
            )
        )

    def _show_settings(self) -> None:
        numbers = self.selected()
        self.strip.show_settings(
            self.state.settings_of(numbers),
            self._models,
            len(numbers),
            self.state.counts["all"],
            self.state.settings.quotations,
        )

    def _list_models(self) -> None:
        run = self._services.controller.run_in_thread(ListModelsJob(self._services.folders.runs))
        run.finished.connect(self._take_models)

    def _take_models(self, models: dict[str, str]) -> None:
        self._models = models
        self._show_settings()

    # What is shown

    def _redraw(self) -> None:
        state = self.state
        is_empty = state.phase == "empty"
        self.follower.set_busy(state.phase == "running")
        if is_empty or self._pages.currentWidget() is not self.together_page:
            self._pages.setCurrentWidget(self.empty if is_empty else self.page)
        self.header.show_state(state)
        if not is_empty:
            self.page.show_counts()
            self._show_settings()
            self._show_banner()

    def _show_banner(self) -> None:
        state, banner = self.state, self.page.banner
        stale = state.stale() if state.phase != "running" else []
        if state.phase == "failed" and state.job is not None and state.job.failure is not None:
            failure = state.job.failure
            told = self.tr("{0} What is done is kept. {1}")
            words = told.format(failure.message, failure.remedy)
            self._say("err", words, self.tr("Resume"), self.start)
        elif stale:
            number = format_quantity(len(stale), "summary", "summaries")
            words = self.tr("{0} made with other settings than these.").format(
                f"{number} {'was' if len(stale) == 1 else 'were'}"
            )
            self._say("info", words, self.tr("Summarise again"), partial(self.do_again, stale))
        elif state.resumed and state.resumed not in self._closed_banners:
            self._say("info", state.resumed, self.tr("Start over"), self.ask_to_start_over)
        else:
            banner.say("info", "", "")

    def _say(self, kind: str, words: str, deed: str, on_deed: Callable[[], object]) -> None:
        if words in self._closed_banners:
            words = ""
        self._banner_deed = on_deed
        self.page.banner.say(kind, words, deed)  # type: ignore[arg-type]

    def _note_closed(self) -> None:
        self._closed_banners.add(self.page.banner.words.text())

    def ask_to_start_over(self) -> None:
        """Asks, and summarises all documents once more."""
        number = format_quantity(self.state.counts["done"], "summary", "summaries")
        if ConfirmDialog.ask(
            self._services.theme,
            self.tr("Start over?"),
            self.tr("{0} of this batch will be deleted and made again.").format(number),
            deed=self.tr("Delete {0}").format(number),
            parent=self.window(),
        ):
            self.start_over()

    def start_over(self) -> None:
        """Summarises all documents once more."""

        def change(store: BatchStore) -> None:
            store.start_over()
            store.note_resumed("")

        self.follower.change(change)
        self.start()

    def _filter(self, name: str) -> None:
        self.state.filter = name  # type: ignore[assignment]  # one of its five parts
        self.page.show_rows()

    def _search(self, needle: str) -> None:
        self.state.needle = needle
        self.page.show_rows()

    def _tell_failed(self, failure: Failed) -> None:
        self._services.tell("err", failure.message, failure.remedy, about=_ABOUT)

    # What the window asks

    @property
    def title(self) -> str:
        """What the open batch is called."""
        return self.state.title

    def forget(self) -> None:
        """Lets go of the batch that is open."""
        self.open_batch(None)

    def commands(self) -> Mapping[str, Callable[[], object]]:
        """Adding, starting, finding, copying the command."""
        found: dict[str, Callable[[], object]] = {
            "open": self.ask_for_files,
            "new": self.new_batch,
        }
        if self.state.phase != "empty":
            found |= {
                "start": self.start,
                "find": self._find,
                "copy_command": self.page.command.copy,
                "export": lambda: self.exporter.open_menu(self.header.export),
            }
        return found

    def _find(self) -> None:
        self.page.search.setFocus()
        self.page.search.selectAll()

    def choose(self, chosen: Mapping[str, str]) -> None:
        """Adds files and folders that were chosen in another panel, a line each."""
        if names := chosen.get("add"):
            self.add([Path(name) for name in names.split("\n")])

    def escape(self) -> bool:
        """Ends the search, then lets go of the selection."""
        if self.state.phase == "empty":
            return False
        if self._pages.currentWidget() is self.together_page:
            self.together.cancel()
            self.show_table()
            return True
        if self.page.search.text():
            self.page.search.clear()
            self.table.setFocus()
            return True
        if self.selected():
            self.table.clearSelection()
            return True
        return False

    def regions(self) -> list[QWidget]:
        """The head, the settings, the filters, the table."""
        if self.state.phase == "empty":
            return [self.header, self.empty]
        if self._pages.currentWidget() is self.together_page:
            return [self.header, self.together_page.strip, self.together_page]
        return [self.header, self.strip, self.page.banner, self.page.tools, self.table]

    def can_take(self, data: QMimeData) -> bool:
        """Takes files and folders."""
        return any(url.isLocalFile() for url in data.urls())

    def take(self, data: QMimeData) -> None:
        """Adds what was dropped."""
        self.add([Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()])

    def apply_preferences(self, preferences: Preferences) -> None:
        """Takes the length of a first summary."""
        self._length = preferences.length

    def saved_state(self) -> PanelState:
        """The batch that is open."""
        return {"batch": self.state.folder.name} if self.state.folder is not None else {}

    def restore_state(self, state: PanelState) -> None:
        """Opens the batch that was open, if it is still there."""
        name = state.get("batch")
        if isinstance(name, str) and name and Path(name).name == name:
            folder = self._services.folders.batches / name
            if folder.is_dir():
                self.open_batch(folder)

    # What Qt says

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._list_models()
        if self.state.phase != "empty":
            self.follower.look()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width = self.window().width()
        self.header.fold(width < _FOLDED_BELOW_PX)
        self.page.fold(width < _SMALL_BELOW_PX, self.window().height() < _LOW_BELOW_PX)


def _show(folder: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
