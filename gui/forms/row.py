"""A row of a form: what a setting is at the left, its control at the right, a line between rows."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.sign import Sign
from gui.widgets.support import layouts
from gui.widgets.support.paint import painter_on

ROW_PX = 57  # its line included
_GAP_PX = 16
_STACK_GAP_PX = 6


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
        self._sign = Sign(theme, "octagon-x", "err", 14, beside="small")
        self._below = Label(theme, help_text, "small", "text3", wrap=True)
        self._label = Label(theme, title, "strong")
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 8, 0, 8)
        self._row.setSpacing(8)
        self._row.addLayout(self._words(), 1)
        self._row.addSpacing(_GAP_PX - 8)
        self.setMinimumHeight(height)
        self.show_error("")
        theme.changed.connect(self.update)

    def _words(self) -> QVBoxLayout:
        self._help = QWidget()  # an empty layout would hold the column at its own width, 0
        layouts.row(
            (self._sign, 0, Qt.AlignmentFlag.AlignTop), (self._below, 1), into=self._help, spacing=4
        )
        column = layouts.column(layouts.stretch(0), self._label, self._help, layouts.stretch(0))
        return column

    @property
    def title(self) -> str:
        """What it is."""
        return self._title

    @property
    def told(self) -> str:
        """The line under the title: help, or what is wrong."""
        return self._below.text()

    def add(self, *controls: QWidget) -> None:
        """Puts controls at the right, left to right."""
        for control in controls:
            self._row.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)

    def set_stacked(self, stacked: bool) -> None:
        """Puts the controls under the words, where there is little room beside them."""
        down, right = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._row.setDirection(down if stacked else right)
        self._row.setSpacing(_STACK_GAP_PX if stacked else 8)

    def set_help(self, help_text: str) -> None:
        """Says something else under the title, while nothing is wrong."""
        if help_text != self._help_text:
            before, self._help_text = self._help_text, help_text
            if self._below.text() == before:
                self._below.setText(help_text)
            self._help.setVisible(bool(self._below.text()))

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

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._line:
            painter = painter_on(self)
            painter.fillRect(0, 0, self.width(), 1, self._theme.color("line"))
            painter.end()
