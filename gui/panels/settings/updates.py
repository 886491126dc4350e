"""Updates in Settings: the one button that leads to the page of releases, in the browser."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from gui.panels.settings.rows import Row
from gui.theme.theme import Theme
from gui.widgets.inputs.button import Button


class UpdatesRow(Row):
    """Opens the page of releases when it is clicked; nothing else ever looks for updates."""

    def __init__(self, theme: Theme, page: str) -> None:
        """The row.

        Args:
            theme: The look.
            page: The address of the page; empty where this copy names none.
        """
        super().__init__(theme, self.tr("Updates"))
        never = self.tr("Epitome never looks for updates by itself.")
        opens = self.tr("The button opens {0} in your browser.").format(page)
        unknown = self.tr("This copy does not name a page of releases: ask whoever gave it to you.")
        self._page = page
        self.set_help(f"{never} {opens if page else unknown}")
        self.check = Button(theme, self.tr("Check for updates"))
        self.check.set_usable(bool(page), unknown)
        self.check.triggered.connect(self.open_page)
        self.add(self.check)

    def open_page(self) -> None:
        """Opens the page in the browser, where there is one to open."""
        self.show_error("")
        if self._page and not QDesktopServices.openUrl(QUrl(self._page)):
            told = self.tr("No program to open web pages was found. The page is {0}.")
            self.show_error(told.format(self._page))
