"""The right column: how long, what was read, the summary, and what can be done with it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from core.documents.line_mode import JOINED, KEPT, LineMode
from core.summaries.summary import Summary
from core.summaries.summary_lines import coverage_line, language_line, support_line, taken_out_line
from gui.panels.summarise.documents.opened_document import OpenedDocument
from gui.panels.summarise.saving.restored_row import RestoredRow
from gui.panels.summarise.state import SummariseState
from gui.panels.summarise.summary.choices import BUILT_IN
from gui.panels.summarise.summary.reference_part import ReferencePart
from gui.panels.summarise.summary.stream_view import StreamView
from gui.panels.summarise.summary.summary_head import SummaryHead
from gui.panels.summarise.summary.writing_row import WritingRow
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.display.progress import ProgressBar
from gui.widgets.display.sign import Sign
from gui.widgets.display.skeleton import Skeleton
from gui.widgets.inputs.button import Button
from gui.widgets.reading.summary_list import SummaryList

_FOOT_PX = 52
_WORDED_FOOT_PX, _ALL_WORDED_FOOT_PX = 500, 590
"""The least widths of a column with words on most buttons of its foot, and on all."""
_FOOT_GAP_PX, _NARROW_GAP_PX = 8, 4


class SummaryColumn(Plane):
    """A summary and what belongs to it.

    Args:
        theme: The look.
        is_second: Whether it is compared with another one: it can be closed, or be put in the
            place of the first; exporting is done from there.
    """

    undo_requested = Signal()
    redo_requested = Signal()
    copy_requested = Signal()
    export_requested = Signal(QWidget)
    cancel_requested = Signal()
    fresh_requested = Signal()
    outline_requested = Signal(QWidget)
    compare_requested = Signal(QWidget)
    close_requested = Signal()
    use_requested = Signal()
    lines_chosen = Signal(str)
    """A `LineMode` with which the source is to be read again."""

    def __init__(self, theme: Theme, *, is_second: bool = False) -> None:
        super().__init__(theme, "surface")
        self._is_second = is_second
        name = self.tr("Second summary") if is_second else self.tr("Summary")
        self.head = SummaryHead(theme, name)
        self.length, self.models = self.head.length, self.head.models
        self.list = SummaryList(theme)
        self.list.setAccessibleName(name)
        self.stream = StreamView(theme)
        self._sign = Sign(theme, "circle-check", "ok", 14, beside="small")
        self._coverage = Label(theme, "", "small", "text2", wrap=True)
        self._notes = Label(theme, "", "small", "text3", wrap=True)
        self._line_mode: LineMode = "auto"
        self._lines = Button(theme, self.tr("Join lines"), kind="link", height=24)
        self._lines.triggered.connect(lambda: self.lines_chosen.emit(self._line_mode))
        self._outline = Button(theme, self.tr("Show the outline"), kind="link", height=24)
        self._outline.triggered.connect(lambda: self.outline_requested.emit(self._outline))
        self._unsupported = Label(theme, "", "small", "warn", wrap=True)
        self._bar = ProgressBar(theme, name=self.tr("Reading"))
        self._doing = Label(theme, "", "small", "text2")
        self._stack = QStackedLayout()
        self._ready = self._make_ready(theme)
        self._waiting = self._make_waiting(theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self.head, Divider(theme)):
            column.addWidget(part)
        column.addLayout(self._stack, 1)
        # Only now: what is added to a layout without a place opens as a window of its own.
        self._stack.addWidget(self._ready)
        self._stack.addWidget(self._waiting)

    def _make_ready(self, theme: Theme) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.writing = WritingRow(theme)
        self.writing.cancel_requested.connect(self.cancel_requested)
        column.addWidget(self.writing)
        self._read = self._make_coverage()
        column.addWidget(self._read)
        self._warning = self._make_warning(theme)
        column.addWidget(self._warning)
        self.restored = RestoredRow(theme)
        self.restored.fresh_requested.connect(self.fresh_requested)
        column.addWidget(self.restored)
        column.addWidget(self.list, 1)
        column.addWidget(self.stream, 1)
        self.reference = ReferencePart(theme, is_second=self._is_second)
        column.addWidget(self.reference)
        self._foot_line = Divider(theme)
        column.addWidget(self._foot_line)
        self.foot = self._make_foot(theme)
        column.addWidget(self.foot)
        return page

    def _make_coverage(self) -> QWidget:
        part = QWidget()
        row = QHBoxLayout(part)
        row.setContentsMargins(24, 10, 24, 8)
        row.setSpacing(8)
        row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._coverage)
        words.addWidget(self._notes)
        words.addWidget(self._lines, 0, Qt.AlignmentFlag.AlignLeft)
        words.addWidget(self._outline, 0, Qt.AlignmentFlag.AlignLeft)
        row.addLayout(words, 1)
        return part

    def _make_warning(self, theme: Theme) -> QWidget:
        warning = QWidget()
        row = QHBoxLayout(warning)
        row.setContentsMargins(24, 0, 24, 8)
        row.setSpacing(8)
        row.addWidget(
            Sign(theme, "triangle-alert", "warn", 14, beside="small"), 0, Qt.AlignmentFlag.AlignTop
        )
        row.addWidget(self._unsupported, 1)
        return warning

    def _make_foot(self, theme: Theme) -> QWidget:
        foot = Plane(theme, "surface")
        foot.setFixedHeight(_FOOT_PX)
        row = self._foot_row = QHBoxLayout(foot)
        row.setContentsMargins(16, 0, 16, 0)
        self._undo = Button(
            theme,
            self.tr("Undo"),
            kind="ghost",
            icon="undo-2",
            tooltip=self.tr("Undo"),
            keys="Ctrl Z",
        )
        self._redo = Button(
            theme, kind="ghost", icon="redo-2", tooltip=self.tr("Redo"), keys="Ctrl Shift Z"
        )
        self._copy = Button(
            theme,
            self.tr("Copy"),
            icon="copy",
            tooltip=self.tr("Copy with page references"),
            keys="Ctrl Shift C",
        )
        self.export = Button(
            theme,
            self.tr("Export"),
            kind="primary",
            icon="share",
            tooltip=self.tr("Write the summary to a file"),
            keys="Ctrl E",
        )
        self._make_comparing(theme)
        self.reference_button = Button(
            theme,
            self.tr("Reference"),
            kind="ghost",
            icon="ruler",
            tooltip=self.tr("Paste a reference summary and see ROUGE"),
        )
        left = (self._undo, self._redo, self.compare, self.close_second, self.reference_button)
        for part in left:
            row.addWidget(part)
        row.addStretch(1)
        for part in (self._copy, self.use, self.export):
            row.addWidget(part)
        (self.compare if self._is_second else self.close_second).hide()
        self.reference_button.setVisible(not self._is_second)
        (self.export if self._is_second else self.use).hide()
        worded = (self._undo, self.compare, self.close_second, self._copy, self.reference_button)
        self._words = {button: button.text() for button in worded}
        self._undo.triggered.connect(self.undo_requested)
        self._redo.triggered.connect(self.redo_requested)
        self._copy.triggered.connect(self.copy_requested)
        self.export.triggered.connect(lambda: self.export_requested.emit(self.export))
        return foot

    def _make_comparing(self, theme: Theme) -> None:
        self.compare = Button(
            theme,
            self.tr("Compare"),
            kind="ghost",
            icon="git-compare",
            tooltip=self.tr("Show a summary by another model or of another length beside this one"),
            keys="Ctrl D",
        )
        self.close_second = Button(
            theme,
            self.tr("Close"),
            kind="ghost",
            icon="x",
            tooltip=self.tr("Close the second summary"),
            keys="Ctrl D",
        )
        self.use = Button(
            theme,
            self.tr("Use this one"),
            tooltip=self.tr("Put this summary in the place of the other one"),
        )
        self.compare.triggered.connect(lambda: self.compare_requested.emit(self.compare))
        self.close_second.triggered.connect(self.close_requested)
        self.use.triggered.connect(self.use_requested)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        has_room = self.width() >= _WORDED_FOOT_PX
        for button, words in self._words.items():
            least_px = _WORDED_FOOT_PX
            if button is self.reference_button:
                least_px = _ALL_WORDED_FOOT_PX
            button.setText(words if self.width() >= least_px else "")
            button.updateGeometry()
        self._foot_row.setSpacing(_FOOT_GAP_PX if has_room else _NARROW_GAP_PX)
        self.reference.fold(self.width(), self.height())

    def _make_waiting(self, theme: Theme) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(56, 14, 56, 24)
        column.setSpacing(8)
        cancel = Button(theme, self.tr("Cancel"), kind="secondary", height=28)
        cancel.triggered.connect(self.cancel_requested)
        row = QHBoxLayout()
        row.addWidget(self._doing, 1)
        row.addWidget(cancel)
        column.addLayout(row)
        column.addWidget(self._bar)
        column.addSpacing(16)
        column.addWidget(Skeleton(theme, 8))
        column.addStretch(1)
        return page

    def fold(self, with_name: bool, with_export: bool, with_compare: bool = True) -> None:
        """Leaves out what another part of the window says.

        Args:
            with_name: Whether the column says what it is.
            with_export: Whether Export stands at its foot.
            with_compare: Whether a second summary can be opened from here.
        """
        self.head.fold(with_name)
        if not self._is_second:
            self.export.setVisible(with_export)
            self.compare.setVisible(with_compare)

    def show_waiting(self, doing: str, share: float | None) -> None:
        """The summary is on its way.

        Args:
            doing: What is being done, and how far it is, in words.
            share: The same from 0 to 1; None when it is not known.
        """
        self._doing.setText(doing)
        self._bar.set_share(share)
        self.length.setEnabled(False)
        self.models.setEnabled(False)
        self._stack.setCurrentWidget(self._waiting)

    def show_ready(self, state: SummariseState) -> None:
        """Shows the summary and everything round it as the state has it."""
        summary = state.summary
        assert summary is not None and state.opened is not None
        for control in (self.length, self.models):
            control.setEnabled(True)
        self.length.show_state(state)
        self.head.show_models(state)
        self._show_coverage(summary)
        self._show_lines(state.opened)
        self._show_warning(state, summary)
        ranked = state.opened.ranked
        self._outline.setVisible(bool(ranked and ranked.ranking.doubt and len(ranked.outline) > 1))
        self.restored.show_restored(state.opened.restored)
        self.list.set_summary(summary, state.opened.document)
        self.list.set_editable(state.can_edit)
        self.show_writing(state)
        self._undo.set_usable(state.can_undo, self.tr("There is nothing to undo."))
        self._redo.set_usable(state.can_redo, self.tr("There is nothing to redo."))
        self._stack.setCurrentWidget(self._ready)

    def show_writing(self, state: SummariseState) -> None:
        """Shows how far what is wished for is, and its text as it grows; nothing when nothing is.

        The summary that was there before is hidden as soon as there is text of the new one.
        """
        text = state.text
        self.writing.setVisible(state.wish is not None)
        if state.wish is not None:
            self.writing.show_progress(state.wish, state.progress, bool(text))
        self.stream.show_text(text)
        self.stream.setVisible(bool(text))
        for part in (self.list, self._read):
            part.setVisible(not text)
        self._warning.setVisible(not text and bool(self._unsupported.text()))
        if text:
            self.restored.hide()
        unfinished = self.tr("The summary is being written.")
        for button in (self._copy, self.export, self.use):
            button.set_usable(not text, unfinished)

    def show_reference(self, opened: OpenedDocument | None, state: SummariseState | None) -> None:
        """Shows what the summary scores against the reference of its document.

        Args:
            opened: What the reference belongs to; None for nothing.
            state: The state of this column's summary.
        """
        is_whole = state is not None and not state.text
        summary = state.summary if state is not None and is_whole else None
        self.reference.show_reference(opened, opened.reference if opened else "", summary)

    def _show_coverage(self, summary: Summary) -> None:
        complete = summary.read.complete
        self._sign.set_icon(*(("circle-check", "ok") if complete else ("triangle-alert", "warn")))
        self._sign.setAccessibleName(
            self.tr("Everything was read") if complete else self.tr("Something was left out")
        )
        self._coverage.setText(coverage_line(summary))
        read = summary.read
        unknown = "" if read.language else language_line(read)  # a known one stands over the source
        said = (*summary.notes, unknown, *read.notes, taken_out_line(read))
        notes = " ".join(note for note in said if note)
        self._notes.setText(notes)
        self._notes.setVisible(bool(notes))

    def _show_lines(self, opened: OpenedDocument) -> None:
        """Offers to join or keep the lines of plain text where it is doubtful, or was chosen."""
        source, notes = opened.source, opened.document.reading.notes
        joined = source.lines == "join" or (source.lines == "auto" and JOINED in notes)
        kept = source.lines == "keep" or (source.lines == "auto" and KEPT in notes)
        self._line_mode = "keep" if joined else "join"
        self._lines.setText(self.tr("Keep lines") if joined else self.tr("Join lines"))
        can_read = source.path is not None or bool(source.text)
        self._lines.setVisible((joined or kept) and can_read and not self._is_second)

    def _show_warning(self, state: SummariseState, summary: Summary) -> None:
        """Says which sentences have no support, and that the chosen model could not write."""
        told = ""
        if state.refused is not None:
            model, failure = state.refused
            is_built_in = summary.model == BUILT_IN
            writer = (
                self.tr("the built-in summariser") if is_built_in else state.title_of(summary.model)
            )
            words = self.tr("This summary is by {writer}, not by “{model}”. {why}")
            why = failure.message
            told = words.format(writer=writer, model=state.title_of(model), why=why)
        warning = " ".join(filter(None, (told, support_line(summary))))
        self._unsupported.setText(warning)
        self._warning.setVisible(bool(warning))
