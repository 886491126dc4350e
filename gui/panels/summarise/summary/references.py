"""The reference of the shown document: given, changed and removed."""

from PySide6.QtCore import QObject, Qt

from gui.panel import Services
from gui.panels.summarise.document_view import DocumentView
from gui.panels.summarise.documents.open_documents import OpenDocuments
from gui.panels.summarise.documents.opened_document import OpenedDocument
from gui.panels.summarise.saving.export_actions import ABOUT, tr
from gui.panels.summarise.saving.session_saver import SessionSaver


class References(QObject):
    """Keeps what is typed with its document, as pins are kept.

    Args:
        services: Shows messages.
        documents: What is open, and what is shown of it.
        stage: Draws the scores.
        saver: Keeps the reference.
        parent: Qt's owner.
    """

    def __init__(
        self,
        services: Services,
        documents: OpenDocuments,
        stage: DocumentView,
        saver: SessionSaver,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._services, self._documents = services, documents
        self._stage, self._saver = stage, saver
        self.part, self._button = stage.summary.reference, stage.summary.reference_button
        self._button.triggered.connect(self.toggle)
        self.part.edited.connect(self._take)
        self.part.removal_requested.connect(self.remove)

    @property
    def _opened(self) -> OpenedDocument | None:
        return self._documents.shown.state.opened

    def toggle(self) -> None:
        """Shows the text of the reference, to be pasted or read, or hides it."""
        if self.part.is_unfolded:
            self.fold()
        else:
            self.part.ask()

    def fold(self) -> bool:
        """Hides the text; whether it was shown."""
        was_unfolded, had_focus = self.part.is_unfolded, self.part.text.hasFocus()
        self.part.unfold(False)
        if had_focus:
            self._button.setFocus(Qt.FocusReason.OtherFocusReason)
        return was_unfolded

    def escape(self) -> bool:
        """Hides the text where the cursor is in it; whether it was."""
        return self.part.text.hasFocus() and self.fold()

    def remove(self) -> None:
        """Takes the reference away; the message gives it back."""
        opened = self._opened
        reference = opened.reference if opened is not None else ""
        self.part.put("")
        self.part.unfold(False)
        self._button.setFocus(Qt.FocusReason.OtherFocusReason)
        if opened is not None and reference:
            self._services.notify(
                "ok",
                tr("The reference was removed"),
                action=tr("Undo"),
                on_action=lambda: self._give_back(opened, reference),
                about=ABOUT,
            )

    def _give_back(self, opened: OpenedDocument, reference: str) -> None:
        if opened is self._opened:
            self.part.put(reference)

    def _take(self, reference: str) -> None:
        opened = self._opened
        if opened is not None:
            opened.reference = reference
            self._stage.draw_reference()
            self._saver.touch()
