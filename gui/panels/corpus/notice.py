"""What stands in the place of a result: it is on its way, there is none, or it failed."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.events import Failed
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import Button
from gui.widgets.support import layouts

_MEASURE_PX = 520


class Notice(Plane):
    """One sentence with its sign, one on what to do, and at most one button."""

    retry_requested = Signal()

    def __init__(self, theme: Theme, color: str = "surface") -> None:
        super().__init__(theme, color)
        self._sign = Sign(theme, "info", "text3", 20, beside="title")
        self._head = Label(theme, "", "title", wrap=True)
        self._body = Label(theme, "", "body", "text2", wrap=True)
        self.button = Button(theme, self.tr("Try again"), icon="rotate-ccw")
        self.button.triggered.connect(self.retry_requested)
        card = QWidget()
        card.setMaximumWidth(_MEASURE_PX)
        layouts.row(
            (self._sign, 0, Qt.AlignmentFlag.AlignTop),
            (layouts.column(self._head, self._body, 8, self.button, spacing=8), 1),
            into=card,
            spacing=11,
        )
        across = layouts.row(
            layouts.stretch(), (card, 100), layouts.stretch(), margins=(24, 0, 24, 0), spacing=None
        )
        column = QVBoxLayout(self)
        column.addStretch(2)
        column.addLayout(across)
        column.addStretch(3)
        self.show_words("")

    @property
    def words(self) -> str:
        """All that is said."""
        return " ".join(filter(None, (self._head.text(), self._body.text())))

    def show_words(self, head: str, body: str = "", *, running: bool = False) -> None:
        """Says something that is no failure.

        Args:
            head: What is so.
            body: What can be done; may be empty.
            running: Whether it is being worked on.
        """
        icon, color = ("loader-circle", "accent") if running else ("info", "text3")
        self._show(icon, color, head, body, button="")

    def show_failure(self, failure: Failed, button: str = "") -> None:
        """Says what failed and what to do.

        Args:
            failure: What happened.
            button: The verb of the button; empty for none.
        """
        self._show("octagon-x", "err", failure.message.rstrip("."), failure.remedy, button=button)

    def _show(self, icon: str, color: str, head: str, body: str, *, button: str) -> None:
        self._sign.set_icon(icon, color)
        self._sign.setVisible(bool(head))
        self._head.setText(head)
        self._body.setText(body)
        self._body.setVisible(bool(body))
        self.button.setText(button)
        self.button.setVisible(bool(button))
        self.setAccessibleName(self.words)
