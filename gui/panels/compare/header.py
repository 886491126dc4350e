"""The head of the Compare panel: what is compared, which document is shown, what can be done."""

from typing import Literal

from core.numbers import format_count
from gui.panels.compare.words import tr
from gui.theme.theme import Theme
from gui.widgets.chrome.panel_header import PanelHeader
from gui.widgets.display.label import Label
from gui.widgets.inputs.button import Button, icon_button

Page = Literal["start", "setup", "opened"]


class CompareHeader(PanelHeader):
    """Title and facts; then the documents one by one, and actions."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, tr("Compare"), back=tr("All comparisons"))
        self.previous = icon_button(theme, "chevron-left", tr("Previous document"))
        self.previous.set_tooltip(tr("Previous document"), "Ctrl Page Up")
        self.place = Label(theme, "", "body", "text")
        self.next = icon_button(theme, "chevron-right", tr("Next document"))
        self.next.set_tooltip(tr("Next document"), "Ctrl Page Down")
        self.add_model = Button(theme, tr("Add a model"), icon="plus")
        self.export = Button(theme, tr("Export"), kind="ghost", icon="download", keys="Ctrl E")
        self.add(self.previous, self.place, self.next)
        self._row.addSpacing(8)
        actions = (self.add_model, self.export)
        self.add(*actions, folding=actions)
        self.show_page("start")

    def show_page(self, page: Page, facts: str = "") -> None:
        """Shows the head of a page."""
        self.show_facts(facts)
        self.back.setVisible(page != "start")
        for part in (self.previous, self.place, self.next, self.add_model, self.export):
            part.setVisible(page == "opened")

    def show_place(self, place: int, total: int, *, of_all: bool) -> None:
        """Shows the place of the document.

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
