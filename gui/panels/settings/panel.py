"""The Settings panel: only what acts, and it acts at once."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QWidget

from core.distribution.releases import releases_page
from core.errors import EpitomeError
from core.library.folders import Folders
from core.library.preferences import Preferences
from gui.forms.state import FormState
from gui.panel import Panel, Services
from gui.panels.settings.about import about_rows
from gui.panels.settings.cards import FoldersCard, PrivacyCard
from gui.panels.settings.choices import SettingRow, size_row
from gui.panels.settings.content import Content
from gui.panels.settings.navigation import Navigation, Page
from gui.panels.settings.part_rows import part_rows
from gui.panels.settings.rows import Section
from gui.panels.settings.sample import ReadingSample
from gui.panels.settings.shortcut_list import shortcut_rows
from gui.panels.settings.state import changed
from gui.panels.settings.trash import TrashList
from gui.panels.settings.updates import UpdatesRow
from gui.shortcuts import Shortcut, shortcut, shortcuts
from gui.theme.theme import Theme
from gui.widgets.chrome.panel_header import PanelHeader
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.inputs.combo import ComboBox
from gui.widgets.inputs.field import FindField
from gui.widgets.support import layouts
from gui.workers.part_installer import PartInstaller

WIDE_WINDOW_PX = 1200
"""From this width of the window on, navigation and cards stand beside the settings."""

translate = QCoreApplication.translate

_FIND_PX = 220


class SettingsPanel(Panel):
    """All settings on one page that scrolls.

    It saves nothing and changes no theme: the window does, when `preferences_changed` tells it.
    """

    preferences_changed = Signal(object)
    """New `Preferences`, because the person changed one."""
    clear_recents_requested = Signal()
    """The list of recent documents is to be cleared; call `refresh` when it is."""

    def __init__(
        self,
        theme: Theme,
        preferences: Preferences,
        folders: Folders,
        keys: Sequence[Shortcut] | None = None,
        parts: PartInstaller | None = None,
        trash: TrashList | None = None,
    ) -> None:
        """The panel.

        Args:
            theme: The look.
            preferences: As they are.
            folders: Where the program keeps its files.
            keys: All keys of the window; None for those that no panel adds to.
            parts: Installs optional parts; None shows none.
            trash: What was deleted; None shows no such page.
        """
        super().__init__(theme)
        self._preferences, self._state = preferences, FormState(Preferences, values=preferences)
        self._keys = shortcuts() if keys is None else tuple(keys)
        self._parts, self.trash = parts, trash
        self._leads_into_page = False
        self.rows: dict[str, SettingRow] = {}
        self.header = PanelHeader(theme, self.tr("Settings"), self.tr("changes apply at once"))
        words = self.tr("Find a setting")
        self.find_field = FindField(theme, name=words, placeholder=words, icon="search")
        self.find_field.setFixedWidth(_FIND_PX)
        self.header.add(self.find_field)
        self._pages = _pages(with_parts=parts is not None, with_trash=trash is not None)
        self._make_navigation()
        self._sample = ReadingSample(theme, preferences.line_width)
        self.updates = UpdatesRow(theme, releases_page())
        self.privacy, self.folders = PrivacyCard(theme, folders), FoldersCard(theme, folders)
        self.content = Content(theme, self._sections(), [self.privacy, self.folders])
        self._lay_out()
        self._connect()
        self.set_preferences(preferences)
        self.fold()

    @classmethod
    def for_window(cls, services: Services) -> "SettingsPanel":
        """The panel of a window, which applies and keeps what is changed in it."""
        panel = cls(
            services.theme,
            services.preferences,
            services.folders,
            services.shortcuts,
            services.parts,
            TrashList(services),
        )
        panel.preferences_changed.connect(services.set_preferences)
        panel.clear_recents_requested.connect(partial(panel._clear_recents, services))
        panel.privacy.forget_requested.connect(services.forget_everything)
        services.keeper.kept.connect(panel._measure_again)
        return panel

    def _measure_again(self) -> None:
        if self.isVisible():
            self.refresh()

    def _clear_recents(self, services: Services) -> None:
        try:
            services.recents.clear()
            services.decisions.clear()
        except EpitomeError as error:
            services.report_failure(error)
            return
        self.refresh()
        services.notify("ok", self.tr("Cleared the recent documents, with their pins and drops"))

    def commands(self) -> Mapping[str, Callable[[], object]]:
        """Find searches the settings; the others show one of its pages."""
        return {
            "find": self.focus_find,
            "all_keys": partial(self._open_page, "shortcuts"),
            "folders": partial(self._open_page, "privacy"),
            "trash": partial(self._open_page, "trash"),
            "updates": self.check_for_updates,
        }

    def check_for_updates(self) -> None:
        """Opens the page of releases in the browser, as the button in About does."""
        self.show_page("about")
        self.updates.open_page()

    def apply_preferences(self, preferences: Preferences) -> None:
        """Shows settings that were changed elsewhere, as by Ctrl +."""
        if preferences != self._preferences:
            self.set_preferences(preferences)

    def _make_navigation(self) -> None:
        self.navigation = Navigation(self._theme, self._pages)
        self.pages = ComboBox(self._theme, name=self.tr("Settings pages"), width=240)
        for page in self._pages:
            self.pages.addItem(page.title, page.value)
        self._strip = Plane(self._theme, "window")
        layouts.column(
            layouts.row(self.pages, layouts.stretch(0), margins=(24, 8, 24, 8), spacing=None),
            Divider(self._theme),
            into=self._strip,
        )

    def _sections(self) -> dict[str, Section]:
        reading = [*self._reading_rows(), self._sample]
        appearance = [
            self._keep(SettingRow(self._theme, "theme")),
            self._keep(SettingRow(self._theme, "contrast")),
            self._keep(SettingRow(self._theme, "motion")),
        ]
        summary = [self._keep(SettingRow(self._theme, "length"))]
        history = [
            self._keep(SettingRow(self._theme, name))
            for name in ("private", "history", "history_days", "history_megabytes")
        ]
        jobs = [self._keep(SettingRow(self._theme, name)) for name in ("keep_awake", "notify")]
        items: dict[str, Callable[[], Sequence[QWidget]]] = {
            "reading": lambda: reading,
            "appearance": lambda: appearance,
            "summary": lambda: summary,
            "history": lambda: history,
            "jobs": lambda: jobs,
            "parts": lambda: part_rows(self._theme, self._parts) if self._parts else [],
            "trash": lambda: [self.trash] if self.trash else [],
            "privacy": lambda: [self.privacy, self.folders],
            "shortcuts": partial(shortcut_rows, self._theme, self._keys),
            "about": partial(about_rows, self._theme, self.updates),
        }
        titles = {page.value: page.title for page in self._pages}
        return {name: Section(self._theme, title, items[name]) for name, title in titles.items()}

    def _reading_rows(self) -> list[SettingRow]:
        larger, smaller = shortcut("larger").shown[0], shortcut("smaller").shown[0]
        also = self.tr("also {0} and {1}").format(larger, smaller)
        face, width = (SettingRow(self._theme, name) for name in ("text_face", "line_width"))
        return [self._keep(row) for row in (face, size_row(self._theme, also), width)]

    def _keep(self, row: SettingRow) -> SettingRow:
        self.rows[row.field.name] = row
        row.edited.connect(self._edit)
        row.committed.connect(self._commit)
        return row

    def _lay_out(self) -> None:
        layouts.column(
            self.header,
            Divider(self._theme),
            self._strip,
            (layouts.row(self.navigation, (self.content, 1)), 1),
            into=self,
        )

    def _connect(self) -> None:
        self.find_field.textChanged.connect(self._find)
        self.content.show_all.triggered.connect(self.find_field.clear)
        self.content.page_reached.connect(self._mark_page)
        self.navigation.chosen.connect(self.show_page)
        self.pages.activated.connect(lambda index: self.show_page(self.pages.itemData(index)))
        self.privacy.clear_requested.connect(self.clear_recents_requested)

    @property
    def preferences(self) -> Preferences:
        """The settings as they are shown."""
        return self._preferences

    @property
    def page(self) -> str:
        """The page that is shown."""
        return self.content.page

    def set_preferences(self, preferences: Preferences) -> None:
        """Shows other settings without a signal, as after Ctrl +."""
        self._preferences = preferences
        self._state.show(preferences)
        for name, row in self.rows.items():
            row.editor.show_raw(self._state.raw(name))
            row.show_problem("")
        self._sample.set_line_width(preferences.line_width)

    def show_page(self, name: str) -> None:
        """Shows a page.

        Args:
            name: Reading, appearance, summary, history, jobs, parts, trash, privacy, shortcuts or
                about, in small letters; any other is a KeyError.
        """
        self.find_field.clear()
        self.content.show_page(name)
        self._mark_page(name)
        self._leads_into_page = True

    def _open_page(self, name: str) -> None:
        """Shows a page that was asked for elsewhere; Tab leads into it."""
        self.show_page(name)
        is_wide = self.navigation.isVisibleTo(self)
        pages = self.navigation.item(name) if is_wide else self.pages
        pages.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focusNextPrevChild(self, next: bool) -> bool:
        self.content.fill()  # Tab comes to every control
        focus = self.focusWidget()
        in_pages = focus is not None and (
            self.navigation.isAncestorOf(focus) or self._strip.isAncestorOf(focus)
        )
        leads = next and in_pages and self._leads_into_page
        if leads:  # once: then it goes round as everywhere, and reaches all pages
            self._leads_into_page = False
        if leads and self.content.focus_page():
            return True
        return super().focusNextPrevChild(next)

    def focus_find(self) -> None:
        """Puts the keyboard into the find field, as Ctrl F does."""
        self.find_field.setFocus()
        self.find_field.selectAll()

    def regions(self) -> list[QWidget]:
        """The parts that F6 moves between, left to right and top to bottom."""
        return [self.header, self._strip, self.navigation, self.content]

    def refresh(self) -> None:
        """Counts recent documents and measures folders again."""
        self.privacy.refresh()
        self.folders.refresh()

    def fold(self) -> None:
        """Turns the navigation into a box where there is little room."""
        wide = self.window().width() >= WIDE_WINDOW_PX
        self.navigation.setVisible(wide)
        self._strip.setVisible(not wide)
        self.content.set_wide(wide)

    def _find(self, wanted: str) -> None:
        num_found = self.content.keep_found(wanted)
        told = self.tr("{0} found").format(num_found) if wanted.strip() else ""
        self.find_field.setAccessibleDescription(told)
        if wanted.strip():
            self.content.verticalScrollBar().setValue(0)

    def _mark_page(self, name: str) -> None:
        self.navigation.set_value(name)
        self.pages.setCurrentIndex(self.pages.findData(name))

    def _edit(self, name: str, raw: object) -> None:
        self._state.put(name, raw)
        self.rows[name].show_problem("")

    def _commit(self, name: str) -> None:
        """Applies a value that is allowed, whatever stands in the other rows."""
        problem = self._state.problems.get(name, "")
        self.rows[name].show_problem(problem)
        if problem:
            return
        self._state.tidy(name)
        self.rows[name].editor.show_raw(self._state.raw(name))
        made = changed(self._preferences, name, self._state.value(name))
        if made is self._preferences:
            return
        self._preferences = made
        self._sample.set_line_width(made.line_width)
        self.preferences_changed.emit(made)


def _pages(*, with_parts: bool, with_trash: bool) -> tuple[Page, ...]:
    trash = Page("trash", translate("SettingsPanel", "Trash"), "trash-2")
    parts = Page("parts", translate("SettingsPanel", "Optional parts"), "download")
    return (
        Page("reading", translate("SettingsPanel", "Reading"), "book-open"),
        Page("appearance", translate("SettingsPanel", "Appearance"), "sun-moon"),
        Page("summary", translate("SettingsPanel", "Summary"), "text-quote"),
        Page("history", translate("SettingsPanel", "History"), "history"),
        Page("jobs", translate("SettingsPanel", "Long jobs"), "clock"),
        *([parts] if with_parts else []),
        *([trash] if with_trash else []),
        Page("privacy", translate("SettingsPanel", "Privacy and folders"), "shield-check"),
        Page("shortcuts", translate("SettingsPanel", "Shortcuts"), "keyboard"),
        Page("about", translate("SettingsPanel", "About"), "info"),
    )
