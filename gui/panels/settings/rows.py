"""Rows and sections: what a setting is at the left, its control at the right, a line between."""

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.panels.settings.state import matches
from gui.theme.theme import Theme
from gui.widgets.label import Label
from gui.widgets.paint import painter_on
from gui.widgets.sign import Sign

ROW_PX = 57  # its line included
_GAP_PX = 16


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


class Row(QWidget):
    """A title, one line of help that turns into what is wrong, and controls."""

    def __init__(
        self, theme: Theme, title: str, help_text: str = "", *, height: int = ROW_PX
    ) -> None:
        """A row without controls; `add` puts them at the right.

        Args:
            theme: The look.
            title: What it is.
            help_text: One line under it; none if empty.
            height: The least, in px.
        """
        super().__init__()
        self._theme, self._title, self._help_text = theme, title, help_text
        self._line = False
        self._sign = Sign(theme, "octagon-x", "err", 14)
        self._below = Label(theme, help_text, "small", "text3", wrap=True)
        self._label = Label(theme, title, "strong")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 8, 0, 8)
        self._row.setSpacing(8)
        self._row.addLayout(self._words(), 1)
        self._row.addSpacing(_GAP_PX - 8)
        self.setMinimumHeight(height)
        self.show_error("")
        theme.changed.connect(self.update)

    def _words(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(0)
        self._help = QWidget()  # an empty layout would hold the column at its own width, 0
        below = QHBoxLayout(self._help)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(4)
        below.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        below.addWidget(self._below, 1)
        column.addStretch()
        column.addWidget(self._label)
        column.addWidget(self._help)
        column.addStretch()
        return column

    def add(self, *controls: QWidget) -> None:
        """Puts controls at the right, left to right."""
        for control in controls:
            self._row.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_error(self, sentence: str) -> None:
        """Says what is wrong instead of the help; "" for nothing."""
        self._sign.setVisible(bool(sentence))
        self._below.setText(sentence or self._help_text)
        self._below.set_color("err" if sentence else "text3")
        self._help.setVisible(bool(sentence or self._help_text))

    def set_line(self, shown: bool) -> None:
        """Shows the line that parts it from the row above."""
        self._line = shown
        self.update()

    def matches(self, wanted: str) -> bool:
        """Whether its words hold what is looked for."""
        return matches(wanted, self._title, self._help_text)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._line:
            painter = painter_on(self)
            painter.fillRect(0, 0, self.width(), 1, self._theme.color("line"))
            painter.end()


class Section(QWidget):
    """A heading and its rows; the first one has no line above."""

    def __init__(
        self, theme: Theme, title: str, make_items: Callable[[], Sequence[QWidget]]
    ) -> None:
        """A section; its rows are made when they are first seen or looked for.

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
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 17, 0, 16)
        self._column.setSpacing(0)
        self._column.addWidget(Label(theme, title, "title"))
        self._column.addSpacing(4)
        theme.changed.connect(self.update)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._make_items is not None:
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
