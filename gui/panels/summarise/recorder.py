"""Keeps every summary that comes to rest in the history."""

from contextlib import suppress
from functools import partial

from PySide6.QtCore import QObject, QTimer

from core.errors import EpitomeError
from core.export.excerpt import KeptSummary
from core.library.history_entry import NewEntry, new_id
from core.numbers import format_quantity
from core.summary import Summary
from gui.panel import Services
from gui.panels.summarise.actions import tr
from gui.panels.summarise.documents import OpenDocuments
from gui.panels.summarise.opened import Opened

_REST_MS = 800
"""A summary is kept when it has not changed for this long: not each step of the slider is."""
_KEY = "history"


class Recorder(QObject):
    """Writes summaries into the history, off the window's thread.

    While a document is open, its entry follows the length and the edits; another model or another
    language has an entry of its own.

    Args:
        services: Writes, and knows the settings.
        documents: What is open.
        parent: Qt's owner.
    """

    def __init__(self, services: Services, documents: OpenDocuments, parent: QObject) -> None:
        super().__init__(parent)
        self._services, self._documents = services, documents
        self._waiting: Opened | None = None
        self._num_removed, self._has_told_removed = 0, False
        self._timer = QTimer(self, singleShot=True, interval=_REST_MS)
        self._timer.timeout.connect(self.record)
        services.keeper.kept.connect(self._tell)

    def touch(self) -> None:
        """The summary of the shown document may be another one: it is kept soon."""
        opened = self._documents.shown.state.opened
        if self._waiting is not None and self._waiting is not opened:
            self.record()
        if opened is None or self._is_known(opened):
            return
        self._waiting = opened
        self._timer.start()

    def record(self) -> None:
        """Keeps what waits to be kept now."""
        found = self._next()
        if found is not None:
            id, opened, summary = found
            write = partial(self._write, id, opened, summary)
            self._services.keeper.keep(f"{_KEY} {id}", write)

    def forget(self) -> None:
        """Lets go of what waits to be kept."""
        self._timer.stop()
        self._waiting = None

    def end(self) -> None:
        """Keeps what still waits: the window closes."""
        found = self._next()
        if found is not None:
            with suppress(EpitomeError):  # not worth keeping the window open for
                self._write(*found)

    def _next(self) -> tuple[str, Opened, Summary] | None:
        """What is to be kept, if anything is: its name, its document, the summary."""
        opened, self._waiting = self._waiting, None
        self._timer.stop()
        if opened is None or opened.summary is None or self._is_known(opened):
            return None
        summary, key = opened.summary, _key(opened)
        id = opened.recorded[key][0] if key in opened.recorded else new_id()
        # What is made while nothing is kept is not kept later either.
        opened.recorded[key] = (id, summary)
        return (id, opened, summary) if self._services.preferences.keeps_history else None

    def _is_known(self, opened: Opened) -> bool:
        known = opened.recorded.get(_key(opened))
        return opened.summary is None or (known is not None and known[1] == opened.summary)

    def _write(self, id: str, opened: Opened, summary: Summary) -> None:
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
            self._services.tell("warn", note)
        if self._num_removed and not self._has_told_removed:
            self._has_told_removed = True  # once: from now on every new summary removes old ones
            removed = format_quantity(self._num_removed, tr("old summary"), tr("old summaries"))
            self._services.tell(
                "warn",
                tr("The history is full: {removed} removed").format(removed=removed),
                tr("Settings, History, sets its limits. Starred summaries stay."),
            )


def _key(opened: Opened) -> tuple[str, str]:
    return opened.choices.model, opened.choices.language
