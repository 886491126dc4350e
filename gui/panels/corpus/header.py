"""The head of the Corpus panel: what is open, and what can be done with it."""

from typing import Literal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.inputs.button import Button, icon_button
from gui.widgets.support import layouts

HEIGHT_PX = 52
Page = Literal["list", "new", "preparing", "opened"]


class Header(Plane):
    """Title and facts at the left; at the right the deeds of the page, the first of them filled."""

    back_asked = Signal()
    new_asked = Signal()
    prepare_asked = Signal()
    add_asked = Signal()
    make_asked = Signal()
    train_asked = Signal()
    trash_asked = Signal()
    menu_asked = Signal(QWidget)
    """What can be done with the open corpus as a whole shall be listed below the button."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self.setFixedHeight(HEIGHT_PX)
        self._page: Page = "list"
        self._folded = self._empty = False
        self.back = icon_button(theme, "arrow-left", self.tr("All corpora"))
        self.back.set_tooltip(self.tr("All corpora"), "Esc")
        self._title = Label(theme, "", "title", elide=True)
        self._facts = Label(theme, "", "body", "text2", elide=True, least=72)
        adding = self.tr("Make a larger corpus of this one and more documents")
        self.new = Button(theme, self.tr("New corpus"), kind="primary", icon="plus", keys="Ctrl N")
        self.prepare = Button(
            theme, self.tr("Prepare corpus"), kind="primary", icon="hammer", keys="Ctrl Enter"
        )
        self.add = Button(theme, self.tr("Add documents"), icon="plus", tooltip=adding)
        self.add_icon = Button(theme, kind="ghost", icon="plus", tooltip=adding)
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
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        at_right = (
            self.trash,
            self.more,
            self.add,
            self.add_icon,
            self.make,
            self.new,
            self.prepare,
        )
        layouts.row(
            self.back,
            self._title,
            4,
            (self._facts, 1),
            layouts.stretch(0),
            *at_right,
            self.train,
            into=self,
            margins=(24, 0, 16, 1),
            spacing=8,
        )

    def _connect(self) -> None:
        self.back.triggered.connect(self.back_asked)
        self.trash.triggered.connect(self.trash_asked)
        self.new.triggered.connect(self.new_asked)
        self.prepare.triggered.connect(self.prepare_asked)
        self.add.triggered.connect(self.add_asked)
        self.add_icon.triggered.connect(self.add_asked)
        self.make.triggered.connect(self.make_asked)
        self.train.triggered.connect(self.train_asked)
        self.more.triggered.connect(lambda: self.menu_asked.emit(self.more))

    @property
    def facts(self) -> str:
        """The line beside the title."""
        return self._facts.text()

    def show_page(self, page: Page, title: str, facts: str = "") -> None:
        """Shows the head of a page."""
        self._page = page
        self._title.setText(title)
        self._facts.setText(facts)
        self._arrange()

    def show_facts(self, facts: str) -> None:
        """Changes the line beside the title."""
        self._facts.setText(facts)

    def set_empty(self, empty: bool) -> None:
        """Leaves the filled button to the page that has one of its own."""
        self._empty = empty
        self._arrange()

    def fold(self, folded: bool) -> None:
        """Leaves the icons alone of all buttons but the filled one."""
        self._folded = folded
        self._arrange()

    def _arrange(self) -> None:
        page = self._page
        self.back.setVisible(page != "list")
        self.trash.setVisible(page == "list")
        self.new.setVisible(page == "list" and not self._empty)
        self.prepare.setVisible(page == "new")
        self.make.setVisible(page == "opened")
        self.train.setVisible(page == "opened")
        self.more.setVisible(page == "opened")
        self.add.setVisible(page == "opened" and not self._folded)
        self.add_icon.setVisible(page == "opened" and self._folded)
