"""Controller of the History panel: what is read, and what is done with the chosen summary."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from core.export.combined import CombinedSummary
from core.export.excerpt import KeptSummary
from core.export.kept_combined import as_summary
from core.jobs.call import CallJob
from core.jobs.documents.find_again import FindAgainJob, Found
from core.jobs.history.history import HistoryFound, OpenedEntry, OpenEntryJob, search_history
from core.jobs.job import Job
from core.library.history_entry import Entry
from gui.panel import Services, joined
from gui.panel_kit import TrashUndo
from gui.panels.history.state import FIRST_ENTRIES, HistoryState, reopened
from gui.panels.history.words import tr
from gui.workers.latest_run import LatestRun

_ABOUT = "history"
_TITLE_LETTERS = 60


class HistoryController(QObject):
    """Reads the history and changes it.

    Args:
        services: The window.
        state: The state of the panel.
        parent: The panel.
    """

    changed = Signal()
    """The state has changed."""
    searched = Signal()
    """The result of another search is in the state."""
    summary_read = Signal(object)
    """The chosen summary; None for one that is damaged."""
    document_missing = Signal(str, bool)
    """Why the document cannot be opened as it was, and whether there is a file to open."""

    def __init__(self, services: Services, state: HistoryState, parent: QObject) -> None:
        super().__init__(parent)
        self._services, self._history, self.state = services, services.history, state
        self._looking, self._opening, self._finding = LatestRun(), LatestRun(), LatestRun()
        self._report = partial(services.report_failure, about=_ABOUT)
        self.trash = TrashUndo(services, _ABOUT, self)
        self._kept: KeptSummary | CombinedSummary | None = None
        self._read_id = ""
        self.is_searching = False
        """True while another list is read, not newer entries of the same one."""

    # Reading

    def look(self) -> None:
        """Reads the list again."""
        state = self.state
        job = CallJob(search_history, self._history, state.query, state.shown, state.limit)
        self._follow(self._looking, job, self._take)

    def _follow(self, latest: LatestRun, job: Job, done: Callable[[Any], object]) -> None:
        latest.follow(self._services.controller.run_in_thread(job), done, self._report)

    def search(self, query: str, shown: str) -> None:
        """Begins another search, in "all", "starred" or "trash"."""
        self.state.search(query, shown)  # type: ignore[arg-type]
        self.is_searching = True
        self.look()

    def look_further(self) -> None:
        """Reads older entries, too."""
        if self.state.has_more and not self._looking.is_running:
            self.state.limit += FIRST_ENTRIES
            self.look()

    def _take(self, found: HistoryFound) -> None:
        self.state.take(found)
        self._show_change()
        if self.is_searching:
            self.is_searching = False
            self.searched.emit()
        if found.note:
            self._services.notify("warn", found.note)

    def _show_change(self) -> None:
        self.changed.emit()
        entry = self.state.selected
        if entry is None:
            self._kept, self._read_id = None, ""
            self._opening.stop()
        elif entry.id != self._read_id or self._kept is None:
            self._kept, self._read_id = None, entry.id
            self._follow(self._opening, OpenEntryJob(self._history, entry.id), self._take_summary)

    def _take_summary(self, opened: OpenedEntry | None) -> None:
        self._kept = opened.kept if opened is not None else None
        self.summary_read.emit(self._kept)

    def select(self, id: str) -> None:
        """Chooses another summary."""
        self._finding.stop()
        self.state.chosen = id
        self._show_change()

    # Opening

    def reopen(self) -> None:
        """Opens the chosen document in Summarise as it was then, if it is still the same."""
        entry, kept = self.state.selected, self._kept
        if entry is None or kept is None or entry.trashed_s is not None:
            return
        if isinstance(kept, CombinedSummary):
            paths = [document.summary.source.path for document in kept.documents]
            self._show_documents(files=joined(dict.fromkeys(filter(None, paths))))
        elif not entry.path:
            self._show_documents()
        else:
            job = FindAgainJob(Path(entry.path), entry.sha256)
            self._follow(self._finding, job, partial(self._take_found, entry, kept))

    def open_document(self, at: int) -> None:
        """Opens one of several documents, by its place from 0."""
        if isinstance(self._kept, CombinedSummary):
            self._show_documents(file=self._kept.documents[at].summary.source.path)

    def _show_documents(self, **chosen: str) -> None:
        if any(chosen.values()):
            self._services.show_panel("summarise", **chosen)
            return
        reason = tr("The text was pasted, piped in or a row of a table, so there is no file to "
                    "open; this is its summary.")  # fmt: skip
        self.document_missing.emit(reason, False)

    def _take_found(self, entry: Entry, kept: KeptSummary, found: Found) -> None:
        if found == "same":
            self._services.show_panel("summarise", **reopened(entry, kept.summary))
        elif found == "changed":
            reason = tr("The file has changed since; this is the summary that was made then.")
            self.document_missing.emit(reason, True)
        else:
            reason = tr("There is no file at {path} any more; this is its summary.")
            self.document_missing.emit(reason.format(path=entry.path), False)

    def open_changed(self) -> None:
        """Opens the changed file of the chosen summary as it is now."""
        entry = self.state.selected
        if entry is not None:
            chosen = {"file": entry.path, "model": entry.model, "length": entry.length}
            self._services.show_panel("summarise", **chosen, language=entry.language)

    # Changing

    def copy(self) -> None:
        """Copies the chosen summary."""
        if self._kept is not None:
            kept = self._kept
            summary = kept.summary if isinstance(kept, KeptSummary) else as_summary(kept)
            words = "\n".join(sentence.spoken for sentence in summary.sentences)
            QGuiApplication.clipboard().setText(words)
            self._services.notify("ok", tr("Copied the summary"), about=_ABOUT)

    def toggle_star(self) -> None:
        """Gives the chosen summary a star, or takes it."""
        entry = self.state.selected
        if entry is not None and entry.trashed_s is None:
            star = not entry.starred
            self._change("star", partial(self._history.star, entry.id, star), starred=int(star))

    def rename(self, title: str) -> None:
        """Gives the chosen summary another title."""
        if title:
            write = partial(self._history.rename, self.state.chosen, title)
            self._change("title", write, title=title)

    def annotate(self, note: str) -> None:
        """Gives the chosen summary another note."""
        write = partial(self._history.annotate, self.state.chosen, note)
        self._change("note", write, note=note)

    def _change(self, what: str, write: Callable[[], object], **values: object) -> None:
        self.state.change_selected(**values)
        self._show_change()
        self._write(f"{what} {self.state.chosen}", write)

    def _write(self, what: str, write: Callable[[], object]) -> None:
        """Writes a change; the list is read again once it is written, or failed."""
        self._looking.stop()  # it may have read the list before the change
        self._services.keeper.keep(f"{_ABOUT} {what}", write)

    def delete(self) -> None:
        """Moves the chosen summary to the trash, with undo."""
        entry = self.state.selected
        if entry is None or entry.trashed_s is not None:
            return
        self._write(f"trash {entry.id}", partial(self._history.delete, [entry.id]))
        title = entry.title
        if len(title) > _TITLE_LETTERS:
            title = f"{title[: _TITLE_LETTERS - 1]}…"
        words = tr("Deleted “{title}”").format(title=title)
        self.trash.offer(entry.id, words, partial(self._restore, entry.id), severity="ok")

    def restore(self) -> None:
        """Takes the chosen summary out of the trash."""
        if self.state.selected is not None and not self.trash.restore(self.state.chosen):
            self._restore(self.state.chosen)

    def _restore(self, id: str) -> None:
        if self.state.shown != "trash":
            self.state.chosen = id
        self._write(f"trash {id}", partial(self._history.restore, [id]))

    def empty_trash(self) -> None:
        """Deletes what is in the trash for good."""
        self.trash.forget()
        self._write("empty", self._history.empty_trash)

    # Ending

    def forget(self) -> None:
        """Shows nothing; nothing that was deleted can be taken back."""
        self.trash.forget()
        self.state.entries, self.state.chosen = (), ""
        self._show_change()

    def end(self) -> None:
        """Follows nothing any more."""
        for run in (self._looking, self._opening, self._finding):
            run.stop()
