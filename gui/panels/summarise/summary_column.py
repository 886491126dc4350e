"""The right column: how long, what was read, the summary, and what can be done with it."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from core.summary import (
    Length,
    LengthUnit,
    Summary,
    coverage_line,
    format_quantity,
    taken_out_line,
)
from gui.panels.summarise.model_box import ModelBox
from gui.panels.summarise.source_column import Strip
from gui.panels.summarise.state import SummariseState
from gui.panels.summarise.waiting import WritingRow
from gui.theme.theme import Theme
from gui.widgets.button import Button
from gui.widgets.field import NumberField
from gui.widgets.label import Label
from gui.widgets.plane import Divider, Plane
from gui.widgets.progress import ProgressBar
from gui.widgets.segmented import SegmentedControl
from gui.widgets.sign import Sign
from gui.widgets.skeleton import Skeleton
from gui.widgets.slider import Slider
from gui.widgets.summary_list import SummaryList

_FOOT_PX = 52
_GAP_PX = 8
_FIELD_PX, _WIDE_FIELD_PX = 44, 64


class LengthControl(QWidget):
    """Sentences, words or share; a slider and its field."""

    length_wished = Signal(object, bool)
    """A `Length`, and whether more is to come (the slider is still moving)."""
    unit_chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.unit = SegmentedControl(
            theme,
            [
                ("sentences", self.tr("Sentences")),
                ("words", self.tr("Words")),
                ("share", self.tr("Share")),
            ],
            height=28,
            name=self.tr("Length in"),
        )
        self.slider = Slider(theme, 1, 30, 9, name=self.tr("Length of the summary"), width=112)
        self.field = NumberField(
            theme, 1, 30, 9, name=self.tr("Length of the summary"), width=_FIELD_PX, height=28
        )
        self._percent = Label(theme, "%", "small", "text3")
        self._percent.hide()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP_PX)
        for part in (self.unit, self.slider, self.field, self._percent):
            row.addWidget(part, 1 if part is self.slider else 0)
        self.unit.chosen.connect(self.unit_chosen)
        self.slider.followed.connect(self._on_followed)
        self.slider.sliderPressed.connect(self._end_drag)
        self.slider.sliderReleased.connect(self._end_drag)
        self.field.value_changed.connect(lambda value: self._wish(value, more=False))

    def show_state(self, state: SummariseState) -> None:
        """Shows the length as the state has it, without a signal."""
        length = state.length
        self.unit.set_value(length.unit)
        self._percent.setVisible(length.unit == "share")
        self.field.setFixedWidth(_WIDE_FIELD_PX if length.unit == "words" else _FIELD_PX)
        top = state.slider_top(length.unit)
        with QSignalBlocker(self.slider):
            self.slider.set_bounds(1, top)
            self.slider.setValue(min(top, round(length.value)))
        self.slider.update()
        self.field.set_bounds(1, state.most(length.unit))
        if not self.field.hasFocus() or self.field.value != round(length.value):
            self.field.set_value(round(length.value))

    @property
    def least_px(self) -> int:
        """The width it needs with its slider, in any unit."""
        unit, slider = self.unit.sizeHint().width(), self.slider.minimumSizeHint().width()
        return unit + slider + _WIDE_FIELD_PX + 2 * _GAP_PX

    def fold(self, with_slider: bool) -> None:
        """Leaves out the slider where it has no room; the field does the same."""
        self.slider.setVisible(with_slider)

    @property
    def is_dragged(self) -> bool:
        """Whether the slider is held, so that more is to come."""
        return self.slider.isSliderDown()

    def step(self, by: int) -> None:
        """Makes the summary shorter or longer by a step of its unit."""
        size = {"sentences": 1, "words": 10, "share": 1}[self.unit.value]
        self._wish(max(1, self.field.value + by * size), more=False)

    def _on_followed(self, value: int) -> None:
        self._wish(value, more=True)

    def _end_drag(self) -> None:
        """What follows is another change, with an undo of its own."""
        self._wish(self.slider.value(), more=True)
        self._wish(self.slider.value(), more=False)

    def _wish(self, value: int, *, more: bool) -> None:
        unit: LengthUnit = self.unit.value  # type: ignore[assignment]  # one of its three parts
        self.length_wished.emit(Length(value, unit), more)


class SummaryColumn(Plane):
    """The summary and what belongs to it."""

    undo_asked = Signal()
    redo_asked = Signal()
    copy_asked = Signal()
    export_asked = Signal(QWidget)
    cancel_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self._with_name = True
        self.length = LengthControl(theme)
        self.models = ModelBox(theme)
        self.list = SummaryList(theme)
        self.list.setAccessibleName(self.tr("Summary"))
        self._sign = Sign(theme, "circle-check", "ok", 14)
        self._coverage = Label(theme, "", "small", "text2", wrap=True)
        self._notes = Label(theme, "", "small", "text3", wrap=True)
        self._unsupported = Label(theme, "", "small", "warn", wrap=True)
        self._bar = ProgressBar(theme, name=self.tr("Reading"))
        self._doing = Label(theme, "", "small", "text2")
        self.head = self._make_head(theme)
        self._stack = QStackedLayout()
        self._ready = self._make_ready(theme)
        self._waiting = self._make_waiting(theme)
        self._stack.addWidget(self._ready)
        self._stack.addWidget(self._waiting)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self.head, Divider(theme)):
            column.addWidget(part)
        column.addLayout(self._stack, 1)

    def _make_head(self, theme: Theme) -> QWidget:
        head = Plane(theme, "surface")
        self._strip, self._second = Strip(theme), Strip(theme)
        self._name = QWidget()
        named = QHBoxLayout(self._name)
        named.setContentsMargins(0, 0, _GAP_PX, 0)
        named.addWidget(Label(theme, self.tr("Summary"), "section"))
        self._strip.row.addWidget(self._name)
        self._strip.row.addWidget(self.length)
        self._strip.row.addStretch(1)
        self._second.row.addWidget(Label(theme, self.tr("Summary by"), "small", "text2"))
        self._second.row.addStretch(1)
        column = QVBoxLayout(head)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._strip)
        column.addWidget(self._second)
        return head

    def _make_ready(self, theme: Theme) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.writing = WritingRow(theme)
        self.writing.cancel_asked.connect(self.cancel_asked)
        column.addWidget(self.writing)
        column.addLayout(self._make_coverage())
        self._warning = self._make_warning(theme)
        column.addWidget(self._warning)
        column.addWidget(self.list, 1)
        self._foot_line = Divider(theme)
        column.addWidget(self._foot_line)
        self.foot = self._make_foot(theme)
        column.addWidget(self.foot)
        return page

    def _make_coverage(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(24, 10, 24, 8)
        row.setSpacing(8)
        row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._coverage)
        words.addWidget(self._notes)
        row.addLayout(words, 1)
        return row

    def _make_warning(self, theme: Theme) -> QWidget:
        warning = QWidget()
        row = QHBoxLayout(warning)
        row.setContentsMargins(24, 0, 24, 8)
        row.setSpacing(8)
        row.addWidget(Sign(theme, "triangle-alert", "warn", 14), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._unsupported, 1)
        return warning

    def _make_foot(self, theme: Theme) -> QWidget:
        foot = Plane(theme, "surface")
        foot.setFixedHeight(_FOOT_PX)
        row = QHBoxLayout(foot)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(8)
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
        for part in (self._undo, self._redo):
            row.addWidget(part)
        row.addStretch(1)
        for part in (self._copy, self.export):
            row.addWidget(part)
        self._undo.triggered.connect(self.undo_asked)
        self._redo.triggered.connect(self.redo_asked)
        self._copy.triggered.connect(self.copy_asked)
        self.export.triggered.connect(lambda: self.export_asked.emit(self.export))
        return foot

    def _make_waiting(self, theme: Theme) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(56, 14, 56, 24)
        column.setSpacing(8)
        cancel = Button(theme, self.tr("Cancel"), kind="secondary", height=28)
        cancel.triggered.connect(self.cancel_asked)
        row = QHBoxLayout()
        row.addWidget(self._doing, 1)
        row.addWidget(cancel)
        column.addLayout(row)
        column.addWidget(self._bar)
        column.addSpacing(16)
        column.addWidget(Skeleton(theme, 8))
        column.addStretch(1)
        return page

    def fold(self, with_name: bool, with_export: bool) -> None:
        """Leaves out what another part of the window says.

        Args:
            with_name: Whether the column says what it is.
            with_export: Whether Export stands at its foot.
        """
        self._with_name = with_name
        self.export.setVisible(with_export)
        self._fold_head()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold_head()

    def _fold_head(self) -> None:
        """Of what has no room the name goes first; then the models get a strip of their own.

        Without a choice of models there is neither box nor strip.
        """
        row, offers = self._strip.row, self.models.offers
        margins, gap = row.contentsMargins(), row.spacing()
        room = self.width() - margins.left() - margins.right() - self.length.least_px
        self.length.fold(with_slider=room >= 0)
        box_px = self.models.minimumWidth() + gap if offers else 0
        is_beside = room >= box_px
        place = self._strip if is_beside else self._second
        if self.models.parentWidget() is not place:
            place.row.addWidget(self.models)
            QWidget.setTabOrder(self.length.field, self.models)
        self.models.setVisible(offers)
        self._second.setVisible(offers and not is_beside)
        name_px = self._name.sizeHint().width() + gap
        self._name.setVisible(self._with_name and room - is_beside * box_px >= name_px)

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
        self.show_models(state)
        self._show_coverage(summary)
        self.list.set_summary(summary, state.opened.document)
        self.list.set_editable(state.can_edit)
        self.show_writing(state)
        self._undo.set_usable(state.can_undo, self.tr("There is nothing to undo."))
        self._redo.set_usable(state.can_redo, self.tr("There is nothing to redo."))
        self._stack.setCurrentWidget(self._ready)

    def show_writing(self, state: SummariseState) -> None:
        """Shows how far a model is that writes; nothing when none does."""
        self.writing.setVisible(state.wish is not None)
        if state.wish is not None:
            self.writing.show_progress(state.wish.model, state.progress)

    def show_models(self, state: SummariseState) -> None:
        """Shows which models there are, and which is chosen."""
        self.models.show_models(state.models, state.model)
        self._fold_head()

    def _show_coverage(self, summary: Summary) -> None:
        complete = summary.read.complete
        self._sign.set_icon(*(("circle-check", "ok") if complete else ("triangle-alert", "warn")))
        self._sign.setAccessibleName(
            self.tr("All was read") if complete else self.tr("Something was left out")
        )
        self._coverage.setText(coverage_line(summary))
        said = (*summary.notes, *summary.read.notes, taken_out_line(summary.read))
        notes = " ".join(note for note in said if note)
        self._notes.setText(notes)
        self._notes.setVisible(bool(notes))
        self._show_unsupported(sum(not sentence.evidence for sentence in summary.sentences))

    def _show_unsupported(self, number: int) -> None:
        has = self.tr("has") if number == 1 else self.tr("have")
        words = self.tr("{sentences} {has} no support in the source.")
        sentences = format_quantity(number, "sentence")
        self._unsupported.setText(words.format(sentences=sentences, has=has))
        self._warning.setVisible(number > 0)
