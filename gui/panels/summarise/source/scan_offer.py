"""Offers text recognition where a scan is met, and reads the scan when it is there."""

from weakref import WeakSet

from PySide6.QtCore import QObject

from core.distribution.parts import PartName
from gui.panel import Services
from gui.panels.summarise.document_view import DocumentView
from gui.panels.summarise.documents.document_opener import DocumentOpener
from gui.panels.summarise.documents.opened_document import OpenedDocument
from gui.panels.summarise.state import Phase

_PART: PartName = "scans"
_ABOUT = "scans"


class ScanOffer(QObject):
    """Installs the part that reads scans as the person wishes.

    Args:
        services: Installs parts, and tells messages.
        stage: Where documents are shown, and what could not be read.
        intake: Reads a document again.
    """

    def __init__(self, services: Services, stage: DocumentView, intake: DocumentOpener) -> None:
        super().__init__(stage)
        self._services, self._stage, self._intake = services, stage, intake
        self._told_of: WeakSet[OpenedDocument] = WeakSet()
        parts, page = services.parts, stage.failure
        page.install_requested.connect(lambda: parts.install(_PART))
        page.cancel_install_requested.connect(lambda: parts.cancel(_PART))
        parts.changed.connect(self._show)
        parts.installed.connect(self._read_again)

    def follow(self) -> None:
        """Offers the part for a document of which only some pages are scans, once."""
        state = self._stage.state
        opened = state.opened
        if state.phase is not Phase.READY or opened is None or opened in self._told_of:
            return
        self._told_of.add(opened)
        if state.has_unread_scans and self._services.parts.can_offer(_PART):
            self._services.notify(
                "warn",
                self.tr("Some pages are scans and were not read"),
                self.tr("Text recognition (OCR) is an optional part."),
                action=self.tr("Install it"),
                on_action=lambda: self._services.parts.install(_PART),
                about=_ABOUT,
            )

    def _show(self, name: str) -> None:
        if name == _PART:
            self._stage.failure.show_part(self._services.parts.state(_PART))

    def _read_again(self, name: str) -> None:
        """What could not be read is read at once; an open summary only if that is wished."""
        state = self._stage.state
        if name != _PART or not state.has_unread_scans:
            return
        if state.phase is Phase.FAILED:
            self._intake.retry()
        elif state.opened is not None:
            source = state.opened.source
            self._services.notify(
                "ok",
                self.tr("The scans can be read now"),
                action=self.tr("Read the scans"),
                on_action=lambda: self._intake.read_again(source),
                about=_ABOUT,
            )
