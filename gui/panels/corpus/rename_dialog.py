"""Asks for another name of a corpus."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from core.errors import EpitomeError
from core.jobs.corpora.corpus_folder import new_name
from gui.control_words import explain
from gui.theme.theme import Theme
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.dialog import Dialog
from gui.widgets.inputs.field import FieldFrame, TextField


class RenameDialog(Dialog):
    """A field with the name, checked before it is taken; Esc keeps the name."""

    named = Signal(str)
    """The new name."""

    def __init__(self, theme: Theme, folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(
            theme,
            self.tr("Rename “{name}”").format(name=folder.name),
            self.tr("Commands find the corpus by its new name."),
            parent,
        )
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._folder = folder
        self.field = TextField(theme, folder.name, name=self.tr("Name of the corpus"))
        self.field.selectAll()
        self.add_content(FieldFrame(theme, self.tr("Name"), self.field))
        self.keep = Button(theme, self.tr("Cancel"))
        self.deed = Button(theme, self.tr("Rename"), kind="primary")
        self.deed.setDefault(True)
        for button in (self.keep, self.deed):
            self.add_button(button)
        self.keep.triggered.connect(self.reject)
        self.deed.triggered.connect(self._take)
        self.field.returnPressed.connect(self._take)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _take(self) -> None:
        name = self.field.text().strip()
        if name == self._folder.name:
            self.reject()
            return
        try:
            new_name(name, self._folder.parent)
        except EpitomeError as error:
            self.field.set_error(explain(error))
            return
        self.named.emit(name)
        self.accept()
