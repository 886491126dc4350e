"""The command that does the same as what is shown: in mono on a sunken plate, to be copied."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.inputs.button import icon_button
from gui.widgets.support import layouts
from gui.widgets.support.paint import draw_plate, painter_on

_RADIUS_PX = 6
_MOST_SHOWN = 500
"""Characters of a command that are shown; the whole of it is copied."""


class CommandLine(QWidget):
    """A command and the button that copies it.

    Args:
        theme: The look.
        wrap: Whether a long one takes several lines; else it is shortened with "…".
    """

    copied = Signal()

    def __init__(self, theme: Theme, *, wrap: bool = False) -> None:
        super().__init__()
        self._theme, self._line = theme, ""
        self._words = Label(theme, "", "mono", "text2", wrap=wrap, elide=not wrap)
        self.button = icon_button(theme, "copy", self.tr("Copy the command"))
        self.button.set_tooltip(self.tr("Copy the command"), "Ctrl Shift K")
        self.button.triggered.connect(self.copy)
        layouts.row(
            (self._words, 1, Qt.AlignmentFlag.AlignVCenter),
            self.button,
            into=self,
            margins=(12, 4, 4, 4),
            spacing=8,
        )
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(wrap)
        self.setSizePolicy(policy)
        theme.changed.connect(self.update)

    @property
    def line(self) -> str:
        """The whole command."""
        return self._line

    def show_line(self, line: str) -> None:
        """Shows another command: of a very long one its ends, though the whole is copied."""
        self._line = line
        shown = line
        if len(line) > _MOST_SHOWN:
            half = _MOST_SHOWN // 2
            shown = f"{line[:half]} … {line[-half:]}"
        self._words.setText(shown)
        self._words.setToolTip(
            self.tr("The middle is left out here; the whole command is copied.")
            if shown != line
            else ""
        )
        self.setAccessibleName(self.tr("Command: {line}").format(line=shown))
        self.updateGeometry()

    def copy(self) -> None:
        """Puts the command on the clipboard."""
        QGuiApplication.clipboard().setText(self._line)
        self.copied.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        draw_plate(painter, QRectF(self.rect()), _RADIUS_PX, self._theme.color("sunken"))
        painter.end()
