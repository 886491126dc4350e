"""A dialog with a long text, to be read and scrolled."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from gui.theme.theme import Theme
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.dialog import Dialog
from gui.widgets.support.announce import announce
from gui.widgets.support.leaving import let_go

_TEXT_W_PX, _TEXT_H_PX = 592, 420
_EDGE_PX = 24
_REST_PX = 196  # of a dialog beside its text


class TextDialog(Dialog):
    """Title, a few words, and a long text under them."""

    def __init__(
        self,
        theme: Theme,
        title: str,
        words: str,
        text: str,
        parent: QWidget,
        *,
        name: str,
        can_copy: bool = False,
    ) -> None:
        """A dialog with a text.

        Args:
            theme: The look.
            title: Its title.
            words: Describe the text.
            text: The text.
            parent: The window it belongs to.
            name: The accessible name of the text.
            can_copy: True for a button that copies the text.
        """
        super().__init__(theme, title, words, parent)
        self.text = QPlainTextEdit(text)
        self.text.setReadOnly(True)
        self.text.setFont(theme.font("mono"))
        self.text.setAccessibleName(name)
        self.text.setTabChangesFocus(True)
        width = min(_TEXT_W_PX, parent.width() - 4 * _EDGE_PX)
        self.text.setFixedHeight(max(120, min(_TEXT_H_PX, parent.height() - _REST_PX)))
        self.setFixedWidth(width + 2 * _EDGE_PX)
        self.add_content(self.text)
        if can_copy:
            self.copy = Button(theme, self.tr("Copy"), icon="copy")
            self.copy.triggered.connect(self._copy)
            self.add_button(self.copy)
        close = Button(theme, self.tr("Close"))
        close.triggered.connect(self.accept)
        self.add_button(close)
        # Qt would hold a window to two thirds of the screen, and squeeze what is in it.
        self.setFixedHeight(self._column.totalHeightForWidth(width + 2 * _EDGE_PX))
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_until_closed(self) -> None:
        """Shows the dialog; it is deleted when it is closed."""
        self.finished.connect(lambda: let_go(self))
        self.open()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        announce(self, self.tr("Copied"))
