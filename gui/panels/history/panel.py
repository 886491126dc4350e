"""The History panel: every summary that was made, searched, read again and reopened."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from core.events import Failed
from core.export.combined import CombinedSummary
from core.export.excerpt import KeptSummary
from core.export.kept_combined import as_summary
from core.jobs.call import CallJob
from core.jobs.documents.find_again import FindAgainJob, Found
from core.jobs.history.history import HistoryFound, OpenedEntry, OpenEntryJob, search_history
from core.library.history import TRASH_DAYS
from core.library.history_entry import Entry
from core.library.preferences import Preferences
from core.numbers import format_count, format_quantity
from gui.panel import Panel, Services, joined
from gui.panels.history.entry_list import EntryList
from gui.panels.history.header import Header, Strip
from gui.panels.history.preview import Preview
from gui.panels.history.state import FIRST_ENTRIES, HistoryState, reopened
from gui.panels.history.words import tr
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.dialog import ConfirmDialog
from gui.widgets.inputs.menu import Menu
from gui.widgets.inputs.start_area import StartArea
from gui.widgets.support import layouts
from gui.widgets.support.leaving import let_go
from gui.workers.latest import Latest

BOTH_PX = 1000
"""From this width of the window on, list and summary stand side by side."""
_LIST_SHARE, _PREVIEW_SHARE = 42, 58
_ABOUT = "history"


class HistoryPanel(Panel):
    """A list with search at the left, the chosen summary at the right.

    Args:
        services: What the window does for it.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services.theme, "window")
        self._services, self._history = services, services.history
        theme = services.theme
        self.state = HistoryState()
        self.header, self.strip = Header(theme), Strip(theme)
        self.list = EntryList(theme, self.state)
        self.preview = Preview(theme)
        self._start = StartArea(theme, tr("Find your summaries again."), "")
        self.nothing = Label(theme, "", "body", "text2", wrap=True)
        self.first = Button(
            theme, tr("Summarise a document"), kind="primary", icon="text-quote", height=36
        )
        self._looking, self._opening, self._finding = Latest(), Latest(), Latest()
        self._kept: KeptSummary | CombinedSummary | None = None
        self._shown_id = ""
        self._deleted: list[str] = []
        self._is_sought = False  # what was asked for is another list, not newer entries of this one
        self._is_entered = False  # the list gets the keyboard once it is found
        self._lay_out()
        self._connect()
        self.redraw()

    def _lay_out(self) -> None:
        theme = self._theme
        self._left = Plane(theme, "window")
        layouts.column(
            self.strip,
            (self.list, 1000),
            layouts.column(self.nothing, margins=(24, 12, 24, 12)),
            layouts.stretch(),
            into=self._left,
        )
        self._start.add_buttons(self.first)
        self._line = Divider(theme, Qt.Orientation.Vertical)
        body = layouts.row(
            (self._start, 100),
            (self._left, _LIST_SHARE),
            self._line,
            (self.preview, _PREVIEW_SHARE),
        )
        layouts.column(self.header, Divider(theme), (body, 1), into=self)

    def _connect(self) -> None:
        self.strip.changed.connect(self._search)
        self.strip.entered.connect(self._enter_list)
        self.header.side_chosen.connect(self._show_side)
        self.header.emptying_asked.connect(self._ask_to_empty)
        self.first.triggered.connect(partial(self._services.show_panel, "summarise"))
        entries, preview = self.list, self.preview
        entries.chosen.connect(self.select)
        entries.looked_at.connect(lambda: self._show_side("summary"))
        entries.opened.connect(self.reopen)
        entries.star_asked.connect(self.toggle_star)
        entries.rename_asked.connect(preview.begin_renaming)
        entries.delete_asked.connect(self.delete)
        entries.more_asked.connect(self._look_further)
        entries.menu_asked.connect(self._open_menu)
        preview.open_asked.connect(self.reopen)
        preview.open_anyway_asked.connect(self._open_as_it_is)
        preview.copy_asked.connect(self.copy)
        preview.star_asked.connect(self.toggle_star)
        preview.delete_asked.connect(self.delete)
        preview.restore_asked.connect(self.restore)
        preview.renamed.connect(self._rename)
        preview.noted.connect(self._annotate)
        preview.document_opened.connect(self._open_document)
        self._services.keeper.kept.connect(self._look_at_news)

    # What is shown

    def look(self) -> None:
        """Looks what there is now; what was found is shown soon."""
        state = self.state
        job = CallJob(search_history, self._history, state.wanted, state.shown, state.most)
        run = self._services.controller.run_in_thread(job)
        self._looking.follow(run, self._take, self._tell_failed)

    def _change(self, what: str, write: Callable[[], object]) -> None:
        """Writes a change; the list is looked through again once it is written, or failed."""
        self._looking.stop()  # it may have read what stood there before
        self._services.keeper.keep(f"{_ABOUT} {what}", write)

    def _take(self, found: HistoryFound) -> None:
        self.state.take(found)
        self.redraw()
        if self._is_sought:
            self._is_sought = False
            self.list.show_chosen()
            if self._is_entered:
                self._enter_list()
        if found.note:
            self._services.tell("warn", found.note)

    def _tell_failed(self, failure: Failed) -> None:
        self._services.tell("err", failure.message, failure.remedy, about=_ABOUT)

    def _look_at_news(self, what: str) -> None:
        if what.startswith(_ABOUT) and self.isVisible():
            self.look()

    def redraw(self) -> None:
        """Draws the state as it is now."""
        state = self.state
        self.header.show_facts(self._facts())
        in_trash = state.shown == "trash"
        self.header.emptying.setVisible(in_trash and bool(state.counts["trash"]))
        self.list.refresh()
        self.list.setVisible(bool(state.entries))
        self._tell_nothing()
        self._start.setVisible(state.is_empty)
        self._fold()
        self._show_selected()

    def _facts(self) -> str:
        state = self.state
        if not state.is_known:
            return ""
        is_search = bool(state.wanted.strip())
        total = state.counts[state.shown if is_search else "all"]
        count = format_quantity(total, tr("summary"), tr("summaries"))
        if is_search:
            found = format_count(len(state.entries))
            told = tr("{found} or more of {all}") if state.has_more else tr("{found} of {all}")
            count = told.format(found=found, all=count)
        if state.is_empty:
            count = ""  # the page says so
        return "  ·  ".join(filter(None, (count, self._off_told())))

    def _off_told(self) -> str:
        preferences = self._services.preferences
        if preferences.private:
            return tr("Private mode: nothing is kept")
        return "" if preferences.history else tr("Off: new summaries are not kept")

    def _tell_nothing(self) -> None:
        self._start.told.setText(self._start_told())
        self.nothing.setText(self._nothing_told())
        self.nothing.setVisible(bool(self.nothing.text()))

    def _start_told(self) -> str:
        off = self._off_told()
        where = tr("Turn it on in Settings, History.")
        if self._services.preferences.private:
            where = tr("Turn it off in Settings, History.")
        return f"{off}. {where}" if off else tr("Every summary you make is listed here.")

    def _nothing_told(self) -> str:
        state = self.state
        if state.entries or not state.is_known:
            return ""
        if state.wanted.strip():
            return tr("No summary matches “{words}”.").format(words=state.wanted.strip())
        return {
            "starred": tr("No summary has a star. Press S to give one."),
            "trash": tr("The trash is empty. Deleted summaries stay here for {days} days.").format(
                days=TRASH_DAYS
            ),
        }.get(state.shown, "")

    def _show_selected(self) -> None:
        entry = self.state.selected
        self.preview.show_entry(entry)
        if entry is None:
            self._kept, self._shown_id = None, ""
            self._opening.stop()
        elif entry.id != self._shown_id or self._kept is None:
            self._read(entry)

    def _read(self, entry: Entry) -> None:
        self._kept, self._shown_id = None, entry.id
        run = self._services.controller.run_in_thread(OpenEntryJob(self._history, entry.id))
        self._opening.follow(run, self._show, self._tell_failed)

    def _show(self, found: OpenedEntry | None) -> None:
        if found is None:
            self.preview.show_summary(None)
            return
        self._kept = found.kept
        if isinstance(found.kept, KeptSummary):
            self.preview.show_summary(found.kept.summary)
        else:
            self.preview.show_combined(found.kept)

    def select(self, id: str) -> None:
        """Shows another summary."""
        self.preview.commit()
        self._finding.stop()
        self.state.chosen = id
        self._show_selected()

    def _search(self) -> None:
        self.preview.commit()
        self.state.look_for(self.strip.wanted, self.strip.shown)
        self._is_sought, self._is_entered = True, False
        self.look()

    def _enter_list(self) -> None:
        """Gives the keyboard to the list, at the first of what was looked for."""
        self._is_entered = self._is_sought
        if self._is_sought or not self.state.entries:
            return
        if self.state.wanted.strip():
            self.state.chosen = self.state.entries[0].id
            self.redraw()
            self.list.show_chosen()
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _look_further(self) -> None:
        if self.state.has_more and not self._looking.is_running:
            self.state.most += FIRST_ENTRIES
            self.look()

    # What is done with the chosen one

    def reopen(self) -> None:
        """Opens the chosen document in Summarise as it was then, if it is still the same."""
        entry, kept = self.state.selected, self._kept
        if entry is None or kept is None or entry.trashed_s is not None:
            return
        if not isinstance(kept, KeptSummary):
            self._open_documents(kept)
            return
        if not entry.path:
            self._tell_lost(_no_file(), can_open=False)
            return
        run = self._services.controller.run_in_thread(FindAgainJob(Path(entry.path), entry.sha256))
        self._finding.follow(run, partial(self._found, entry, kept), self._tell_failed)

    def _open_documents(self, combined: CombinedSummary) -> None:
        """Opens all documents of one summary of several."""
        paths = [document.summary.source.path for document in combined.documents]
        if files := list(dict.fromkeys(filter(None, paths))):
            self._services.show_panel("summarise", files=joined(files))
        else:
            self._tell_lost(_no_file(), can_open=False)

    def _open_document(self, at: int) -> None:
        combined = self.preview.combined.combined
        path = combined.documents[at].summary.source.path if combined else ""
        if path:
            self._services.show_panel("summarise", file=path)
        elif combined:
            self._tell_lost(_no_file(), can_open=False)

    def _found(self, entry: Entry, kept: KeptSummary, found: Found) -> None:
        if found == "same":
            self._services.show_panel("summarise", **reopened(entry, kept.summary))
        elif found == "changed":
            told = tr("The file has changed since; this is the summary that was made then.")
            self._tell_lost(told, can_open=True)
        else:
            told = tr("There is no file at {path} any more; this is its summary.")
            self._tell_lost(told.format(path=entry.path), can_open=False)

    def _tell_lost(self, told: str, *, can_open: bool) -> None:
        self.preview.tell(told, can_open=can_open)
        self._show_side("summary")

    def _open_as_it_is(self) -> None:
        entry = self.state.selected
        if entry is not None:
            chosen = {"file": entry.path, "model": entry.model, "length": entry.length}
            self._services.show_panel("summarise", **chosen, language=entry.language)

    def copy(self) -> None:
        """Copies the summary."""
        if self._kept is not None:
            kept = self._kept
            summary = kept.summary if isinstance(kept, KeptSummary) else as_summary(kept)
            said = "\n".join(sentence.spoken for sentence in summary.sentences)
            QGuiApplication.clipboard().setText(said)
            self._services.tell("ok", tr("Copied the summary"), about=_ABOUT)

    def toggle_star(self) -> None:
        """Gives the chosen one a star, or takes it."""
        entry = self.state.selected
        if entry is not None and entry.trashed_s is None:
            starred = not entry.starred
            self.state.change_selected(starred=int(starred))
            self.redraw()
            self._change(f"star {entry.id}", partial(self._history.star, entry.id, starred))

    def _rename(self, title: str) -> None:
        entry = self.state.selected
        if entry is not None:
            self.state.change_selected(title=title)
            self.redraw()
            self._change(f"title {entry.id}", partial(self._history.rename, entry.id, title))

    def _annotate(self, note: str) -> None:
        entry = self.state.selected
        if entry is not None:
            self.state.change_selected(note=note)
            self.redraw()
            self._change(f"note {entry.id}", partial(self._history.annotate, entry.id, note))

    def delete(self) -> None:
        """Moves the chosen one to the trash; undo brings it back."""
        entry = self.state.selected
        if entry is None or entry.trashed_s is not None:
            return
        self._deleted.append(entry.id)
        self._change(f"trash {entry.id}", partial(self._history.delete, [entry.id]))
        self._services.tell(
            "ok",
            tr("Deleted “{title}”").format(title=_short(entry.title)),
            action=tr("Undo"),
            on_action=partial(self._restore, entry.id),
            about=_ABOUT,
        )

    def undo(self) -> None:
        """Brings back what was deleted last."""
        if self._deleted:
            self._restore(self._deleted[-1])

    def restore(self) -> None:
        """Takes the chosen one out of the trash."""
        if self.state.selected is not None:
            self._restore(self.state.selected.id)

    def _restore(self, id: str) -> None:
        self._deleted = [each for each in self._deleted if each != id]
        if self.state.shown != "trash":
            self.state.chosen = id
        self._services.dismiss(_ABOUT)
        self._change(f"trash {id}", partial(self._history.restore, [id]))

    def _ask_to_empty(self) -> None:
        count = format_quantity(self.state.counts["trash"], tr("summary"), tr("summaries"))
        deed = tr("Delete {count}").format(count=count)
        text = tr("They are deleted for good, with their notes. The documents stay.")
        dialog = ConfirmDialog(self._theme, f"{deed}?", text, deed=deed, parent=self.window())
        dialog.finished.connect(lambda: let_go(dialog))
        dialog.accepted.connect(self.empty_trash)
        dialog.open()

    def empty_trash(self) -> None:
        """Deletes what is in the trash for good."""
        self._deleted.clear()
        self._change("empty", self._history.empty_trash)

    def _open_menu(self, place: QPoint) -> None:
        entry = self.state.selected
        if entry is None:
            return
        menu = Menu(self._theme, tr("Summary"), self)
        if entry.trashed_s is not None:
            menu.add(tr("Restore"), self.restore, icon="undo-2")
        else:
            star = tr("Take its star") if entry.starred else tr("Give it a star")
            opening = self.preview.open.text()
            menu.add(opening, self.reopen, icon="text-quote", shortcut="Return")
            menu.add(star, self.toggle_star, icon="star", shortcut="S")
            menu.add(tr("Rename"), self.preview.begin_renaming, icon="pencil", shortcut="F2")
            menu.add(tr("Delete"), self.delete, icon="trash-2", shortcut="Del")
        menu.add(tr("Copy"), self.copy, icon="copy")
        menu.popup(place)

    # What the window asks

    def commands(self) -> Mapping[str, Callable[[], object]]:
        """Find searches, undo takes back what was deleted, copy copies the summary."""
        return {"find": self.strip.focus_find, "undo": self.undo, "copy_summary": self.copy}

    def escape(self) -> bool:
        """Leaves the title as it is, empties the search, or goes back to the list."""
        if self.preview.escape():
            return True
        if self.strip.wanted:
            self.strip.find_field.clear()
            return True
        if not self._is_wide and self.header.switch.value == "summary":
            self._show_side("list")
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        return False

    def regions(self) -> list[QWidget]:
        """The parts that F6 moves between."""
        return [self.header, self.strip, self.list, self.preview]

    def end(self) -> None:
        """Hears no more of what still runs."""
        for run in (self._looking, self._opening, self._finding):
            run.stop()

    def forget(self) -> None:
        """Shows nothing; nothing that was deleted can be taken back."""
        self._deleted.clear()
        self._opening.stop()
        self.state.entries, self.state.chosen = (), ""
        self.redraw()

    def may_close(self) -> bool:
        """Keeps what is still being typed."""
        self.preview.commit()
        return True

    def apply_preferences(self, preferences: Preferences) -> None:
        """Says whether summaries are kept."""
        self.header.show_facts(self._facts())
        self._tell_nothing()

    # What Qt says

    def event(self, event: QEvent) -> bool:
        """Looks again when the person comes back to the window."""
        if event.type() == QEvent.Type.WindowActivate and self.isVisible():
            self.look()
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.look()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    @property
    def _is_wide(self) -> bool:
        return self.window().width() >= BOTH_PX

    def _show_side(self, side: str) -> None:
        self.header.switch.set_value(side)
        self._fold()

    def _fold(self) -> None:
        wide, side = self._is_wide, self.header.switch.value
        is_empty = self.state.is_empty
        self.header.switch.setVisible(not wide and not is_empty)
        self._left.setVisible((wide or side == "list") and not is_empty)
        self._line.setVisible(wide and not is_empty)
        self.preview.setVisible((wide or side == "summary") and not is_empty)


def _no_file() -> str:
    told = tr("The text was pasted, piped in or a row of a table, so there is no file to open;")
    return f"{told} {tr('this is its summary.')}"


def _short(title: str) -> str:
    return title if len(title) <= 60 else f"{title[:59]}…"
