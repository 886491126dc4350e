"""The head of a panel: title and facts at the left, actions at the right."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.inputs.button import Button, icon_button
from gui.widgets.inputs.segmented import SegmentedControl
from gui.widgets.support import layouts

HEADER_PX = 52
_LEAST_FACTS_PX = 72


class PanelHeader(Plane):
    """Title and facts; then a switch of two sides, where there is room for one; then actions.

    Args:
        theme: The look.
        title: Title of the panel or page.
        facts: A line beside it.
        back: Words of the button before the title, which does what Escape does; empty for none.
        sides: Values and words of the switch; empty for none.
        side: The side that is shown first; the first one if empty.
        edge_px: From the left edge to the first part.
    """

    side_chosen = Signal(str)

    def __init__(
        self,
        theme: Theme,
        title: str = "",
        facts: str = "",
        *,
        back: str = "",
        sides: Sequence[tuple[str, str]] = (),
        side: str = "",
        edge_px: int = 24,
    ) -> None:
        super().__init__(theme, "surface")
        self.setFixedHeight(HEADER_PX)
        self._folding: list[Button] = []
        self._title = Label(theme, title, "title", elide=not title)
        self._facts = Label(theme, facts, "body", "text2", elide=True, least=_LEAST_FACTS_PX)
        self._row = layouts.row(into=self, margins=(edge_px, 0, 16, 1), spacing=8)
        if back:
            self.back = icon_button(theme, "arrow-left", back)
            self.back.set_tooltip(back, "Esc")
            self._row.addWidget(self.back)
        self._row.addWidget(self._title)
        self._row.addSpacing(4)
        self._row.addWidget(self._facts, 1)
        self.sides = [value for value, _ in sides]
        """The values of the switch, left to right."""
        if sides:
            name = self.tr("What is shown")
            self.switch = SegmentedControl(theme, sides, value=side or sides[0][0], name=name)
            self.switch.chosen.connect(self.side_chosen)
            self._row.addWidget(self.switch)

    def add(self, *actions: QWidget, folding: Sequence[Button] = ()) -> None:
        """Adds actions at the right.

        Args:
            *actions: Buttons and other widgets.
            folding: Those that keep only their icons where there is little room.
        """
        for action in actions:
            self._row.addWidget(action)
        self._folding += folding

    @property
    def title(self) -> str:
        """The title."""
        return self._title.text()

    @property
    def facts(self) -> str:
        """The line beside the title."""
        return self._facts.text()

    def show_title(self, title: str) -> None:
        """Shows another title."""
        self._title.setText(title)

    def show_facts(self, facts: str, tooltip: str = "") -> None:
        """Shows another line beside the title."""
        self._facts.setText(facts)
        self._facts.setToolTip(tooltip)

    @property
    def side(self) -> str:
        """The side that is shown where there is room for one."""
        return self.switch.value if self.sides else ""

    def show_side(self, side: str) -> None:
        """Sets the switch."""
        if self.sides:
            self.switch.set_value(side)

    def show_switch(self, shown: bool) -> None:
        """Shows or hides the switch of sides."""
        if self.sides:
            self.switch.setVisible(shown)

    def fold(self, folded: bool) -> None:
        """Keeps only the icons of the actions that fold."""
        for button in self._folding:
            button.fold(folded)
