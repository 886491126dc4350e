"""Keeps every summary that comes to rest in the history."""

from contextlib import suppress
from functools import partial

from PySide6.QtCore import QObject, QTimer

from core.errors import EpitomeError
from core.export.excerpt import KeptSummary
from core.library.history_entry import NewEntry, new_id
from core.numbers import format_quantity
from core.summaries.summary import Summary
from gui.panel import Services
from gui.panels.summarise.documents.open_documents import OpenDocuments
from gui.panels.summarise.documents.opened_document import OpenedDocument
from gui.panels.summarise.saving.export_actions import tr

_REST_MS = 800
"""A summary is kept when it has not changed for this long: not each step of the slider is."""
_KEY = "history"


class HistoryRecorder(QObject):
    """Writes summaries into the history, off the window's thread.

    While a document is open, its entry follows the length and the edits; another model, another
    language and the second of two summaries side by side have an entry of their own.

    Args:
        services: Writes, and knows the settings.
        documents: What is open.
        parent: Qt's owner.
    """

    def __init__(self, services: Services, documents: OpenDocuments, parent: QObject) -> None:
        super().__init__(parent)
        self._services, self._documents = services, documents
        self._waiting: list[OpenedDocument] = []
        self._num_removed, self._has_told_removed = 0, False
        self._timer = QTimer(self, singleShot=True, interval=_REST_MS)
        self._timer.timeout.connect(self.record)
        services.keeper.kept.connect(self._tell)

    def touch(self) -> None:
        """The summaries of the shown document may be others: they are kept soon."""
        shown = self._shown()
        if any(each.source is not (shown[0].source if shown else None) for each in self._waiting):
            self.record()  # another document is shown now
        self._waiting = [each for each in shown if not self._is_known(each)]
        if self._waiting:
            self._timer.start()

    def _shown(self) -> list[OpenedDocument]:
        """The shown document, and once more with its second summary, if that is not on its way."""
        document = self._documents.shown
        first, second = document.state.opened, document.second
        found = [first] if first is not None else []
        if second is not None and second.opened is not None and second.wish is None:
            found.append(second.opened)
        return found

    def record(self) -> None:
        """Keeps what waits to be kept now."""
        for id, opened, summary in self._take():
            write = partial(self._write, id, opened, summary)
            self._services.keeper.keep(f"{_KEY} {id}", write)

    def forget(self) -> None:
        """Lets go of what waits to be kept."""
        self._timer.stop()
        self._waiting = []

    def end(self) -> None:
        """Keeps what still waits: the window closes."""
        for found in self._take():
            with suppress(EpitomeError):  # not worth keeping the window open for
                self._write(*found)

    def _take(self) -> list[tuple[str, OpenedDocument, Summary]]:
        """What is to be kept: of each entry its name, its document and the summary."""
        waiting, self._waiting = self._waiting, []
        self._timer.stop()
        return [found for opened in waiting if (found := self._entry_of(opened)) is not None]

    def _entry_of(self, opened: OpenedDocument) -> tuple[str, OpenedDocument, Summary] | None:
        summary, key = opened.summary, _key(opened)
        if summary is None or self._is_known(opened):
            return None
        id = opened.recorded[key][0] if key in opened.recorded else new_id()
        # What is made while nothing is kept is not kept later either.
        opened.recorded[key] = (id, summary)
        return (id, opened, summary) if self._services.preferences.keeps_history else None

    def _is_known(self, opened: OpenedDocument) -> bool:
        known = opened.recorded.get(_key(opened))
        return opened.summary is None or (known is not None and known[1] == opened.summary)

    def _write(self, id: str, opened: OpenedDocument, summary: Summary) -> None:
        limits = self._services.preferences.history_limits
        language = opened.choices.language
        kept = KeptSummary.of(summary, opened.document).to_json()
        new = NewEntry(summary, kept, language, id=id)
        self._num_removed += self._services.history.keep(new, limits=limits)

    def _tell(self, what: str) -> None:
        if not what.startswith(_KEY):
            return
        note = self._services.history.take_note()
        if note:
            self._services.notify("warn", note)
        if self._num_removed and not self._has_told_removed:
            self._has_told_removed = True  # once: from now on every new summary removes old ones
            removed = format_quantity(self._num_removed, tr("old summary"), tr("old summaries"))
            self._services.notify(
                "warn",
                tr("The history is full: {removed} removed").format(removed=removed),
                tr("Settings, History, sets its limits. Starred summaries stay."),
            )


def _key(opened: OpenedDocument) -> tuple[str, str]:
    return opened.choices.model, opened.choices.language
