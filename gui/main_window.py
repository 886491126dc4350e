"""The window: rail, panels, status bar, and what they share."""

import contextlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QByteArray, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeySequence,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.errors import EpitomeError
from core.events import Failed
from core.jobs.warm_up import WarmUpJob
from core.library.folders import Folders
from core.library.preferences import (
    Preferences,
    WindowState,
    load_window_state,
    save_preferences,
    save_window_state,
)
from core.library.recent import Recents
from core.library.session import (
    LeftBehind,
    Session,
    delete_aside,
    left_behind,
    set_session_aside,
)
from core.summary import Length
from gui.panels.settings.panel import SettingsPanel
from gui.panels.summarise.panel import SummarisePanel
from gui.shortcuts import shortcut
from gui.theme.fonts import DEFAULT_READING_SIZE_PX
from gui.theme.theme import Theme
from gui.widgets.focus_ring import FocusRing
from gui.widgets.rail import Rail, RailItem
from gui.widgets.status_bar import StatusBar
from gui.widgets.toast import Toasts, Tone
from gui.workers.controller import Controller
from gui.workers.keeper import Keeper

DEFAULT_SIZE_PX = (1440, 900)
MINIMUM_SIZE_PX = (720, 450)
_SPLITTER = "summarise"
_PER_MILLE = 1000


class MainWindow(QMainWindow):
    """Rail at the left, one panel at a time, the status bar at the foot.

    It hands each panel what it needs, so that no panel looks anything up by a global name.

    Args:
        theme: The look.
        preferences: The person's settings.
        folders: Where things are kept.
        note: What is to be told at the start; empty when all is well.
    """

    first_painted = Signal()
    """The window stands on the screen for the first time."""

    def __init__(
        self, theme: Theme, preferences: Preferences, folders: Folders, note: str = ""
    ) -> None:
        super().__init__()
        self._was_painted = False
        self.setWindowTitle("Epitome")
        self.setAcceptDrops(True)
        self.theme, self.preferences, self.folders = theme, preferences, folders
        self.controller = Controller(folders.log / "engine.log")
        self.keeper = Keeper(self.controller)
        self.keeper.failed.connect(self._tell_failed)
        self.recents = Recents(folders.recents_file)
        self._session: Session | None = None
        self._state, state_note = load_window_state(folders.window_file)
        self.recents.read()
        self._note = " ".join(filter(None, (note, state_note, self.recents.note)))
        self._make_parts()
        self._make_shortcuts()
        self._restore_place()

    def _make_parts(self) -> None:
        theme = self.theme
        self.summarise = SummarisePanel(theme, self, Length.parse(self.preferences.length))
        self.settings = SettingsPanel(theme, self.preferences, self.folders)
        self.rail = Rail(
            theme,
            (
                RailItem("summarise", self.tr("Summarise"), "text-quote", "Ctrl 1"),
                RailItem("settings", self.tr("Settings"), "settings", "Ctrl ,", at_foot=True),
            ),
        )
        self.status = StatusBar(theme)
        self._panels = QStackedWidget()
        self._panels.addWidget(self.summarise)
        self._panels.addWidget(self.settings)
        self._lay_out()
        self.toasts = Toasts(self, theme)
        self._ring = FocusRing(self, theme)
        self.rail.chosen.connect(self.show_panel)
        self.summarise.job_progressed.connect(self.status.show_progress)
        self.summarise.job_ended.connect(self.status.show_state)
        self.summarise.reading_size_asked.connect(self.set_reading_size)
        self.status.cancelled.connect(self.summarise.cancel)
        self.settings.preferences_changed.connect(self._take_preferences)
        self.settings.clear_recents_requested.connect(self._clear_recents)
        self._apply(self.preferences)

    def _lay_out(self) -> None:
        centre = QWidget()
        row = QHBoxLayout(centre)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self._panels, 1)
        column.addWidget(self.status)
        row.addLayout(column, 1)
        self.setCentralWidget(centre)

    # Keys

    def _make_shortcuts(self) -> None:
        panel = self.summarise
        deeds: dict[str, Callable[[], object]] = {
            "summarise": partial(self.show_panel, "summarise"),
            "settings": partial(self.show_panel, "settings"),
            "open": self._on_summarise(panel.ask_for_file),
            "paste": self._on_summarise(panel.paste),
            "find": self._find,
            "larger": lambda: self.set_reading_size(self.theme.reading_size + 1),
            "smaller": lambda: self.set_reading_size(self.theme.reading_size - 1),
            "usual_size": lambda: self.set_reading_size(DEFAULT_READING_SIZE_PX),
            "next_region": partial(self._next_region, 1),
            "escape": self._escape,
            "help": partial(self.show_settings, "shortcuts"),
            "find_next": panel.source.view.find_next,
            "find_previous": panel.source.view.find_previous,
            "export": panel.export_from_keyboard,
            "copy_summary": panel.outlet.copy_summary,
            "copy_command": panel.outlet.copy_command,
            "undo": panel.undo,
            "redo": panel.redo,
        }
        for name, deed in deeds.items():
            for keys in shortcut(name).sequences:
                QShortcut(keys, self).activated.connect(deed)
        QShortcut(QKeySequence("Shift+F6"), self).activated.connect(partial(self._next_region, -1))
        for text in (panel.source.view, panel.summary.list):
            for name, step in (("shorter", -1), ("longer", 1)):
                for keys in shortcut(name).sequences:
                    inside = QShortcut(keys, text)
                    inside.setContext(Qt.ShortcutContext.WidgetShortcut)
                    inside.activated.connect(partial(panel.step_length, step))

    def _find(self) -> None:
        if self._panels.currentWidget() is self.settings:
            self.settings.focus_find()
        else:
            self.summarise.find_in_source()

    def _on_summarise(self, action: Callable[[], object]) -> Callable[[], None]:
        def act() -> None:
            self.show_panel("summarise")
            action()

        return act

    def _escape(self) -> None:
        if self.summarise.source.find_bar.isVisible():
            self.summarise.source.find_bar.close_bar()
        elif not self.summarise.cancel():
            self.summarise.clear_marks()

    def _next_region(self, step: int) -> None:
        regions = [region for region in self._regions() if region.isVisible()]
        focus = self.focusWidget()
        inside = [i for i, region in enumerate(regions) if focus and region.isAncestorOf(focus)]
        start = inside[-1] if inside else -1
        for offset in range(1, len(regions) + 1):
            region = regions[(start + step * offset) % len(regions)]
            target = _first_stop(region)
            if target is not None:
                target.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return

    def _regions(self) -> list[QWidget]:
        if self._panels.currentWidget() is self.settings:
            return [self.rail, *self.settings.regions(), self.status]
        return [self.rail, *self.summarise.regions(), self.status]

    # Panels

    def show_panel(self, name: str) -> None:
        """Shows a panel; the first one when there is none of that name."""
        name = name if name == "settings" else "summarise"
        self.rail.set_value(name)
        self._panels.setCurrentWidget(self.settings if name == "settings" else self.summarise)

    def show_settings(self, page: str) -> None:
        """Shows a page of the settings."""
        self.show_panel("settings")
        self.settings.show_page(page)

    def tell(
        self,
        tone: Tone,
        title: str,
        text: str = "",
        *,
        action: str = "",
        on_action: Callable[[], object] | None = None,
    ) -> None:
        """Shows a toast."""
        self.toasts.show(tone, title, text, action=action, on_action=on_action)

    def _tell_failed(self, failure: Failed) -> None:
        self.tell("err", failure.message, failure.remedy)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._was_painted:
            self._was_painted = True
            # Once this and all that lies on the window is drawn.
            QTimer.singleShot(0, self.first_painted.emit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.rail.set_narrow(self.width() < 1200)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.summarise.dragEnterEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Opens what is dropped anywhere on the window."""
        self.show_panel("summarise")
        self.summarise.dropEvent(event)

    # Preferences

    def set_reading_size(self, size_px: int) -> None:
        """Makes the text of source and summary larger or smaller, within 14 to 24 px."""
        size_px = max(14, min(24, size_px))
        self._take_preferences(self.preferences.model_copy(update={"reading_size": size_px}))
        self.settings.set_preferences(self.preferences)

    def _take_preferences(self, preferences: Preferences) -> None:
        if preferences.length != self.preferences.length:
            self.summarise.set_default_length(Length.parse(preferences.length))
        self.preferences = preferences
        self._apply(preferences)
        self.keeper.keep(
            "settings", partial(save_preferences, preferences, self.folders.settings_file)
        )

    def _apply(self, preferences: Preferences) -> None:
        theme = self.theme
        theme.set_scheme(preferences.theme)
        theme.set_contrast("more" if preferences.contrast else "system")
        theme.set_motion(preferences.motion)
        face = preferences.text_face
        theme.set_text_face("serif" if face == "source-serif" else face)
        theme.set_reading_size(preferences.reading_size)
        self.summarise.set_line_width(preferences.line_width)

    def _clear_recents(self) -> None:
        try:
            self.recents.clear()
        except EpitomeError as error:
            self.tell("err", error.message, error.remedy)
            return
        self.settings.refresh()
        self.tell("ok", self.tr("Cleared the list of recent documents"))

    # Start and end

    def begin(self, paths: list[Path]) -> None:
        """What is done after the first paint: the engine, the session, what was left behind.

        Args:
            paths: Files to open.
        """
        self.controller.run_in_engine(WarmUpJob())
        if self._note:
            self.tell("warn", self._note)
        recovered = self._recover() if not paths else False
        if not recovered:
            self._begin_session()
        if paths:
            self.summarise.open_files(paths)

    def _recover(self) -> bool:
        for left in left_behind(self.folders.sessions):
            if not left.can_be_opened:
                self._set_aside(left)
                continue
            session = Session.adopt(left)
            if session is None:
                continue
            self._session = session
            self.summarise.recover(left, session)
            self._tell_recovered(left)
            return True
        return False

    def _tell_recovered(self, left: LeftBehind) -> None:
        title = left.state.title
        if not left.damaged:
            self.tell(
                "warn",
                self.tr("Epitome was not closed properly last time"),
                self.tr("“{title}” is open again, as it was.").format(title=title),
            )
            return
        what = (
            self.tr("The settings of its summary are lost.")
            if left.has_document
            else self.tr("It is read again from its file.")
        )
        self._tell_damaged(
            self.tr("What was kept of “{title}” is damaged").format(title=title),
            what,
            left.aside_folder,
        )

    def _set_aside(self, left: LeftBehind) -> None:
        aside = set_session_aside(left)
        title = self.tr("What was open last time cannot be read")
        self._tell_damaged(title, "", aside or left.folder)

    def _tell_damaged(self, title: str, what: str, folder: Path) -> None:
        kept = self.tr("What is damaged is kept in {folder}.").format(folder=folder)
        self.tell(
            "warn",
            title,
            f"{what} {kept}".strip(),
            action=self.tr("Delete"),
            on_action=partial(delete_aside, folder),
        )

    def _begin_session(self) -> None:
        try:
            self._session = Session.begin(self.folders.sessions)
        except EpitomeError as error:
            self.tell("warn", error.message, error.remedy)
            return
        self.summarise.memory.session = self._session

    def _restore_place(self) -> None:
        self.setMinimumSize(*MINIMUM_SIZE_PX)
        self.resize(*DEFAULT_SIZE_PX)
        if self._state.geometry:
            self.restoreGeometry(QByteArray.fromBase64(self._state.geometry.encode()))
        share = self._state.splitters.get(_SPLITTER)
        if share:
            self.summarise.columns.set_share(share[0] / _PER_MILLE)
        self.show_panel(self._state.panel)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.controller.close()
        state = WindowState(
            geometry=bytes(self.saveGeometry().toBase64().data()).decode(),
            panel=self.rail.value,
            splitters={_SPLITTER: [round(self.summarise.columns.share * _PER_MILLE)]},
        )
        # Whatever cannot be written now is not worth keeping the window open for.
        with contextlib.suppress(EpitomeError):
            save_window_state(state, self.folders.window_file)
        with contextlib.suppress(EpitomeError):
            self.keeper.close()
        self.summarise.memory.session = None
        if self._session is not None:
            self._session.end()
            self._session = None
        super().closeEvent(event)


def _first_stop(region: QWidget) -> QWidget | None:
    """The first widget in a region that takes the focus with Tab."""
    for widget in (region, *region.findChildren(QWidget)):
        stops = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if stops and widget.isVisible() and widget.isEnabled():
            return widget
    return None
