"""What is listed: a switch of a few choices, and a field that searches."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gui.theme.theme import Theme
from gui.widgets.display.plane import Plane
from gui.widgets.inputs.button import STRIP_HEIGHT_PX
from gui.widgets.inputs.field import FindField
from gui.widgets.inputs.segmented import SegmentedControl
from gui.widgets.support import layouts

_FIND_PX = 168


class FilterStrip(Plane):
    """A find field and a switch; or the switch, the field at the right, and what follows it.

    Args:
        theme: The look.
        choices: Values and words of the switch; the first is chosen.
        choices_name: Accessible name of the switch.
        find_name: Accessible name of the field.
        placeholder: Words in the field while it is empty.
        more: Parts after the field; None for a field that fills the strip, before the switch.
        margins: Around it, in px.
    """

    changed = Signal()
    entered = Signal()
    """Enter was pressed in the field."""

    def __init__(
        self,
        theme: Theme,
        choices: Sequence[tuple[str, str]],
        *,
        choices_name: str,
        find_name: str,
        placeholder: str,
        more: Sequence[QWidget] | None = None,
        margins: layouts.Margins = 0,
    ) -> None:
        super().__init__(theme, "window")
        self.choices = SegmentedControl(
            theme, choices, value=choices[0][0], name=choices_name, height=STRIP_HEIGHT_PX
        )
        self.find_field = FindField(
            theme, name=find_name, placeholder=placeholder, icon="search", height=STRIP_HEIGHT_PX
        )
        if more is None:
            parts: tuple[layouts.Part, ...] = ((self.find_field, 1), self.choices)
        else:
            self.find_field.setMaximumWidth(_FIND_PX)
            parts = (self.choices, layouts.stretch(), (self.find_field, 100), *more)
        layouts.row(*parts, into=self, margins=margins, spacing=8)
        self.choices.chosen.connect(lambda value: self.changed.emit())
        self.find_field.textChanged.connect(lambda text: self.changed.emit())
        self.find_field.returnPressed.connect(self.entered)

    @property
    def choice(self) -> str:
        """The value of the switch."""
        return self.choices.value

    @property
    def query(self) -> str:
        """The words that are searched for."""
        return self.find_field.text()

    def choose(self, choice: str) -> None:
        """Sets the switch."""
        self.choices.set_value(choice)
        self.changed.emit()

    def focus_find(self) -> None:
        """Puts the keyboard into the field, as Ctrl F does."""
        self.find_field.setFocus()
        self.find_field.selectAll()
