"""The left column: the source in the reading view, under a strip with find, outline and size."""

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from core.summaries.summary import OutlineEntry
from gui.panels.summarise.source.language_box import LanguageBox
from gui.panels.summarise.source.outline_menu import OutlineMenu
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.display.skeleton import Skeleton
from gui.widgets.display.strip import Strip
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.menu import Menu
from gui.widgets.reading.find_bar import FindBar
from gui.widgets.reading.reading_view import ReadingView

_WITH_NAMES_PX = 480


class SourceColumn(Plane):
    """The source and what belongs to reading it."""

    size_requested = Signal(int)
    """A reading size in px."""
    heading_chosen = Signal(int)
    """Where a heading stands that is to be shown."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self._theme = theme
        self.view = ReadingView(theme)
        self.view.setAccessibleName(self.tr("Source"))
        self._page = Label(theme, "", "small", "text3")
        self.find_bar = FindBar(theme, self.view, self.tr("Find in source"))
        self.language = LanguageBox(theme)
        self._buttons = self._make_buttons(theme)
        self.strip = self._make_strip(theme)
        self._waiting = self._make_waiting(theme)
        self._stack = QStackedLayout()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self.strip, Divider(theme), self.find_bar):
            column.addWidget(part)
        column.addLayout(self._stack, 1)
        # Only now: what is added to a layout without a place opens as a window of its own.
        self._below: dict[int, str] = {}
        self._stack.addWidget(self.view)
        self._stack.addWidget(self._waiting)
        self.view.visible_changed.connect(self._show_page)

    def _make_buttons(self, theme: Theme) -> list[Button]:
        find = Button(
            theme,
            kind="ghost",
            icon="search",
            height=28,
            tooltip=self.tr("Find in source"),
            keys="Ctrl F",
        )
        outline = Button(
            theme, kind="ghost", icon="list-tree", height=28, tooltip=self.tr("Outline")
        )
        size = Button(
            theme, kind="ghost", icon="a-large-small", height=28, tooltip=self.tr("Reading size")
        )
        find.triggered.connect(self.find_bar.open_bar)
        outline.triggered.connect(lambda: self.open_outline(outline))
        size.triggered.connect(lambda: self._open_sizes(size))
        return [find, outline, size]

    def _make_strip(self, theme: Theme) -> Strip:
        strip = Strip(theme)
        self._name = Label(theme, self.tr("Source"), "section")
        strip.row.addWidget(self._name)
        strip.row.addWidget(self._page)
        strip.row.addStretch(1)
        self._language_name = Label(theme, self.tr("Language"), "small", "text2")
        self._language_name.setBuddy(self.language)
        strip.row.addWidget(self._language_name)
        strip.row.addWidget(self.language)
        for button in self._buttons:
            strip.row.addWidget(button)
        return strip

    def _make_waiting(self, theme: Theme) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(86, 36, 48, 24)
        column.addWidget(Skeleton(theme, 12))
        column.addStretch(1)
        return page

    def show_waiting(self) -> None:
        """A document is being read."""
        self._page.setText("")
        self._enable(False)
        self._stack.setCurrentWidget(self._waiting)

    def show_text(self) -> None:
        """The document is there."""
        self._enable(True)
        self._stack.setCurrentWidget(self.view)

    def _enable(self, usable: bool) -> None:
        why = self.tr("The source is not read yet.")
        for button in self._buttons:
            button.set_usable(usable, why)
        self.language.setVisible(usable)
        self._language_name.setVisible(usable and self._has_room)
        if not usable:
            self.find_bar.hide()

    @property
    def _has_room(self) -> bool:
        """Whether the language's box can have its name beside it."""
        return self.width() >= _WITH_NAMES_PX

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._language_name.setVisible(self.language.isVisibleTo(self) and self._has_room)

    def _show_page(self, first: int, last: int, page: int) -> None:
        document = self.view.document
        if document is None or not document.reading.of_pages:
            self._page.setText("")
            return
        words = self.tr("page {page} of {pages}")
        self._page.setText(words.format(page=page, pages=document.reading.of_pages))

    def show_outline(self, entries: Iterable[OutlineEntry]) -> None:
        """Takes what the outline tells beside the headings: a good sentence below each."""
        self._below = {entry.start: entry.text for entry in entries}

    def open_outline(self, button: Button) -> None:
        """Opens the outline under a button."""
        menu = OutlineMenu(self._theme, button)
        menu.show_headings(self.view.outline(), self._below, self.heading_chosen.emit)
        menu.open_below(button)

    def _open_sizes(self, button: Button) -> None:
        menu = Menu(self._theme, self.tr("Reading size"), button)
        size = self._theme.reading_size
        for words, change, keys in (
            (self.tr("Larger"), size + 1, "Ctrl++"),
            (self.tr("Smaller"), size - 1, "Ctrl+-"),
            (self.tr("Default text size"), 17, "Ctrl+0"),
        ):
            menu.add(words, partial(self.size_requested.emit, change), shortcut=keys)
        menu.open_below(button)
