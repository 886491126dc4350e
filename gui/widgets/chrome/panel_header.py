"""The head of a panel: title and facts at the left, actions at the right."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.inputs.button import Button
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
        back: The button before the title, if there is one.
        sides: Values and words of the switch; empty for none.
        side: The side that is shown first.
        side_name: Accessible name of the switch.
    """

    side_chosen = Signal(str)

    def __init__(
        self,
        theme: Theme,
        title: str = "",
        facts: str = "",
        *,
        back: Button | None = None,
        sides: Sequence[tuple[str, str]] = (),
        side: str = "",
        side_name: str = "",
    ) -> None:
        super().__init__(theme, "surface")
        self.setFixedHeight(HEADER_PX)
        self._folding: list[Button] = []
        self._title = Label(theme, title, "title", elide=not title)
        self._facts = Label(theme, facts, "body", "text2", elide=True, least=_LEAST_FACTS_PX)
        left = 12 if back else 24
        self._row = layouts.row(into=self, margins=(left, 0, 16, 1), spacing=8)
        for part in (back, self._title):
            if part is not None:
                self._row.addWidget(part)
        self._row.addWidget(self._facts, 1)
        self.switch: SegmentedControl | None = None
        """The switch of two sides."""
        if sides:
            self.switch = SegmentedControl(theme, sides, value=side, name=side_name)
            self.switch.chosen.connect(self.side_chosen)
            self._row.addWidget(self.switch)

    def add(self, *actions: QWidget, folds: bool = False) -> None:
        """Adds actions at the right.

        Args:
            *actions: Buttons and other widgets.
            folds: True if the buttons keep only their icons where there is little room.
        """
        for action in actions:
            self._row.addWidget(action)
            if folds and isinstance(action, Button):
                self._folding.append(action)

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
        return self.switch.value if self.switch else ""

    def show_side(self, side: str) -> None:
        """Sets the switch."""
        if self.switch is not None:
            self.switch.set_value(side)

    def show_switch(self, shown: bool) -> None:
        """Shows or hides the switch of sides."""
        if self.switch is not None:
            self.switch.setVisible(shown)

    def fold(self, folded: bool) -> None:
        """Keeps only the icons of the actions that fold."""
        for button in self._folding:
            button.fold(folded)
