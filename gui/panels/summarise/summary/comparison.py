"""A second summary beside the first one: by another model, or of another length."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from gui.panel import Services
from gui.panels.summarise.document_view import DocumentView
from gui.panels.summarise.documents.open_documents import OpenDocuments
from gui.panels.summarise.saving.summary_exporter import SummaryExporter
from gui.panels.summarise.state import SummariseState
from gui.panels.summarise.summary.choices import BUILT_IN
from gui.panels.summarise.summary.model_requests import ModelRequests
from gui.panels.summarise.summary.summary_editor import SummaryEditor
from gui.widgets.inputs.menu import Menu


class Comparison(QObject):
    """Opens and closes the second column, and makes what is asked for there.

    Args:
        services: Runs jobs, shows messages.
        documents: What is open, and what is shown of it.
        stage: Draws both columns.
        redraw: Draws all that is shown.
        parent: Qt's owner.
    """

    def __init__(
        self,
        services: Services,
        documents: OpenDocuments,
        stage: DocumentView,
        redraw: Callable[[], object],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._theme, self._documents, self._stage = services.theme, documents, stage
        self._redraw = redraw
        column = self.column = stage.second
        self.editor = SummaryEditor(services, column, self._second, redraw, parent)
        self.outlet = SummaryExporter(services.theme, services, self._second, parent)
        self.wishes = ModelRequests(
            services,
            documents,
            redraw,
            stage.draw_second_progress,
            lambda: documents.shown.second,
            key="summarise.compare",
        )
        column.cancel_requested.connect(self.wishes.cancel)
        column.copy_requested.connect(self.outlet.copy_summary)
        column.list.copy_requested.connect(self.outlet.copy_sentence)
        column.close_requested.connect(self.close)
        column.use_requested.connect(self.use)
        stage.summary.compare_requested.connect(self.open_menu)

    def _second(self) -> SummariseState:
        state = self._documents.shown.second
        assert state is not None, "its column is shown only while it is there"
        return state

    @property
    def is_open(self) -> bool:
        """Whether two summaries are shown."""
        return self._documents.shown.second is not None

    @property
    def has_focus(self) -> bool:
        """Whether the keyboard is in the second column."""
        focus = self.column.window().focusWidget()
        return self.is_open and focus is not None and self.column.isAncestorOf(focus)

    # It is opened and closed

    def toggle(self) -> None:
        """Opens the second column, or closes it."""
        if self.is_open:
            self.close()
        else:
            self.open_menu(self._stage.summary.compare)

    def open_menu(self, button: QWidget) -> None:
        """Asks what to compare with; another length is opened at once where there is no model."""
        document = self._documents.shown
        if document.state.summary is None:
            return
        known = {BUILT_IN: self.tr("Built-in"), **document.state.models}
        known.pop(document.state.model, None)
        if not known:
            self.open(document.state.model)
            return
        menu = Menu(self._theme, self.tr("Compare with"), button)
        for model, title in known.items():
            menu.add(title, partial(self.open, model))
        menu.addSeparator()
        menu.add(self.tr("Another length"), partial(self.open, document.state.model))
        menu.open_below(button)

    def open(self, model: str) -> None:
        """Opens the second column.

        Args:
            model: What writes there; with the model of the first summary it is of another length.
        """
        document = self._documents.shown
        if document.state.summary is None:
            return
        is_same = document.state.model == model
        document.compare(model)
        # The source is hidden: the focus must not leave it for a sentence, which would be lit.
        self._stage.summary.list.setFocus(Qt.FocusReason.OtherFocusReason)
        self._stage.show_side("summary")
        self._redraw()
        first = self.column.length.field if is_same else self.column.list
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def close(self) -> None:
        """Closes the second column; what is being written there is given up."""
        had_focus = self.has_focus
        self._documents.shown.end_comparison()
        self._redraw()
        if had_focus:
            self._stage.summary.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def use(self) -> None:
        """Puts the second summary in the place of the first, and closes its column."""
        first, second = self._documents.shown.state, self._second()
        if first.opened is not None and second.opened is not None:
            # From now on its entry in the history is followed; that of the first stays as it is.
            first.opened.recorded |= second.opened.recorded
        first.adopt(second)
        self.close()

    # The document changes

    def follow(self) -> None:
        """Brings the second summary up to date with the document."""
        document = self._documents.shown
        if document.second is not None and document.state.opened is not None:
            language = document.state.opened.choices.language
            if document.second.language != language:
                document.second.choose_language(language)
        self.wishes.follow()
