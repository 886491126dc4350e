"""The window: rail, panels, status bar, and what they share. Which panels there are is told it."""

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QContextMenuEvent,
    QDragEnterEvent,
    QDropEvent,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QMainWindow,
    QStackedWidget,
    QWidget,
)
from shiboken6 import isValid

from core.errors import EpitomeError
from core.events import Failed
from core.jobs.call import CallJob
from core.jobs.documents.warm_up import WarmUpJob, warm_up_choice
from core.jobs.job import Job
from core.library.decisions import DecisionsFile
from core.library.folders import Folders
from core.library.history import History
from core.library.history_entry import Limits
from core.library.owner import owner_note
from core.library.preferences import (
    Preferences,
    WindowState,
    load_window_state,
    save_window_state,
)
from core.library.recent import Recents
from gui.control_words import in_window
from gui.job_list import JobList
from gui.panel import Lane, Panel, PanelEntry
from gui.panel_table import panel_table
from gui.shortcuts import Shortcut, panel_shortcut, shortcuts
from gui.theme.fonts import DEFAULT_READING_SIZE_PX
from gui.theme.theme import Theme
from gui.widgets.chrome.rail import Rail, RailItem
from gui.widgets.chrome.status_bar import HEIGHT_PX as STATUS_PX
from gui.widgets.chrome.status_bar import StatusBar
from gui.widgets.chrome.toast import Severity, Toasts
from gui.widgets.display.notices import Notices
from gui.widgets.support import layouts
from gui.widgets.support.dragged import accept_copy
from gui.widgets.support.focus_ring import FocusRing
from gui.workers.controller import Controller
from gui.workers.job_reporter import report_run
from gui.workers.keeper import Keeper
from gui.workers.preferences_keeper import PreferencesKeeper
from gui.workers.runner import Run

if TYPE_CHECKING:
    from gui.workers.part_installer import PartInstaller

DEFAULT_SIZE_PX = (1440, 900)
MINIMUM_SIZE_PX = (720, 450)
NARROW_RAIL_PX = 1200
"""Below this width of the window the rail shows icons alone."""
_BY_PLACE = 9
_FORGET = "history and all else"
_LEFT_TO_QT = {"next_control", *(["menu"] if sys.platform == "win32" else [])}
"""Keys of the table that Qt or the system heeds by itself."""
_FOOT_PX = 52
"""The foot of a panel, whose buttons toasts must not hide."""


class MainWindow(QMainWindow):
    """Rail at the left, one panel at a time, the status bar at the foot.

    It hands each panel what it needs (it is their `gui.panel.Services`), so that no panel looks
    anything up by a global name, and makes a panel when it is first shown.

    Args:
        theme: The look.
        preferences: The person's settings.
        folders: Where things are kept.
        note: What is to be told at the start; empty when all is well.
        panels: The panels; None for those of the program.
    """

    first_painted = Signal()
    """The window stands on the screen for the first time."""

    def __init__(
        self,
        theme: Theme,
        preferences: Preferences,
        folders: Folders,
        note: str = "",
        *,
        panels: Sequence[PanelEntry] | None = None,
    ) -> None:
        super().__init__()
        self._was_painted = False
        self.setWindowTitle("Epitome")
        self.setAcceptDrops(True)
        self.theme, self.preferences, self.folders = theme, preferences, folders
        self.controller = Controller(folders.log / "engine.log", folders)
        self.keeper = Keeper(self.controller)
        self.keeper.failed.connect(self.report_failure)
        self._kept_preferences = PreferencesKeeper(self.keeper, folders.settings_file, self)
        self._kept_preferences.found.connect(self._take_over)
        self.recents, self.jobs = Recents(folders.recents_file), JobList()
        self._parts: PartInstaller | None = None
        self.decisions = DecisionsFile(folders.decisions_file)
        self.history = History(folders.history_file)
        self._pruned_to: Limits | None = None
        self._state, state_note = load_window_state(folders.window_file)
        self.recents.read()
        told = (owner_note(folders), note, state_note, self.recents.note)
        self._note = " ".join(filter(None, told))
        self._entries = {entry.name: entry for entry in panels or panel_table()}
        self._made: dict[str, Panel] = {}
        self._focused: dict[str, QWidget | None] = {}
        self._behind = self._first
        self.shortcuts = (*self._panel_shortcuts(), *shortcuts())
        self._make_parts()
        self._make_shortcuts()
        self._restore_place()

    def _make_parts(self) -> None:
        theme = self.theme
        self._apply_theme()
        keys = {each.key: each.shown[0] for each in self.shortcuts if each.shown}
        self.rail = Rail(
            theme,
            tuple(
                RailItem(
                    entry.name, entry.title, entry.icon, keys.get(entry.name, ""), entry.at_foot
                )
                for entry in self._entries.values()
            ),
        )
        self.status = StatusBar(theme, self.jobs)
        self.status.set_private(self.preferences.private)
        self._stack = QStackedWidget()
        self._lay_out()
        self.toasts = Toasts(self, theme, STATUS_PX + _FOOT_PX)
        self.notices = Notices(self)
        self._ring = FocusRing(self, theme)
        self.rail.chosen.connect(self.show_panel)

    def _lay_out(self) -> None:
        centre = QWidget()
        layouts.row(self.rail, (layouts.column((self._stack, 1), self.status), 1), into=centre)
        self.setCentralWidget(centre)

    @property
    def parts(self) -> "PartInstaller":
        """Installs optional parts; made when it is first asked for, after the first paint."""
        if self._parts is None:
            from gui.workers.part_installer import PartInstaller

            self._parts = PartInstaller(self.controller, self.jobs)
            self._parts.told.connect(lambda sentence: self.notify("ok", sentence))
        return self._parts

    # Panels

    @property
    def shown(self) -> Panel:
        """The panel that is shown."""
        return self.panel(self.rail.value)

    def panel(self, name: str) -> Panel:
        """A panel by its name in the table; made if it was not needed before."""
        if name not in self._made:
            panel = self._entries[name].make(self)
            self._made[name] = panel
            self._stack.addWidget(panel)
            panel.titled.connect(self._show_title)
            panel.apply_preferences(self.preferences)
            panel.restore_state(self._state.panels.get(name, {}))
            panel.titled.connect(partial(self._keep_opened, name))
        return self._made[name]

    def show_panel(self, name: str, **chosen: str) -> None:
        """Shows a panel, the first one when there is none of that name, with something chosen."""
        name = name if name in self._entries else self._first
        focus = self.focusWidget()
        if self._made.get(self.rail.value) is not None:
            self._focused[self.rail.value] = focus
        if not self._entries[name].closable:
            self._behind = name
        self.rail.set_value(name)
        self._stack.setCurrentWidget(self.panel(name))
        if chosen:
            self.panel(name).choose(chosen)
        self._show_title()
        self._keep_place()
        if self._pruned_to is not None:
            self._prune_history()
        if self.isVisible() and not self.rail.hasFocus():
            self._focus_panel(name)

    def _focus_panel(self, name: str) -> None:
        """Moves the focus to where it was in a panel, or to its first part."""
        panel, before = self.panel(name), self._focused.get(name)
        focus = self.focusWidget()
        is_there = focus is not None and panel.isAncestorOf(focus) and focus.isVisible()
        if focus is not None and is_there and not _is_icon(focus):  # Qt may have put it on an icon
            return
        stops = [stop for region in panel.regions() for stop in _stops(region)]
        # What has a name comes first: the trash is an icon at the head of three panels.
        target = next(iter(sorted(stops, key=_is_icon)), None)
        if before is not None and isValid(before) and panel.isAncestorOf(before):
            target = before if before.isVisible() and before.isEnabled() else target
        if target is not None:
            target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _keep_place(self) -> None:
        """Notes which panel is shown, so that it is shown again even after a crash."""
        if self._behind != (self._state.panel or self._first):
            self._keep_state(replace(self._state, panel=self._behind))

    def _keep_opened(self, name: str) -> None:
        """Notes what is open in a panel, so that it is opened again even after a crash."""
        panels = {**self._state.panels, name: self._made[name].saved_state()}
        if panels != self._state.panels:
            self._keep_state(replace(self._state, panels=panels))

    def _keep_state(self, state: WindowState) -> None:
        self._state = state
        self.keeper.keep("place", partial(save_window_state, state, self.folders.window_file))

    def go_back(self) -> None:
        """Shows the panel that was shown before one that can be closed."""
        self.show_panel(self._behind)

    def _show_title(self) -> None:
        """Names the window after what is open in it, as window lists show it."""
        title = self.panel(self._first).title
        self.setWindowTitle(f"{title} – Epitome" if title else "Epitome")

    @property
    def _first(self) -> str:
        return next(iter(self._entries))

    def _panel_shortcuts(self) -> Iterator[Shortcut]:
        in_rail = [entry for entry in self._entries.values() if not entry.at_foot]
        by_place = {entry.name: f"Ctrl+{n}" for n, entry in enumerate(in_rail[:_BY_PLACE], start=1)}
        for entry in self._entries.values():
            keys = entry.keys or by_place.get(entry.name)
            if keys:
                yield panel_shortcut(entry.name, entry.title, keys, entry.standard)

    # Keys

    def _make_shortcuts(self) -> None:
        for each in self.shortcuts:
            action = self._action(each)
            for keys in each.sequences if action else ():
                QShortcut(keys, self).activated.connect(action)

    def _action(self, shortcut: Shortcut) -> Callable[[], object] | None:
        """What a key of the whole window does; None for those that a part listens to itself."""
        own: dict[str, Callable[[], object]] = {
            "larger": lambda: self.set_reading_size(self.theme.reading_size + 1),
            "smaller": lambda: self.set_reading_size(self.theme.reading_size - 1),
            "usual_size": lambda: self.set_reading_size(DEFAULT_READING_SIZE_PX),
            "next_region": partial(self._next_region, 1),
            "previous_region": partial(self._next_region, -1),
            "menu": self._open_context_menu,
            "escape": self.escape,
            "pause": self.toggle_pause,
            "quit": self.close,
        }
        if shortcut.key in _LEFT_TO_QT:
            return None
        if shortcut.key in self._entries:
            return partial(self.show_panel, shortcut.key)
        if shortcut.key in own:
            return own[shortcut.key]
        if shortcut.where in ("everywhere", "document"):
            return partial(self.act, shortcut.key)
        return None

    def act(self, key: str) -> None:
        """Does what a key means in the panel that is shown, or in the one it leads to."""
        action = self.shown.commands().get(key)
        if action is None:
            name = self._leads_to(key)
            if name is None:
                return
            self.show_panel(name)
            action = self.shown.commands()[key]
        action()

    def toggle_pause(self) -> None:
        """Pauses or resumes the work of the panel that is shown, or of the list of jobs."""
        self.shown.commands().get("pause", self.jobs.toggle_pause)()

    def _leads_to(self, key: str) -> str | None:
        return next((e.name for e in self._entries.values() if key in e.anywhere), None)

    def escape(self) -> None:
        """Does what Escape means in the panel that is shown, or stops the work it may stop."""
        if self.shown.escape():
            return
        if self._entries[self.rail.value].closable:
            self.go_back()
        else:
            self.jobs.escape()

    def _open_context_menu(self) -> None:
        """Opens the menu of what has the focus, for keyboards without the menu key."""
        focus = self.focusWidget()
        if focus is not None:
            at = focus.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle).center()
            place = focus.mapToGlobal(at)
            event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, at, place)
            QApplication.sendEvent(focus, event)

    def _next_region(self, step: int) -> None:
        regions = [region for region in self.regions() if region.isVisible()]
        focus = self.focusWidget()
        inside = [i for i, region in enumerate(regions) if focus and region.isAncestorOf(focus)]
        start = inside[-1] if inside else -1
        for offset in range(1, len(regions) + 1):
            region = regions[(start + step * offset) % len(regions)]
            target = next(_stops(region), None)
            if target is not None:
                target.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return

    def regions(self) -> list[QWidget]:
        """The parts that F6 moves between."""
        return [self.rail, *self.shown.regions(), self.status]

    # Notifications

    def notify(
        self,
        severity: Severity,
        title: str,
        text: str = "",
        *,
        action: str = "",
        on_action: Callable[[], object] | None = None,
        about: str = "",
    ) -> None:
        """Shows a toast."""
        title, text = in_window(title), in_window(text)
        self.toasts.show(severity, title, text, action=action, on_action=on_action, about=about)

    def dismiss(self, about: str) -> None:
        """Closes the toasts about a thing."""
        self.toasts.dismiss(about)

    def _notify_system(self, title: str, text: str) -> None:
        if self.preferences.notify:
            self.notices.show(title, text)

    def report_failure(self, failure: Failed | EpitomeError, about: str = "") -> None:
        """Shows a toast with the message and the remedy of a failure."""
        self.notify("err", failure.message, failure.remedy, about=about)

    def run(
        self,
        job: Job,
        done: Callable[[Any], object] | None = None,
        title: str = "",
        *,
        lane: Lane = "thread",
        about: str = "",
        failed: Callable[[Failed], object] | None = None,
        by_escape: bool = True,
    ) -> Run:
        """Starts a job, and reports its failure; the arguments are those of `Services.run`."""
        controller = self.controller
        start = {
            "thread": controller.run_in_thread,
            "engine": controller.run_in_engine,
            "reader": controller.run_in_reader,
            "aside": controller.run_aside,
        }
        run = start[lane](job)
        if title:
            report_run(run, self.jobs, title, by_escape=by_escape)
        if done is not None:
            run.finished.connect(done)
        run.failed.connect(failed or partial(self.report_failure, about=about))
        return run

    # What the system says

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._was_painted:
            self._was_painted = True
            # Once this and all that lies on the window is drawn.
            QTimer.singleShot(0, self, self.first_painted.emit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.rail.set_narrow(self.width() < NARROW_RAIL_PX)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        name = self._leads_to("drop")
        takes = self.shown.can_take(event.mimeData())
        if takes or (name is not None and self.panel(name).can_take(event.mimeData())):
            accept_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Hands what is dropped anywhere on the window to the panel that takes it."""
        name = self._leads_to("drop")
        if name is not None and not self.shown.can_take(event.mimeData()):
            self.show_panel(name)
        accept_copy(event)
        self.shown.take(event.mimeData())

    # Preferences

    def set_reading_size(self, size_px: int) -> None:
        """Makes the text of documents larger or smaller, within 14 to 24 px."""
        size_px = max(14, min(24, size_px))
        self.set_preferences(self.preferences.model_copy(update={"reading_size": size_px}))

    def set_preferences(self, preferences: Preferences) -> None:
        """Applies the person's settings everywhere, and keeps those that are new."""
        before, names = self.preferences, Preferences.model_fields
        changed = [name for name in names if getattr(preferences, name) != getattr(before, name)]
        self._apply(preferences)
        if changed:
            self._kept_preferences.keep(preferences, changed)

    def _take_over(self, settings: dict[str, Any]) -> None:
        """Keeps no more of documents than another window was told to."""
        preferences = self.preferences.model_copy(update=settings)
        if preferences != self.preferences:
            self._apply(preferences)

    def _apply(self, preferences: Preferences) -> None:
        self.preferences = preferences
        self.status.set_private(preferences.private)
        self._apply_theme()
        for panel in self._made.values():
            panel.apply_preferences(preferences)

    def forget_everything(self) -> None:
        """Closes all documents, and deletes all that is kept of any but corpora and models."""
        from core.jobs.history.forget import forget_everything

        for panel in self._made.values():
            panel.forget()
        # What was open is called after its documents, in panels that were not shown this time, too.
        self._keep_state(replace(self._state, panels={}))
        told: list[str] = []
        # After all that still waits to be written.
        self.keeper.keep(_FORGET, lambda: told.extend(forget_everything(self.folders)))

        def tell(what: str) -> None:
            if what == _FORGET:
                self.keeper.kept.disconnect(tell)
                self.keeper.failed.disconnect(fail)
                if not failures:
                    title = self.tr("Everything is forgotten")
                    self.notify("warn" if told else "ok", title, " ".join(told))

        failures: list[Failed] = []

        def fail(failure: Failed) -> None:
            failures.append(failure)

        self.keeper.failed.connect(fail)
        self.keeper.kept.connect(tell)

    def _apply_theme(self) -> None:
        theme, preferences = self.theme, self.preferences
        theme.set_scheme(preferences.theme)
        theme.set_contrast("more" if preferences.contrast else "system")
        theme.set_motion(preferences.motion)
        face = preferences.text_face
        theme.set_text_face("serif" if face == "source-serif" else face)
        theme.set_reading_size(preferences.reading_size)

    # Start and end

    def warm_up(self) -> None:
        """Starts the engine, and loads what the first document would wait for."""
        self.controller.run_in_engine(WarmUpJob())
        self.controller.run_in_thread(CallJob(warm_up_choice))

    def begin(self, paths: list[Path]) -> None:
        """What is done after the first paint: jobs are watched, the first panel begins.

        Args:
            paths: Files to open.
        """
        self.controller.report_queue(self.jobs, self.notify, self._notify_system)
        self._prune_history()
        if self._note:
            self.notify("warn", self._note)
        if paths:
            self.show_panel(self._first)
        self.panel(self._first).begin(paths)

    def _prune_history(self) -> None:
        """Removes what is too old or too much now, whether or not new summaries are kept.

        That is done at the start, and when the person goes to a panel: a limit that is set key by
        key passes through values that would remove more than is meant.
        """
        limits = self.preferences.history_limits
        if limits != self._pruned_to:
            self._pruned_to = limits
            self.keeper.keep("history limits", partial(self.history.prune, limits))

    def _restore_place(self) -> None:
        self.setMinimumSize(*MINIMUM_SIZE_PX)
        self.resize(*DEFAULT_SIZE_PX)
        if self._state.geometry:
            self.restoreGeometry(QByteArray.fromBase64(self._state.geometry.encode()))
        self.show_panel(self._state.panel)

    def changeEvent(self, event: QEvent) -> None:
        """Looks what another window was told when the person comes back to this one."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self._kept_preferences.look()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not all(panel.may_close() for panel in self._made.values()):
            event.ignore()
            return
        self.controller.close()
        self.keeper.close()
        # After an older state that still waited to be written. Whatever cannot be written now is
        # not worth keeping the window open for.
        with contextlib.suppress(EpitomeError):
            save_window_state(self._state_now(), self.folders.window_file)
        for panel in self._made.values():
            panel.end()
        super().closeEvent(event)

    def _state_now(self) -> WindowState:
        shown = {name: panel.saved_state() for name, panel in self._made.items()}
        return WindowState(
            geometry=bytes(self.saveGeometry().toBase64().data()).decode(),
            panel=self._behind,
            # What a panel kept that was not shown this time stays.
            panels={**self._state.panels, **shown},
        )


def _stops(region: QWidget) -> Iterator[QWidget]:
    """The widgets in a region that take the focus with Tab."""
    for widget in (region, *region.findChildren(QWidget)):
        stops = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if stops and widget.isVisible() and widget.isEnabled():
            yield widget


def _is_icon(widget: QWidget) -> bool:
    return isinstance(widget, QAbstractButton) and not widget.text()
