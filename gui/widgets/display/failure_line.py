"""A failure in two sentences above the controls that can begin the work again."""

from PySide6.QtWidgets import QWidget

from core.events import Failed
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.sign import Sign
from gui.widgets.support import layouts


class FailureLine(QWidget):
    """The sign of a failure, its message and its remedy; hidden while there is none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._message = Label(theme, "", "strong", wrap=True)
        self._remedy = Label(theme, "", "body", "text2", wrap=True)
        column = layouts.column(
            Sign(theme, "octagon-x", "err", beside="strong"), layouts.stretch(0), spacing=None
        )
        layouts.row(
            column,
            (layouts.column(self._message, self._remedy, spacing=2), 1),
            into=self,
            margins=(0, 4, 0, 4),
            spacing=8,
        )
        self.hide()

    def show_failure(self, failure: Failed) -> None:
        """Shows the message and the remedy of a failure."""
        self._message.setText(failure.message)
        self._remedy.setText(failure.remedy)
        self.setVisible(True)
