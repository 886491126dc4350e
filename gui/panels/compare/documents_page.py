"""All documents of a comparison: sorted, filtered, and as a scatter of any two measures."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from core.numbers import format_count, format_quantity
from gui.panels.compare.documents_model import DocumentsModel
from gui.panels.compare.state import CompareState
from gui.panels.compare.words import measure_title, named, tr
from gui.theme.theme import Theme
from gui.widgets.charts.scatter import Scatter
from gui.widgets.charts.scatter_model import Points
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.inputs.button import STRIP_HEIGHT_PX
from gui.widgets.inputs.combo import ComboBox
from gui.widgets.inputs.field import FindField
from gui.widgets.inputs.wrap_row import WrapRow, labelled
from gui.widgets.support import layouts
from gui.widgets.tables.table import Table
from gui.widgets.tables.table_model import Column, TableModel

_FIND_MS = 150
_BOTH_PX = 1000
_LENGTH = "document words"


class DocumentsPage(Plane):
    """The strip of choices, the table of documents, the scatter."""

    opened = Signal(int)
    """The document that shall be read."""
    changed = Signal()
    """Other documents are listed, or in another order."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "surface")
        self._theme = theme
        self.state = CompareState()
        self.measure = self._box(tr("Measure"))
        self.order = self._box(tr("Order of the documents"))
        self.rival = self._box(tr("Compared with the first"))
        self.length = self._box(tr("Length of the documents"))
        self.abstractiveness = self._box(tr("Abstractiveness of the first summary"))
        self.kind = self._box(tr("Kind of document"))
        words = tr("Find a document")
        self.find_field = FindField(
            theme, name=words, placeholder=words, icon="search", height=STRIP_HEIGHT_PX
        )
        self.facts = Label(theme, "", "small", "text2", elide=True)
        self.table = Table(theme, TableModel((Column("document", tr("Document")),)),
                           name=tr("Documents"))  # fmt: skip
        self.across = self._box(tr("Measure from left to right"))
        self.up = self._box(tr("Measure from bottom to top"))
        self.scatter = Scatter(theme, name=tr("Documents as points"))
        self._later = QTimer(self, singleShot=True, interval=_FIND_MS)
        self._later.timeout.connect(self._filter)
        self._lay_out()
        self._connect()

    def _box(self, name: str) -> ComboBox:
        return ComboBox(self._theme, name=name, height=STRIP_HEIGHT_PX)

    def _lay_out(self) -> None:
        choices = (self.measure, self.order, self.rival, self.length, self.abstractiveness,
                   self.kind, self.find_field)  # fmt: skip
        self._strip = WrapRow(self._theme, choices, gap=8, padding=(24, 6, 16, 6))
        left = QWidget()
        layouts.column(
            layouts.row(self.facts, margins=(12, 6, 12, 6)),
            (self.table, 1),
            into=left,
            margins=(12, 0, 0, 0),
        )
        self._right = QWidget()
        axes = (self.up, labelled(self._theme, tr("over"), self.across))
        self._axes = WrapRow(self._theme, axes, gap=8, padding=(0, 0, 0, 0), color="surface")
        layouts.column(
            self._axes, (self.scatter, 1), into=self._right, margins=(16, 6, 16, 12), spacing=8
        )
        self._line = Divider(self._theme, Qt.Orientation.Vertical)
        layouts.column(
            self._strip,
            Divider(self._theme),
            (layouts.row((left, 70), self._line, (self._right, 30)), 1),
            into=self,
        )

    def _connect(self) -> None:
        for box in (self.measure, self.order, self.rival, self.length, self.abstractiveness,
                    self.kind):  # fmt: skip
            box.activated.connect(self._filter)
        self.find_field.textChanged.connect(lambda text: self._later.start())
        self.table.opened.connect(lambda number: self.opened.emit(number))
        for box in (self.across, self.up):
            box.activated.connect(self._draw_scatter)
        self.scatter.opened.connect(self.opened)
        self.scatter.pointed.connect(self._tell_point)

    # What is shown

    def open(self, state: CompareState) -> None:
        """Shows the documents of another comparison."""
        self.state = state
        opened = state.opened
        if opened is None:
            return
        about = opened.about
        measures = [(measure_title(name), name) for name, _ in about.measures]
        _fill(self.measure, measures, state.measure)
        several = len(about.systems) > 1
        first = named(about.systems[0].title)
        orders = [(tr("As in the set"), "set")]
        if several:
            orders += [
                (tr("Most disagreement first"), "disagreement"),
                (tr("Most won by {first} first").format(first=first), "won"),
                (tr("Most lost by {first} first").format(first=first), "lost"),
            ]
        _fill(self.order, orders, state.order)
        rivals = [(tr("against {other}").format(other=named(s.title)), n)
                  for n, s in enumerate(about.systems) if n]  # fmt: skip
        _fill(self.rival, rivals, state.rival)
        self.rival.setVisible(len(rivals) > 1)
        thirds = ("low", "middle", "high")
        lengths = (tr("Short third"), tr("Middle third"), tr("Long third"))
        _fill(self.length, [(tr("All lengths"), ""), *zip(lengths, thirds, strict=True)], "")
        kinds_of = (tr("Extractive third"), tr("Mixed third"), tr("Abstractive third"))
        whole = (tr("All summaries"), "")
        _fill(self.abstractiveness, [whole, *zip(kinds_of, thirds, strict=True)], "")
        self.abstractiveness.setVisible(opened.measure("novel 2-grams") is not None)
        kinds = [(kind, kind) for kind in state.kinds]
        _fill(self.kind, [(tr("All kinds"), ""), *kinds], "")
        self.kind.setVisible(len(kinds) > 1)
        self.find_field.clear()
        self._later.stop()
        self._strip.arrange()
        self._fill_axes()
        self.refresh()

    def _fill_axes(self) -> None:
        assert self.state.opened is not None
        about = self.state.opened.about
        offered = [(tr("Words of the document"), (_LENGTH, 0))]
        offered += [
            (f"{measure_title(name)}, {named(system.title)}", (name, number))
            for name, _ in about.measures
            for number, system in enumerate(about.systems)
        ]
        several = len(about.systems) > 1
        _fill(self.up, offered, (self.state.measure, 1 if several else 0))
        _fill(self.across, offered, (self.state.measure, 0) if several else (_LENGTH, 0))
        self._axes.arrange()

    def _filter(self) -> None:
        """Lists what was chosen."""
        state = self.state
        state.measure = self.measure.currentData() or state.measure
        state.order = self.order.currentData() or "set"
        state.rival = self.rival.currentData() or 1
        state.filter.length = self.length.currentData() or ""
        state.filter.abstractiveness = self.abstractiveness.currentData() or ""
        state.filter.kind = self.kind.currentData() or ""
        state.filter.words = self.find_field.text()
        state.sort()
        self.refresh()
        self.changed.emit()

    def refresh(self) -> None:
        """Shows what the state lists."""
        if self.state.opened is None:
            return
        self._fill_table()
        self._draw_scatter()
        self.facts.setText(self._told())

    def _told(self) -> str:
        state = self.state
        assert state.opened is not None
        shown, whole = len(state.rows), len(state.opened)
        told = format_quantity(shown, tr("document"), tr("documents"))
        if shown < whole:
            words = tr("{shown} of {whole} documents")
            told = words.format(shown=format_count(shown), whole=format_count(whole))
        systems = state.opened.about.systems
        if len(systems) < 2 or state.ahead() is None:
            return told
        won, equal, lost = state.wins()
        words = tr("{told}. {measure}: {first} wins {won}, {other} wins {lost}, {equal} equal.")
        return words.format(
            told=told, measure=measure_title(state.measure), first=named(systems[0].title),
            other=named(systems[state.rival].title), won=format_count(won), lost=format_count(lost),
            equal=format_count(equal),
        )  # fmt: skip

    def _fill_table(self) -> None:
        model = DocumentsModel(self.state)
        model.layoutChanged.connect(self._follow_table)
        self.table.show_table(model)
        if self.state.place:
            self.table.select(self.state.number)

    def _follow_table(self) -> None:
        """Takes over the order of a column that was sorted by, so that “next” means the same."""
        model = self.table.table_model
        assert isinstance(model, DocumentsModel)
        self.state.rows = model.numbers
        self.changed.emit()

    # The scatter

    def _draw_scatter(self) -> None:
        rows = self.state.rows
        points = Points(
            self._axis(self.across)[rows],
            self._axis(self.up)[rows],
            rows,
            (self.across.currentText(), self.up.currentText()),
        )
        self.scatter.show_points(points)
        self.scatter.mark(self.state.number)

    def _axis(self, box: ComboBox) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
        """[N] the values of an axis."""
        opened = self.state.opened
        assert opened is not None
        name, system = box.currentData() or (_LENGTH, 0)
        values = opened.measure(name) if name != _LENGTH else None
        return np.array(opened.names.words, np.float64) if values is None else values[system]

    def _tell_point(self, number: int) -> None:
        opened = self.state.opened
        if number < 0 or opened is None:
            self.scatter.show_words("")
            return
        lines = [
            f"{box.currentText()}: {self._axis(box)[number]:.1f}" for box in (self.across, self.up)
        ]
        self.scatter.show_words("\n".join([opened.names.titles[number], *lines]))

    def show_number(self, number: int) -> None:
        """Marks the document that is shown."""
        self.scatter.mark(number)
        if self.state.place:
            self.table.select(number)

    def fold(self, width_px: int) -> None:
        """Leaves out the scatter where there is no room for it."""
        self._right.setVisible(width_px >= _BOTH_PX)
        self._line.setVisible(width_px >= _BOTH_PX)

    def regions(self) -> list[QWidget]:
        """The parts that F6 moves between."""
        return [self._strip, self.table, self._right]


def _fill(box: ComboBox, items: Sequence[tuple[str, object]], chosen: object) -> None:
    """Fills a box and chooses one of its values."""
    box.clear()
    for words, value in items:
        box.addItem(words, value)
    values = [value for _, value in items]
    box.setCurrentIndex(values.index(chosen) if chosen in values else (0 if items else -1))
    box.updateGeometry()  # it is as wide as its longest choice
