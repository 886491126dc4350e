"""The Batch panel: many documents, a summary of each, in a table that fills."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtWidgets import QWidget

from core.jobs.batches.news import BatchNews
from core.jobs.queue.listing import JobNow
from core.library.preferences import PanelState, Preferences
from gui.panel import Services, parted
from gui.panel_kit import PagedPanel
from gui.panels.batch.empty_page import EmptyPage
from gui.panels.batch.exporting import Exporter
from gui.panels.batch.follower import BatchFollower
from gui.panels.batch.header import BatchHeader
from gui.panels.batch.intake import Intake
from gui.panels.batch.notices import Notices
from gui.panels.batch.row_actions import RowActions
from gui.panels.batch.shelf import Shelf
from gui.panels.batch.starter import Starter
from gui.panels.batch.state import BatchState
from gui.panels.batch.table_page import TablePage
from gui.panels.batch.together import Together
from gui.panels.batch.together_page import TogetherPage
from gui.panels.batch.wishes import Wishes

_FOLDED_BELOW_PX, _SMALL_BELOW_PX = 1200, 880
_ABOUT = "batch"


class BatchPanel(PagedPanel):
    """Files, folders and tables are summarised here, each document by itself.

    Args:
        services: What the window does for it.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.state = BatchState()
        self.header = BatchHeader(services.theme)
        self.empty = EmptyPage(services.theme)
        self.page = TablePage(services.theme, self.state)
        self.together_page = TogetherPage(services.theme)
        self.table, self.strip = self.page.table, self.page.strip
        self.lay_out(self.header, self.empty, self.page, self.together_page)
        self._make_parts(services)
        self._connect()
        self._redraw()

    def _make_parts(self, services: Services) -> None:
        state = self.state
        follower = self.follower = BatchFollower(services.controller)
        self.starter = Starter(services, state, follower, self)
        self.intake = Intake(services, state, follower, self)
        self.shelf = Shelf(services, state, self)
        self.row_actions = RowActions(services, state, follower, self.starter.start, self)
        self.wishes = Wishes(services, state, follower, self.strip, self.selected)
        self.notices = Notices(
            services, state, follower, self.row_actions, self.starter.start, self.page.banner
        )
        self.together = Together(services, state, self.together_page)
        self.exporter = Exporter(services, state, self.selected, self)

    def _connect(self) -> None:
        header, page, starter = self.header, self.page, self.starter
        for button, open_menu in (
            (header.add_files, self.intake.open_menu),
            (header.batches, self.shelf.open_menu),
            (header.export, self.exporter.open_menu),
        ):
            button.triggered.connect(partial(open_menu, button))
        header.start.triggered.connect(starter.start)
        header.pause.triggered.connect(starter.toggle_pause)
        header.together.triggered.connect(self.summarise_together)
        self.together_page.back_requested.connect(self.show_table)
        self.together.file_opened.connect(
            lambda path: self._services.show_panel("summarise", file=path)
        )
        self.empty.files_requested.connect(self.intake.ask_for_files)
        self.empty.folder_requested.connect(self.intake.ask_for_folder)
        self.empty.dropped.connect(self.intake.add)
        self.intake.begun.connect(lambda folder: self.open_batch(folder, look=False))
        self.intake.ended.connect(self._redraw)
        self.shelf.chosen.connect(self.open_batch)
        self.shelf.cancel_requested.connect(starter.cancel)
        starter.changed.connect(self._redraw)
        starter.cancelled.connect(lambda: self.open_batch(None))
        page.filter_chosen.connect(self._filter)
        page.searched.connect(self._search)
        page.tables.column_chosen.connect(self.row_actions.choose_column)
        self._connect_table()
        self.exporter.quotations_chosen.connect(self.wishes.choose_quotations)
        self.exporter.command_requested.connect(page.command.copy)
        page.command.copied.connect(
            lambda: self._services.notify("ok", self.tr("Copied the command"), about=_ABOUT)
        )
        self.follower.told.connect(self._take)
        self.follower.failed.connect(partial(self._services.report_failure, about=_ABOUT))
        queue = self._services.controller.queue
        queue.listed.connect(self._take_jobs)
        self._take_jobs(queue.jobs)

    def _connect_table(self) -> None:
        table, actions = self.table, self.row_actions
        table.selection_changed.connect(self.wishes.show)
        table.selection_changed.connect(self._show_head)
        table.opened.connect(actions.open)
        table.remedy_wanted.connect(actions.mend)
        table.second_wanted.connect(lambda number: actions.skip([number]))
        table.menu_made.connect(lambda menu: actions.fill_menu(menu, self.selected()))

    # Which batch is open

    def open_batch(self, folder: Path | None, *, look: bool = True) -> None:
        """Shows another batch; None shows the page of an empty panel, while a job goes on."""
        self.state.begin(folder)
        self.show_page(self.page)
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
        self.show_page(self.together_page)
        self.together.make(self.state.meant(self.selected()))
        self.together_page.back.setFocus()

    def show_table(self) -> None:
        """Shows the documents again."""
        self.show_page(self.page)
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
        if is_empty or self.shown_page is not self.together_page:
            self.show_page(self.empty if is_empty else self.page)
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
        comes = not is_empty and self.shown_page is self.empty
        return starts or (comes and self.isAncestorOf(focus))

    def _show_head(self) -> None:
        self.header.show_state(self.state, len(self.state.meant(self.selected())))

    def _filter(self, name: str) -> None:
        self.state.filter = name  # type: ignore[assignment]  # one of its five parts
        self.page.show_rows()

    def _search(self, needle: str) -> None:
        self.state.needle = needle
        self.page.show_rows()

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
        if self.shown_page is self.together_page:
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
        if self.shown_page is self.together_page:
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

    def look(self) -> None:
        """Reads again which models there are, and what has become of the batch."""
        self.wishes.list_models()
        if self.state.phase != "empty":
            self.follower.look()

    def fold(self) -> None:
        """Follows the width of the window."""
        width = self.window().width()
        self.header.fold(width < _FOLDED_BELOW_PX)
        self.page.fold(width < _SMALL_BELOW_PX)
