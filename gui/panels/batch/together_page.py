"""One summary of the documents of a batch: what they share, and where they differ."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from core.events import Failed
from core.export.combined import CombinedSummary
from core.numbers import format_quantity
from core.summaries.length import Length
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.display.progress import ProgressBar
from gui.widgets.inputs.button import Button, icon_button
from gui.widgets.inputs.length_field import LengthField
from gui.widgets.inputs.wrap_row import WrapRow, labelled
from gui.widgets.reading.combined_view import CombinedView
from gui.widgets.support import layouts

_MOST_SENTENCES = 200


class TogetherPage(QWidget):
    """A strip with length and export, and the points below it, each with its documents.

    Signals:
        back_requested: The table shall be shown again.
        length_wished: A `Length` for the one summary.
        export_requested: It shall be written to a file; the button is given.
        document_opened: The place of a document, from 0, that shall be opened.
        cancel_requested: The work shall end.
    """

    back_requested = Signal()
    length_wished = Signal(object)
    export_requested = Signal(QWidget)
    document_opened = Signal(int)
    cancel_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.length = Length(12)
        self.back = icon_button(theme, "arrow-left", self.tr("All documents of the batch"))
        self.back.set_tooltip(self.tr("All documents of the batch"), "Esc")
        self.field = LengthField(theme, self.tr("Length of the one summary"))
        self.field.show_length(self.length, _MOST_SENTENCES)
        self.export = Button(theme, self.tr("Export this summary"), icon="share", height=28)
        self._told = Label(theme, "", "small", "text3")
        self.strip = WrapRow(
            theme,
            [
                labelled(theme, "", self.back),
                labelled(theme, self.tr("Sentences"), self.field),
                labelled(theme, "", self.export),
                labelled(theme, "", self._told),
            ],
        )
        self.bar = ProgressBar(theme, name=self.tr("Progress of the one summary"))
        self.cancel = Button(theme, self.tr("Cancel"), kind="ghost", icon="x")
        self._state = Label(theme, "", "title", wrap=True)
        self._remedy = Label(theme, "", "body", "text2", wrap=True)
        self.view = CombinedView(theme)
        self.view.document_opened.connect(self.document_opened)
        self._lay_out()
        self.back.triggered.connect(self.back_requested)
        self.cancel.triggered.connect(self.cancel_requested)
        self.export.triggered.connect(lambda: self.export_requested.emit(self.export))
        self.field.length_entered.connect(self._wish)

    def _lay_out(self) -> None:
        waiting = Plane(self._theme, "surface")
        card = layouts.column(
            self._state,
            self._remedy,
            self.bar,
            (self.cancel, 0, Qt.AlignmentFlag.AlignLeft),
            spacing=12,
        )
        across = layouts.row(
            layouts.stretch(), (card, 2), layouts.stretch(), margins=(24, 0, 24, 0), spacing=None
        )
        column = QVBoxLayout(waiting)
        column.addStretch(2)
        column.addLayout(across)
        column.addStretch(3)
        self._pages = QStackedWidget()
        self._pages.addWidget(waiting)
        self._pages.addWidget(self.view)
        layouts.column(self.strip, Divider(self._theme), (self._pages, 1), into=self)

    @property
    def combined(self) -> CombinedSummary | None:
        """The summary that is shown; None until there is one."""
        return self.view.combined

    def _wish(self, length: Length) -> None:
        self.length = Length(length.value)
        self.field.show_length(self.length, _MOST_SENTENCES)
        self.length_wished.emit(self.length)

    def show_progress(self, words: str, share: float | None) -> None:
        """Shows how far the work is."""
        self._pages.setCurrentIndex(0)
        self._state.setText(words)
        self._remedy.setText("")
        self.bar.setVisible(True)
        self.bar.set_share(share)
        self.cancel.setVisible(True)
        self.export.set_usable(False, self.tr("The summary is not done yet."))

    def show_failure(self, failure: Failed) -> None:
        """Says why there is no summary, and what to do."""
        self.show_progress(failure.message, 0.0)
        self._remedy.setText(failure.remedy)
        self.bar.setVisible(False)
        self.cancel.setVisible(False)

    def show_summary(self, combined: CombinedSummary) -> None:
        """Shows the summary."""
        self.view.show_combined(combined)
        self._pages.setCurrentIndex(1)
        self.export.set_usable(True)
        documents = format_quantity(len(combined.documents), "document")
        sentences = format_quantity(len(combined.points), "sentence")
        shared = self.tr("{0} shared").format(len(combined.shared))
        self._told.setText(f"{documents}. {sentences}, {shared}.")
        self.strip.arrange()
