"""Asks for the password of an encrypted document."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from gui.theme.theme import Theme
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.dialog import Dialog
from gui.widgets.inputs.field import FieldFrame, TextField


class PasswordDialog(Dialog):
    """A field for the password; Esc leaves the document as it is."""

    given = Signal(str)
    """The password; it is used once and kept nowhere."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(
            theme,
            self.tr("Password of “{name}”").format(name=name),
            self.tr("It is used once, on this computer, and is not kept."),
            parent,
        )
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.field = TextField(theme, name=self.tr("Password"))
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.add_content(FieldFrame(theme, self.tr("Password"), self.field))
        self.keep = Button(theme, self.tr("Cancel"))
        self.deed = Button(theme, self.tr("Unlock and summarise"), kind="primary")
        self.deed.setDefault(True)
        for button in (self.keep, self.deed):
            self.add_button(button)
        self.keep.triggered.connect(self.reject)
        self.deed.triggered.connect(self._take)
        self.field.returnPressed.connect(self._take)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _take(self) -> None:
        if not self.field.text():
            self.field.set_error(self.tr("Type the password first."))
            return
        self.given.emit(self.field.text())
        self.accept()
