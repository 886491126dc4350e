"""A row of a form that only shows: a value that follows from what was chosen elsewhere."""

from dataclasses import dataclass

from gui.forms.row import Row
from gui.theme.theme import Theme
from gui.widgets.display.label import Label


@dataclass(frozen=True)
class Given:
    """A value that cannot be edited here.

    Args:
        title: What it is.
        words: The value, with its unit.
        told: Why it is so, or what it means.
    """

    title: str
    words: str
    told: str


class GivenRow(Row):
    """Shows such a value."""

    def __init__(self, theme: Theme, given: Given) -> None:
        super().__init__(theme, given.title, given.told)
        self._value = Label(theme, given.words, "body")
        self.add(self._value)
        self.set_line(True)

    @property
    def value(self) -> str:
        """The value as it is told."""
        return self._value.text()
