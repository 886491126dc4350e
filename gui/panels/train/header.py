"""The head of the Train panel: its title, or that of a new job; the buttons at the right."""

from PySide6.QtWidgets import QWidget

from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.inputs.button import Button
from gui.widgets.support import layouts

HEIGHT_PX = 52


class Header(Plane):
    """Title and facts left, buttons right.

    Args:
        theme: The look.
        title: What is shown.
        facts: A few words beside it.
        back: The button before the title; None for none.
    """

    def __init__(
        self, theme: Theme, title: str, facts: str = "", back: Button | None = None
    ) -> None:
        super().__init__(theme, "surface")
        self.setFixedHeight(HEIGHT_PX)
        self._facts = Label(theme, facts, "body", "text2", elide=True)
        self._row = layouts.row(into=self, margins=(12 if back else 24, 0, 16, 1), spacing=8)
        if back is not None:
            self._row.addWidget(back)
        self._row.addWidget(Label(theme, title, "title"))
        self._row.addWidget(self._facts, 1)

    def add(self, *buttons: QWidget) -> None:
        """Puts buttons at the right."""
        for button in buttons:
            self._row.addWidget(button)

    def show_facts(self, facts: str) -> None:
        """Says something else beside the title."""
        self._facts.setText(facts)
