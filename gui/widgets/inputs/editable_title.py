"""A title that can be changed in its place."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.inputs.button import STRIP_HEIGHT_PX, icon_button
from gui.widgets.inputs.field import TextField
from gui.widgets.support import layouts


class EditableTitle(QWidget):
    """A title with a pencil, which turns it into a field; Enter takes it, Escape leaves it.

    Args:
        theme: The look.
        name: Accessible name of the field.
        rename: What the pencil does.
        field_px: Least width of the field.
    """

    renamed = Signal(str)

    def __init__(self, theme: Theme, name: str, rename: str, field_px: int = 240) -> None:
        super().__init__()
        self._field_px, self._can_rename = field_px, True
        self._focus_before: QWidget | None = None
        self._title = Label(theme, "", "title", elide=True)
        self.field = TextField(theme, name=name, height=STRIP_HEIGHT_PX)
        self.field.hide()
        self.field.editingFinished.connect(self.commit)
        self.pencil = icon_button(theme, "pencil", rename)
        self.pencil.triggered.connect(self.begin)
        layouts.row(self._title, self.field, self.pencil, into=self, spacing=8)

    @property
    def text(self) -> str:
        """The title."""
        return self._title.text()

    def show_title(self, title: str, *, can_rename: bool) -> None:
        """Shows a title, and the pencil where it can be changed; what is being typed stays."""
        self._can_rename = can_rename
        self._title.setText(title)
        self._title.setToolTip(title)
        self.pencil.setVisible(can_rename and self.field.isHidden())

    def begin(self) -> None:
        """Turns the title into a field."""
        if not self._can_rename:
            return
        self._focus_before = self.window().focusWidget()
        self.field.setText(self.text)
        self.field.setFixedWidth(max(self._title.width(), self._field_px))
        self._title.hide()
        self.pencil.hide()
        self.field.show()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.selectAll()

    def commit(self) -> None:
        """Takes what was typed."""
        if self.field.isVisible():
            title = self.field.text().strip()
            self.end()
            if title != self.text:
                self.renamed.emit(title)

    def end(self) -> bool:
        """Leaves the title as it is; True if it was being changed."""
        was_visible, had_focus = self.field.isVisible(), self.field.hasFocus()
        self.field.hide()
        self._title.show()
        self.pencil.setVisible(self._can_rename)
        if had_focus:
            before = self._focus_before or self.pencil
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        return was_visible
