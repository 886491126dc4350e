"""The head of the Compare panel: what is compared, which document is shown, what can be done."""

from typing import Literal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from core.numbers import format_count
from gui.panels.compare.words import tr
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.inputs.button import Button, icon_button
from gui.widgets.support import layouts

HEIGHT_PX = 52
Page = Literal["start", "setup", "opened"]


class Header(Plane):
    """Title and facts at the left; the documents one by one, then deeds, at the right."""

    back_asked = Signal()
    new_asked = Signal()
    add_asked = Signal()
    example_asked = Signal()
    stepped = Signal(int)
    """One document on, or one back (-1)."""
    export_asked = Signal(QWidget)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self.setFixedHeight(HEIGHT_PX)
        self._page: Page = "start"
        self._folded = False
        self.back = icon_button(theme, "arrow-left", tr("All comparisons"))
        self.back.set_tooltip(tr("All comparisons"), "Esc")
        self._title = Label(theme, tr("Compare"), "title")
        self._facts = Label(theme, "", "body", "text2", elide=True)
        self.previous = icon_button(theme, "chevron-left", tr("Previous document"))
        self.previous.set_tooltip(tr("Previous document"), "Ctrl Page Up")
        self.place = Label(theme, "", "body", "text")
        self.next = icon_button(theme, "chevron-right", tr("Next document"))
        self.next.set_tooltip(tr("Next document"), "Ctrl Page Down")
        self.add = Button(theme, tr("Add a model"), icon="plus")
        self.add_icon = icon_button(theme, "plus", tr("Add a model"))
        self.export = Button(theme, tr("Export"), kind="ghost", icon="download", keys="Ctrl E")
        self.export_icon = icon_button(theme, "download", tr("Export"))
        layouts.row(
            self.back,
            self._title,
            4,
            (self._facts, 1),
            self.previous,
            self.place,
            self.next,
            8,
            self.add,
            self.add_icon,
            self.export,
            self.export_icon,
            into=self,
            margins=(24, 0, 16, 1),
            spacing=8,
        )
        self._connect()
        self.show_page("start")

    def _connect(self) -> None:
        self.back.triggered.connect(self.back_asked)
        self.previous.triggered.connect(lambda: self.stepped.emit(-1))
        self.next.triggered.connect(lambda: self.stepped.emit(1))
        for button in (self.add, self.add_icon):
            button.triggered.connect(self.add_asked)
        for button in (self.export, self.export_icon):
            button.triggered.connect(lambda b=button: self.export_asked.emit(b))

    @property
    def facts(self) -> str:
        """The line beside the title."""
        return self._facts.text()

    def show_page(self, page: Page, facts: str = "") -> None:
        """Shows the head of a page."""
        self._page = page
        self._facts.setText(facts)
        self._arrange()

    def show_place(self, place: int, total: int, *, of_all: bool) -> None:
        """Says which document is shown.

        Args:
            place: Where it stands in the list, from 1; 0 where it is not listed.
            total: How many are listed.
            of_all: Whether no document is filtered out.
        """
        kind = tr("Document {at} of {total}") if of_all else tr("Document {at} of {total} listed")
        at = format_count(place) if place else "–"
        self.place.setText(kind.format(at=at, total=format_count(total)))
        self.previous.set_usable(place != 1 and total > 0, tr("This is the first document."))
        self.next.set_usable(place != total and total > 0, tr("This is the last document."))

    def fold(self, folded: bool) -> None:
        """Leaves the icons alone."""
        self._folded = folded
        self._arrange()

    def _arrange(self) -> None:
        opened, folded = self._page == "opened", self._folded
        self.back.setVisible(self._page != "start")
        for part in (self.previous, self.next):
            part.setVisible(opened)
        self.place.setVisible(opened)
        self.add.setVisible(opened and not folded)
        self.add_icon.setVisible(opened and folded)
        self.export.setVisible(opened and not folded)
        self.export_icon.setVisible(opened and folded)
