"""Rows of a form that can be looked for, and the sections they stand in."""

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.forms import row as forms
from gui.panels.settings.state import matches
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.support import layouts
from gui.widgets.support.paint import painter_on


@runtime_checkable
class Findable(Protocol):
    """What the find field can leave out."""

    def matches(self, wanted: str) -> bool:
        """Whether it holds what is looked for."""
        ...


@runtime_checkable
class Lined(Protocol):
    """What can have a line above it."""

    def set_line(self, shown: bool) -> None:
        """Shows the line that parts it from what stands above."""
        ...


class Row(forms.Row):
    """A row that the find field can leave out."""

    def matches(self, wanted: str) -> bool:
        """Whether its words hold what is looked for."""
        return matches(wanted, self._title, self._help_text)


class Section(QWidget):
    """A heading and its rows; the first one has no line above."""

    def __init__(
        self, theme: Theme, title: str, make_items: Callable[[], Sequence[QWidget]]
    ) -> None:
        """A section; its rows are made when they are first reached or looked for.

        Args:
            theme: The look.
            title: Its heading.
            make_items: What stands under it; `Findable` ones are left out when not looked for.
        """
        super().__init__()
        self._theme, self._title = theme, title
        self._make_items: Callable[[], Sequence[QWidget]] | None = make_items
        self._items: list[QWidget] = []
        self._line = False
        self.setAccessibleName(title)
        self._column = layouts.column(
            Label(theme, title, "title"), 4, into=self, margins=(0, 17, 0, 16)
        )
        theme.changed.connect(self.update)

    @property
    def is_filled(self) -> bool:
        """True if its rows are made."""
        return self._make_items is None

    def fill(self) -> None:
        """Makes its rows, if they are not made yet, and shows all of them."""
        if not self.is_filled:
            self.keep_found(self._title)

    def _fill(self) -> None:
        if self._make_items is not None:
            self._items = list(self._make_items())
            self._make_items = None
            for item in self._items:
                if item.parentWidget() is None:  # else it stands where there is more room
                    self._column.addWidget(item)

    def put(self, widget: QWidget) -> None:
        """Puts something at the foot."""
        self._column.addWidget(widget)

    def keep_found(self, wanted: str) -> int:
        """Shows what holds the words looked for; all if the heading does.

        Args:
            wanted: Words; "" for everything.

        Returns:
            How many items are shown; 1 for those that are still to be made.
        """
        if self._make_items is not None and not wanted.strip():
            return 1
        self._fill()
        whole = matches(wanted, self._title)
        num_shown, lined = 0, False
        for item in self._items:
            shown = whole or (isinstance(item, Findable) and item.matches(wanted))
            item.setVisible(shown)
            num_shown += shown
            if isinstance(item, Lined):
                item.set_line(lined)
            lined = lined or shown
        return num_shown

    def set_line(self, shown: bool) -> None:
        """Shows the line that parts it from the section above."""
        self._line = shown
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._line:
            painter = painter_on(self)
            painter.fillRect(0, 0, self.width(), 1, self._theme.color("line"))
            painter.end()
