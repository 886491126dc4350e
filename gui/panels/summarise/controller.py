"""The desk of the Summarise panel: what a person does to the documents that lie on it."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.jobs.sources.sources import SourceRef
from core.library.session import LeftBehind, Session
from core.summaries.length import Length
from gui.panel import Services
from gui.panels.summarise.document_view import DocumentView
from gui.panels.summarise.documents.document_list import DocumentList
from gui.panels.summarise.documents.document_menu import DocumentActions, open_documents_menu
from gui.panels.summarise.documents.document_opener import DocumentOpener
from gui.panels.summarise.documents.document_switcher import DocumentSwitcher
from gui.panels.summarise.documents.document_words import DocumentWords, listed
from gui.panels.summarise.documents.open_documents import OpenDocument, OpenDocuments
from gui.panels.summarise.documents.reading_queue import ReadingQueue
from gui.panels.summarise.header import Header
from gui.panels.summarise.saving.export_actions import ABOUT
from gui.panels.summarise.saving.history_recorder import HistoryRecorder
from gui.panels.summarise.saving.session_saver import SessionSaver
from gui.panels.summarise.saving.summary_exporter import SummaryExporter
from gui.panels.summarise.source.scan_offer import ScanOffer
from gui.panels.summarise.state import Phase, SummariseState
from gui.panels.summarise.summary.choices import Choices
from gui.panels.summarise.summary.comparison import Comparison
from gui.panels.summarise.summary.model_requests import ModelRequests
from gui.panels.summarise.summary.references import References
from gui.panels.summarise.summary.summary_editor import SummaryEditor
from gui.shortcuts import shortcut
from gui.workers.inline import run_now

LIST_FROM_PX = 1320
"""The least width of the window with the list of documents beside the text, not in a menu."""


class SummariseController(QWidget):
    """Changes the state of the shown document for the user; the `DocumentView` draws it.

    The helpers (`intake`, `turner`, `opener`, `wishes`, `saver`, `outlet`) act on the same
    `OpenDocuments`, and call `redraw` when they changed the shown one.

    Args:
        services: What the window does for the panel.
        header: The panel's head, over this.
        length: The length of a first summary.
    """

    filled = Signal(bool)
    """Whether there is anything to see here now."""

    def __init__(self, services: Services, header: Header, length: Length) -> None:
        super().__init__()
        self._services, self.header = services, header
        documents = self.documents = OpenDocuments(partial(SummariseState, run_now), length)
        stage = self.stage = DocumentView(services, header, documents)
        self.list = DocumentList(services.theme)
        self.source, self.map, self.summary = stage.source, stage.map, stage.summary
        self.facts, self.failure, self.columns = stage.facts, stage.failure, stage.columns
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.list)
        row.addWidget(stage, 1)
        self.outlet = SummaryExporter(services.theme, services, self._shown_state, self)
        view = self.source.view
        self.saver = SessionSaver(services, documents, lambda: view.first_visible_offset, self)
        self.recorder = HistoryRecorder(services, documents, self)
        self.opener = ReadingQueue(
            services, documents, self.saver, self._draw_changed, self._draw_progress
        )
        self.wishes = ModelRequests(
            services, documents, self.redraw, stage.draw_progress, self._shown_state
        )
        self.editor = SummaryEditor(services, stage.summary, self._shown_state, self.redraw, self)
        self.comparison = Comparison(services, documents, stage, self.redraw, self)
        self.references = References(services, documents, stage, self.saver, self)
        self.turner = DocumentSwitcher(
            services, documents, stage, self.opener, self.saver, self.redraw
        )
        self.intake = DocumentOpener(services, documents, self.opener, self.turner, self)
        self._scan_offer = ScanOffer(services, stage, self.intake)
        self._connect_documents()
        self._connect_summary()
        self._connect_list()
        stage.connect_evidence(self.saver.touch)
        self._make_keys()
        self.redraw()

    @property
    def state(self) -> SummariseState:
        """The state of the shown document."""
        return self.documents.shown.state

    def _shown_state(self) -> SummariseState:
        return self.documents.shown.state

    def _connect_list(self) -> None:
        of = self.documents.all
        self.list.chosen.connect(lambda index: self.turner.show(of[index]))
        self.list.close_requested.connect(lambda index: self.close_document(of[index]))
        deeds = DocumentActions(
            lambda index: self.turner.show(of[index]), self.turner.step, self.close_document
        )
        theme, documents = self._services.theme, self.documents
        self.header.documents_requested.connect(
            lambda button: open_documents_menu(
                theme, button, self._listed(), documents.place, deeds
            )
        )

    def _connect_documents(self) -> None:
        for opener in (self.header, self.failure):
            opener.open_requested.connect(self.ask_for_file)
            opener.paste_requested.connect(self.paste)
        self.header.recent_requested.connect(self.intake.open_recents)
        self.header.export_requested.connect(self.outlet.open_menu)
        self.header.side_chosen.connect(self.show_side)
        self.failure.password_given.connect(self.intake.unlock)
        self.failure.retry_requested.connect(self.intake.retry)
        self.failure.go_back_requested.connect(self.go_back)
        self.source.size_requested.connect(self._services.set_reading_size)
        self.source.language.chosen.connect(self._choose_language)

    def _connect_summary(self) -> None:
        column, rows = self.summary, self.summary.list
        column.copy_requested.connect(self.outlet.copy_summary)
        column.export_requested.connect(self.outlet.open_menu)
        column.cancel_requested.connect(lambda: self.wishes.cancel() or self.opener.cancel())
        column.lines_chosen.connect(self.intake.read_lines_as)
        self.source.view.add_requested.connect(self.editor.add)
        rows.copy_requested.connect(self.outlet.copy_sentence)

    def _make_keys(self) -> None:
        texts = {
            self.source.view: self.editor,
            self.summary.list: self.editor,
            self.comparison.column.list: self.comparison.editor,
        }
        for text, editor in texts.items():
            for name, step in (("shorter", -1), ("longer", 1)):
                for keys in shortcut(name).sequences:
                    key = QShortcut(keys, text)
                    key.setContext(Qt.ShortcutContext.WidgetShortcut)
                    key.activated.connect(partial(editor.step_length, step))

    # What the window asks

    def commands(self) -> Mapping[str, Callable[[], object]]:
        """As `gui.panel.Panel.commands`."""
        return {
            "open": self.ask_for_file,
            "paste": self.paste,
            "find": self.find_in_source,
            "find_next": self.source.view.find_next,
            "find_previous": self.source.view.find_previous,
            "export": self.export_from_keyboard,
            "print": self.outlet.print_it,
            "close": self.close_document,
            "next_document": partial(self.turner.step, 1),
            "previous_document": partial(self.turner.step, -1),
            "copy_summary": self.copy_summary,
            "second_summary": self.comparison.toggle,
            "copy_command": self.outlet.copy_command,
            "undo": self.undo,
            "redo": self.redo,
        }

    def escape(self) -> bool:
        """Closes the find bar, stops what is read or written, or clears the marks."""
        if self.source.find_bar.isVisible():
            self.source.find_bar.close_bar()
            return True
        return self.references.escape() or self.cancel() or self.stage.clear_marks()

    def regions(self) -> list[QWidget]:
        """What F6 goes through, left to right."""
        return [self.list, *self.stage.regions()]

    def set_default_length(self, length: Length) -> None:
        """Says how long a new summary is."""
        self.documents.set_default_length(length)

    # A document comes

    def open_source(self, source: SourceRef, choices: Choices | None = None) -> None:
        """As `Intake.open_source`."""
        self.intake.open_source(source, choices)

    def open_text(self, text: str) -> None:
        """As `Intake.open_text`."""
        self.intake.open_text(text)

    def open_files(self, paths: list[Path]) -> None:
        """As `Intake.open_files`."""
        self.intake.open_files(paths)

    def ask_for_file(self) -> None:
        """As `Intake.ask_for_file`."""
        self.intake.ask_for_file()

    def paste(self) -> None:
        """As `Intake.paste`."""
        self.intake.paste()

    def take(self, data: QMimeData | None, nothing: str) -> None:
        """As `Intake.take`."""
        self.intake.take(data, nothing)

    def take_up(self, left: LeftBehind, session: Session) -> None:
        """As `Intake.take_up`."""
        self.saver.session = session
        self.intake.take_up(left)

    def cancel(self) -> bool:
        """Stops the reading, or the writing; what was shown before comes back, or stays.

        Returns:
            Whether something was being read or written.
        """
        writers = [self.wishes, self.comparison.wishes]
        if self.comparison.has_focus:
            writers.reverse()
        return any(writer.cancel() for writer in writers) or self.opener.cancel()

    def close_document(self, document: OpenDocument | None = None) -> None:
        """Closes a document, the shown one if none is named; its pins and drops are kept."""
        if self.documents.are_several:
            self.turner.close(document or self.documents.shown)
            return
        self.cancel()
        self.saver.keep_decisions()
        self.state.close()
        self._services.dismiss(ABOUT)
        self.saver.restore_document(self.documents.shown)
        self.redraw()

    def forget(self) -> None:
        """Closes all documents without keeping anything of them."""
        self.cancel()
        while self.documents.are_several:
            self.documents.close(self.documents.shown)
        self.opener.give_up()
        self.state.close()
        self.saver.forget_all()
        self.recorder.forget()
        self._services.dismiss(ABOUT)
        self.redraw()

    def go_back(self) -> None:
        """Shows what was open before."""
        self.state.go_back()
        self.redraw()

    # What is shown

    def redraw(self) -> None:
        """Draws the state as it is now; whoever changed it calls this."""
        self.filled.emit(self.state.phase is not Phase.EMPTY)
        has_failed = self.stage.draw()
        self._draw_list()
        self._fold_list()
        if has_failed and not self.list.has_focus:
            self.failure.focus_remedy()
        if self.state.phase is Phase.READY:
            self.saver.list_as_recent()
            self.recorder.touch()
        if self.state.phase is Phase.READY or self.documents.are_several:
            self.saver.touch()
        self.opener.read_on()
        self.wishes.follow()
        self.comparison.follow()
        self._scan_offer.follow()

    def _draw_changed(self, document: OpenDocument) -> None:
        if document is self.documents.shown:
            self.redraw()
        else:
            self._draw_list()
            self.saver.touch()

    def _draw_progress(self) -> None:
        self.stage.draw_progress()
        self._draw_list()

    def _draw_list(self) -> None:
        rows = self._listed() if self.documents.are_several else []
        self.list.show_documents(rows, self.documents.place)
        self.header.show_place(self.documents.place, len(self.documents))

    def _listed(self) -> list[DocumentWords]:
        return [listed(document) for document in self.documents.all]

    def show_side(self, side: str) -> None:
        """Shows source or summary, where there is room for one."""
        self.stage.show_side(side)

    def fold(self) -> None:
        """Shows what there is room for."""
        self._fold_list()
        self.stage.fold()

    def _fold_list(self) -> None:
        has_room = self.window().width() >= LIST_FROM_PX
        self.list.setVisible(self.documents.are_several and has_room)
        self.header.fold_documents(self.documents.are_several and not has_room)

    def find_in_source(self) -> None:
        """Opens the find bar, where there is a source."""
        if self.state.opened is not None and self.state.phase is not Phase.FAILED:
            self.stage.turn_to("source")
            self.source.find_bar.open_bar()

    def export_from_keyboard(self) -> None:
        """Opens the export menu under the button that is shown."""
        button = self.summary.export if self.summary.export.isVisible() else self.header.export
        self.outlet.open_menu(button)

    # The summary is worked on

    def choose_model(self, model: str) -> None:
        """As `Editor.choose_model`."""
        self.editor.choose_model(model)

    def _choose_language(self, language: str) -> None:
        self.state.choose_language(language)
        self.redraw()

    @property
    def _edited(self) -> SummaryEditor:
        """The editor of the column that the keyboard is in; else that of the first summary."""
        return self.comparison.editor if self.comparison.has_focus else self.editor

    def undo(self) -> None:
        """Takes the last decision back."""
        self._edited.undo()

    def redo(self) -> None:
        """Takes the last undo back."""
        self._edited.redo()

    def copy_summary(self) -> None:
        """Copies the summary that the keyboard is in."""
        is_second = self.comparison.has_focus
        (self.comparison.outlet if is_second else self.outlet).copy_summary()
