"""The documents of a corpus: the list at the left, the chosen one beside it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from core.numbers import format_count
from gui.panels.corpus.document_list import DocumentList, DocumentModel
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.inputs.field import TextField
from gui.widgets.support import layouts

LIST_PX = 213


class DocumentColumn(Plane):
    """The find field, how many were found, and the list.

    Signals:
        words_typed: What is looked for.
    """

    words_typed = Signal(str)

    def __init__(self, theme: Theme, documents: DocumentModel) -> None:
        super().__init__(theme, "window")
        self.setFixedWidth(LIST_PX)
        self.field = TextField(
            theme,
            name=self.tr("Find in all documents"),
            placeholder=self.tr("Find a document"),
            icon="search",
        )
        self.list = DocumentList(theme, documents)
        self._count = Label(theme, "", "small", "text3")
        self._count.hide()
        layouts.column(
            self.field,
            layouts.row(self._count, margins=(8, 0, 0, 0)),
            (self.list, 1),
            into=self,
            margins=(8, 10, 8, 0),
            spacing=6,
        )
        self.field.textChanged.connect(self.words_typed)

    def show_found(self, count: int, is_all: bool) -> None:
        """Says how many documents hold the words.

        Args:
            count: How many were found so far.
            is_all: Whether all documents were looked at.
        """
        self._count.setVisible(bool(self.field.text().strip()))
        told = self.tr("{count} found") if is_all else self.tr("{count} found so far")
        self._count.setText(told.format(count=format_count(count)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.field.text():
            self.field.clear()
        elif event.key() == Qt.Key.Key_Down and self.field.hasFocus():
            self.list.setFocus(Qt.FocusReason.TabFocusReason)
            if self.list.current < 0:
                self.list.choose(0)
        else:
            super().keyPressEvent(event)
