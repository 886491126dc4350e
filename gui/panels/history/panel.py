"""The History panel: every summary that was made, searched, read again and reopened."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget

from core.library.preferences import Preferences
from core.numbers import format_quantity
from gui.panel import Services
from gui.panel_kit import SplitPanel
from gui.panels.history.controller import HistoryController
from gui.panels.history.entry_list import EntryList
from gui.panels.history.preview import EntryPreview
from gui.panels.history.state import HistoryState
from gui.panels.history.words import describe_list, describe_nothing, describe_start, tr
from gui.widgets.chrome.panel_header import PanelHeader
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.dialog import ConfirmDialog
from gui.widgets.inputs.filter_strip import FilterStrip
from gui.widgets.inputs.menu import Menu
from gui.widgets.inputs.start_area import StartArea
from gui.widgets.support import layouts

_SHARES = (42, 58)


class HistoryPanel(SplitPanel):
    """A list with search at the left, the chosen summary at the right.

    Args:
        services: The window.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        theme = services.theme
        self.state = HistoryState()
        self.controller = HistoryController(services, self.state, self)
        self.header = PanelHeader(
            theme,
            tr("History"),
            sides=(("list", tr("List")), ("summary", tr("Summary"))),
        )
        self._emptying = Button(theme, tr("Empty trash…"), kind="danger", icon="trash-2")
        self.header.add(self._emptying)
        self.strip = FilterStrip(
            theme,
            [("all", tr("All")), ("starred", tr("Starred")), ("trash", tr("Trash"))],
            choices_name=tr("Which summaries are shown"),
            find_name=tr("Search titles, summaries and notes"),
            placeholder=tr("Search"),
            margins=(24, 12, 24, 8),
        )
        self.list = EntryList(theme, self.state)
        self.preview = EntryPreview(theme, self.controller)
        self._start_area = StartArea(theme, tr("Find your summaries again."), "")
        self.first = Button(
            theme, tr("Summarise a document"), kind="primary", icon="text-quote", height=36
        )
        self._start_area.add_buttons(self.first)
        self._nothing = Label(theme, "", "body", "text2", wrap=True)
        self._enters_list = False  # once the result of the search is there
        self._lay_out()
        self._connect()
        self.redraw()

    def _lay_out(self) -> None:
        left = Plane(self._theme, "window")
        nothing = layouts.row(self._nothing, margins=(24, 12, 24, 12))
        layouts.column(self.strip, (self.list, 1000), nothing, layouts.stretch(), into=left)
        self.lay_out(self.header, left, self.preview, shares=_SHARES, start=self._start_area)

    def _connect(self) -> None:
        controller, entries = self.controller, self.list
        controller.changed.connect(self.redraw)
        controller.searched.connect(self._show_found)
        controller.document_missing.connect(lambda: self.show_side("summary"))
        self.strip.changed.connect(self._search)
        self.strip.entered.connect(self._enter_list)
        self._emptying.triggered.connect(self._confirm_emptying)
        self.first.triggered.connect(partial(self._services.show_panel, "summarise"))
        entries.chosen.connect(self.select)
        entries.clicked_item.connect(lambda: self.show_side("summary"))
        entries.opened.connect(controller.reopen)
        entries.star_requested.connect(controller.toggle_star)
        entries.rename_requested.connect(self.preview.title.begin)
        entries.delete_requested.connect(controller.delete)
        entries.more_requested.connect(controller.look_further)
        entries.menu_requested.connect(self._open_menu)
        self._services.keeper.kept.connect(self._look_at_write)

    def redraw(self) -> None:
        """Draws the state."""
        state = self.state
        self._emptying.setVisible(state.shown == "trash" and bool(state.counts["trash"]))
        self.list.refresh()
        self.list.setVisible(bool(state.entries))
        self._show_words()
        self.show_start(state.is_empty)
        self.preview.show_entry(state.selected)

    def _show_words(self) -> None:
        preferences = self._services.preferences
        self.header.show_facts(describe_list(self.state, preferences))
        self._start_area.told.setText(describe_start(preferences))
        self._nothing.setText(describe_nothing(self.state))
        self._nothing.setVisible(bool(self._nothing.text()))

    def select(self, id: str) -> None:
        """Shows another summary."""
        self.preview.commit()
        self.controller.select(id)

    def _search(self) -> None:
        self.preview.commit()
        self._enters_list = False
        self.controller.search(self.strip.query, self.strip.choice)

    def _show_found(self) -> None:
        self.list.show_current()
        if self._enters_list:
            self._enter_list()

    def _enter_list(self) -> None:
        """Gives the keyboard to the list, at the first match."""
        self._enters_list = self.controller.is_searching
        if self._enters_list or not self.state.entries:
            return
        if self.state.query.strip():
            self.controller.select(self.state.entries[0].id)
            self.list.show_current()
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _confirm_emptying(self) -> None:
        count = format_quantity(self.state.counts["trash"], tr("summary"), tr("summaries"))
        words = tr("Delete {count}").format(count=count)
        text = tr("They are deleted for good, with their notes. The documents stay.")
        if ConfirmDialog.ask(self._theme, f"{words}?", text, deed=words, parent=self.window()):
            self.controller.empty_trash()

    def _open_menu(self, place: QPoint) -> None:
        entry, controller = self.state.selected, self.controller
        if entry is None:
            return
        menu = Menu(self._theme, tr("Summary"), self)
        if entry.trashed_s is not None:
            menu.add(tr("Restore"), controller.restore, icon="undo-2")
        else:
            star = tr("Take its star") if entry.starred else tr("Give it a star")
            words = self.preview.open.text()
            menu.add(words, controller.reopen, icon="text-quote", shortcut="Return")
            menu.add(star, controller.toggle_star, icon="star", shortcut="S")
            menu.add(tr("Rename"), self.preview.title.begin, icon="pencil", shortcut="F2")
            menu.add(tr("Delete"), controller.delete, icon="trash-2", shortcut="Del")
        menu.add(tr("Copy"), controller.copy, icon="copy")
        menu.popup(place)

    # For the window

    def commands(self) -> Mapping[str, Callable[[], object]]:
        """Find searches, undo takes back what was deleted, copy copies the summary."""
        return {
            "find": self.strip.focus_find,
            "undo": self.controller.trash.undo,
            "copy_summary": self.controller.copy,
        }

    def look(self) -> None:
        self.controller.look()

    def _look_at_write(self, what: str) -> None:
        if self.isVisible() and what.startswith("history"):
            self.look()

    def escape(self) -> bool:
        """Leaves the title as it is, empties the search, or goes back to the list."""
        if self.preview.escape():
            return True
        if self.strip.query:
            self.strip.find_field.clear()
            return True
        return self.leave_right(self.list)

    def regions(self) -> list[QWidget]:
        return [self.header, self.strip, self.list, self.preview]

    def end(self) -> None:
        self.controller.end()

    def forget(self) -> None:
        self.controller.forget()

    def may_close(self) -> bool:
        """Takes what is still being typed."""
        self.preview.commit()
        return True

    def apply_preferences(self, preferences: Preferences) -> None:
        """Says whether summaries are kept."""
        self._show_words()
