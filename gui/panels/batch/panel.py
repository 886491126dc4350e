"""The Batch panel: many documents, a summary of each, in a table that fills."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from core.events import Failed
from core.jobs.batches.news import BatchNews
from core.jobs.queue.listing import JobNow
from core.library.preferences import PanelState, Preferences
from gui.panel import Panel, Services, parted
from gui.panels.batch.empty_page import EmptyPage
from gui.panels.batch.exporting import Exporter
from gui.panels.batch.follower import BatchFollower
from gui.panels.batch.header import Header
from gui.panels.batch.intake import Intake
from gui.panels.batch.notices import Notices
from gui.panels.batch.row_deeds import RowDeeds
from gui.panels.batch.shelf import Shelf
from gui.panels.batch.starter import Starter
from gui.panels.batch.state import BatchState
from gui.panels.batch.table_page import TablePage
from gui.panels.batch.together import Together
from gui.panels.batch.together_page import TogetherPage
from gui.panels.batch.wishes import Wishes
from gui.widgets.display.plane import Divider
from gui.widgets.support import layouts

_FOLDED_BELOW_PX, _SMALL_BELOW_PX = 1200, 880
_ABOUT = "batch"


class BatchPanel(Panel):
    """Files, folders and tables are summarised here, each document by itself.

    Args:
        services: What the window does for it.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services.theme, "surface")
        self._services = services
        self.state = BatchState()
        self.header = Header(services.theme)
        self.empty = EmptyPage(services.theme)
        self.page = TablePage(services.theme, self.state)
        self.together_page = TogetherPage(services.theme)
        self.table, self.strip = self.page.table, self.page.strip
        self._lay_out()
        self._make_parts(services)
        self._connect()
        self._redraw()

    def _lay_out(self) -> None:
        self._pages = QStackedWidget()
        for page in (self.empty, self.page, self.together_page):
            self._pages.addWidget(page)
        layouts.column(self.header, Divider(self._theme), (self._pages, 1), into=self)

    def _make_parts(self, services: Services) -> None:
        state = self.state
        follower = self.follower = BatchFollower(services.controller)
        self.starter = Starter(services, state, follower, self)
        self.intake = Intake(services, state, follower, self)
        self.shelf = Shelf(services, state, self)
        self.deeds = RowDeeds(services, state, follower, self.starter.start, self)
        self.wishes = Wishes(services, state, follower, self.strip, self.selected)
        self.notices = Notices(
            services, state, follower, self.deeds, self.starter.start, self.page.banner
        )
        self.together = Together(services, state, self.together_page)
        self.exporter = Exporter(services, state, self.selected, self)

    def _connect(self) -> None:
        header, page, starter = self.header, self.page, self.starter
        header.add_asked.connect(self.intake.open_menu)
        header.start_asked.connect(starter.start)
        header.pause_asked.connect(starter.toggle_pause)
        header.batches_asked.connect(self.shelf.open_menu)
        header.export_asked.connect(self.exporter.open_menu)
        header.together_asked.connect(self.summarise_together)
        self.together_page.back_asked.connect(self.show_table)
        self.together.file_opened.connect(
            lambda path: self._services.show_panel("summarise", file=path)
        )
        self.empty.files_asked.connect(self.intake.ask_for_files)
        self.empty.folder_asked.connect(self.intake.ask_for_folder)
        self.empty.dropped.connect(self.intake.add)
        self.intake.begun.connect(lambda folder: self.open_batch(folder, look=False))
        self.intake.ended.connect(self._redraw)
        self.shelf.chosen.connect(self.open_batch)
        self.shelf.cancel_asked.connect(starter.cancel)
        starter.changed.connect(self._redraw)
        starter.cancelled.connect(lambda: self.open_batch(None))
        page.filter_chosen.connect(self._filter)
        page.searched.connect(self._search)
        page.tables.column_chosen.connect(self.deeds.choose_column)
        self._connect_table()
        self.exporter.quotations_chosen.connect(self.wishes.choose_quotations)
        self.exporter.command_asked.connect(page.command.copy)
        page.command.copied.connect(
            lambda: self._services.tell("ok", self.tr("Copied the command"), about=_ABOUT)
        )
        self.follower.told.connect(self._take)
        self.follower.failed.connect(self._tell_failed)
        queue = self._services.controller.queue
        queue.listed.connect(self._take_jobs)
        self._take_jobs(queue.jobs)

    def _connect_table(self) -> None:
        table, deeds = self.table, self.deeds
        table.selection_changed.connect(self.wishes.show)
        table.selection_changed.connect(self._show_head)
        table.opened.connect(deeds.open)
        table.remedy_wanted.connect(deeds.mend)
        table.second_wanted.connect(lambda number: deeds.skip([number]))
        table.menu_made.connect(lambda menu: deeds.fill_menu(menu, self.selected()))

    # Which batch is open

    def open_batch(self, folder: Path | None, *, look: bool = True) -> None:
        """Shows another batch; None shows the page of an empty panel, while a job goes on."""
        self.state.begin(folder)
        self._pages.setCurrentWidget(self.page)
        self.page.model.clear()
        self.page.search.clear()
        self.notices.forget()
        self.follower.open(folder if look else None)
        if not look:
            self.follower.expect(folder)
        self.starter.leave()
        self._redraw()
        self.titled.emit()

    def _take_jobs(self, jobs: tuple[JobNow, ...]) -> None:
        self.shelf.reopen(jobs)
        self.starter.take_jobs(jobs)

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
        if not news.has_more:
            self.starter.take_late()

    # One summary of several

    def summarise_together(self) -> None:
        """Makes one summary of the selected documents, or of all that have a summary."""
        self._pages.setCurrentWidget(self.together_page)
        self.together.make(self.state.meant(self.selected()))
        self.together_page.back.setFocus()

    def show_table(self) -> None:
        """Shows the documents again."""
        self._pages.setCurrentWidget(self.page)
        self._redraw()
        self.table.setFocus()

    # What is shown

    def selected(self) -> list[int]:
        """The documents that are selected."""
        return [key for key in self.table.selected_keys() if isinstance(key, int)]

    def _redraw(self) -> None:
        state = self.state
        is_empty = state.phase == "empty"
        self.follower.set_busy(state.phase == "running")
        gives_focus = self._gives_focus(is_empty)
        if is_empty or self._pages.currentWidget() is not self.together_page:
            self._pages.setCurrentWidget(self.empty if is_empty else self.page)
        self._show_head()
        if gives_focus and not is_empty:
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        if not is_empty:
            self.page.show_counts()
            self.wishes.show()
            self.notices.show()

    def _gives_focus(self, is_empty: bool) -> bool:
        """Whether the focus goes on to the table: its first documents come, or the work starts."""
        focus = self.window().focusWidget()
        if focus is None:
            return False
        starts = focus is self.header.start and self.state.phase != "ready"
        comes = not is_empty and self._pages.currentWidget() is self.empty
        return starts or (comes and self.isAncestorOf(focus))

    def _show_head(self) -> None:
        self.header.show_state(self.state, len(self.state.meant(self.selected())))

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
        self.starter.forget()
        self.open_batch(None)

    def end(self) -> None:
        """Does what was asked of batches and still waits."""
        self.follower.close()
        self.starter.close()

    def commands(self) -> Mapping[str, Callable[[], object]]:
        """Adding, starting, pausing, finding, copying the command."""
        found: dict[str, Callable[[], object]] = {
            "open": self.intake.ask_for_files,
            "new": lambda: self.open_batch(None),
        }
        if self.state.phase != "empty":
            found |= {
                "start": self.starter.start,
                "find": self._find,
                "copy_command": self.page.command.copy,
                "export": lambda: self.exporter.open_menu(self.header.export),
            }
        if self.header.can_pause:
            found["pause"] = self.starter.toggle_pause
        return found

    def _find(self) -> None:
        self.page.search.setFocus()
        self.page.search.selectAll()

    def choose(self, chosen: Mapping[str, str]) -> None:
        """Adds files and folders that were chosen in another panel, a line each."""
        if names := chosen.get("add"):
            self.intake.add(parted(names))

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
        page = self.page
        return [self.header, self.strip, page.banner, page.tables, page.tools, self.table]

    def can_take(self, data: QMimeData) -> bool:
        """Takes files and folders."""
        return any(url.isLocalFile() for url in data.urls())

    def take(self, data: QMimeData) -> None:
        """Adds what was dropped."""
        self.intake.add([Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()])

    def apply_preferences(self, preferences: Preferences) -> None:
        """Takes the length of a first summary."""
        self.intake.length = preferences.length

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
        self.wishes.list_models()
        if self.state.phase != "empty":
            self.follower.look()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width = self.window().width()
        self.header.fold(width < _FOLDED_BELOW_PX)
        self.page.fold(width < _SMALL_BELOW_PX)
