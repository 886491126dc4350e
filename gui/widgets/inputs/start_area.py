"""The first sight of a panel: a promise, a few words, and what to begin with."""

from PySide6.QtWidgets import QLayout, QWidget

from gui.theme.theme import Theme
from gui.widgets.display.area import Area
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.inputs.button import Button
from gui.widgets.support import layouts

WIDTH_PX = 720
_MARGIN_PX = 24
_UNDER_PROMISE_PX, _UNDER_WORDS_PX, _GAP_PX = 8, 24, 16


class StartArea(Area):
    """A column in the middle of a panel; it scrolls where there is no room."""

    def __init__(self, theme: Theme, promise: str, told: str) -> None:
        """A promise and what it means.

        Args:
            theme: The look.
            promise: What can be done here: one sentence.
            told: A few words about it.
        """
        super().__init__()
        self.promise = Label(theme, promise, "display", wrap=True)
        self.told = Label(theme, told, "body", "text2", wrap=True)
        content = Plane(theme, "surface")
        self._column = column = QWidget()
        self.set_width(WIDTH_PX)
        layouts.row(
            layouts.stretch(),
            (column, 100),
            layouts.stretch(),
            into=content,
            margins=_MARGIN_PX,
            spacing=None,
        )
        self._parts = layouts.column(spacing=_GAP_PX)
        self._down = layouts.column(
            layouts.stretch(),
            self.promise,
            _UNDER_PROMISE_PX,
            self.told,
            _UNDER_WORDS_PX,
            self._parts,
            layouts.stretch(),
            into=column,
        )
        self.setWidget(content)

    def set_width(self, width: int) -> None:
        """Sets the width of the column at most, in pixels."""
        self._column.setMaximumWidth(width)

    def add(self, part: QWidget | QLayout, *, grows: bool = False) -> None:
        """Adds what stands under the words.

        Args:
            part: What is added.
            grows: Whether it takes the height that is left; else that lies above and below.
        """
        if isinstance(part, QLayout):
            self._parts.addLayout(part)
        else:
            self._parts.addWidget(part, 1 if grows else 0)
        if grows:
            self._down.setStretchFactor(self._parts, 100)

    def add_buttons(self, *buttons: Button) -> None:
        """Adds buttons in a row, the first at the left."""
        row = layouts.row(*buttons, layouts.stretch(), spacing=8)
        self.add(row)
