"""The head of the Corpus panel: what is open, and what can be done with it."""

from typing import Literal

from PySide6.QtCore import QCoreApplication

from gui.theme.theme import Theme
from gui.widgets.chrome.panel_header import PanelHeader
from gui.widgets.inputs.button import Button, icon_button

Page = Literal["list", "new", "preparing", "opened"]


class CorpusHeader(PanelHeader):
    """Title and facts; the actions of the page, of which one is filled."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, back=QCoreApplication.translate("CorpusHeader", "All corpora"))
        self._page: Page = "list"
        self._empty = False
        self.new = Button(theme, self.tr("New corpus"), kind="primary", icon="plus", keys="Ctrl N")
        self.prepare = Button(
            theme, self.tr("Prepare corpus"), kind="primary", icon="hammer", keys="Ctrl Enter"
        )
        self.add_documents = Button(
            theme,
            self.tr("Add documents"),
            icon="plus",
            tooltip=self.tr("Make a larger corpus of this one and more documents"),
        )
        self.make = Button(
            theme,
            self.tr("Make training data"),
            icon="hammer",
            tooltip=self.tr("Make a corpus of these documents with their gap sentences"),
        )
        self.train = Button(
            theme,
            self.tr("Train"),
            kind="primary",
            icon="chart-spline",
            keys="Ctrl Enter",
            tooltip=self.tr("Set up a job that trains a model on this corpus"),
        )
        self.more = icon_button(theme, "ellipsis", self.tr("Rename, delete, open the folder"))
        self.trash = icon_button(theme, "trash-2", self.tr("What is in the trash"))
        self.add(
            self.trash, self.more, self.add_documents, self.make, self.new, self.prepare,
            self.train, folding=[self.add_documents],
        )  # fmt: skip

    def show_page(self, page: Page, title: str, facts: str = "") -> None:
        """Shows the head of a page."""
        self._page = page
        self.show_title(title)
        self.show_facts(facts)
        self._arrange()

    def set_empty(self, empty: bool) -> None:
        """Leaves the filled button to the page that has one of its own."""
        self._empty = empty
        self._arrange()

    def _arrange(self) -> None:
        page = self._page
        self.back.setVisible(page != "list")
        self.trash.setVisible(page == "list")
        self.new.setVisible(page == "list" and not self._empty)
        self.prepare.setVisible(page == "new")
        for button in (self.add_documents, self.make, self.train, self.more):
            button.setVisible(page == "opened")
