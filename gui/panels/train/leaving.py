"""What is asked when the window is closed while a job trains."""

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from gui.theme.theme import Theme
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.dialog import Dialog

Answer = Literal["leave", "stop", "stay"]


class LeavingDialog(Dialog):
    """Leave it running, stop and keep, or stay; Esc stays."""

    def __init__(self, theme: Theme, titles: Sequence[str], parent: QWidget | None = None) -> None:
        """A question with three answers.

        Args:
            theme: The look.
            titles: The jobs that run.
            parent: The window.
        """
        names = ", ".join(f"“{title}”" for title in titles)
        is_one = len(titles) == 1
        super().__init__(
            theme,
            self.tr("A job is running") if is_one else self.tr("Jobs are running"),
            self.tr(
                "{0} can go on training without the window; it is found again at the next start. "
                "Or stop it with a checkpoint, and resume it later."
            ).format(names),
            parent,
        )
        self.answer: Answer = "stay"
        self.stay = Button(theme, self.tr("Stay"))
        self.stop = Button(theme, self.tr("Stop and keep"))
        self.leave = Button(theme, self.tr("Leave it running"), kind="primary")
        for button in (self.stay, self.stop, self.leave):
            self.add_button(button)
        self.stay.triggered.connect(self.reject)
        self.stop.triggered.connect(lambda: self._take("stop"))
        self.leave.triggered.connect(lambda: self._take("leave"))
        self.leave.setFocus(Qt.FocusReason.OtherFocusReason)

    def _take(self, answer: Answer) -> None:
        self.answer = answer
        self.accept()


def ask_leaving(theme: Theme, titles: Sequence[str], parent: QWidget) -> Answer:
    """Asks and waits."""
    dialog = LeavingDialog(theme, titles, parent)
    dialog.exec()
    return dialog.answer
