"""Source, reference and summaries of one document side by side; a search goes through all."""

from collections.abc import Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from core.jobs.evaluation.browse_comparison import ComparedDocument, ComparedSummary
from core.numbers import format_quantity
from core.runs.comparisons import OpenedComparison
from gui.panels.compare.column import ColumnHead, SummaryColumn, find_button
from gui.panels.compare.legend import Legend
from gui.panels.compare.state import CompareState
from gui.panels.compare.words import color_of, measure_title, named, tr, with_unit
from gui.theme.theme import Theme
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.reading.find_across import FindAcross
from gui.widgets.reading.find_bar import FindBar
from gui.widgets.reading.marks import Mark
from gui.widgets.reading.reading_view import ReadingView
from gui.widgets.support import layouts
from gui.widgets.support.leaving import let_go
from gui.widgets.support.tab_order import put_in_order

_SOURCE_LEAST_PX = 240
_SOURCE_SHARE, _SUMMARY_SHARE = 6, 5
_LEFT_PX = 20


class TextPage(Plane):
    """The columns, and the legend under them."""

    lit = Signal(int, object)
    """Which column, and which of its sentences is lit, or None."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self._theme = theme
        self.source = ReadingView(theme, compact_left=_LEFT_PX, small=True)
        self.source.setAccessibleName(tr("Source"))
        find = find_button(theme)
        find.triggered.connect(self.open_find)
        self._source_head = ColumnHead(theme, tr("Source"), button=find)
        self.found = FindAcross(self)
        self.found.gone_to.connect(self._show_found)
        self.find_bar = FindBar(theme, self.found, tr("Find in all texts"))
        self.source_column = self._make_source()
        self.reference = SummaryColumn(theme, tr("Reference"))
        self.outputs: list[SummaryColumn] = []
        self.legend = Legend(theme)
        self.shown: ComparedDocument | None = None
        self.active: SummaryColumn | None = None
        self._columns = QWidget()
        self._row = layouts.row(into=self._columns)
        self._lines: list[Divider] = []
        self.area = QScrollArea()
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(self._columns)
        self._source_line = Divider(theme, Qt.Orientation.Vertical)
        self._beside = layouts.row(self.source_column, self._source_line, self.area)
        layouts.column(self.find_bar, (self._beside, 1), Divider(theme), self.legend, into=self)
        self.source.hovered.connect(self._light_from_source)
        self.source.activated.connect(self._show_sentence)
        self._watch(self.reference)

    def _make_source(self) -> Plane:
        part = Plane(self._theme, "surface")
        part.setMinimumWidth(_SOURCE_LEAST_PX)
        layouts.column(self._source_head, Divider(self._theme), (self.source, 1), into=part)
        return part

    def _watch(self, column: SummaryColumn) -> None:
        column.hovered.connect(lambda number: self.light(column, number))
        column.walked.connect(lambda number: self._follow(column, number))
        column.shown_in_source.connect(lambda number: self._show_evidence(column, number))

    # What is shown

    def open(self, opened: OpenedComparison | None) -> None:
        """Makes a column for each system of another comparison."""
        self.shown = self.active = None
        self.find_bar.clear()
        self.found.set_views([])
        for old in (*self.outputs, *self._lines):
            self._row.removeWidget(old)
            let_go(old)
        self.outputs, self._lines = [], []
        self._row.removeWidget(self.reference)
        about = opened.about if opened is not None else None
        systems = about.systems if about is not None else ()
        for number, system in enumerate(systems):
            made = SummaryColumn(self._theme, named(system.title), color_of(number))
            self._watch(made)
            self.outputs.append(made)
        has_source = about is None or about.has_documents
        for part in (self.source_column, self._source_line):
            part.setVisible(has_source)
        has_reference = about is not None and about.has_references
        self._beside.setStretch(0, _SOURCE_SHARE)
        self._beside.setStretch(2, _SUMMARY_SHARE * (len(systems) + has_reference))
        self._add(self.reference, _SUMMARY_SHARE, has_reference)
        for each in self.outputs:
            self._add(each, _SUMMARY_SHARE, True)

    def _add(self, column: QWidget, share: int, shown: bool) -> None:
        if shown and self._row.count():
            line = Divider(self._theme, Qt.Orientation.Vertical)
            self._lines.append(line)
            self._row.addWidget(line)
        self._row.addWidget(column, share)
        column.setVisible(shown)

    def show_document(self, shown: ComparedDocument, state: CompareState) -> None:
        """Shows another document, or the same compared with something else."""
        is_same = self.shown is not None and self.shown.number == shown.number
        active = self.columns.index(self.active) if is_same and self.active in self.columns else -1
        self.shown = shown
        document = shown.document
        if not is_same:
            self.source.set_document(document)
            words = document.reading.words if document is not None else 0
            self._source_head.words.setText(_words(words))
        length = len(document.text) if document is not None else 0
        if shown.reference is not None:
            self.reference.show_summary(shown.reference, length, _words(shown.reference.words))
        for number, (column, output) in enumerate(zip(self.outputs, shown.outputs, strict=True)):
            score = _score_of(state, number)
            column.show_summary(output, length, _words(output.words), score)
        put_in_order(self)  # a strip without a place to show is no stop
        self.relight(state)
        has_source = document is not None
        texts = [each.text for each in self.columns]
        self.found.set_views([*([self.source] if has_source else []), *texts])
        self._make_active(self.columns[active] if active >= 0 else self.outputs[0])

    @property
    def columns(self) -> list[SummaryColumn]:
        """The columns of summaries, the reference first where there is one."""
        has_reference = self.shown is not None and self.shown.reference is not None
        return [*([self.reference] if has_reference else []), *self.outputs]

    def relight(self, state: CompareState, *, novel: bool = True) -> None:
        """Marks shared words and new ones as the state has it."""
        has_source = self.shown is not None and self.shown.document is not None
        for column in (self.reference, *self.outputs):
            column.light(state.light, novel=novel)
        against = dict(state.comparisons).get(state.against, "")
        self.legend.show_light(state.light, against, has_source=has_source, novel=novel)

    # Find

    def open_find(self) -> None:
        """Opens the search through all texts."""
        self.find_bar.open_bar()

    def _show_found(self, view: ReadingView) -> None:
        """Brings the column with the current place on screen."""
        for column in self.columns:
            if column.text is view:
                self.area.ensureWidgetVisible(column, 0, 0)

    # Evidence

    def light(self, column: SummaryColumn, number: int | None) -> None:
        """Lights a sentence of a summary and its evidence; nothing else stays lit."""
        if number is not None:
            self._make_active(column)
        for each in self.columns:
            each.set_lit(number if each is column else None)
        self.source.set_lit(number if column is self.active else None)
        if column in self.columns:
            self.lit.emit(self.columns.index(column), number)

    def _make_active(self, column: SummaryColumn) -> None:
        """Marks in the source what is evidence of a summary."""
        self.active = column
        if column.summary is not None:
            self.source.set_marks(_evidence(column.summary))

    def _light_from_source(self, number: int | None) -> None:
        if self.active is not None:
            for each in self.columns:
                each.set_lit(number if each is self.active else None)

    def _show_sentence(self, number: int) -> None:
        if self.active is not None:
            self.active.text.scroll_to_number(number)

    def _follow(self, column: SummaryColumn, number: int) -> None:
        """Keeps the evidence in sight while the keyboard walks through a summary."""
        self.area.ensureWidgetVisible(column, 0, 0)
        self.source.scroll_to_number(number)

    def _show_evidence(self, column: SummaryColumn, number: int) -> None:
        self.light(column, number)
        self.source.scroll_to_number(number)

    def clear_lit(self) -> bool:
        """Lights nothing; whether anything was lit."""
        was = self.source.look.lit is not None or any(
            each.text.look.lit is not None for each in self.columns
        )
        self.source.set_lit(None)
        for each in self.columns:
            each.set_lit(None)
        return was

    def regions(self) -> list[QWidget]:
        """The search and the columns, which F6 moves between."""
        parts = [self.find_bar, self.source_column, *self.columns]
        return [part for part in parts if part.isVisibleTo(self)]


def _evidence(summary: ComparedSummary) -> Iterator[Mark]:
    for number, sentence in enumerate(summary.sentences, 1):
        yield from (Mark(start, end, number) for start, end in sentence.evidence)


def _words(count: int) -> str:
    return format_quantity(count, tr("word"), tr("words"))


def _score_of(state: CompareState, system: int) -> str:
    """What a system scores on the shown document: "ROUGE-1 61.2"."""
    values = state.values()
    if values is None or state.opened is None or state.measure == "words":
        return ""
    unit = dict(state.opened.about.measures)[state.measure]
    title = measure_title(state.measure).removesuffix(" F1")
    return f"{title} {with_unit(state.measure, float(values[system, state.number]), unit)}"
